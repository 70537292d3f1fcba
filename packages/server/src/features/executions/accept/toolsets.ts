import type { Tool } from '../../../agent/tool.ts'
import { programTools, tools } from '../../../tools/tools.ts'
import type { ExecuteRequest } from '../wire/request.ts'

const ownTools: readonly Tool[] = [...tools, ...programTools]

/** Tools of every server. */
export const toolNames: readonly string[] = ownTools.map((tool) => tool.name)

/** The first tool or toolset named in a body that only programs can use. */
export function firstOfPrograms({ config, toolsets }: Pick<ExecuteRequest, 'config' | 'toolsets'>) {
  const ofPrograms = (name: string): boolean => programTools.some((tool) => tool.name === name)
  const loops = new Set<string>(tools.map((tool) => tool.toolset))
  const named = config?.tool_names?.findIndex(ofPrograms) ?? -1
  if (named >= 0) return { loc: ['config', 'tool_names', named], name: config?.tool_names?.[named] ?? '' }
  const set =
    toolsets?.findIndex((name) => programTools.some((tool) => tool.toolset === name) && !loops.has(name)) ?? -1
  return set >= 0 ? { loc: ['toolsets', set], name: toolsets?.[set] ?? '' } : undefined
}

/** Toolsets made of these tools, or those of every server by default. */
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

/** The tools that a body selects by name, or by toolset, or by `tools_type`; null: those that suit its inputs. */
export function toolsAskedFor(
  { config, toolsets }: Pick<ExecuteRequest, 'config' | 'toolsets'>,
  extra: readonly Tool[] = [],
): readonly string[] | null {
  if (config?.tool_names) return config.tool_names
  if (toolsets) return toolsOfSets(toolsets, extra)
  return config?.tools_type ? toolsOfSets(setsOfType[config.tools_type] ?? []) : null
}

/** The names of the tools of these toolsets; `image` includes `document`. A toolset that this server lacks has no tools. */
export function toolsOfSets(toolsets: readonly string[], extra: readonly Tool[] = []): readonly string[] {
  const wanted = new Set<string>(toolsets.flatMap((name) => (name === 'image' ? ['image', 'document'] : [name])))
  return [...ownTools, ...extra].filter((tool) => wanted.has(tool.toolset)).map((tool) => tool.name)
}
