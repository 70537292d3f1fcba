import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { describe, expect, test } from 'vitest'
import { type ModelRequest, ProviderLimited } from '../adapters/models/model.ts'
import { createScriptedModel, type ScriptedTurn } from '../adapters/models/scripted/scripted.ts'
import { type RetryTerms, withRetries } from './with-retries.ts'

const request: ModelRequest = { system: '', messages: [], tools: [], schema: null, outputTokensMax: 1, wallMs: 1 }
const down = new Fault('upstream', 'provider_failed', 'down')
const refused = new Fault('invalid', 'provider_refused', 'no')
const terms: RetryTerms = { attemptsMax: 4, budgetMs: 60_000, firstWaitMs: 500 }

async function ask(script: readonly ScriptedTurn[], own: { random?: number; signal?: AbortSignal } = {}) {
  const model = createScriptedModel(script)
  const waits: number[] = []
  let nowMs = 0
  const patient = withRetries(
    model,
    {
      clock: { ...systemClock, monotonicMs: () => nowMs },
      random: () => own.random ?? 0.5,
      wait: async (ms) => {
        waits.push(ms)
        nowMs += ms
      },
    },
    terms,
  )
  const outcome = await patient
    .reply(request, own.signal ?? new AbortController().signal)
    .catch((error: unknown) => error)
  return { outcome, waits, asked: model.requests.length }
}

describe('a failed call', () => {
  test('that is temporary is repeated after growing delays', async () => {
    const { outcome, waits, asked } = await ask([down, down, { text: 'here' }])
    expect(outcome).toMatchObject({ text: 'here' })
    expect(waits).toEqual([375, 750])
    expect(asked).toBe(3)
  })

  test('waits between half and all of its delay, at random', async () => {
    expect((await ask([down, { text: 'x' }], { random: 0 })).waits).toEqual([250])
    expect((await ask([down, { text: 'x' }], { random: 0.999_999 })).waits[0]).toBeCloseTo(500, 2)
  })

  test('waits as long as the provider says', async () => {
    expect((await ask([new ProviderLimited('later', 7_000), { text: 'x' }])).waits).toEqual([7_000])
    expect((await ask([new ProviderLimited('later', null), { text: 'x' }])).waits).toEqual([375])
  })

  test('is given up when the delay would exceed the budget, or after the last attempt', async () => {
    const later = new ProviderLimited('tomorrow', 86_400_000)
    expect(await ask([later, { text: 'x' }])).toMatchObject({ outcome: later, waits: [], asked: 1 })
    expect(await ask([down, down, down, down, { text: 'x' }])).toMatchObject({ outcome: down, asked: 4 })
  })

  test('that is permanent, or whose run is over, is not repeated', async () => {
    expect(await ask([refused, { text: 'x' }])).toMatchObject({ outcome: refused, asked: 1 })
    const signal = AbortSignal.abort(new Error('over'))
    expect(await ask([down, { text: 'x' }], { signal })).toMatchObject({ outcome: new Error('over'), asked: 0 })
  })
})

test('a streamed answer is restarted until its first chunk was delivered, and not after', async () => {
  const asked: string[] = []
  const model = {
    name: 'm',
    reply: async (_request: ModelRequest, _signal: AbortSignal, hear?: (piece: string) => void) => {
      asked.push('again')
      if (asked.length > 1) hear?.('The total')
      throw down
    },
  }
  const parts = { clock: systemClock, random: () => 0, wait: async () => {} }
  const heard: string[] = []
  const signal = new AbortController().signal
  const outcome = withRetries(model, parts, terms).reply(request, signal, (piece) => void heard.push(piece))
  await expect(outcome).rejects.toBe(down)
  expect([asked.length, heard]).toEqual([2, ['The total']])
})

test('a provider without capacity for flex is asked without it the next time, for no other reason', async () => {
  const limited = new ProviderLimited('no room', 0)
  const parts = { clock: systemClock, random: () => 0, wait: async () => {} }
  const tiersAsked = async (tier: 'flex' | 'priority', script: readonly ScriptedTurn[]) => {
    const model = createScriptedModel(script)
    await withRetries(model, parts, terms).reply({ ...request, tier }, new AbortController().signal)
    return model.requests.map((one) => one.tier)
  }
  expect(await tiersAsked('flex', [limited, { text: 'x' }])).toEqual(['flex', undefined])
  expect(await tiersAsked('flex', [down, { text: 'x' }])).toEqual(['flex', 'flex'])
  expect(await tiersAsked('priority', [limited, { text: 'x' }])).toEqual(['priority', 'priority'])
})
