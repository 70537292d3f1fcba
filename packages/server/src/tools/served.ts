import { z } from 'zod'
import type { ToolServer } from '../adapters/tool-servers/tool-server.ts'
import type { Tool } from '../agent/tool.ts'

/** The tools of a server that the operator named, each as `<server>.<tool>`, in a toolset of the server's name. */
export function servedTools(serverName: string, server: ToolServer): readonly Tool[] {
  return server.tools.map(({ name, description, input }) => ({
    name: `${serverName}.${name.replaceAll('.', '_')}`,
    toolset: serverName,
    description,
    // The server checks what it is given.
    input: z.looseObject({}),
    inputSchema: input,
    run: (given: never, _context, signal) => server.call(name, given, signal),
  }))
}
