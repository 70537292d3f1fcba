import { stripTypeScriptTypes } from 'node:module'
import type { QuickJSHandle } from 'quickjs-emscripten-core'
import {
  cpuOver,
  failed,
  hasNoMessage,
  interpreterFailure,
  isRefusal,
  memoryOver,
  programError,
  programFile,
  unreadableSource,
} from './failures.ts'
import { emptyOutput, endWith, type RunningProgram } from './host-functions.ts'
import type { RealmOptions } from './realm-bootstrap.ts'
import type { Opening, Settlement, Turn, TurnEnd } from './turn.ts'
import { createWasmInstance, type MemorySnapshot, type WasmInstance } from './wasm-instance.ts'

/** A running program. After a turn with an end it does nothing more. */
export interface Realm {
  /** Runs the program until it waits or ends. Never throws. */
  begin(): Turn
  /** Settles one call and continues the program. Never throws. */
  settle(settlement: Settlement): Turn
}

const bytesPerMegabyte = 1024 * 1024
/** A failure without a message counts as out of memory when the memory has grown to this share of its limit. */
const fullShare = 0.9
/** Microtasks between two checks of the CPU time: short ones may never reach the interrupt handler. */
const jobsAtOnce = 500
/** Values in one JSON text: as many as a request may have, so that parsing it does not block the host for long. */
const valuesMax = 100_000
const depthMax = 200

/** A reusable instance and snapshots of programs that were prepared in it. */
interface PooledInstance {
  readonly instance: WasmInstance
  /** By `identityOf`; the latest is last. */
  readonly ready: Map<string, PreparedProgram>
  /** The program that the instance is or will be restored to; undefined: the bootstrap code only. */
  current: PreparedProgram | undefined
}

/** A program after evaluation, before it was given any input. */
interface PreparedProgram {
  readonly snapshot: MemorySnapshot
  readonly program: QuickJSHandle
  /** What it logged during evaluation. */
  readonly console: readonly string[]
  readonly consoleBytes: number
}

/** Prepared programs per instance: about half a megabyte each for a small one. */
const readyMax = 8
const readyBytesMax = 4 * bytesPerMegabyte

/** Instances whose program has ended, and those that have been restored since. */
const used: PooledInstance[] = []
const free: PooledInstance[] = []

/** Restores used instances to the state before their input. The child calls it when no caller is waiting. */
export function restoreUsed(): void {
  for (let pooled = used.pop(); pooled; pooled = used.pop()) if (restore(pooled, pooled.current)) free.push(pooled)
}

function restore(pooled: PooledInstance, ready: PreparedProgram | undefined): boolean {
  pooled.current = ready
  return pooled.instance.restore(ready?.snapshot ?? pooled.instance.initial)
}

/** A program and its instance. */
interface ProgramState extends RunningProgram {
  readonly opening: Opening
  readonly pooled: PooledInstance
  readonly instance: WasmInstance
  readonly cpuTimer: CpuTimer
  /** Calls that have been settled. */
  settled: number
}

export async function openRealm(opening: Opening): Promise<Realm> {
  const cpuTimer = createCpuTimer()
  const { limits } = opening
  const overdue = (): TurnEnd | null => (cpuTimer.ms() > limits.cpuMs ? cpuOver(limits) : null)
  const running: RunningProgram = { output: emptyOutput(), limits, overdue }
  const pooled = takeFree(running, opening) ?? (await createPooled(running))
  const { instance } = pooled
  instance.runtime.setMemoryLimit(limits.memoryMb * bytesPerMegabyte)
  const state: ProgramState = { ...running, opening, pooled, instance, cpuTimer, settled: 0 }
  return {
    begin: () =>
      takeTurn(state, () => {
        const program = preparedProgram(state)
        if (program !== undefined) call(state, 'begin', program, state.instance.context.newString(opening.input))
      }),
    settle: ({ id, isGood, json }) => {
      const { context } = instance
      state.settled += 1
      return takeTurn(state, () =>
        call(state, 'settle', context.newNumber(id), isGood ? context.true : context.false, context.newString(json)),
      )
    },
  }
}

function takeFree(running: RunningProgram, opening: Opening): PooledInstance | undefined {
  if (free.length === 0) restoreUsed()
  const pooled = free.pop()
  const wanted = pooled?.ready.get(identityOf(opening))
  if (!pooled || (pooled.current !== wanted && !restore(pooled, wanted))) return undefined
  pooled.instance.assign(running)
  return pooled
}

async function createPooled(running: RunningProgram): Promise<PooledInstance> {
  return { instance: await createWasmInstance(running), ready: new Map(), current: undefined }
}

/** Everything that determines the state of a program before its input. */
const identityOf = ({ source, names, nowMs, limits }: Opening): string =>
  JSON.stringify([nowMs, limits.memoryMb, limits.consoleBytesMax, names, source])

/** The program's default export in a prepared realm; undefined when the evaluation ended the program. */
function preparedProgram(state: ProgramState): QuickJSHandle | undefined {
  const { pooled, output, opening, instance } = state
  if (pooled.current) {
    output.console.push(...pooled.current.console)
    output.consoleBytes = pooled.current.consoleBytes
    return pooled.current.program
  }
  // A program that runs only once is not worth a snapshot.
  const isKnown = stripped.has(opening.source)
  call(state, 'prepare', instance.context.newString(realmOptions(opening)))
  const program = evaluate(state)
  if (program !== undefined && output.end === null && isKnown) snapshotProgram(state, program)
  return program
}

