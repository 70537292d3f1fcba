import { systemClock } from '@skillrun/core/clock.ts'
import type { Command } from '../../packages/cli/src/command.ts'
import { programOf } from '../../packages/cli/src/program.ts'
import { processTerminal } from '../../packages/cli/src/terminal.ts'

/** The reference of the command line: the help of every command, as `--help` prints it. */
export async function describeCommands(): Promise<string> {
  const program = await programOf([], processTerminal(systemClock, new AbortController().signal), () => {})
  program.configureHelp({ helpWidth: 110, showGlobalOptions: false })
  const text = [
    '# Command line\n\nThe help of every command, as `--help` prints it. Every command also takes `--url`, `--key` and `--json`.\n',
  ]
  const add = (command: Command, names: readonly string[]) => {
    command.configureHelp({ helpWidth: 110, showGlobalOptions: false })
    text.push(`## ${names.join(' ')}\n\n\`\`\`\n${command.helpInformation().trimEnd()}\n\`\`\`\n`)
    for (const one of command.commands) if (one.name() !== 'help') add(one, [...names, one.name()])
  }
  add(program, ['skillrun'])
  return text.join('\n')
}
