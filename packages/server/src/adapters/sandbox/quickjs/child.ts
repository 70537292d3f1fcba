import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Fault } from '@skillrun/core/fault.ts'
import { afterRunning } from '../../../core/after-running.ts'
import { causeOfDeath, killGroup, startGroup } from '../../../core/child-process.ts'
import { installation } from '../../../core/installation.ts'
import { type Bubblewrap, wrapped } from '../bubblewrap.ts'
import { type Link, RealmLost } from './converse.ts'
import { frameBytesMax, frameOf, readFrames } from './frames.ts'
import type { FromChild, ToChild, Turn } from './turn.ts'

/** Settings of child processes. */
export interface ChildSettings {
  /** The sandbox around the child; undefined: this machine has none. */
  readonly bubblewrap: Bubblewrap | undefined
  /** Milliseconds in which a child must be ready. */
  readonly startMs: number
}

/** A process that runs one program at a time. */
export interface Child {
  readonly runsDone: number
  /** Whether it became ready. */
  readonly ready: Promise<boolean>
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>
  /** Opens a realm in it for one program with this CPU time in milliseconds. */
  link(cpuMs: number): Link
  kill(): void
}

/** What no interrupt inside can stop is killed from outside, by a clock that also counts the time of other processes. */
const graceFactor = 3
const graceMs = 2_000

const ownFolder = fileURLToPath(new URL('./', import.meta.url))
const packages = ['quickjs-emscripten-core', '@jitl/quickjs-ffi-types', '@jitl/quickjs-wasmfile-release-sync']
const readable = [
  ownFolder,
  fileURLToPath(new URL('package.json', installation.packageFolder('server'))),
  ...packages.map((name) => fileURLToPath(new URL(`${name}/`, installation.modulesFolder))),
]

/** Starts a process with an empty environment that can read its own code only. */
export function startChild(settings: ChildSettings): Child {
  const process = spawnChild(settings)
  const gone = Promise.withResolvers<void>()
  const ready = Promise.withResolvers<boolean>()
  let runsDone = 0
  /** Callers that wait for turns of the current program, in message order. */
  let present: { readonly run: number; readonly waiting: Waiting[] } = { run: 0, waiting: [] }
  const lose = (lost: RealmLost | Fault): void => {
    for (const one of present.waiting.splice(0)) one.reject(lost)
  }
  const kill = (): void => {
    killGroup(process)
  }
  const onGone = (code: number | null, signal: string | null): void => {
    ready.resolve(false)
    lose(diedOf(code, signal))
    gone.resolve()
  }
  process.once('exit', onGone)
  process.once('error', () => onGone(null, null))
  // A failed write is reported by the end of the child.
  process.stdin?.on('error', () => undefined)
  process.stdout?.on(
    'data',
    readFrames(frameBytesMax, {
      onMessage: (message) => {
        const from = message as FromChild
        if (from?.type === 'ready') ready.resolve(true)
        else if (from?.type === 'turn' && from.run === present.run && isTurn(from)) {
          present.waiting.shift()?.resolve(from)
          // Messages that crossed the end are never answered: their time limit must not reach the next program.
          if (from.end !== null) for (const one of present.waiting.splice(0)) one.notTooLong()
        }
      },
      onBad: kill,
    }),
  )
  const timer = setTimeout(() => ready.resolve(false), settings.startMs)
  void ready.promise.finally(() => clearTimeout(timer))
  const send = (message: ToChild, cpuMs: number): Promise<Turn> => {
    const notTooLong = afterRunning(cpuMs * graceFactor + graceMs, () => {
      lose(new RealmLost('program_cpu', `The program computes for more than ${cpuMs / 1000} seconds`))
      kill()
    })
    const waiting = { ...Promise.withResolvers<Turn>(), notTooLong }
    present.waiting.push(waiting)
    process.stdin?.write(frameOf(message))
    return waiting.promise.finally(notTooLong)
  }
  return {
    get runsDone() {
      return runsDone
    },
    ready: ready.promise,
    gone: gone.promise,
    kill,
    link: (cpuMs) => {
      runsDone += 1
      const run = runsDone
      present = { run, waiting: [] }
      return {
        open: (opening) => send({ type: 'open', run, ...opening }, cpuMs),
        settle: (settlement) => send({ type: 'settle', run, ...settlement }, cpuMs),
      }
    },
  }
}

type Waiting = PromiseWithResolvers<Turn> & { readonly notTooLong: () => void }

function spawnChild({ bubblewrap }: ChildSettings): ChildProcess {
  const node = [
    process.execPath,
    '--max-old-space-size=256',
    '--no-warnings',
    '--permission',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    `${ownFolder}entry.ts`,
  ]
  const command = bubblewrap ? wrapped(bubblewrap, node, { readable: [process.execPath, ...readable] }) : node
  return startGroup(command, { env: { TZ: 'UTC' }, stdio: ['pipe', 'pipe', 'ignore'] })
}

/** Messages of a child are untrusted. */
function isTurn({ calls, console, end }: Turn): boolean {
  return (
    Array.isArray(calls) &&
    calls.every((call) => typeof call?.name === 'string' && typeof call.json === 'string') &&
    Array.isArray(console) &&
    console.every((line) => typeof line === 'string') &&
    (end === null ||
      (typeof end === 'object' &&
        (end.ended === 'returned' ? typeof end.json === 'string' : typeof end.message === 'string')))
  )
}

function diedOf(code: number | null, signal: string | null): RealmLost | Fault {
  switch (causeOfDeath(code, signal)) {
    case 'memory':
      return new RealmLost('program_memory', 'The program takes more memory than there is for it')
    case 'outside':
      return new Fault(
        'unavailable',
        'sandbox_unavailable',
        'The process of the program was asked to end from outside; the program is not at fault. Try again.',
      )
    default:
      return new RealmLost('program_error', 'The process of the program ended without a word')
  }
}
