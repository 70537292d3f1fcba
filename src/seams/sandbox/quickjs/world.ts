import { stripTypeScriptTypes } from 'node:module'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import {
  brokenWorld,
  cpuOver,
  failed,
  isNullThrown,
  isRefusal,
  memoryOver,
  programError,
  programFile,
  unreadableSource,
} from './failures.ts'
import { endWith, nothingSaid, type Present } from './outside.ts'
import type { Opening, Settlement, Turn, TurnEnd } from './turn.ts'
import { makeVessel, type Vessel } from './vessel.ts'
import type { WorldTerms } from './within.ts'

/** The world of one program. After a turn with an end it does nothing more. */
export interface World {
  /** Runs the program until it waits or ends. Never throws. */
  begin(): Turn
  /** Answers a call, and lets the program go on. Never throws. */
  settle(settlement: Settlement): Turn
}

const bytesPerMegabyte = 1024 * 1024
/** A memory that has grown to this share of its limit was full when nothing could be said any more. */
const fullShare = 0.9
/** Microtasks between two looks at the time: many short ones may never meet the interrupt handler. */
const jobsAtOnce = 500
/** Values of one JSON text: as many as a request may have, so that reading it holds nobody up. */
const valuesMax = 100_000
const depthMax = 200

/** Vessels whose worlds have ended, and those that were made new since. */
const used: Vessel[] = []
const free: Vessel[] = []

/** Makes what was used new: a moment in which nobody waits is the time for it. */
export function tidyUp(): void {
  for (let vessel = used.pop(); vessel; vessel = used.pop()) if (vessel.rinse()) free.push(vessel)
}

/** A program in its vessel. */
interface At extends Present {
  readonly opening: Opening
  readonly vessel: Vessel
  readonly watch: Watch
}

/** Makes the world of a program. */
export async function openWorld(opening: Opening): Promise<World> {
  const watch = startWatch()
  const { limits } = opening
  const overdue = (): TurnEnd | null => (watch.ms() > limits.cpuMs ? cpuOver(limits) : null)
  const present: Present = { said: nothingSaid(), limits, overdue }
  const vessel = takeFree(present) ?? (await makeVessel(present))
  vessel.runtime.setMemoryLimit(limits.memoryMb * bytesPerMegabyte)
  const at: At = { ...present, opening, vessel, watch }
  return {
    begin: () =>
      takeTurn(at, () => {
        call(at, 'prepare', at.vessel.context.newString(termsOf(opening)))
        const program = evaluate(at)
        if (program !== undefined) call(at, 'begin', program)
      }),
    settle: ({ id, isGood, json }) => {
      const { context } = vessel
      return takeTurn(at, () =>
        call(at, 'settle', context.newNumber(id), isGood ? context.true : context.false, context.newString(json)),
      )
    },
  }
}

function takeFree(present: Present): Vessel | undefined {
  if (free.length === 0) tidyUp()
  const vessel = free.pop()
  vessel?.fill(present)
  return vessel
}

/** Calls one of the functions of `Inside`. */
function call({ vessel: { context, inside } }: At, name: string, ...given: QuickJSHandle[]): void {
  context.unwrapResult(context.callFunction(context.getProp(inside, name), context.undefined, ...given))
}

/** What a world is told when it is made. The input is JSON already. */
function termsOf({ names, input, nowMs }: Opening): string {
  const terms: Omit<WorldTerms, 'input'> = { names, nowMs, valuesMax, depthMax }
  return `${JSON.stringify(terms).slice(0, -1)},"input":${input}}`
}

/** Milliseconds that this thread has computed between `go` and `rest`: what others take of the machine does not count. */
interface Watch {
  ms(): number
  go(): void
  rest(): void
}

function startWatch(): Watch {
  const threadMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let before = 0
  let since: number | undefined
  const ms = (): number => before + (since === undefined ? 0 : threadMs() - since)
  return {
    ms,
    go: () => {
      since = threadMs()
    },
    rest: () => {
      before = ms()
      since = undefined
    },
  }
}

/** Does something within, then lets the program run until nothing is left to do. */
function takeTurn(at: At, act: () => void): Turn {
  const { said, watch, limits, vessel } = at
  if (said.end !== null) return { calls: [], console: [], end: said.end }
  let isBroken = false
  watch.go()
  try {
    act()
    while (said.end === null && vessel.runtime.hasPendingJob()) {
      const done = vessel.runtime.executePendingJobs(jobsAtOnce)
      if (done.error) endWith(said, errorEnd(at, done.error))
      const late = at.overdue()
      if (late !== null) endWith(said, late)
    }
  } catch (error) {
    isBroken = true
    endWith(said, brokenWorld(error, limits))
  }
  watch.rest()
  const isFull = vessel.memoryBytes() > fullShare * limits.memoryMb * bytesPerMegabyte
  if (isFull && isNullThrown(said.end)) said.end = memoryOver(limits)
  const { calls, console, end } = said
  said.calls = []
  said.callCharacters = 0
  said.console = []
  // What was thrown through the module's own functions may have left them anyhow.
  if (end !== null && !isBroken) used.push(vessel)
  return { calls: end === null ? calls : [], console, end, ...(said.isSpoiled ? { isSpoiled: true } : {}) }
}

/** Programs whose types were taken off, the latest last: one that serves is run again and again. */
const stripped = new Map<string, string>()
const strippedMax = 32
/** Longer ones are read each time: what is kept here stays bounded. */
const strippedCharactersMax = 100_000

/** A program without its types. Throws as the reader of TypeScript does. */
function javaScriptOf(source: string): string {
  const known = stripped.get(source)
  if (known !== undefined) return known
  const made = stripTypeScriptTypes(source)
  if (source.length > strippedCharactersMax) return made
  if (stripped.size >= strippedMax) stripped.delete(stripped.keys().next().value ?? '')
  stripped.set(source, made)
  return made
}

/** The program's default export; undefined when the world has ended in finding it. */
function evaluate(at: At): QuickJSHandle | undefined {
  const { said, opening } = at
  const { context, runtime } = at.vessel
  let source: string
  try {
    source = javaScriptOf(opening.source)
  } catch (error) {
    said.isSpoiled = !isRefusal(error)
    endWith(said, said.isSpoiled ? failed('program_syntax', 'The program cannot be read') : unreadableSource(error))
    return undefined
  }
  const result = context.evalCode(source, programFile, { type: 'module' })
  if (result.error) {
    endWith(said, errorEnd(at, result.error))
    return undefined
  }
  // A module that awaits gives a promise; there is nothing outside of its function that it could wait for for long.
  if (context.getPromiseState(result.value).type === 'pending') runtime.executePendingJobs(jobsAtOnce)
  const state = context.getPromiseState(result.value)
  if (state.type === 'fulfilled') return context.getProp(state.value, 'default')
  const waits = 'The program awaits outside of its function; do all work in run'
  endWith(said, state.type === 'rejected' ? errorEnd(at, state.error) : failed('program_error', waits))
  return undefined
}

/** The end of a program that threw this where nothing of its own caught it. */
function errorEnd({ vessel: { context }, limits }: At, error: QuickJSHandle): TurnEnd {
  const textOf = (name: string): string => {
    const handle = context.getProp(error, name)
    return context.typeof(handle) === 'string' ? context.getString(handle) : ''
  }
  const isObject = context.typeof(error) === 'object'
  const [name, message, stack] = isObject ? [textOf('name'), textOf('message'), textOf('stack')] : ['', 'It threw', '']
  const code = name === 'SyntaxError' ? 'program_syntax' : 'program_error'
  return programError({ code, name, message, stack }, limits)
}
