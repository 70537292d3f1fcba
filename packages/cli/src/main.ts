import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { CommanderError } from 'commander'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { programOf } from './program.ts'
import { processTerminal, type Terminal } from './terminal.ts'

const stopping = new AbortController()
const interruptedBy = new Map<string, number>([
  ['SIGINT', exitCodes.interrupted],
  ['SIGTERM', exitCodes.terminated],
  ['SIGHUP', exitCodes.terminated],
])
for (const signal of interruptedBy.keys()) process.on(signal, () => stopping.abort(signal))

// A closed pipe (`| head`) is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.completed)
})

const terminal = processTerminal(systemClock, stopping.signal)
await run(terminal)

async function run(terminal: Terminal): Promise<void> {
  const setExitCode = (code: number) => {
    process.exitCode = code
  }
  try {
    const given = process.argv.slice(2)
    // As `npm start` in a checkout.
    const words = given.length === 0 ? ['serve'] : given
    const program = await programOf(words, terminal, setExitCode)
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    setExitCode(
      stopping.signal.aborted
        ? (interruptedBy.get(String(stopping.signal.reason)) ?? exitCodes.interrupted)
        : explained(error, terminal),
    )
  }
}

/** Prints the error and returns the exit code. */
function explained(error: unknown, terminal: Terminal): number {
  if (error instanceof CommanderError) {
    // Commander has already printed it; requested help is not an error.
    return error.exitCode === 0 ? exitCodes.completed : exitCodes.usage
  }
  if (error instanceof Fault || error instanceof SkillrunFailure) terminal.log(`skillrun: ${error.message}`)
  else terminal.log(`skillrun: internal error: ${error instanceof Error ? error.message : String(error)}`)
  return exitCodeOf(error)
}
