import { spawn } from 'node:child_process'
import { Fault } from '@skillrun/core/fault.ts'
import { afterRunning } from '../../../core/after-running.ts'
import { killGroup } from '../../../core/kill-group.ts'
import { type Bubblewrap, isOfSystem, wrapped } from '../../sandbox/bubblewrap.ts'

/** What one call of a program may take. */
export interface ToolBounds {
  readonly wallMs: number
  readonly cpuSeconds: number
  readonly memoryMb: number
  readonly outputBytesMax: number
}

export interface ToolPlace {
  readonly program: string
  /** Absent: the program runs as a bare process, with bounds and without network by its own options alone. */
  readonly bubblewrap: Bubblewrap | undefined
  /** Where prlimit is; absent: bounds on time and output alone. */
  readonly prlimit: string | undefined
}

export interface ToolOutput {
  readonly stdout: Buffer
  readonly stderr: string
}

const bytesPerMegabyte = 1024 * 1024
const stderrBytesMax = 1024 * 1024

/**
 * Runs a program on one file. Throws Fault `input_too_costly` beyond a bound, `unreadable_media` when it fails by itself,
 * `transcoder_unavailable` when it cannot be started, `signal.reason` on abort.
 */
export async function runTool(
  { program, bubblewrap, prlimit }: ToolPlace,
  call: { args: readonly string[]; file: string; bounds: ToolBounds },
  signal: AbortSignal,
): Promise<ToolOutput> {
  signal.throwIfAborted()
  const { bounds } = call
  const bounded =
    prlimit === undefined
      ? [program, ...call.args]
      : [
          prlimit,
          `--cpu=${bounds.cpuSeconds}`,
          `--as=${bounds.memoryMb * bytesPerMegabyte}`,
          '--core=0',
          '--fsize=0',
          '--',
          program,
          ...call.args,
        ]
  const [path = '', ...args] = bubblewrap
    ? wrapped(bubblewrap, bounded, { readable: [call.file, ...(isOfSystem(bubblewrap, program) ? [] : [program])] })
    : bounded
  // A group of its own: Ctrl-C is for the server, which lets its runs end.
  const child = spawn(path, args, { env: {}, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const ended = Promise.withResolvers<number>()
  const stop = (error: unknown): void => {
    killGroup(child)
    ended.reject(error)
  }
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  let bytes = 0
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length
    stdout.push(part)
    if (bytes > bounds.outputBytesMax) stop(tooCostly(`${bounds.outputBytesMax / bytesPerMegabyte} MB of output`))
  })
  let told = 0
  child.stderr.on('data', (part: Buffer) => {
    told += part.length
    if (told <= stderrBytesMax) stderr.push(part)
  })
  child.once('error', (error) => stop(notStarted(error)))
  child.once('close', (code) => ended.resolve(code ?? 137))
  const cancelWall = afterRunning(bounds.wallMs, () => stop(tooCostly(`${bounds.wallMs / 1000} seconds`)))
  const onAbort = (): void => stop(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const code = await ended.promise
    // By the bound on computing, or on memory, whose program aborts.
    if (code === 137 || code === 152) throw tooCostly(`${bounds.cpuSeconds} seconds of computing`)
    if (code !== 0) {
      const said = Buffer.concat(stderr).toString()
      const cause = new Error(`${code}: ${said.slice(-500)}`)
      // What the programs before it say when they cannot start it; ffmpeg begins its lines otherwise.
      throw /^(bwrap|prlimit): /.test(said) ? notStarted(cause) : unreadable(cause)
    }
    return { stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }
  } finally {
    cancelWall()
    signal.removeEventListener('abort', onAbort)
  }
}

const tooCostly = (what: string): Fault =>
  new Fault('too_large', 'input_too_costly', `The input takes more than ${what} to process; send a shorter one`)

export const unreadable = (cause: Error): Fault =>
  new Fault('invalid', 'unreadable_media', 'The video or audio could not be read; it may be damaged', { cause })

const notStarted = (cause: Error): Fault =>
  new Fault(
    'unavailable',
    'transcoder_unavailable',
    'This server could not start ffmpeg for the input; the input is not at fault. The log of the server holds the cause; skillrun doctor may name it',
    { cause },
  )
