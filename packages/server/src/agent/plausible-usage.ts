import type { Model, ModelReply, ModelRequest, ModelUsage } from '../adapters/models/model.ts'
import { requestTokens } from './fit-context.ts'

/** Tolerance for a provider's counts, which differ from our estimates by tokenisers and hidden prompts. Beyond it they are wrong. */
const excessMax = { factor: 4, tokens: 10_000 }

const upperLimit = (expected: number): number => expected * excessMax.factor + excessMax.tokens

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0

/** Whether a call can have used what its provider reports. */
function isPlausible(
  usage: ModelUsage,
  of: { request: ModelRequest; reply: Pick<ModelReply, 'text' | 'toolCalls'>; isPriced: boolean },
): boolean {
  const { request, reply, isPriced } = of
  const { inputTokens, cachedInputTokens, cacheWrittenTokens = 0, outputTokens, reasoningTokens } = usage
  const counts = [inputTokens, cachedInputTokens, cacheWrittenTokens, outputTokens, reasoningTokens]
  const inputTokensMax = upperLimit(requestTokens(request))
  const saysSomething = reply.text !== '' || reply.toolCalls.length > 0
  return (
    counts.every(isCount) &&
    // A self-hosted server may report only tokens that were not cached.
    (inputTokens > 0 || !isPriced) &&
    (outputTokens > 0 || !saysSomething || !isPriced) &&
    cachedInputTokens + cacheWrittenTokens <= (isPriced ? inputTokens : inputTokensMax) &&
    reasoningTokens <= outputTokens &&
    inputTokens <= inputTokensMax &&
    outputTokens <= upperLimit(request.outputTokensMax)
  )
}

/** The most that a call can use: all input is written to the cache, and the output has its maximum length. */
export function usageMax(request: ModelRequest): ModelUsage {
  const inputTokens = requestTokens(request)
  return {
    inputTokens,
    cachedInputTokens: 0,
    cacheWrittenTokens: inputTokens,
    outputTokens: request.outputTokensMax,
    reasoningTokens: 0,
  }
}

/** The usage of an embedding call with `expected` tokens, by the same rules. */
export function plausibleInput(
  reported: number | undefined,
  { expected, isPriced }: { expected: number; isPriced: boolean },
): ModelUsage {
  const nothing = { cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }
  const inputTokens = reported ?? (isPriced ? Number.NaN : 0)
  const isLikely = isCount(inputTokens) && (inputTokens > 0 || !isPriced) && inputTokens <= upperLimit(expected)
  if (isLikely) return { ...nothing, inputTokens }
  return { ...nothing, inputTokens: expected, reported: { ...nothing, inputTokens } }
}

/** What was not reported counts as zero. */
function withoutGaps(usage: ModelUsage): ModelUsage {
  const { cacheWrittenTokens } = usage
  return {
    ...usage,
    inputTokens: usage.inputTokens || 0,
    cachedInputTokens: usage.cachedInputTokens || 0,
    outputTokens: usage.outputTokens || 0,
    reasoningTokens: usage.reasoningTokens || 0,
    ...(cacheWrittenTokens !== undefined && { cacheWrittenTokens: cacheWrittenTokens || 0 }),
  }
}

/**
 * A model whose usage can be booked. Implausible usage (negative, not an integer, far above the limits of the call, missing)
 * is replaced by the upper limit of the call, which is also the reserved amount: totals never decrease, and the real cost is
 * not underestimated. `ModelUsage.reported` keeps the provider's report. Where tokens cost nothing, zero and missing counts
 * are accepted as zero.
 */
export const withPlausibleUsage = (model: Model, { isPriced }: { isPriced: boolean }): Model => ({
  name: model.name,
  async reply(request, signal, onText) {
    const reply = await model.reply(request, signal, onText)
    const usage = isPriced ? reply.usage : withoutGaps(reply.usage)
    if (isPlausible(usage, { request, reply, isPriced })) return { ...reply, usage }
    return { ...reply, usage: { ...usageMax(request), reported: usage } }
  },
})
