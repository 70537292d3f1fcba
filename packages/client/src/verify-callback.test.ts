import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { verifyCallback } from './verify-callback.ts'

const secret = `whsec_${Buffer.from('a key of twenty-four bytes').toString('base64')}`
const body = '{"id":"1","status":"completed"}'
const seconds = 1_795_000_000
const nowMs = seconds * 1000

const standard = (text = body, key: string | Buffer = Buffer.from('a key of twenty-four bytes')) => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${createHmac('sha256', key).update(`msg_1.${seconds}.${text}`).digest('base64')}`,
})
const older = (text = body, key = secret) => ({
  'X-VLMRun-Signature': `sha256=${createHmac('sha256', key).update(text).digest('hex')}`,
})

test.each([
  ['the standard headers of a secret in base64', { headers: standard(), body, secret }],
  ['a Headers object and bytes', { headers: new Headers(standard()), body: Buffer.from(body), secret }],
  [
    'one good signature among several',
    {
      headers: { ...standard(), 'webhook-signature': `v1,${'A'.repeat(43)}= ${standard()['webhook-signature']}` },
      body,
      secret,
    },
  ],
  ['a secret that is a plain text', { headers: standard(body, 'plain-secret'), body, secret: 'plain-secret' }],
  ['the older header, keyed with the text of the secret', { headers: older(), body, secret }],
  ['the older header with a plain secret', { headers: older(body, 'plain-secret'), body, secret: 'plain-secret' }],
])('accepts: %s', async (_what, callback) => {
  expect(await verifyCallback({ ...callback, nowMs })).toBe(true)
})

test.each([
  ['another body', { headers: standard(), body: `${body} `, secret }],
  ['another secret', { headers: standard(), body, secret: `${secret.slice(0, -8)}AAAAAAA=` }],
  ['another id', { headers: { ...standard(), 'webhook-id': 'msg_2' }, body, secret }],
  ['no id', { headers: { ...standard(), 'webhook-id': undefined }, body, secret }],
  ['an invalid timestamp', { headers: { ...standard(), 'webhook-timestamp': 'soon' }, body, secret }],
  ['an old timestamp', { headers: standard(), body, secret, nowMs: nowMs + 301_000 }],
  ['a timestamp of later', { headers: standard(), body, secret, nowMs: nowMs - 301_000 }],
  [
    'a good older header beside a bad standard one',
    {
      headers: { ...standard(), ...older(), 'webhook-signature': 'v1,AAAA' },
      body,
      secret,
    },
  ],
  ['a signature that is no base64', { headers: { ...standard(), 'webhook-signature': 'v1,%%%' }, body, secret }],
  ['an older header of another body', { headers: older('other'), body, secret }],
  ['an older header that is too short', { headers: { 'X-VLMRun-Signature': 'sha256=00' }, body, secret }],
  ['no signature', { headers: {}, body, secret }],
])('rejects: %s', async (_what, callback) => {
  expect(await verifyCallback({ nowMs, ...callback })).toBe(false)
})

test.each([
  ['parsed JSON', JSON.parse(body), 'a value of type object'],
  ['null', null, 'null'],
  ['nothing', undefined, 'a value of type undefined'],
  ['a list', [1], 'an array'],
])(
  'a body that is not raw is a mistake of the caller, and the error says so: %s',
  async (_what, wrong: unknown, given) => {
    const parsed = { headers: standard(), body: wrong as string, secret, nowMs }
    await expect(verifyCallback(parsed)).rejects.toThrow(TypeError)
    await expect(verifyCallback(parsed)).rejects.toThrow(
      `pass the raw body as a string or Uint8Array; body is ${given}`,
    )
  },
)
