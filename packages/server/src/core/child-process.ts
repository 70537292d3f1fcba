import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { afterRunning } from './after-running.ts'

/**
 * Starts a program in a process group of its own (Ctrl-C is for the server, which lets its work end), in the root folder and
 * without an environment, unless `options` say otherwise.
 */
export function startGroup(command: readonly string[], options: SpawnOptions): ChildProcess {
  const [program = '', ...args] = command
  return spawn(program, args, { env: {}, cwd: '/', ...options, detached: true })
}

/**
 * Kills a child that was started `detached`, and with it what it has started. Killing bubblewrap alone while it is still
 * setting up would leave the program inside it without a parent.
 */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended, or has no group of its own yet.
    child.kill('SIGKILL')
  }
}

export interface Bounds {
  /** Milliseconds, without those in which this process stood still. */
  readonly wallMs: number
  /** The error of a child that takes longer. */
  readonly overWall: () => unknown
  /** Looks at the child every `lookMs`; an error ends it. */
  readonly look?: () => unknown
  readonly lookMs?: number
  readonly signal: AbortSignal
}

/** Ends the supervision: with a result, or with an error, which also kills the child's group. */
export interface Ends<T> {
  done(value: T): void
  stop(error: unknown): void
}

/**
 * Supervises what a child does, until `begin` reports its end, a bound is passed or the signal is aborted, whichever is first. `begin` may
 * return what releases its listeners. Rejects with the error that the child was stopped for.
 */
export async function supervise<T>(
  child: ChildProcess,
  { wallMs, overWall, look, lookMs, signal }: Bounds,
  begin: (ends: Ends<T>) => (() => void) | undefined,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = (error: unknown): void => {
    killGroup(child)
    reject(error)
  }
  const onAbort = (): void => stop(signal.reason)
  const onLook = (): void => {
    const error = look?.()
    if (error !== undefined) stop(error)
  }
  const cancelWall = afterRunning(wallMs, () => stop(overWall()))
  const looking = look && setInterval(onLook, lookMs)
  signal.addEventListener('abort', onAbort)
  const release = begin({ done: resolve, stop })
  if (signal.aborted) onAbort()
  try {
    return await promise
  } finally {
    cancelWall()
    clearInterval(looking)
    signal.removeEventListener('abort', onAbort)
    release?.()
  }
}

/** Collects the first `bytesMax` bytes of a stream; returns what gives them. `onOver` is called for more. */
export function collect(stream: unknown, bytesMax: number, onOver?: () => void): () => Buffer {
  const pieces: Buffer[] = []
  let bytes = 0
  ;(stream as Readable | null | undefined)?.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes > bytesMax) onOver?.()
    else pieces.push(piece)
  })
  return () => Buffer.concat(pieces)
}

/**
 * What ended a child: `memory`, when V8 aborted at the end of its heap or the kernel killed it; `cpu`, the limit on computing; `outside`, when somebody asked it to end, as a
 * supervisor asks every process of a service; else `itself`. A program within another, such as bubblewrap, ends it with 128 + signal.
 */
export function causeOfDeath(code: number | null, given: string | null): 'memory' | 'cpu' | 'outside' | 'itself' {
  const signal = given ?? Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  if (signal === 'SIGABRT' || signal === 'SIGKILL') return 'memory'
  if (signal === 'SIGXCPU') return 'cpu'
  return signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP' ? 'outside' : 'itself'
}
