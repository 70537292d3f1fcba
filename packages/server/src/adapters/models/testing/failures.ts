import { Fault } from '@skillrun/core/fault.ts'
import { expect, test } from 'vitest'
import { type Model, type ModelRequest, ProviderLimited } from '../model.ts'
import type { Behaviour } from './mock-provider.ts'
import { request, trialKey, type WithProvider } from './stage.ts'
import type { Wire } from './wires.ts'

/** Tests that a call ends at its timeout and on abort. */
export function timesAreKept(withProvider: WithProvider): void {
  test('gives up when the time of a call is over', () =>
    withProvider([{ hang: true }], async ({ ask }) => {
      const failure = await ask({ wallMs: 60 }).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(Fault)
      expect(failure).toMatchObject({ kind: 'timeout', code: 'provider_timeout', retryable: true })
    }))

  test('stops with the reason of its caller', () =>
    withProvider([{ hang: true }], async ({ ask, provider }) => {
      const stopped = new AbortController()
      const asked = ask({}, stopped.signal).catch((error: unknown) => error)
      await expect.poll(() => provider.requests.length).toBe(1)
      const reason = new Error('the run is over')
      stopped.abort(reason)
      expect(await asked).toBe(reason)
    }))
}

/** Tests the Faults of failed calls. */
export function failuresAreTold(withProvider: WithProvider, wire: Wire): void {
  const failing = async (behaviour: Behaviour, asked: Partial<ModelRequest> = {}): Promise<Fault> => {
    let failure: unknown
    await withProvider([behaviour], async ({ ask }) => {
      failure = await ask(asked).catch((error: unknown) => error)
    })
    expect(failure).toBeInstanceOf(Fault)
    expect((failure as Fault).message).not.toContain(trialKey)
    return failure as Fault
  }

  test('reports when to retry', async () => {
    const limited = await failing({ status: 429, headers: { 'Retry-After': '7' } })
    expect(limited).toBeInstanceOf(ProviderLimited)
    expect(limited).toMatchObject({ kind: 'limited', code: 'provider_limited', afterMs: 7_000, retryable: true })
    const dated = { 'Retry-After': 'Sat, 21 Nov 2026 12:00:05 GMT', Date: 'Sat, 21 Nov 2026 12:00:00 GMT' }
    expect(await failing({ status: 429, headers: dated })).toMatchObject({ afterMs: 5_000 })
    expect(await failing({ status: 429 })).toMatchObject({ afterMs: null })
  })

  test.each([
    ['a failure of the provider', { status: 500 }],
    ['an overloaded provider', { status: 529 }],
    ['an error page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['an answer that is no JSON', { status: 200, body: 'not { json' }],
    ['an answer of another shape', { status: 200, body: '{"hello":"world"}' }],
    ['an empty answer', { status: 200, body: '' }],
    ['a reply that breaks off', { cut: { text: 'The total is 144' } }],
    ['a redirect', { status: 302, headers: { Location: 'http://127.0.0.1:9/elsewhere' } }],
  ] satisfies [string, Behaviour][])('reports %s as a retryable failure', async (_what, behaviour) => {
    expect(await failing(behaviour)).toMatchObject({ kind: 'upstream', code: 'provider_failed', retryable: true })
  })

  test('reports a rejected key or request as a permanent failure, without the words of the provider', async () => {
    const body = JSON.stringify(wire.error(`Incorrect API key provided: ${trialKey}`))
    for (const status of [401, 403]) {
      const refused = await failing({ status, body })
      expect(refused).toMatchObject({ kind: 'invalid', code: 'provider_refused', retryable: false })
      expect(refused.message).toMatch(/key/)
    }
    const bad = await failing({ status: 400, body: JSON.stringify(wire.error(`Unknown field x (key ${trialKey})`)) })
    expect(bad).toMatchObject({ kind: 'invalid', code: 'provider_refused', retryable: false })
    expect(bad.message).toMatch(/rejected the request \(400[^)]*\)$/)
    expect(bad.message).not.toContain('Unknown')
    const coded = { error: { message: 'The salary of Ms Kestrel', type: 'invalid_request_error', code: 'Ms Kestrel' } }
    const failure = await failing({ status: 400, body: JSON.stringify(coded) })
    expect(failure.message).toMatch(/rejected the request \(400, invalid_request_error\)$/)
  })

  test('reports a provider that cannot be reached as a retryable failure', async () => {
    let model: Model | undefined
    await withProvider([], async (at) => {
      model = at.model
    })
    const failure = await model?.reply(request, new AbortController().signal).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'provider_failed', retryable: true })
  })
}
