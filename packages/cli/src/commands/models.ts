import type { Command } from 'commander'
import { connect, examples, type GlobalOptions } from '../options.ts'
import { renderJson, renderTable } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun models`: lists the values of `--model`. */
export function addModels(program: Command, terminal: Terminal): void {
  program
    .command('models')
    .description('list the models of the server and what answers each')
    .addHelpText('after', examples('skillrun models', 'skillrun models --json'))
    .action(async (_: unknown, command: Command) => {
      const client = await connect(command, terminal)
      const found = await client.models()
      const rows = found.map((each) => [each.model, each.engine ?? '-'])
      const json = command.optsWithGlobals<GlobalOptions>().json
      terminal.print(json ? renderJson(found) : renderTable(['MODEL', 'ENGINE'], rows, terminal.columns))
    })
}
