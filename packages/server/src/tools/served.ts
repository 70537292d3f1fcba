import { z } from 'zod'
import type { ToolServer } from '../adapters/tool-servers/tool-server.ts'
import type { Tool } from '../agent/tool.ts'

/** The tools of a configured MCP server, each as `<server>.<tool>`, in a toolset named after the server. */
export function servedTools(serverName: string, server: ToolServer): readonly Tool[] {
  return server.tools.map(({ name, description, input }) => ({
    name: `${serverName}.${name.replaceAll('.', '_')}`,
    toolset: serverName,
    description,
    // The MCP server validates the input.
    input: z.looseObject({}),
    inputSchema: input,
    run: (given: never, _context, signal) => server.call(name, given, signal),
  }))
}
