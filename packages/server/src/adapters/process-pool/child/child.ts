import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { versions } from 'node:process'
import { fileURLToPath } from 'node:url'
import { deserialize } from 'node:v8'
import { Fault } from '@skillrun/core/fault.ts'
import type { JobTerms } from '@skillrun/core/job.ts'
import { optionalFolder } from '@skillrun/core/optional-packages.ts'
import { causeOfDeath, killGroup, startGroup, supervise } from '../../../core/child-process.ts'
import { installation } from '../../../core/installation.ts'
import { residentBytes, showsChildren, withChildren } from '../../../core/resident-memory.ts'
import { type Bubblewrap, wrapped } from '../../sandbox/bubblewrap.ts'
import { tooCostly, unreadable } from '../process-pool.ts'
import { type ChildMessage, type JobMessage, startFailedCode } from './messages.ts'

/** Settings of child processes. */
export interface ChildSettings {
  /** Old space of the child's JavaScript heap. Wasm and images live outside it and are bounded by resident memory. */
  readonly heapMb: number
  /** Parent of the children's folders, each of which holds the files of the current job: a child sees no other file of a caller. */
  readonly inputFolder: string
  /** The sandbox around each child; undefined: only Node's permissions, which do not bind native code. */
  readonly bubblewrap: Bubblewrap | undefined
  /**
   * Folder of the compile cache that children share: it halves the CPU time of a start. Absent: no cache. In bubblewrap a child that
   * handles callers' inputs cannot write there; without it Node's permissions forbid that from the first job on.
   */
  readonly compiledFolder?: string
  /** Lets a child in bubblewrap write there: it handles only our own files. */
  readonly writesCompiled?: true
  /** Milliseconds in which a child must be ready. */
  readonly startMs: number
  /** Milliseconds between two checks of a child's resident memory. */
  readonly memoryCheckMs: number
}

/** The result of a job; `reusable` says whether the child may take another. */
export interface JobEnd {
  readonly outcome: { readonly output: unknown } | { readonly error: unknown }
  readonly reusable: boolean
  /** The child died without being killed: because of this job, or of the state that an earlier one left in it. */
  readonly isDeath?: boolean
}

/** A child process. It takes one job at a time. */
export interface Child {
  /** Modules that it has loaded. */
  readonly modules: ReadonlySet<string>
  readonly jobsDone: number
  /** Its folder, with the files of its job. */
  readonly folder: string
  /** Resolves when the process and its folder are gone, for whatever reason. */
  readonly gone: Promise<void>
  run(message: JobMessage, terms: JobTerms): Promise<JobEnd>
  /** Kills it at once; await `gone`. */
  kill(): void
  /** Resident memory in bytes; undefined where the system does not report it. */
  residentBytes(): number | undefined
}

const bytesPerMegabyte = 1024 * 1024
/** Allowance for memory that native code reserves. */
const temporaryMb = 256
/** Half of the young generation at most: V8 would let it grow four times as large, for no less CPU. */
const semiSpaceMb = 16

