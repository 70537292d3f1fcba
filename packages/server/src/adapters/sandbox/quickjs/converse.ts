import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { afterRunning } from '../../../core/after-running.ts'
import { jsonText } from '../../../core/json-pieces.ts'
import { parseJsonInTurns } from '../../../core/parse-json.ts'
import { ProgramFailed, type SandboxLimits, type SandboxRun, type SandboxTrace } from '../sandbox.ts'
import { isProgramCode, type Opening, type Settlement, type Turn, type TurnEnd } from './turn.ts'

/** The host's side of a realm, in this process or another. Each message is answered by a turn; both reject when the realm is gone, with RealmLost when the program is the cause. */
export interface Link {
  open(opening: Opening): Promise<Turn>
  settle(settlement: Settlement): Promise<Turn>
}

/** Thrown by a Link whose realm is gone, with the code and message for the caller. */
export class RealmLost extends Error {
  override name = 'RealmLost'
  readonly code: `program_${string}`
  constructor(code: `program_${string}`, message: string) {
    super(message)
    this.code = code
  }
}

/** The result of a conversation. `isReusable`: the realm ended by itself, and its process can run another program. */
export interface Conversation {
  readonly outcome: (SandboxTrace & { readonly value: Json }) | { readonly error: unknown }
  readonly isReusable: boolean
}

const sourceCharactersMax = 256 * 1024
/** The largest reply of the host to one call. */
const resultCharactersMax = 16 * 1024 * 1024

/** Opens a realm for a program and answers its calls until it ends. Never rejects. */
export async function converse(
  { link, clock }: { link: Link; clock: Pick<Clock, 'monotonicMs'> },
  run: SandboxRun,
): Promise<Conversation> {
  const talk = startTalk(link, clock, run)
  const stopped = Promise.withResolvers<void>()
  const stop = (error: unknown): void => {
    talk.fail(error)
    stopped.resolve()
  }
  const cancelWall = afterRunning(run.limits.wallMs, () => {
    stop(talk.failure('program_wall', `The program takes longer than ${run.limits.wallMs / 1000} seconds`))
  })
  const onAbort = (): void => stop(run.signal.reason)
  run.signal.addEventListener('abort', onAbort)
  if (run.signal.aborted) onAbort()
  else if (run.source.length > sourceCharactersMax)
    stop(talk.failure('program_syntax', `The program is longer than ${sourceCharactersMax} characters`))
  else talk.take(link.open(openingOf(run)))
  const outcome = await talk.ended
  talk.isOver = true
  // Host functions promise that none of their calls outlives the run.
  await Promise.race([Promise.allSettled(talk.underWay), stopped.promise])
  cancelWall()
  run.signal.removeEventListener('abort', onAbort)
  return { outcome, isReusable: talk.isReusable }
}

/** A conversation in progress. */
interface Talk {
  /** Calls of the host in progress. */
  readonly underWay: Set<Promise<void>>
  readonly ended: Promise<Conversation['outcome']>
  isOver: boolean
  isReusable: boolean
  /** Handles a turn when it arrives; `isAnswer`: the turn answers a settlement. */
  take(turn: Promise<Turn>, isAnswer?: boolean): void
  fail(error: unknown): void
  failure(code: `program_${string}`, message: string, line?: number | null): ProgramFailed
}

function startTalk(link: Link, clock: Pick<Clock, 'monotonicMs'>, run: SandboxRun): Talk {
  const startedMs = clock.monotonicMs()
  const consoleLines: string[] = []
  let hostCalls = 0
  let unanswered = 0
  const { promise: ended, resolve } = Promise.withResolvers<Conversation['outcome']>()
  const traced = (): SandboxTrace => ({ console: consoleLines, hostCalls, ms: clock.monotonicMs() - startedMs })
  const talk: Talk = {
    underWay: new Set(),
    ended,
    isOver: false,
    isReusable: false,
    fail: (error) => resolve({ error }),
    failure: (code, message, line = null) => new ProgramFailed(code, message, { trace: traced(), line }),
    take: (turn, isAnswer = false) => {
      const taken = (one: Turn): void => {
        if (isAnswer) unanswered -= 1
        onTurn(one)
      }
      turn.then(taken).catch((error: unknown) => {
        talk.fail(error instanceof RealmLost ? talk.failure(error.code, error.message) : error)
      })
    },
  }
  const onTurn = (turn: Turn): void => {
    if (talk.isOver) return
    const excess = excessOf(turn, { hostCalls, limits: run.limits })
    if (excess !== undefined) {
      talk.fail(talk.failure(excess, 'The program exceeds its limits'))
      return
    }
    for (const line of turn.console) consoleLines.push(line)
    if (turn.end !== null) {
      talk.isReusable = turn.isSpoiled !== true
      void outcomeOf(talk, turn.end).then((outcome) =>
        resolve('error' in outcome ? outcome : { ...traced(), ...outcome }),
      )
      return
    }
    for (const call of turn.calls) answer(call)
    if (unanswered === 0)
      talk.fail(talk.failure('program_stuck', 'The program waits for a promise that nothing will settle'))
  }
  const answer = (call: Turn['calls'][number]): void => {
    hostCalls += 1
    unanswered += 1
    const made = settlementOf(run.host, call).then((settlement) => {
      if (!talk.isOver) talk.take(link.settle(settlement), true)
    }, talk.fail)
    talk.underWay.add(made)
    void made.finally(() => talk.underWay.delete(made))
  }
  return talk
}

/** The limit that a turn exceeds. A realm enforces its limits itself; this check is for a realm that was broken out of. */
function excessOf(
  { calls, console, end }: Turn,
  { hostCalls, limits }: { hostCalls: number; limits: SandboxLimits },
): `program_${string}` | undefined {
  if (hostCalls + calls.length > limits.hostCallsMax) return 'program_host_calls'
  if (console.reduce((sum, line) => sum + line.length, 0) > limits.consoleBytesMax) return 'program_console'
  const given = calls.reduce((sum, call) => sum + call.json.length, end?.ended === 'returned' ? end.json.length : 0)
  return given > limits.outputBytesMax ? 'program_output' : undefined
}

async function outcomeOf(talk: Talk, end: TurnEnd): Promise<{ value: Json } | { error: unknown }> {
  if (end.ended === 'failed')
    return { error: talk.failure(isProgramCode(end.code) ? end.code : 'program_error', end.message, end.line) }
  try {
    return { value: await parseJsonInTurns(end.json) }
  } catch {
    return { error: talk.failure('program_result', 'The value that the program returned is not JSON') }
  }
}

const openingOf = ({ source, host, input, limits, nowMs }: SandboxRun): Opening => ({
  source,
  names: Object.keys(host),
  input: JSON.stringify(input),
  limits,
  nowMs,
})

/** Runs a host function. Rejects with any error that is not a Fault. */
async function settlementOf(host: SandboxRun['host'], call: Turn['calls'][number]): Promise<Settlement> {
  const { id, name } = call
  try {
    const made = Object.hasOwn(host, name) ? host[name] : undefined
    if (made === undefined) throw new Fault('invalid', 'unknown_tool', `There is no tool ${name}`)
    const input = await parseJsonInTurns(call.json)
    const json = await jsonText((await made(...(Array.isArray(input) ? (input as Json[]) : []))) ?? null)
    if (json.length > resultCharactersMax)
      throw new Fault('too_large', 'result_too_large', `The result of ${name} is too large; request less at once`)
    return { id, isGood: true, json }
  } catch (error) {
    if (error instanceof Fault) return { id, isGood: false, json: error.message }
    throw error
  }
}
