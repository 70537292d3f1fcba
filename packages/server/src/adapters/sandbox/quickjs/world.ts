import { stripTypeScriptTypes } from 'node:module'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import {
  brokenWorld,
  cpuOver,
  failed,
  isRefusal,
  isWordless,
  memoryOver,
  programError,
  programFile,
  unreadableSource,
} from './failures.ts'
import { endWith, nothingSaid, type Present } from './outside.ts'
import type { Opening, Settlement, Turn, TurnEnd } from './turn.ts'
import { type Kept, makeVessel, type Vessel } from './vessel.ts'
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

/** A vessel, and the programs that stand ready in it. */
interface Berth {
  readonly vessel: Vessel
  /** By what makes them what they are; the latest last. */
  readonly ready: Map<string, Ready>
  /** What the vessel holds, or is to hold for whoever is next; undefined: our own beginning alone. */
  holds: Ready | undefined
}

/** A program that was evaluated, before it was given any input. */
interface Ready {
  readonly kept: Kept
  readonly program: QuickJSHandle
  /** What it said to its console in the meantime. */
  readonly console: readonly string[]
  readonly consoleBytes: number
}

/** Programs that stand ready in one vessel: half a megabyte each where they hold little. */
const readyMax = 8
const readyBytesMax = 4 * bytesPerMegabyte

/** Vessels whose worlds have ended, and those that hold nothing of them since. */
const used: Berth[] = []
const free: Berth[] = []

/** Has what was used hold again what it held before it was given any input: a moment in which nobody waits is the time for it. */
export function tidyUp(): void {
  for (let berth = used.pop(); berth; berth = used.pop()) if (hold(berth, berth.holds)) free.push(berth)
}

function hold(berth: Berth, ready: Ready | undefined): boolean {
  berth.holds = ready
  return berth.vessel.restore(ready?.kept ?? berth.vessel.beginning)
}

/** A program in its vessel. */
interface At extends Present {
  readonly opening: Opening
  readonly berth: Berth
  readonly vessel: Vessel
  readonly watch: Watch
  /** Calls that were answered. */
  settled: number
}

/** Makes the world of a program. */
export async function openWorld(opening: Opening): Promise<World> {
  const watch = startWatch()
  const { limits } = opening
  const overdue = (): TurnEnd | null => (watch.ms() > limits.cpuMs ? cpuOver(limits) : null)
  const present: Present = { said: nothingSaid(), limits, overdue }
  const berth = takeFree(present, opening) ?? (await makeBerth(present))
  const { vessel } = berth
  vessel.runtime.setMemoryLimit(limits.memoryMb * bytesPerMegabyte)
  const at: At = { ...present, opening, berth, vessel, watch, settled: 0 }
  return {
    begin: () =>
      takeTurn(at, () => {
        const program = readyProgram(at)
        if (program !== undefined) call(at, 'begin', program, at.vessel.context.newString(opening.input))
      }),
    settle: ({ id, isGood, json }) => {
      const { context } = vessel
      at.settled += 1
      return takeTurn(at, () =>
        call(at, 'settle', context.newNumber(id), isGood ? context.true : context.false, context.newString(json)),
      )
    },
  }
}

function takeFree(present: Present, opening: Opening): Berth | undefined {
  if (free.length === 0) tidyUp()
  const berth = free.pop()
  const wanted = berth?.ready.get(identityOf(opening))
  if (!berth || (berth.holds !== wanted && !hold(berth, wanted))) return undefined
  berth.vessel.fill(present)
  return berth
}

async function makeBerth(present: Present): Promise<Berth> {
  return { vessel: await makeVessel(present), ready: new Map(), holds: undefined }
}

/** All that plays a part in what a program is before it is given any input. */
const identityOf = ({ source, names, nowMs, limits }: Opening): string =>
  JSON.stringify([nowMs, limits.memoryMb, limits.consoleBytesMax, names, source])

/** The program's default export in a world that is prepared for it; undefined when the world has ended in finding it. */
function readyProgram(at: At): QuickJSHandle | undefined {
  const { berth, said, opening, vessel } = at
  if (berth.holds) {
    said.console.push(...berth.holds.console)
    said.consoleBytes = berth.holds.consoleBytes
    return berth.holds.program
  }
  // What runs once is not kept.
  const isKnown = stripped.has(opening.source)
  call(at, 'prepare', vessel.context.newString(termsOf(opening)))
  const program = evaluate(at)
  if (program !== undefined && said.end === null && isKnown) keepReady(at, program)
  return program
}

function keepReady({ berth, said, opening }: At, program: QuickJSHandle): void {
  const kept = berth.vessel.keep()
  if (kept === undefined || kept.byteCount > readyBytesMax) return
  const [oldest] = berth.ready.keys()
  if (berth.ready.size >= readyMax && oldest !== undefined) berth.ready.delete(oldest)
  berth.holds = { kept, program, console: [...said.console], consoleBytes: said.consoleBytes }
  berth.ready.set(identityOf(opening), berth.holds)
}

/** Calls one of the functions of `Inside`. */
function call({ vessel: { context, inside } }: At, name: string, ...given: QuickJSHandle[]): void {
  context.unwrapResult(context.callFunction(context.getProp(inside, name), context.undefined, ...given))
}

/** What a world is told when it is made. */
function termsOf({ names, nowMs }: Opening): string {
  return JSON.stringify({ names, nowMs, valuesMax, depthMax } satisfies WorldTerms)
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
  const { said, watch, limits, berth, vessel } = at
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
  // Without memory for the next step nothing may be left that goes on.
  const isStuck = said.end === null && said.hostCalls === at.settled
  if (isFull && (isStuck || isWordless(said.end))) said.end = memoryOver(limits)
  const { calls, console, end } = said
  said.calls = []
  said.callCharacters = 0
  said.console = []
  // What was thrown through the module's own functions may have left them anyhow.
  if (end !== null && !isBroken) used.push(berth)
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
