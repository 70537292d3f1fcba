import type { Model, ModelReply, ModelRequest, ModelUsage } from '../adapters/models/model.ts'
import { requestTokens } from './fit-context.ts'

/** How far a provider's count may exceed what we expect before nobody can believe it: tokenisers and hidden prompts differ. */
const excessMax = { factor: 4, tokens: 10_000 }

const upperLimit = (expected: number): number => expected * excessMax.factor + excessMax.tokens

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0

/** Whether a provider can have used what it reports for this call. */
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
    // A server of one's own may count only what it did not have in its cache.
    (inputTokens > 0 || !isPriced) &&
    (outputTokens > 0 || !saysSomething || !isPriced) &&
    cachedInputTokens + cacheWrittenTokens <= (isPriced ? inputTokens : inputTokensMax) &&
    reasoningTokens <= outputTokens &&
    inputTokens <= inputTokensMax &&
    outputTokens <= upperLimit(request.outputTokensMax)
  )
}

/** The most that a call can use: all of its input is written to the provider's cache, and the output is as long as it may be. */
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
 * The model, with usage that can be booked. Usage that no such call can have (negative, no whole number, far above the limits of
 * the call, absent) is replaced by the upper limit of the call, which is also what is reserved for it: a total never goes down, and
 * the real cost is not underestimated. `ModelUsage.reported` then holds what the provider said. Where tokens cost nothing,
 * zeros and absent counts are taken as zero.
 */
export const withPlausibleUsage = (model: Model, { isPriced }: { isPriced: boolean }): Model => ({
  name: model.name,
  async reply(request, signal, hear) {
    const reply = await model.reply(request, signal, hear)
    const usage = isPriced ? reply.usage : withoutGaps(reply.usage)
    if (isPlausible(usage, { request, reply, isPriced })) return { ...reply, usage }
    return { ...reply, usage: { ...usageMax(request), reported: usage } }
  },
})
