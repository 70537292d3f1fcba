import type { Json } from '@skillrun/core/json.ts'
import type { Model, ModelRequest, ToolCall, ToolResult } from '../adapters/models/model.ts'
import { fitContext } from './fit-context.ts'
import type { Verdict } from './judge-answer.ts'
import type { SchemaProblem } from './schema.ts'
import { countOf, type Entry, legibleReply, messagesOf, pendingCalls, withOwnIds } from './transcript.ts'

/** A run of the loop: what it thinks with, and its transcript so far. */
export interface LoopRun {
  /** With retries, budget and all else around it. */
  readonly model: Model
  /** What every turn is asked, up to the question. */
  readonly opening: ModelRequest
  /** What was said since; `say` adds to it. */
  readonly transcript: readonly Entry[]
  readonly contextTokens: number
  readonly turnsMax: number
  readonly signal: AbortSignal
  /** Records an entry, then adds it to the transcript. */
  readonly say: (entry: Entry) => Promise<void>
  readonly call: (call: ToolCall) => Promise<ToolResult>
  /** Calls that are another's to make: a turn with one ends the run. */
  readonly isAnothers?: (call: ToolCall) => boolean
  readonly judge: (turn: Extract<Entry, { role: 'assistant' }>) => Promise<Verdict>
}

/** How a loop ended. `answer` is the last one there was, good or not. */
export type LoopEnding =
  | { readonly ended: 'answered' | 'refused'; readonly answer: Json }
  | { readonly ended: 'violated'; readonly answer: Json; readonly problems: readonly SchemaProblem[] }
  | { readonly ended: 'handed-over'; readonly calls: readonly ToolCall[] }
  | { readonly ended: 'out-of-turns' }

/** An answer that does not hold goes back with the validator's words this often. */
const correctionsMax = 2

/**
 * Thinks until there is an answer: model and tools in turn. Beginning and going on are the same call, for the transcript is
 * the state: a call or a turn that it holds is not made again. Throws what the model, `say` and `signal` throw.
 */
export async function think(run: LoopRun): Promise<LoopEnding> {
  const { transcript, opening, signal } = run
  for (;;) {
    const turn = transcript.at(-1)
    const calls = turn?.role === 'assistant' ? turn.toolCalls.filter((call) => run.isAnothers?.(call)) : []
    if (turn?.role === 'assistant' && calls.length > 0) return { ended: 'handed-over', calls }
    await Promise.all(
      pendingCalls(transcript).map(async (call) => run.say({ role: 'tool', result: await run.call(call) })),
    )
    const last = transcript.at(-1)
    if (last?.role === 'assistant') {
      const verdict = await run.judge(last)
      if (verdict.ended !== 'violated' || countOf(transcript, 'correction') >= correctionsMax) return verdict
      await run.say({ role: 'correction', problems: verdict.problems })
    }
    if (countOf(transcript, 'assistant') >= run.turnsMax) return { ended: 'out-of-turns' }
    const messages = fitContext(opening, messagesOf(transcript), run.contextTokens)
    const reply = legibleReply(await run.model.reply({ ...opening, messages }, signal))
    await run.say({ role: 'assistant', ...withOwnIds(reply, transcript) })
  }
}
