import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { afterRunning } from './after-running.ts'

/**
 * Starts a program in its own process group, because Ctrl-C is for the server, which lets its runs finish. By default its
 * working folder is `/` and its environment is empty.
 */
export function startGroup(command: readonly string[], options: SpawnOptions): ChildProcess {
  const [program = '', ...args] = command
  return spawn(program, args, { env: {}, cwd: '/', ...options, detached: true })
}

/**
 * Kills a child that was started `detached`, with all its descendants. Killing only bubblewrap while it starts would leave
 * the program inside running without a parent.
 */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It has just ended, or has no process group yet.
    child.kill('SIGKILL')
  }
}

export interface Bounds {
  /** Milliseconds, not counting time in which this process was stalled. */
  readonly wallMs: number
  /** The error of a timeout. */
  readonly overWall: () => unknown
  /** Checks the child every `checkMs`; an error stops it. */
  readonly check?: () => unknown
  readonly checkMs?: number
  readonly signal: AbortSignal
}

/** Ends the supervision with a result, or with an error, which also kills the child's group. */
export interface Ends<T> {
  done(value: T): void
  stop(error: unknown): void
}

/**
 * Supervises a child until `begin` reports its end, a limit is exceeded or the signal aborts. `begin` may return a function
 * that removes its listeners. Rejects with the error for which the child was stopped.
 */
export async function supervise<T>(
  child: ChildProcess,
  { wallMs, overWall, check, checkMs, signal }: Bounds,
  begin: (ends: Ends<T>) => (() => void) | undefined,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = (error: unknown): void => {
    killGroup(child)
    reject(error)
  }
  const onAbort = (): void => stop(signal.reason)
  const onCheck = (): void => {
    const error = check?.()
    if (error !== undefined) stop(error)
  }
  const cancelWall = afterRunning(wallMs, () => stop(overWall()))
  const checking = check && setInterval(onCheck, checkMs)
  signal.addEventListener('abort', onAbort)
  const release = begin({ done: resolve, stop })
  if (signal.aborted) onAbort()
  try {
    return await promise
  } finally {
    cancelWall()
    clearInterval(checking)
    signal.removeEventListener('abort', onAbort)
    release?.()
  }
}

/** Collects the first `bytesMax` bytes of a stream; the returned function gives them. Calls `onOver` when there are more. */
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
 * What ended a child: `memory`, when V8's heap was exhausted or the kernel killed it; `cpu`, the limit of CPU time; `outside`,
 * a signal from outside, such as a service manager's to all processes of a service; otherwise `itself`. A wrapper such as
 * bubblewrap reports a signal of its program as the exit code 128 + signal.
 */
export function causeOfDeath(code: number | null, given: string | null): 'memory' | 'cpu' | 'outside' | 'itself' {
  const signal = given ?? Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0]
  if (signal === 'SIGABRT' || signal === 'SIGKILL') return 'memory'
  if (signal === 'SIGXCPU') return 'cpu'
  return signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP' ? 'outside' : 'itself'
}
