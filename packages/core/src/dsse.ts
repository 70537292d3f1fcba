import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { Fault } from './fault.ts'
import { isJsonObject, type Json } from './json.ts'

/**
 * Signed envelopes: DSSE 1.0 (https://github.com/secure-systems-lab/dsse), one Ed25519 signature (RFC 8032).
 *
 * DSSE allows any JSON around the payload. Here an envelope has exactly one form, that of `JSON.stringify`, and one form of base64: no byte of a
 * file can be changed without the check noticing.
 */
export interface Envelope<Type extends string = string> {
  readonly payloadType: Type
  /** Base64. */
  readonly payload: string
  readonly signatures: readonly [{ readonly keyid: string; readonly sig: string }]
}

/** A public key as it is published: a JSON Web Key (RFC 8037) with the time in which it signed. */
export interface PublishedKey {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly alg: 'EdDSA'
  readonly use: 'sig'
  readonly kid: string
  /** The public key, base64url. */
  readonly x: string
  readonly valid_from: string
  /** When it stopped signing; null: it still signs. */
  readonly valid_until: string | null
  /** When it was revoked: nothing that it signed can be trusted. */
  readonly revoked_at: string | null
}

/** The id of a key: the first half of the SHA-256 of its DER. */
export const keyIdOf = (publicKey: Uint8Array): string =>
  createHash('sha256').update(publicKey).digest('hex').slice(0, 32)

/** The parts of a key that follow from its SubjectPublicKeyInfo in DER. */
export function webKeyOf(publicKey: Uint8Array): Pick<PublishedKey, 'kty' | 'crv' | 'alg' | 'use' | 'kid' | 'x'> {
  const { x = '' } = publicKeyOf(publicKey).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: keyIdOf(publicKey), x }
}

const publicKeyOf = (der: Uint8Array): KeyObject =>
  createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' })

/** The bytes that are signed: "PAE" of the specification. */
const signedBytes = (payloadType: string, payload: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `),
    payload,
  ])

export function signEnvelope<Type extends string>(
  payloadType: Type,
  payload: Uint8Array,
  key: { readonly id: string; readonly privateKey: KeyObject },
): Envelope<Type> {
  const sig = sign(null, signedBytes(payloadType, payload), key.privateKey).toString('base64')
  return { payloadType, payload: Buffer.from(payload).toString('base64'), signatures: [{ keyid: key.id, sig }] }
}

/** The bytes of an envelope in a file. */
export const envelopeText = ({ payloadType, payload, signatures: [{ keyid, sig }] }: Envelope): string =>
  JSON.stringify({ payloadType, payload, signatures: [{ keyid, sig }] })

/** What a valid envelope holds. */
export interface Opened {
  readonly payload: Buffer
  readonly key: PublishedKey
}

/**
 * Verifies the bytes of an envelope, optionally followed by one line break, with published keys. Throws Fault `conflict`: `bad_capsule`
 * (another form, type or signature), `unknown_capsule_key`, `revoked_capsule_key`.
 */
export function verifyEnvelope(bytes: Uint8Array, payloadType: string, keys: readonly PublishedKey[]): Opened {
  const envelope = envelopeIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!envelope) throw bad('it is not a signed envelope as Skillrun writes it, or its bytes were changed')
  const { payload } = envelope
  if (envelope.payloadType !== payloadType) throw bad(`its payload is of another type than ${payloadType}`)
  const [{ keyid, sig }] = envelope.signatures
  const key = keys.find(({ kid }) => kid === keyid)
  if (!key)
    throw new Fault(
      'conflict',
      'unknown_capsule_key',
      'The capsule is signed with a key that is not among these: it comes from another server, or its bytes were changed',
    )
  const publicKey = webKey(key)
  if (!publicKey || keyIdOf(publicKey.export({ format: 'der', type: 'spki' })) !== key.kid)
    throw bad(`the published key ${key.kid} is damaged`)
  if (!verify(null, signedBytes(envelope.payloadType, payload), publicKey, Buffer.from(sig, 'base64')))
    throw bad('its signature does not match its content')
  if (key.revoked_at !== null)
    throw new Fault(
      'conflict',
      'revoked_capsule_key',
      `The capsule is signed with a key that was revoked at ${key.revoked_at}`,
    )
  return { payload, key }
}

/** Throws Fault `conflict` (`capsule_key_not_valid`) when a capsule's signing time is outside the validity of its key. */
export function refuseSignedOutside(signedAt: string, key: PublishedKey): void {
  const at = Date.parse(signedAt)
  if (at >= Date.parse(key.valid_from) && (key.valid_until === null || at <= Date.parse(key.valid_until))) return
  throw new Fault(
    'conflict',
    'capsule_key_not_valid',
    `The capsule says that it was signed at ${signedAt}, when its key did not sign: ${key.valid_from} to ${key.valid_until ?? 'now'}`,
  )
}

function webKey({ kty, crv, x }: PublishedKey): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  } catch {
    return undefined
  }
}

const bad = (why: string): Fault => new Fault('conflict', 'bad_capsule', `The capsule is not valid: ${why}`)

const beforePayload = '","payload":"'

/**
 * The envelope with its decoded payload, if the bytes are its canonical form, optionally followed by one line break. The payload is most of a
 * file: it is cut out first, and neither parsed nor written as JSON.
 */
function envelopeIn(bytes: Buffer): (Omit<Envelope, 'payload'> & { readonly payload: Buffer }) | undefined {
  const whole = bytes.at(-1) === lineBreak ? bytes.subarray(0, -1) : bytes
  // No string of JSON contains these characters.
  const start = whole.indexOf(beforePayload) + beforePayload.length
  const end = whole.indexOf('"', start)
  if (start < beforePayload.length || end < 0) return undefined
  const payload = decoded(whole.toString('latin1', start, end))
  const rest = Buffer.concat([whole.subarray(0, start), whole.subarray(end)])
  const read = parsed(rest.toString('utf8'))
  const { payloadType, signatures } = isJsonObject(read) ? read : {}
  const [signature, ...more] = Array.isArray(signatures) ? (signatures as readonly Json[]) : []
  const { keyid, sig } = isJsonObject(signature ?? null) ? (signature as { [name: string]: Json }) : {}
  if (typeof payloadType !== 'string' || typeof keyid !== 'string' || more.length > 0) return undefined
  if (!payload || typeof sig !== 'string' || !decoded(sig)) return undefined
  const envelope: Envelope = { payloadType, payload: '', signatures: [{ keyid, sig }] }
  return Buffer.from(envelopeText(envelope)).equals(rest) ? { ...envelope, payload } : undefined
}

const lineBreak = 0x0a

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

/** The bytes of a text that is their canonical base64: no other alphabet, padding or spare bits. */
function decoded(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64')
  return text !== '' && bytes.toString('base64') === text ? bytes : undefined
}