/** Starts a child process with an empty environment and minimal read permissions. A failed start appears as the result of its job. */
export function startChild(settings: ChildSettings): Child {
  const folder = join(settings.inputFolder, `child-${randomUUID()}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return childOf(spawnChild(settings, folder), settings, folder)
  } catch (error) {
    return {
      folder,
      modules: new Set(),
      jobsDone: 0,
      gone: Promise.resolve(),
      run: async () => ({ outcome: { error: notStarted(error) }, reusable: false }),
      kill: () => {},
      residentBytes: () => undefined,
    }
  }
}

function childOf(process: ChildProcess, settings: ChildSettings, folder: string): Child {
  const gone = new Promise<void>((resolve) => {
    process.once('exit', () => resolve())
    process.once('error', () => resolve())
  }).then(() => rm(folder, { recursive: true, force: true }).catch(() => undefined))
  const ready = readyOrGone(process, settings.startMs)
  const modules = new Set<string>()
  let jobsDone = 0
  const resident = residentOf(process, settings)
  return {
    folder,
    modules,
    gone,
    get jobsDone() {
      return jobsDone
    },
    run: async (message, terms) => {
      const started = await unlessAborted(ready, terms.signal)
      // The child continues to start, for the next job.
      if (started === undefined) return { outcome: { error: terms.signal.reason }, reusable: true }
      if (!started) {
        killGroup(process)
        return { outcome: { error: notStarted() }, reusable: false }
      }
      const end = await runOne({ process, settings, resident }, message, terms)
      modules.add(message.module)
      jobsDone += 1
      return end
    },
    kill: () => killGroup(process),
    residentBytes: lately(resident, settings.memoryCheckMs),
  }
}

/** Resident memory of the child itself, in bytes; finds its process behind bubblewrap once it is ready. */
function residentOf(process: ChildProcess, { bubblewrap }: ChildSettings): () => number | undefined {
  let pid: number | undefined
  return () => {
    if (process.pid === undefined) return undefined
    pid ??= bubblewrap ? (withChildren(process.pid).at(-1) ?? process.pid) : process.pid
    return residentBytes(pid)
  }
}

/** How long a measurement stays valid: after a quick job it is not repeated. */
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

/** The first version in which a process can drop a permission. */
const [nodeMajor = 0, nodeMinor = 0] = versions.node.split('.').map(Number)
const canGiveUpRights = nodeMajor === 24 ? nodeMinor >= 21 : nodeMajor >= 27

function spawnChild(settings: ChildSettings, folder: string): ChildProcess {
  const { heapMb, bubblewrap, compiledFolder, writesCompiled } = settings
  const kept = canGiveUpRights && compiledFolder !== undefined && isMade(compiledFolder) ? [compiledFolder] : []
  const isAround = bubblewrap !== undefined && showsChildren()
  const packages = fileURLToPath(installation.modulesFolder).replace(/\/$/, '')
  const readable = [
    ...(['core', 'reader', 'server'] as const).map((name) => fileURLToPath(installation.packageFolder(name))),
    // A folder of packages may be a symbolic link that several projects share.
    ...new Set([packages, realpathSync(packages)]),
    // Node looks into it for the kind of modules.
    ...[fileURLToPath(new URL('package.json', installation.rootFolder))].filter((path) => existsSync(path)),
    ...(existsSync(optionalFolder) ? [optionalFolder] : []),
    folder,
  ]
  const node = [
    process.execPath,
    `--max-old-space-size=${heapMb}`,
    `--max-semi-space-size=${semiSpaceMb}`,
    '--no-warnings',
    '--permission',
    '--allow-worker',
    '--allow-addons',
    ...[...readable, ...kept].map((path) => `--allow-fs-read=${path}`),
    ...kept.map((path) => `--allow-fs-write=${path}`),
    fileURLToPath(new URL('./entry.ts', import.meta.url)),
    // Bubblewrap ends with its parent, and so does what is in it.
    ...(isAround ? [] : ['watch-parent']),
  ]
  const command = isAround
    ? wrapped(bubblewrap, node, {
        readable: [process.execPath, ...readable],
        mounts: kept.flatMap((path) => [writesCompiled ? '--bind' : '--ro-bind', path, path]),
        // Files written there occupy memory that counts as no process's resident memory.
        temporaryBytes: temporaryMb * bytesPerMegabyte,
        keepsEnvironment: true,
      })
    : node
  return startGroup(command, {
    serialization: 'advanced',
    env: { TZ: 'UTC', ...(kept[0] === undefined ? {} : { NODE_COMPILE_CACHE: kept[0] }) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
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

/** The value of the promise, or undefined when the signal aborts first. */
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

/** Sends a job and waits for its answer, a limit, an abort or the child's death, whichever comes first. */
async function runOne(
  {
    process,
    settings,
    resident,
  }: { process: ChildProcess; settings: ChildSettings; resident: () => number | undefined },
  message: JobMessage,
  terms: JobTerms,
): Promise<JobEnd> {
  const overMemory = () => tooCostly(`${terms.memoryMb} MB of memory`)
  // Memory that earlier jobs left in the child does not count for this one.
  const residentBefore = resident() ?? 0
  const bounds = {
    wallMs: terms.wallMs,
    overWall: () => tooCostly(`${terms.wallMs / 1000} seconds`),
    check: () => ((resident() ?? 0) - residentBefore > terms.memoryMb * bytesPerMegabyte ? overMemory() : undefined),
    checkMs: settings.memoryCheckMs,
    signal: terms.signal,
  }
  const end = supervise<JobEnd>(process, bounds, ({ done, stop }) => {
    const onMessage = (answer: ChildMessage): void => done(endOf(answer, message.outputBytesMax))
    const onExit = (code: number | null, signal: string | null): void => {
      const died = causeOfDeath(code, signal)
      if (died === 'outside') stop(endedFromOutside())
      else if (code === startFailedCode) stop(notStarted())
      else {
        const error = died === 'memory' ? overMemory() : unreadable(new Error(`the child ended with ${signal ?? code}`))
        done({ outcome: { error }, reusable: false, isDeath: true })
      }
    }
    process.once('message', onMessage)
    process.once('exit', onExit)
    if (process.exitCode !== null || process.signalCode !== null) onExit(process.exitCode, process.signalCode)
    // A job that never reached the process is not the input's fault.
    else
      process.send(message, (error) => {
        if (error !== null) stop(notStarted(error))
      })
    return () => {
      process.off('message', onMessage)
      process.off('exit', onExit)
    }
  })
  return end.catch((error: unknown) => ({ outcome: { error }, reusable: false }))
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
      // An unexpected error may leave any state behind, such as a broken wasm module.
      return { outcome: { error: unreadable(new Error(accountOf(answer))) }, reusable: false }
  }
}

function accountOf(answer: ChildMessage): string {
  return answer.type === 'failed' ? answer.account : `an answer of type ${answer.type} out of turn`
}

function endedFromOutside(): Fault {
  const message = 'The process that worked on the input was asked to end from outside; try again.'
  return new Fault('unavailable', 'process_pool_unavailable', message)
}

function notStarted(cause?: unknown): Fault {
  const message = 'This server could not start a process for the input; the input is not at fault. Try again.'
  return new Fault('unavailable', 'process_pool_unavailable', message, { cause })
}

/** The Fault of a job that failed for a reason that no input can cause. */
export function broken(cause: unknown): Fault {
  const message =
    'A process of this server could not load its code or open its files; the input is not at fault. The log of the server holds the cause; skillrun doctor may name it.'
  return new Fault('unavailable', 'process_pool_unavailable', message, { cause })
}
