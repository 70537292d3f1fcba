import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, realpathSync } from 'node:fs'
import { versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { Fault } from '../../../kit/fault.ts'
import { optionalFolder } from '../../../kit/optional-packages.ts'
import { type JobTerms, tooCostly, unreadable } from '../workshop.ts'
import { residentBytes } from './memory.ts'
import { type ChildMessage, type JobMessage, startFailedCode } from './messages.ts'

/** How children are started. */
export interface ChildSettings {
  /** Old space of the child's JavaScript heap. Wasm and pictures live outside it and are bounded by resident memory. */
  readonly heapMb: number
  /** Folders besides our own code that jobs may read files from. */
  readonly readFolders: readonly string[]
  /**
   * Where what was compiled for one child is kept for the next: a start takes half the CPU then. A child may write there while it
   * starts, and never again. Absent where nothing is kept.
   */
  readonly compiledFolder?: string
  /** Milliseconds in which a child must be ready. */
  readonly startMs: number
  /** Milliseconds between two looks at a child's resident memory. */
  readonly memoryCheckMs: number
}

/** What one job of a child came to; `reusable` says whether the child may take another. */
export interface JobEnd {
  readonly outcome: { readonly output: unknown } | { readonly error: unknown }
  readonly reusable: boolean
}

/** One child process. It takes one job at a time. */
export interface Child {
  /** Modules that it has loaded. */
  readonly modules: ReadonlySet<string>
  readonly jobsDone: number
  /** Resolves when the process is no more, for whatever reason. */
  readonly gone: Promise<void>
  run(message: JobMessage, terms: JobTerms): Promise<JobEnd>
  /** Kills it at once; `gone` says when it is done. */
  kill(): void
  /** Resident memory in bytes; undefined where the system does not say. */
  residentBytes(): number | undefined
}

const sourceRoot = new URL('../../../', import.meta.url)
const bytesPerMegabyte = 1024 * 1024

/** Starts a child process with no environment of ours and the right to read little. One that cannot be started answers so. */
export function startChild(settings: ChildSettings): Child {
  try {
    return childOf(forkChild(settings), settings)
  } catch (error) {
    return {
      modules: new Set(),
      jobsDone: 0,
      gone: Promise.resolve(),
      run: async () => ({ outcome: { error: notStarted(error) }, reusable: false }),
      kill: () => {},
      residentBytes: () => undefined,
    }
  }
}

function childOf(process: ChildProcess, settings: ChildSettings): Child {
  const gone = new Promise<void>((resolve) => {
    process.once('exit', () => resolve())
    process.once('error', () => resolve())
  })
  const ready = readyOrGone(process, settings.startMs)
  const modules = new Set<string>()
  let jobsDone = 0
  return {
    modules,
    gone,
    get jobsDone() {
      return jobsDone
    },
    run: async (message, terms) => {
      const started = await unlessAborted(ready, terms.signal)
      // The child goes on starting, for the next job.
      if (started === undefined) return { outcome: { error: terms.signal.reason }, reusable: true }
      if (!started) {
        process.kill('SIGKILL')
        return { outcome: { error: notStarted() }, reusable: false }
      }
      const end = await runOne({ process, settings }, message, terms)
      modules.add(message.module)
      jobsDone += 1
      return end
    },
    kill: () => process.kill('SIGKILL'),
    residentBytes: lately(
      () => (process.pid === undefined ? undefined : residentBytes(process.pid)),
      settings.memoryCheckMs,
    ),
  }
}

/** What was found is good for so long: after a quick job it is not looked at again. */
function lately<T>(look: () => T, goodForMs: number): () => T {
  let found: { readonly value: T } | undefined
  return () => {
    if (found === undefined) {
      found = { value: look() }
      setTimeout(() => {
        found = undefined
      }, goodForMs).unref()
    }
    return found.value
  }
}

/** The version from which on a process can give up a right that it started with. */
const [nodeMajor = 0, nodeMinor = 0] = versions.node.split('.').map(Number)
const canGiveUpRights = nodeMajor === 24 ? nodeMinor >= 21 : nodeMajor >= 27

function forkChild({ heapMb, readFolders, compiledFolder }: ChildSettings): ChildProcess {
  const kept = canGiveUpRights && compiledFolder !== undefined && isMade(compiledFolder) ? [compiledFolder] : []
  const packages = fileURLToPath(new URL('../node_modules', sourceRoot))
  const readable = [
    fileURLToPath(sourceRoot),
    // A folder of packages may be a link to one that several projects share.
    ...new Set([packages, realpathSync(packages)]),
    fileURLToPath(new URL('../package.json', sourceRoot)),
    optionalFolder,
    ...readFolders,
  ]
  return fork(new URL('./entry.ts', import.meta.url), [], {
    serialization: 'advanced',
    env: { TZ: 'UTC', ...(kept[0] === undefined ? {} : { NODE_COMPILE_CACHE: kept[0] }) },
    execArgv: [
      `--max-old-space-size=${heapMb}`,
      '--no-warnings',
      '--permission',
      '--allow-worker',
      '--allow-addons',
      ...[...readable, ...kept].map((folder) => `--allow-fs-read=${folder}`),
      ...kept.map((folder) => `--allow-fs-write=${folder}`),
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    // A group of its own: Ctrl-C is for the server, which lets its jobs end.
    detached: true,
  })
}

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** What the promise gives, or undefined when the signal is aborted first. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>()
  const onAbort = (): void => resolve(undefined)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  return await Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}

function readyOrGone(process: ChildProcess, startMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), startMs)
  process.once('message', () => resolve(true))
  process.once('exit', () => resolve(false))
  process.once('error', () => resolve(false))
  return promise.finally(() => clearTimeout(timer))
}

