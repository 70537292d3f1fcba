import { createHash, generateKeyPairSync } from 'node:crypto'
import { crypto, dsse } from '@sigstore/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { envelopeText, type PublishedKey, signEnvelope, verifyEnvelope, webKeyOf } from './dsse.ts'

const type = 'application/vnd.in-toto+json'
const made = () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const published: PublishedKey = {
    ...webKeyOf(der),
    ...{ valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, revoked_at: null },
  }
  return { published, privateKey, id: published.kid, der }
}
const key = made()
const payload = Buffer.from(
  JSON.stringify({ _type: 'https://in-toto.io/Statement/v1', subject: [], note: 'Ünïcode 日本' }),
)
const envelope = signEnvelope(type, payload, key)
const bytes = Buffer.from(envelopeText(envelope))

test('an envelope opens with the key that signed it, and no other', () => {
  expect(verifyEnvelope(bytes, type, [made().published, key.published]).payload).toEqual(payload)
  expect(verifyEnvelope(Buffer.concat([bytes, Buffer.from('\n')]), type, [key.published]).key).toEqual(key.published)
  expect(() => verifyEnvelope(bytes, type, [made().published])).toThrow(/another server/)
  expect(() => verifyEnvelope(bytes, type, [{ ...made().published, kid: key.id }])).toThrow(/damaged/)
  expect(() => verifyEnvelope(bytes, 'text/plain', [key.published])).toThrow(/another type/)
  const revoked = { ...key.published, revoked_at: '2026-02-01T00:00:00.000Z' }
  expect(() => verifyEnvelope(bytes, type, [revoked])).toThrow(/revoked at 2026-02-01/)
})

test('each of 10,000 random changes of a byte is refused', () => {
  let state = 1
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  let refused = 0
  for (let i = 0; i < 10_000; i += 1) {
    const changed = Buffer.from(bytes)
    const at = random(bytes.length)
    changed[at] = ((changed[at] ?? 0) + 1 + random(255)) % 256
    try {
      verifyEnvelope(changed, type, [key.published])
    } catch {
      refused += 1
    }
  }
  expect(refused).toBe(10_000)
})

test('every other way to write the same envelope is refused: space, order, escapes, more fields, loose base64', () => {
  const text = bytes.toString()
  const { payloadType, payload: content, signatures } = envelope
  const [{ keyid, sig }] = signatures
  const others = [
    ` ${text}`,
    `${text} `,
    `${text}\n\n`,
    text.replace(':', ': '),
    JSON.stringify({ payload: content, payloadType, signatures }),
    JSON.stringify({ ...envelope, note: 1 }),
    JSON.stringify({ ...envelope, signatures: [...signatures, ...signatures] }),
    JSON.stringify({ ...envelope, signatures: [{ sig, keyid }] }),
    text.replace('payloadType', 'payload\\u0054ype'),
    text.replace(content, `${content}=`),
    text.replace(sig, sig.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')),
    text.replace(content, `${content.slice(0, 4)}\\n${content.slice(4)}`),
    `\uFEFF${text}`,
    '',
    'null',
    '[]',
  ]
  for (const other of others) expect(() => verifyEnvelope(Buffer.from(other), type, [key.published]), other).toThrow()
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (any) => {
      expect(() => verifyEnvelope(any, type, [key.published])).toThrow()
    }),
  )
})

test("Sigstore's library builds the same signed bytes and accepts the signature", () => {
  const [{ sig }] = envelope.signatures
  const publicKey = crypto.createPublicKey(key.der, 'spki')
  const signed = dsse.preAuthEncoding(envelope.payloadType, Buffer.from(envelope.payload, 'base64'))
  expect(crypto.verify(signed, publicKey, Buffer.from(sig, 'base64'))).toBe(true)
  const other = dsse.preAuthEncoding(envelope.payloadType, createHash('sha256').update(payload).digest())
  expect(crypto.verify(other, publicKey, Buffer.from(sig, 'base64'))).toBe(false)
})
