import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ModelRequest, ModelUsage } from '../adapters/models/model.ts'
import { createScriptedModel } from '../adapters/models/scripted/scripted.ts'
import { requestTokens } from './fit-context.ts'
import { usageMax, withPlausibleUsage } from './plausible-usage.ts'

const request: ModelRequest = {
  system: 'You read documents.',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'What is the total? '.repeat(40) }] }],
  tools: [],
  schema: null,
  outputTokensMax: 500,
  wallMs: 1_000,
}
const usageOf = async (usage: ModelUsage, { isPriced = true, text = 'It is 144' } = {}) => {
  const model = withPlausibleUsage(createScriptedModel([{ text, usage }]), { isPriced })
  return (await model.reply(request, new AbortController().signal)).usage
}
const usual: ModelUsage = { inputTokens: 300, cachedInputTokens: 100, outputTokens: 60, reasoningTokens: 40 }

test('possible usage is unchanged', async () => {
  for (const usage of [
    usual,
    { ...usual, cacheWrittenTokens: 200 },
    { ...usual, inputTokens: 3 * requestTokens(request), outputTokens: 3 * request.outputTokensMax },
  ])
    expect(await usageOf(usage)).toEqual(usage)
  expect(await usageOf({ ...usual, outputTokens: 0, reasoningTokens: 0 }, { text: '' })).toMatchObject({
    outputTokens: 0,
  })
})

test('impossible usage becomes the upper limit of the call, together with the reported value', async () => {
  for (const wrong of [
    { inputTokens: -1 },
    { outputTokens: -7_000_000 },
    { cachedInputTokens: -100 },
    { cacheWrittenTokens: -100 },
    { reasoningTokens: -40 },
    { inputTokens: Number.NaN },
    { outputTokens: Number.POSITIVE_INFINITY },
    { inputTokens: 0.5 },
    { inputTokens: 0 },
    { outputTokens: 0 },
    { inputTokens: 5_000_000 },
    { outputTokens: 5_000_000 },
    { cachedInputTokens: 301 },
    { cacheWrittenTokens: 201 },
    { reasoningTokens: 61 },
  ]) {
    const reported = { ...usual, ...wrong }
    expect(await usageOf(reported), JSON.stringify(wrong)).toEqual({ ...usageMax(request), reported })
  }
})

test('absent usage, and zeros, become the upper limit if tokens have a price, and zero if not', async () => {
  const nothing = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  const absent = { ...nothing, inputTokens: Number.NaN, outputTokens: Number.NaN }
  expect(await usageOf(absent)).toEqual({ ...usageMax(request), reported: absent })
  expect(await usageOf(absent, { isPriced: false })).toEqual(nothing)
  const onlyOutput = { ...nothing, cachedInputTokens: 100, outputTokens: 60 }
  expect(await usageOf(onlyOutput)).toEqual({ ...usageMax(request), reported: onlyOutput })
  expect(await usageOf(onlyOutput, { isPriced: false })).toEqual(onlyOutput)
  const negative = { ...nothing, outputTokens: -1 }
  expect(await usageOf(negative, { isPriced: false })).toEqual({ ...usageMax(request), reported: negative })
})

test('the counted usage is an integer, not negative, and within four times the limits of the call', async () => {
  const anything = fc.oneof(fc.integer(), fc.double(), fc.constant(Number.NaN), fc.nat(1_000))
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        inputTokens: anything,
        cachedInputTokens: anything,
        outputTokens: anything,
        reasoningTokens: anything,
        cacheWrittenTokens: anything,
      }),
      fc.boolean(),
      async (usage, isPriced) => {
        const { reported: _, ...counted } = await usageOf(usage, { isPriced })
        for (const tokens of Object.values(counted))
          expect(Number.isSafeInteger(tokens) && tokens >= 0 && tokens <= 20_000).toBe(true)
        if (isPriced)
          expect(counted.cachedInputTokens + (counted.cacheWrittenTokens ?? 0)).toBeLessThanOrEqual(counted.inputTokens)
      },
    ),
  )
})
