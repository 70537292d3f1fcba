import { Fault } from '@skillrun/core/fault.ts'
import { causeOfDeath, collect, startGroup, supervise } from '../../../core/child-process.ts'
import { type Bubblewrap, isOfSystem, wrapped } from '../../sandbox/bubblewrap.ts'

/** Limits of one call. */
export interface ToolBounds {
  readonly wallMs: number
  readonly cpuSeconds: number
  readonly memoryMb: number
  readonly outputBytesMax: number
}

export interface ToolPlace {
  readonly program: string
  /** Absent: runs as a plain process, with limits, and without network only by its own options. */
  readonly bubblewrap: Bubblewrap | undefined
  /** Path of prlimit; absent: only time and output are limited. */
  readonly prlimit: string | undefined
}

export interface ToolOutput {
  readonly stdout: Buffer
  readonly stderr: string
}

const bytesPerMegabyte = 1024 * 1024
const stderrBytesMax = 1024 * 1024

/**
 * Runs a program on one file. Throws Fault `input_too_costly` for an exceeded limit, `unreadable_media` when the program
 * fails, `transcoder_unavailable` when it cannot be started, `signal.reason` on abort.
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
  const command = bubblewrap
    ? wrapped(bubblewrap, bounded, { readable: [call.file, ...(isOfSystem(bubblewrap, program) ? [] : [program])] })
    : bounded
  const child = startGroup(command, { stdio: ['ignore', 'pipe', 'pipe'] })
  const overWall = () => tooCostly(`${bounds.wallMs / 1000} seconds`)
  return supervise<ToolOutput>(child, { wallMs: bounds.wallMs, overWall, signal }, ({ done, stop }) => {
    const stdout = collect(child.stdout, bounds.outputBytesMax, () =>
      stop(tooCostly(`${bounds.outputBytesMax / bytesPerMegabyte} MB of output`)),
    )
    const stderr = collect(child.stderr, stderrBytesMax)
    child.once('error', (error) => stop(notStarted(error)))
    child.once('close', (code, given) => {
      const output = stderr().toString()
      if (code === 0) done({ stdout: stdout(), stderr: output })
      else stop(failureOf({ code, given, output }, bounds))
    })
    return undefined
  })
}

function failureOf(
  { code, given, output }: { code: number | null; given: NodeJS.Signals | null; output: string },
  { cpuSeconds, memoryMb }: ToolBounds,
): Fault {
  const died = causeOfDeath(code, given)
  if (died === 'cpu') return tooCostly(`${cpuSeconds} seconds of CPU time`)
  if (died === 'memory') return tooCostly(`${memoryMb} MB of memory`)
  const cause = new Error(`${given ?? code}: ${output.slice(-500)}`)
  // Messages of bwrap and prlimit mean that ffmpeg never started; ffmpeg's own lines begin differently.
  return died === 'outside' || /^(bwrap|prlimit): /.test(output) ? notStarted(cause) : unreadableMedia(cause)
}

const tooCostly = (what: string): Fault =>
  new Fault('too_large', 'input_too_costly', `The input needs more than ${what} to process; send a shorter one`)

export const unreadableMedia = (cause: Error): Fault =>
  new Fault('invalid', 'unreadable_media', 'The video or audio could not be read; it may be damaged', { cause })

const notStarted = (cause: Error): Fault =>
  new Fault(
    'unavailable',
    'transcoder_unavailable',
    "This server could not start ffmpeg; the input is not at fault. See the server's log for the cause, or run `skillrun doctor`",
    { cause },
  )
