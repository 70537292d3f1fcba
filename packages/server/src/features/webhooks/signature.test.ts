import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { isCallbackSecret, newCallbackSecret, signedHeaders } from './signature.ts'

const body = Buffer.from('{"id":"…"}')
const sign = (secret: string, now = new Date()) => signedHeaders({ webhookId: 'msg_1', body, secrets: [secret], now })
const hexOf = (key: string) => `sha256=${createHmac('sha256', key).update(body).digest('hex')}`

describe('the signatures', () => {
  test('match the example in the specification of Standard Webhooks', () => {
    const headers = signedHeaders({
      webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      body: Buffer.from('{"test": 2432232314}'),
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      now: new Date(1_614_265_330_000),
    })
    expect(headers['webhook-timestamp']).toBe('1614265330')
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('with a secret without whsec_ are both keyed with its text', () => {
    const secret = 'a plain secret'.replaceAll(' ', '-')
    const headers = sign(secret)
    expect(headers['X-VLMRun-Signature']).toBe(hexOf(secret))
    expect(new Webhook(secret, { format: 'raw' }).verify(body, headers)).toEqual({ id: '…' })
    expect(() => new Webhook(`${secret}.`, { format: 'raw' }).verify(body, headers)).toThrow('No matching signature')
  })

  test('with a secret with whsec_ are keyed with its bytes, and with its text', () => {
    const secret = newCallbackSecret()
    const headers = sign(secret)
    expect(headers['X-VLMRun-Signature']).toBe(hexOf(secret))
    expect(new Webhook(secret).verify(body, headers)).toEqual({ id: '…' })
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(bytes.length).toBe(32)
    expect(new Webhook(bytes, { format: 'raw' }).verify(body, headers)).toEqual({ id: '…' })
  })
})

describe('a text that is accepted as a secret', () => {
  test('can sign, whatever it is', () => {
    const base64 = fc.uint8Array({ minLength: 2, maxLength: 90 }).map((bytes) => Buffer.from(bytes).toString('base64'))
    const text = fc.oneof(
      fc.string({ unit: 'grapheme-ascii', maxLength: 60 }),
      fc.string({ maxLength: 60 }).map((rest) => `whsec_${rest}`),
      base64.map((rest) => `whsec_${rest}`),
    )
    let taken = 0
    fc.assert(
      fc.property(text, (secret) => {
        if (!isCallbackSecret(secret)) return
        taken++
        expect(sign(secret)['webhook-signature']).toMatch(/^v1,[\w+/]{43}=$/)
      }),
      { numRuns: 500 },
    )
    expect(taken).toBeGreaterThan(50)
  })

  test.each([
    [''],
    ['short'],
    ['with a space'],
    ['whsec_'],
    ['whsec_abc'],
    ['whsec_!!!!'],
    ['päßwörter'],
    ['x'.repeat(501)],
  ])('is not %j', (text) => {
    expect(isCallbackSecret(text)).toBe(false)
  })
})
