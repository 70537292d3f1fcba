import type { Model, ModelReply, ModelRequest, ModelUsage } from '../seams/models/model.ts'
import { requestTokens } from './fit-context.ts'

/** How far a provider's count may exceed what we expect before nobody can believe it: tokenisers and hidden prompts differ. */
const excessMax = { factor: 4, tokens: 10_000 }

const upperLimit = (expected: number): number => expected * excessMax.factor + excessMax.tokens

const isCount = (tokens: number): boolean => Number.isSafeInteger(tokens) && tokens >= 0

/** Whether a provider can have used what it reports for this call. */
function isPlausible(usage: ModelUsage, request: ModelRequest, reply: Pick<ModelReply, 'text' | 'toolCalls'>): boolean {
  const { inputTokens, cachedInputTokens, cacheWrittenTokens = 0, outputTokens, reasoningTokens } = usage
  const counts = [inputTokens, cachedInputTokens, cacheWrittenTokens, outputTokens, reasoningTokens]
  const saysSomething = reply.text !== '' || reply.toolCalls.length > 0
  return (
    counts.every(isCount) &&
    inputTokens > 0 &&
    (outputTokens > 0 || !saysSomething) &&
    cachedInputTokens + cacheWrittenTokens <= inputTokens &&
    reasoningTokens <= outputTokens &&
    inputTokens <= upperLimit(requestTokens(request)) &&
    outputTokens <= upperLimit(request.outputTokensMax)
  )
}

/** Whether a provider reported nothing: neither a count nor anything else than zero. */
const isAbsent = (usage: ModelUsage): boolean =>
  Object.values(usage).every((tokens) => tokens === 0 || Number.isNaN(tokens))

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

const nothingUsed: ModelUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 }

/**
 * The model, with usage that can be booked. Usage that no such call can have (negative, no whole number, far above the limits of
 * the call, absent) is replaced by the upper limit of the call, which is also what is reserved for it: a total never goes down, and
 * the real cost is not underestimated. `ModelUsage.reported` then holds what the provider said. Where tokens cost nothing,
 * absent usage counts as zero.
 */
export const withPlausibleUsage = (model: Model, { isPriced }: { isPriced: boolean }): Model => ({
  name: model.name,
  async reply(request, signal, hear) {
    const reply = await model.reply(request, signal, hear)
    const { usage } = reply
    if (isPlausible(usage, request, reply)) return reply
    if (!isPriced && isAbsent(usage)) return { ...reply, usage: nothingUsed }
    return { ...reply, usage: { ...usageMax(request), reported: usage } }
  },
})