/** Sends one job and waits for its answer, its limits, its abort or the child's death, whichever is first. */
async function runOne(
  { process, settings }: { process: ChildProcess; settings: ChildSettings },
  message: JobMessage,
  terms: JobTerms,
): Promise<JobEnd> {
  const { promise, resolve } = Promise.withResolvers<JobEnd>()
  const stop = (error: unknown): void => {
    process.kill('SIGKILL')
    resolve({ outcome: { error }, reusable: false })
  }
  const overMemory = (): void => stop(tooCostly(`${terms.memoryMb} MB of memory`))
  const onAbort = (): void => stop(terms.signal.reason)
  const onMessage = (answer: ChildMessage): void => resolve(endOf(answer, message.outputBytesMax))
  const onExit = (code: number | null, signal: string | null): void => {
    // V8 aborts at the end of its heap, and the kernel kills when the machine's memory ends.
    if (signal === 'SIGABRT' || signal === 'SIGKILL' || code === 134) overMemory()
    // A supervisor may ask every process of a service to end: no fault of the input's.
    else if (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP') stop(endedFromOutside(signal))
    else if (code === startFailedCode) stop(notStarted())
    else stop(unreadable(new Error(`the child ended with ${signal ?? code}`)))
  }
  // What never came to the process is no fault of the input's.
  const onSendError = (error: Error | null): void => {
    if (error !== null) stop(notStarted(error))
  }
  const wall = setTimeout(() => stop(tooCostly(`${terms.wallMs / 1000} seconds`)), terms.wallMs)
  const memory = watchMemory(process, { memoryMb: terms.memoryMb, everyMs: settings.memoryCheckMs, overMemory })
  process.once('message', onMessage)
  process.once('exit', onExit)
  terms.signal.addEventListener('abort', onAbort)
  try {
    if (terms.signal.aborted) onAbort()
    else if (process.exitCode !== null || process.signalCode !== null) onExit(process.exitCode, process.signalCode)
    else process.send(message, onSendError)
    return await promise
  } finally {
    clearTimeout(wall)
    clearInterval(memory)
    process.off('message', onMessage)
    process.off('exit', onExit)
    terms.signal.removeEventListener('abort', onAbort)
  }
}

function watchMemory(
  process: ChildProcess,
  { memoryMb, everyMs, overMemory }: { memoryMb: number; everyMs: number; overMemory: () => void },
): NodeJS.Timeout {
  return setInterval(() => {
    const bytes = process.pid === undefined ? undefined : residentBytes(process.pid)
    if (bytes !== undefined && bytes > memoryMb * bytesPerMegabyte) overMemory()
  }, everyMs)
}

function endOf(answer: ChildMessage, outputBytesMax: number): JobEnd {
  switch (answer.type) {
    case 'done':
      return { outcome: { output: deserialize(answer.output) }, reusable: true }
    case 'fault':
      return { outcome: { error: new Fault(answer.kind, answer.code, answer.message) }, reusable: true }
    case 'output_too_large':
      return { outcome: { error: tooCostly(`${outputBytesMax / bytesPerMegabyte} MB of output`) }, reusable: false }
    case 'broken':
      return { outcome: { error: broken(new Error(answer.account)) }, reusable: false }
    default:
      // What a job threw without meaning to may have left anything behind, a half-dead wasm module for one.
      return { outcome: { error: unreadable(new Error(accountOf(answer))) }, reusable: false }
  }
}

function accountOf(answer: ChildMessage): string {
  return answer.type === 'failed' ? answer.account : `an answer of type ${answer.type} out of turn`
}

function endedFromOutside(signal: string): Fault {
  const message = `The process that worked on the input was asked to end by ${signal}; try again.`
  return new Fault('unavailable', 'workshop_unavailable', message)
}

function notStarted(cause?: unknown): Fault {
  const message = 'This server could not start a process for the input; the input is not at fault. Try again.'
  return new Fault('unavailable', 'workshop_unavailable', message, { cause })
}

function broken(cause: Error): Fault {
  const message =
    'A process of this server could not load its code or open its files; the input is not at fault. The log of the server holds the cause; skillrun doctor may name it.'
  return new Fault('unavailable', 'workshop_unavailable', message, { cause })
}