function snapshotProgram({ pooled, output, opening }: ProgramState, program: QuickJSHandle): void {
  const snapshot = pooled.instance.snapshot()
  if (snapshot === undefined || snapshot.byteCount > readyBytesMax) return
  const [oldest] = pooled.ready.keys()
  if (pooled.ready.size >= readyMax && oldest !== undefined) pooled.ready.delete(oldest)
  pooled.current = { snapshot, program, console: [...output.console], consoleBytes: output.consoleBytes }
  pooled.ready.set(identityOf(opening), pooled.current)
}

/** Calls a function of `GuestApi`. */
function call({ instance: { context, guest } }: ProgramState, name: string, ...given: QuickJSHandle[]): void {
  context.unwrapResult(context.callFunction(context.getProp(guest, name), context.undefined, ...given))
}

function realmOptions({ names, nowMs }: Opening): string {
  return JSON.stringify({ names, nowMs, valuesMax, depthMax } satisfies RealmOptions)
}

/** CPU milliseconds of this thread between `start` and `stop`; time used by other processes does not count. */
interface CpuTimer {
  ms(): number
  start(): void
  stop(): void
}

function createCpuTimer(): CpuTimer {
  const threadMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let before = 0
  let since: number | undefined
  const ms = (): number => before + (since === undefined ? 0 : threadMs() - since)
  return {
    ms,
    start: () => {
      since = threadMs()
    },
    stop: () => {
      before = ms()
      since = undefined
    },
  }
}

/** Runs `act` inside the realm, then the program's microtasks until none is left. */
function takeTurn(state: ProgramState, act: () => void): Turn {
  const { output, cpuTimer, limits, pooled, instance } = state
  if (output.end !== null) return { calls: [], console: [], end: output.end }
  let isBroken = false
  cpuTimer.start()
  try {
    act()
    while (output.end === null && instance.runtime.hasPendingJob()) {
      const done = instance.runtime.executePendingJobs(jobsAtOnce)
      if (done.error) endWith(output, errorEnd(state, done.error))
      const late = state.overdue()
      if (late !== null) endWith(output, late)
    }
  } catch (error) {
    isBroken = true
    endWith(output, interpreterFailure(error, limits))
  }
  cpuTimer.stop()
  const isFull = instance.memoryBytes() > fullShare * limits.memoryMb * bytesPerMegabyte
  // Without memory for its next step, a program has nothing left that could continue it.
  const isStuck = output.end === null && output.hostCalls === state.settled
  if (isFull && (isStuck || hasNoMessage(output.end))) output.end = memoryOver(limits)
  const { calls, console, end } = output
  output.calls = []
  output.callCharacters = 0
  output.console = []
  // An exception that passed through the wasm module may have left it inconsistent.
  if (end !== null && !isBroken) used.push(pooled)
  return { calls: end === null ? calls : [], console, end, ...(output.isSpoiled ? { isSpoiled: true } : {}) }
}

/** Programs with their types stripped, the latest last: programs are usually run many times. */
const stripped = new Map<string, string>()
const strippedMax = 32
/** Longer sources are not cached, so that the cache stays bounded. */
const strippedCharactersMax = 100_000

/** The source with its types stripped. Throws the errors of `stripTypeScriptTypes`. */
function javaScriptOf(source: string): string {
  const known = stripped.get(source)
  if (known !== undefined) return known
  const made = stripTypeScriptTypes(source)
  if (source.length > strippedCharactersMax) return made
  if (stripped.size >= strippedMax) stripped.delete(stripped.keys().next().value ?? '')
  stripped.set(source, made)
  return made
}

/** The program's default export; undefined when the evaluation ended the program. */
function evaluate(state: ProgramState): QuickJSHandle | undefined {
  const { output, opening } = state
  const { context, runtime } = state.instance
  let source: string
  try {
    source = javaScriptOf(opening.source)
  } catch (error) {
    output.isSpoiled = !isRefusal(error)
    endWith(
      output,
      output.isSpoiled ? failed('program_syntax', 'The program cannot be parsed') : unreadableSource(error),
    )
    return undefined
  }
  const result = context.evalCode(source, programFile, { type: 'module' })
  if (result.error) {
    endWith(output, errorEnd(state, result.error))
    return undefined
  }
  // A module with top-level await evaluates to a promise. Nothing outside `run` can take long, so it settles at once or never.
  if (context.getPromiseState(result.value).type === 'pending') runtime.executePendingJobs(jobsAtOnce)
  const promise = context.getPromiseState(result.value)
  if (promise.type === 'fulfilled') return context.getProp(promise.value, 'default')
  const waits = 'The program awaits outside its function; move all work into run'
  endWith(output, promise.type === 'rejected' ? errorEnd(state, promise.error) : failed('program_error', waits))
  return undefined
}

/** The end of a program that threw an error it did not catch. */
function errorEnd({ instance: { context }, limits }: ProgramState, error: QuickJSHandle): TurnEnd {
  const textOf = (name: string): string => {
    const handle = context.getProp(error, name)
    return context.typeof(handle) === 'string' ? context.getString(handle) : ''
  }
  const isObject = context.typeof(error) === 'object'
  const [name, message, stack] = isObject ? [textOf('name'), textOf('message'), textOf('stack')] : ['', 'It threw', '']
  const code = name === 'SyntaxError' ? 'program_syntax' : 'program_error'
  return programError({ code, name, message, stack }, limits)
}
