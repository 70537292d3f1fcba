/** Headers by name, as in Node, Express, Hono or fetch. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface CallbackToVerify {
  readonly headers: CallbackHeaders
  /** The unparsed body: JSON that was parsed and serialised again differs. */
  readonly body: Uint8Array | string
  readonly secret: string
  /** Tolerance of the timestamp in seconds. */
  readonly toleranceSeconds?: number
  /** The current time in milliseconds; default: the machine's clock. */
  readonly nowMs?: number
}

/** Standard Webhooks requires receivers to refuse older or newer ones. */
const defaultToleranceSeconds = 300

/**
 * Whether the sender of a callback has the secret. If Standard Webhooks' headers are present they decide, including the time; otherwise
 * `X-VLMRun-Signature` alone does, which does not protect against replays. Compares in constant time. Throws a TypeError if `body` was
 * already parsed: no signature could match it.
 */
export async function verifyCallback(callback: CallbackToVerify): Promise<boolean> {
  const { headers, secret } = callback
  refuseParsedBody(callback.body)
  const body = typeof callback.body === 'string' ? new TextEncoder().encode(callback.body) : callback.body
  const signatures = headerOf(headers, 'webhook-signature')
  if (signatures === undefined) {
    const hex = /^sha256=([0-9a-f]{64})$/.exec(headerOf(headers, 'x-vlmrun-signature') ?? '')?.[1]
    return hex !== undefined && isSigned(textBytes(secret), bytesOfHex(hex), body)
  }
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp') ?? ''
  if (!id || !/^\d{1,12}$/.test(timestamp)) return false
  const offSeconds = Math.abs((callback.nowMs ?? Date.now()) / 1000 - Number(timestamp))
  if (offSeconds > (callback.toleranceSeconds ?? defaultToleranceSeconds)) return false
  const key = keyOf(secret)
  if (!key) return false
  const signed = joined(textBytes(`${id}.${timestamp}.`), body)
  let isGenuine = false
  for (const one of signatures.split(' ')) {
    const given = one.startsWith('v1,') ? bytesOfBase64(one.slice(3)) : undefined
    if (given && (await isSigned(key, given, signed))) isGenuine = true
  }
  return isGenuine
}

/** Callers without TypeScript often pass `request.body` of a framework that has already parsed the JSON. */
function refuseParsedBody(body: unknown): asserts body is Uint8Array | string {
  if (typeof body === 'string' || body instanceof Uint8Array) return
  const given = body === null ? 'null' : Array.isArray(body) ? 'an array' : `a value of type ${typeof body}`
  throw new TypeError(
    `verifyCallback: pass the raw body as a string or Uint8Array; body is ${given}. The signature covers the exact bytes that arrived, so read them before any JSON parser does, for example with express.raw({ type: 'application/json' }) or await request.text()`,
  )
}

function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' || found === undefined ? found : found.join(', ')
}

/** A secret `whsec_…` is the key in base64; any other is the key itself. */
const keyOf = (secret: string): Uint8Array<ArrayBuffer> | undefined =>
  secret.startsWith('whsec_') ? bytesOfBase64(secret.slice('whsec_'.length)) : textBytes(secret)

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  key: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array,
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify'])
  return crypto.subtle.verify(hmac, imported, signature, new Uint8Array(signed))
}

const textBytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

const bytesOfHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16))

function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
