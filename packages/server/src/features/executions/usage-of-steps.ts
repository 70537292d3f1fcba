import type { JsonObject } from '@skillrun/core/json.ts'
import type { ModelReply, ModelUsage } from '../../adapters/models/model.ts'
import { modelAsk } from '../../tools/model-ask/model-ask.ts'
import { readTool } from '../inputs/inputs.ts'
import type { Step, Usage } from './execution.ts'
import { modelReply, resultOf } from './step-results.ts'

const turns = new WeakMap<Step, ModelReply>()

/** The language model's turn in a step; undefined for other steps and for the embedded engine. */
export function turnOf(step: Step): ModelReply | undefined {
  if (step.kind !== 'model' || step.name === 'embedded') return undefined
  // A run asks for the turns of its transcript several times, and steps never change.
  const turn = turns.get(step) ?? resultOf(step, modelReply)
  turns.set(step, turn)
  return turn
}

/** The step of turning texts into vectors. */
export const embedTool = 'text.embed'

/** Tokens of a model in a step: of a turn, of a question that a program asked, or of texts for an embedding model. */
export const tokensOf = (step: Step): ModelUsage | undefined =>
  turnOf(step)?.usage ??
  (step.kind === 'tool' && (step.name === modelAsk.name || step.name === embedTool)
    ? (step.result as { readonly usage?: ModelUsage }).usage
    : undefined)

/** Whether a step is a tool call of a model, and not an action of the run itself. */
export const isToolCall = (step: Pick<Step, 'kind' | 'detail'>): boolean =>
  step.kind === 'tool' && (step.detail as JsonObject)['call'] !== undefined

/** A video or an audio track counts as one element, however many parts it was split into. */
const isTimed = ({ mediaType }: { readonly mediaType: string }): boolean =>
  mediaType === 'video' || mediaType === 'audio'

/** The type of all elements; `page` for mixed types. */
function elementTypeOf(mediaTypes: readonly string[]): NonNullable<Usage['elementType']> {
  const types = new Set(
    mediaTypes.map((type) =>
      type === 'video' || type === 'audio' ? type : type.startsWith('image/') ? 'image' : 'page',
    ),
  )
  const [only] = types
  return types.size === 1 && only !== undefined ? only : 'page'
}

/** The usage of a transcript, without steps kept from another execution. */
export function usageOf(all: readonly Step[], message?: string): Usage {
  const transcript = all.filter(isOwn)
  const reads = transcript.filter(isReading)
  const readings = reads.map((step) => step.result as { mediaType: string; pagesRead: number })
  const messages = [message, ...all.filter(isReading).flatMap(notesOf)].filter((one) => one !== undefined)
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
    ...(messages.length === 0 ? {} : { message: messages.join('. ') }),
  }
}

/** Whether an execution recorded the step itself, rather than keeping it from the source of its fork. */
export const isOwn = ({ attempt }: Pick<Step, 'attempt'>): boolean => attempt > 0

/** A model may call the same tool: its calls differ by their turn. */
const isReading = (step: Step): boolean => step.name === readTool && !isToolCall(step)

/** What could not be read of an input, by its slot. */
function notesOf({ detail, result }: Step): string[] {
  const { notes = [] } = result as { notes?: readonly string[] }
  return notes.map((note) => `inputs.${(detail as { input: string }).input}: ${note}`)
}
