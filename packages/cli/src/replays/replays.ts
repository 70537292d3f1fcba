import type { Replay } from '@skillrun/client/openapi.ts'
import type { Command } from 'commander'
import { connect, examples, type GlobalOptions } from '../options.ts'
import { printable, renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun replay`: whether an execution gives the same output again. */
export function addReplay(program: Command, terminal: Terminal, setExitCode: (code: number) => void): void {
  program
    .command('replay <ID>')
    .description('run an execution again from its transcript, without model calls, and compare the output')
    .addHelpText('after', examples('skillrun replay 0192f0c1-…'))
    .action(async (id: string, _: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const replay = await client.call<Replay>(`/v1/agent/executions/${encodeURIComponent(id)}/replay`, {
        method: 'POST',
      })
      if (!replay.equal) setExitCode(1)
      if (command.optsWithGlobals<GlobalOptions>().json) return terminal.print(renderJson(replay))
      if (replay.equal) return terminal.print('equal: the replay gave the same output, with 0 model calls\n')
      const rows = replay.differences.map(({ path, was, is }) => [path, shortJson(was), shortJson(is)])
      terminal.print(renderTable(['PATH', 'WAS', 'IS'], rows, terminal.columns))
    })
}

/** A value in one line. */
const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value)
  return printable(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}
