import { SkillrunFailure } from '@skillrun/client/failure.ts'
import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
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
    await (await jobOf(words, terminal, setExitCode))()
  } catch (error) {
    setExitCode(
      stopping.signal.aborted
        ? (interruptedBy.get(String(stopping.signal.reason)) ?? exitCodes.interrupted)
        : explained(error, terminal),
    )
  }
}

async function jobOf(words: readonly string[], terminal: Terminal, setExitCode: (code: number) => void) {
  if (words[0] === 'verify') {
    const check = (await import('./capsules/verify.ts')).offlineCheckOf(words.slice(1), terminal)
    if (check) return check
  }
  const { runCommand } = await import('./program.ts')
  return () => runCommand(words, terminal, setExitCode)
}

/** Prints the error and returns the exit code. */
function explained(error: unknown, terminal: Terminal): number {
  if (error instanceof Fault || error instanceof SkillrunFailure) terminal.log(`skillrun: ${error.message}`)
  else terminal.log(`skillrun: internal error: ${error instanceof Error ? error.message : String(error)}`)
  return exitCodeOf(error)
}
