import type { JsonObject } from '@skillrun/core/json.ts'
import type { ModelReply, ModelUsage } from '../../adapters/models/model.ts'
import { modelAsk } from '../../tools/model-ask/model-ask.ts'
import { readTool } from '../inputs/inputs.ts'
import type { Step, Usage } from './execution.ts'
import { modelReply, resultOf } from './step-results.ts'

/** What a language model said in a step; undefined where the step is no turn of one, the embedded engine's included. */
export const turnOf = (step: Step): ModelReply | undefined =>
  step.kind === 'model' && step.name !== 'embedded' ? resultOf(step, modelReply) : undefined

/** What a language model took of tokens in a step: a turn, or a question that a program asked. */
export const tokensOf = (step: Step): ModelUsage | undefined =>
  turnOf(step)?.usage ??
  (step.kind === 'tool' && step.name === modelAsk.name
    ? (step.result as { readonly usage?: ModelUsage }).usage
    : undefined)

/** Whether a step is a tool's answer to a call of a model, not something that the run did of itself. */
export const isToolCall = (step: Pick<Step, 'kind' | 'detail'>): boolean =>
  step.kind === 'tool' && (step.detail as JsonObject)['call'] !== undefined

/** A film and a piece of sound count as one element, whatever they were taken apart into. */
const isTimed = ({ mediaType }: { readonly mediaType: string }): boolean =>
  mediaType === 'video' || mediaType === 'audio'

/** What all elements are; `page` where they are of several kinds. */
function elementTypeOf(mediaTypes: readonly string[]): NonNullable<Usage['elementType']> {
  const types = new Set(
    mediaTypes.map((type) =>
      type === 'video' || type === 'audio' ? type : type.startsWith('image/') ? 'image' : 'page',
    ),
  )
  const [only] = types
  return types.size === 1 && only !== undefined ? only : 'page'
}

/** What a transcript says was worked through. Steps that were kept of another execution are that one's. */
export function usageOf(all: readonly Step[], message?: string): Usage {
  const transcript = all.filter(isOwn)
  const reads = transcript.filter(isReading)
  const readings = reads.map((step) => step.result as { mediaType: string; pagesRead: number })
  const told = [message, ...all.filter(isReading).flatMap(notesOf)].filter((one) => one !== undefined)
  const turns = transcript.flatMap((step) => tokensOf(step) ?? [])
  const sum = (of: (usage: ModelUsage) => number): number => turns.reduce((total, usage) => total + of(usage), 0)
  return {
    ...(readings.length === 0
      ? {}
      : {
          elementsProcessed: readings.reduce((total, reading) => total + (isTimed(reading) ? 1 : reading.pagesRead), 0),
          elementType: elementTypeOf(readings.map((reading) => reading.mediaType)),
        }),
    steps: transcript.length,
    standardMicros: transcript.reduce((total, step) => total + step.costMicros, 0),
    ...(turns.length === 0
      ? {}
      : {
          inputTokens: sum((usage) => usage.inputTokens),
          cachedInputTokens: sum((usage) => usage.cachedInputTokens),
          outputTokens: sum((usage) => usage.outputTokens),
        }),
    ...(told.length === 0 ? {} : { message: told.join('. ') }),
  }
}

/** Whether an execution recorded a step itself, and did not keep it of the one that it was forked from. */
export const isOwn = ({ attempt }: Pick<Step, 'attempt'>): boolean => attempt > 0

/** A model may call the same tool: its calls are told by the turn they belong to. */
const isReading = (step: Step): boolean => step.name === readTool && !isToolCall(step)

/** What could not be had of an input, by its slot. */
function notesOf({ detail, result }: Step): string[] {
  const { notes = [] } = result as { notes?: readonly string[] }
  return notes.map((note) => `inputs.${(detail as { input: string }).input}: ${note}`)
}
