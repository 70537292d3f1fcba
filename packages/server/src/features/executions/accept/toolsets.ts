import type { Tool } from '../../../agent/tool.ts'
import { programTools, tools } from '../../../tools/tools.ts'
import type { ExecuteRequest } from '../wire.ts'

const ownTools: readonly Tool[] = [...tools, ...programTools]

/** Tools that every server has. */
export const toolNames: readonly string[] = ownTools.map((tool) => tool.name)

/** Of the tools and toolsets that a body names, the first that only programs have. */
export function firstOfPrograms({ config, toolsets }: Pick<ExecuteRequest, 'config' | 'toolsets'>) {
  const ofPrograms = (name: string): boolean => programTools.some((tool) => tool.name === name)
  const loops = new Set<string>(tools.map((tool) => tool.toolset))
  const named = config?.tool_names?.findIndex(ofPrograms) ?? -1
  if (named >= 0) return { loc: ['config', 'tool_names', named], name: config?.tool_names?.[named] ?? '' }
  const set =
    toolsets?.findIndex((name) => programTools.some((tool) => tool.toolset === name) && !loops.has(name)) ?? -1
  return set >= 0 ? { loc: ['toolsets', set], name: toolsets?.[set] ?? '' } : undefined
}

/** Toolsets of these tools, and of all servers where none are given. */
export const toolsetNames = (extra: readonly Tool[] = []): readonly string[] => [
  ...new Set([...ownTools, ...extra].map((tool) => tool.toolset)),
]

/** The toolsets of each `tools_type`. */
const setsOfType: Readonly<Record<string, readonly string[]>> = {
  document: ['core', 'document'],
  image: ['core', 'document', 'image'],
  video: ['core', 'document', 'image', 'video', 'audio'],
  multimodal: ['core', 'document', 'image', 'video', 'audio', 'viz'],
}

/** The tools that a body asks for by name, else by toolset, else by `tools_type`; null: those that its inputs call for. */
export function toolsAskedFor(
  { config, toolsets }: Pick<ExecuteRequest, 'config' | 'toolsets'>,
  extra: readonly Tool[] = [],
): readonly string[] | null {
  if (config?.tool_names) return config.tool_names
  if (toolsets) return toolsOfSets(toolsets, extra)
  return config?.tools_type ? toolsOfSets(setsOfType[config.tools_type] ?? []) : null
}

/** The names of the tools of these toolsets; reading a picture is reading a document. One that this server does not have has none. */
export function toolsOfSets(toolsets: readonly string[], extra: readonly Tool[] = []): readonly string[] {
  const wanted = new Set<string>(toolsets.flatMap((name) => (name === 'image' ? ['image', 'document'] : [name])))
  return [...ownTools, ...extra].filter((tool) => wanted.has(tool.toolset)).map((tool) => tool.name)
}
