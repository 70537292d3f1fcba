import type { Tool } from '../../agent/tool.ts'
import { tools } from '../../tools/tools.ts'
import type { ExecuteRequest } from './wire.ts'

/** Tools that this server has. */
export const toolNames: readonly string[] = tools.map((tool) => tool.name)

/** Toolsets that hold them; reading a picture is reading a document. */
export const toolsetNames: readonly string[] = [...new Set([...tools.map((tool) => tool.toolset), 'image'])]

/** What a result that was taken out is read again with: there in every run that has tools. */
const recallName = 'core.recall'

/** The tools that a body asks for by name, else by toolset; null: all. */
export function toolsAskedFor({
  config,
  toolsets,
}: Pick<ExecuteRequest, 'config' | 'toolsets'>): readonly string[] | null {
  if (config?.tool_names) return config.tool_names
  return toolsets ? toolsOfSets(toolsets) : null
}

/** The names of the tools of these toolsets; one that this server does not have has none. */
export function toolsOfSets(toolsets: readonly string[]): readonly string[] {
  const wanted = new Set<string>(toolsets.map((name) => (name === 'image' ? 'document' : name)))
  return tools.filter((tool) => wanted.has(tool.toolset)).map((tool) => tool.name)
}

/** These tools in the order of their names, so that requests begin alike; all of them for null. */
export function toolsNamed(names: readonly string[] | null): readonly Tool[] {
  if (names?.length === 0) return []
  return tools
    .filter((tool) => names === null || names.includes(tool.name) || tool.name === recallName)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
}
