import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { CodeEntry } from '../../../agent/code/code-agent.ts'
import { resultOf, type Step } from '../../executions/executions.ts'
import { programRanOf, toolResult } from './recorded.ts'
import { commonEntryOf, stepOfCorrection, stepOfReply, type WrittenStep } from './shared-steps.ts'

/** The step of a program run: its source, its console, its return value or error. */
const programName = 'program.run'

/** An entry of the code agent as a step; `turn` is its turn, `engine` the model. */
export function stepOfCode(entry: CodeEntry, { engine, turn }: { engine: string; turn: number }): WrittenStep {
  switch (entry.role) {
    case 'assistant':
      return stepOfReply(entry, engine)
    case 'program': {
      const { source, console, hostCalls, ms, outcome } = entry.ran
      const sha256 = createHash('sha256').update(source).digest('hex')
      return {
        kind: 'tool',
        name: programName,
        detail: { turn, sha256, source },
        result: { console, host_calls: hostCalls, ms: Math.round(ms), ...outcome },
      }
    }
    case 'correction':
      return stepOfCorrection(entry.problems)
  }
}

/** The entries of the code agent in a transcript, in order. */
export function codeEntriesOf(transcript: readonly Step[], engine: string): CodeEntry[] {
  return transcript.flatMap((step): CodeEntry[] => {
    const common = commonEntryOf(step, engine)
    if (common) return [common]
    return step.kind === 'tool' && step.name === programName ? [{ role: 'program', ran: programRanOf(step) }] : []
  })
}

/** The source of the program that produced the answer of a completed run. Undefined if the model answered directly. */
export function finalProgramOf(transcript: readonly Step[]): string | undefined {
  const last = codeEntriesOf(transcript, '').at(-1)
  return last?.role === 'program' && 'value' in last.ran.outcome ? last.ran.source : undefined
}

/** The result of a program's call. */
export type CallResult = { readonly output: Json; readonly failed: boolean }

/** A program's call as a step. Steps of the tool loop look alike. */
export function stepOfCall(
  call: { turn: number; number: number; name: string; input: Json },
  { output, failed }: CallResult,
): WrittenStep {
  const { turn, number, name, input } = call
  return {
    kind: 'tool',
    name,
    detail: { call: `${turn}-${number}`, turn, input },
    result: { name, output, failed },
  }
}

/**
 * The recorded calls of a turn's program, each consumed once: a program repeated after a crash gets the same results as before. Calls with
 * the same name and input are matched in recorded order.
 */
export function recordedCalls(
  transcript: readonly Step[],
  turn: number,
): (name: string, input: Json) => CallResult | undefined {
  const recorded = new Map<string, CallResult[]>()
  for (const step of transcript) {
    const { kind, name, detail } = step
    const { call, turn: ofTurn, input } = detail as JsonObject
    if (kind !== 'tool' || call === undefined || ofTurn !== turn) continue
    const key = keyOf(name, input ?? null)
    const { output, failed } = resultOf(step, toolResult)
    recorded.set(key, [...(recorded.get(key) ?? []), { output, failed }])
  }
  return (name, input) => recorded.get(keyOf(name, input))?.shift()
}

/** Member order does not matter: the database has its own. */
function keyOf(name: string, input: Json): string {
  const sorted = (_key: string, value: Json): Json =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value
  return `${name} ${JSON.stringify(input, sorted)}`
}
