import { createHmac, randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'

const prefix = 'whsec_'
/** Keys of HMAC-SHA-256 longer than its block add nothing; Standard Webhooks asks for 24 to 64 bytes. */
const secretBytes = 32

export const newCallbackSecret = (): string => prefix + randomBytes(secretBytes).toString('base64')

/** Whether a text is a valid secret: 8 to 500 printable ASCII characters; after `whsec_`, padded base64. */
export function isCallbackSecret(text: string): boolean {
  if (!/^[\x21-\x7e]{8,500}$/.test(text)) return false
  if (!text.startsWith(prefix)) return true
  return /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.slice(prefix.length))
}

/**
 * The signature headers of a body: those of Standard Webhooks 1.0.0, and the one that existing verifiers read. A secret `whsec_<base64>`
 * keys `webhook-signature` with its bytes and the other header with its text; any other secret keys both with its text. `secrets` begins
 * with the current one; the others sign the first header only.
 */
export function signedHeaders(signing: {
  readonly webhookId: string
  readonly body: Uint8Array
  readonly secrets: readonly [string, ...string[]]
  readonly now: Date
}): Record<string, string> {
  const { webhookId, body, secrets, now } = signing
  const text = Buffer.from(body).toString()
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => signerOf(secret).sign(webhookId, now, text)).join(' '),
    'X-VLMRun-Signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('hex')}`,
  }
}

const signerOf = (secret: string): Webhook =>
  secret.startsWith(prefix) ? new Webhook(secret) : new Webhook(secret, { format: 'raw' })
