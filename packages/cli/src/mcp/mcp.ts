import type { Command } from '../command.ts'
import { collected } from '../options.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun mcp`: the server's tools for an MCP client that starts programs. */
export function addMcp(program: Command, terminal: Terminal): void {
  program
    .command('mcp')
    .description('serve the Model Context Protocol on standard input and output, for a client that starts programs')
    .option('--folder <FOLDER>', 'folder whose files tools may upload; repeatable (default: none)', collected)
    .examples('skillrun mcp --folder ~/Documents', 'claude mcp add skillrun -- skillrun mcp')
    .action(async ({ folder = [] }: { folder?: readonly string[] }, command: Command) => {
      const client = await command.connect()
      const { relayMcp } = await import('./relay.ts')
      await relayMcp({ client, terminal, folders: folder })
    })
}
