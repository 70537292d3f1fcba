import { Fault } from '@skillrun/core/fault.ts'
import { causeOfDeath, collect, startGroup, supervise } from '../../../core/child-process.ts'
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
      const said = stderr().toString()
      if (code === 0) done({ stdout: stdout(), stderr: said })
      else stop(failureOf({ code, given, said }, bounds))
    })
    return undefined
  })
}

function failureOf(
  { code, given, said }: { code: number | null; given: NodeJS.Signals | null; said: string },
  { cpuSeconds }: ToolBounds,
): Fault {
  const died = causeOfDeath(code, given)
  // By the bound on computing, or on memory, whose program aborts.
  if (died === 'memory' || died === 'cpu') return tooCostly(`${cpuSeconds} seconds of computing`)
  const cause = new Error(`${given ?? code}: ${said.slice(-500)}`)
  // What the programs before it say when they cannot start it; ffmpeg begins its lines otherwise.
  return died === 'outside' || /^(bwrap|prlimit): /.test(said) ? notStarted(cause) : unreadable(cause)
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
