import type { Model, ModelRequest, ToolCall, ToolResult } from '../adapters/models/model.ts'
import { fitContext } from './fit-context.ts'
import type { Verdict } from './judge-answer.ts'
import { countOf, type Entry, legibleReply, messagesOf, pendingCalls, withOwnIds } from './transcript.ts'

/** A run of the agent loop: its model, its tools and its transcript so far. */
export interface LoopRun {
  /** Wrapped with retries and budget. */
  readonly model: Model
  /** The beginning of the request of every turn. */
  readonly opening: ModelRequest
  /** Entries so far; `append` adds to them. */
  readonly transcript: readonly Entry[]
  readonly contextTokens: number
  readonly turnsMax: number
  readonly signal: AbortSignal
  /** Records an entry, then appends it to the transcript. */
  readonly append: (entry: Entry) => Promise<void>
  readonly call: (call: ToolCall) => Promise<ToolResult>
  /** Calls that the caller executes: a turn with one ends the run. */
  readonly isExternalCall?: (call: ToolCall) => boolean
  readonly judge: (turn: Extract<Entry, { role: 'assistant' }>) => Promise<Verdict>
}

/** How a loop ended. `answer` is the last answer, valid or not. */
export type LoopEnding =
  | Verdict
  | { readonly ended: 'handed-over'; readonly calls: readonly ToolCall[] }
  | { readonly ended: 'out-of-turns' }

/** An invalid answer is sent back to the model with the validator's messages this often. */
const correctionsMax = 2

/**
 * Runs the agent loop, model and tools in turn, until there is an answer. Starting and resuming are the same call: the
 * transcript is the state, and turns and calls in it are not repeated. Throws what the model, `append` and `signal` throw.
 */
export async function runAgentLoop(run: LoopRun): Promise<LoopEnding> {
  const { transcript, opening, signal } = run
  for (;;) {
    const turn = transcript.at(-1)
    const calls = turn?.role === 'assistant' ? turn.toolCalls.filter((call) => run.isExternalCall?.(call)) : []
    if (turn?.role === 'assistant' && calls.length > 0) return { ended: 'handed-over', calls }
    const made = await Promise.allSettled(
      pendingCalls(transcript).map(async (call) => run.append({ role: 'tool', result: await run.call(call) })),
    )
    // An error that ends the run waits until parallel calls have ended: an unfinished call would be made again.
    for (const one of made) if (one.status === 'rejected') throw one.reason
    const isOutOfTurns = countOf(transcript, 'assistant') >= run.turnsMax
    const last = transcript.at(-1)
    if (last?.role === 'assistant') {
      const verdict = await run.judge(last)
      if (verdict.ended !== 'violated' || isOutOfTurns || countOf(transcript, 'correction') >= correctionsMax)
        return verdict
      await run.append({ role: 'correction', problems: verdict.problems })
    }
    if (isOutOfTurns) return { ended: 'out-of-turns' }
    const messages = fitContext(opening, messagesOf(transcript), run.contextTokens)
    const reply = legibleReply(await run.model.reply({ ...opening, messages }, signal))
    await run.append({ role: 'assistant', ...withOwnIds(reply, transcript) })
  }
}
