import { Fault } from '@skillrun/core/fault.ts'
import type { Egress } from './adapters/egress/egress.ts'
import type { ToolServer } from './adapters/tool-servers/tool-server.ts'
import type { Tool } from './agent/tool.ts'
import type { Config } from './config.ts'
import type { Log } from './core/log.ts'
import type { WebRule } from './features/inputs/read-web.ts'
import { servedTools } from './tools/served.ts'
import { tools } from './tools/tools.ts'
import { webFetch } from './tools/web-fetch/web-fetch.ts'

/** Tools that the operator added. */
export interface AddedTools {
  readonly extraTools: readonly Tool[]
  readonly web: WebRule | undefined
  close(): Promise<void>
}

/**
 * The tools that the configuration adds: web access and the tools of tool servers. An unreachable server is logged and its
 * tools are missing. Throws a Fault for a name that is taken.
 */
export async function openAddedTools({ file }: Config, parts: { egress: Egress; log: Log }): Promise<AddedTools> {
  const taken = new Set(tools.map(({ toolset }) => toolset))
  const servers: ToolServer[] = []
  const served = await Promise.all(
    Object.entries(file.mcp ?? {}).map(async ([name, address]) => {
      if (taken.has(name) || name === 'web' || name === 'skills')
        throw new Fault(
          'invalid',
          'bad_configuration',
          `SKILLRUN_CONFIG: mcp.${name} has the name of a toolset; choose another.`,
        )
      try {
        const { openMcpServer } = await import('./adapters/tool-servers/mcp/mcp-server.ts')
        const server = await openMcpServer({ name, address, fetch: parts.egress.fetch })
        servers.push(server)
        return servedTools(name, server)
      } catch (error) {
        parts.log.warn({ server: name, error }, 'cannot reach a tool server; its tools are missing')
        return []
      }
    }),
  )
  return {
    extraTools: [...(file.web === undefined ? [] : [webFetch]), ...served.flat()],
    web: file.web === undefined ? undefined : { hosts: file.web === true ? null : file.web },
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
