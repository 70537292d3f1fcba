import type { Command, GlobalOptions } from '../command.ts'
import { runChecks } from '../doctor/checks.ts'
import { exitCodes } from '../exit-codes.ts'
import { renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun doctor`: what is missing on this machine, and how to get it. */
export function addDoctor(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('doctor')
    .description(
      'check this machine and say how to install what is missing; exits with 1 only if something required is missing',
    )
    .examples('skillrun doctor', 'skillrun doctor --json | jq ".[] | select(.status != \\"ok\\")"')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      const checks = await runChecks(options, terminal.environment, terminal.signal)
      const rows = checks.map(({ name, status, found, remedy }) => [
        status,
        name,
        remedy === undefined ? found : `${found}: ${remedy}`,
      ])
      terminal.print(options.json ? renderJson(checks) : renderTable(['STATUS', 'WHAT', 'FOUND'], rows))
      if (checks.some(({ status }) => status === 'missing')) setExitCode(exitCodes.failed)
    })
}
