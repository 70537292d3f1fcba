import type { EnabledSkill, SkillContents } from '../../agent/enabled-skill.ts'
import { withHints } from '../../agent/schema-hints.ts'
import type { Tool } from '../../agent/tool.ts'
import { type LoadParts, loadBundle, type PinnedSkill } from '../skills/skills.ts'
import type { Execution, ExecutionRequest, UsedSkill } from './execution.ts'
import { toolsetNames, toolsOfSets } from './toolsets.ts'

/** The skills of a request as its record shows them. */
export const usedSkills = (skills: readonly PinnedSkill[]): readonly UsedSkill[] =>
  skills.map(({ id, name, skillVersion, sha256 }) => ({ id, name, skill_version: skillVersion, bundle_sha256: sha256 }))

/**
 * A request with what its skills bring where it says nothing itself: the schema of the first skill that has one, and the
 * tools of all the toolsets that its skills name, `extra` ones of the operator among them. What the request says stands.
 */
export function withSkills(request: ExecutionRequest, extra: readonly Tool[] = []): ExecutionRequest {
  const skills = request.skills ?? []
  if (skills.length === 0) return request
  const sets = skills.flatMap((skill) => skill.toolsets ?? [])
  const isSilent = request.tools === null || request.tools === undefined
  return {
    ...request,
    schema: request.schema ?? skills.find((skill) => skill.schema !== null)?.schema ?? null,
    ...(isSilent && sets.length > 0 ? { tools: toolsOfSets(sets, extra) } : {}),
  }
}

/** Splits `name:version` of a filter; a UUID, and a bare name, have no version. */
export function parseSkillId(text: string): { name: string; version: string | null } {
  const match = /^(.+):([^:]+)$/s.exec(text)
  return match ? { name: match[1] ?? text, version: match[2] ?? null } : { name: text, version: null }
}

/** Toolsets that skills name and this server does not have, in words; undefined when there are none. */
export function missingToolsets(skills: readonly PinnedSkill[], extra: readonly Tool[] = []): string | undefined {
  const there = toolsetNames(extra)
  const missing = [...new Set(skills.flatMap((skill) => skill.toolsets ?? []))].filter((name) => !there.includes(name))
  return missing.length === 0
    ? undefined
    : `A skill asks for the toolsets ${missing.join(', ')}, which this server does not have`
}

/** The pinned skills of a run, each bundle brought when it is first asked for. */
export function enabledSkills(
  parts: LoadParts,
  of: { workspaceId: string; request: Pick<ExecutionRequest, 'skills' | 'publicScripts'> },
): readonly EnabledSkill[] {
  return (of.request.skills ?? []).map((pinned) => {
    let loading: Promise<SkillContents> | undefined
    return {
      name: pinned.name,
      description: pinned.description,
      mayRunScripts: !pinned.isForeign || of.request.publicScripts === true,
      load(signal) {
        loading ??= loadBundle(parts, { workspaceId: of.workspaceId, pinned, signal })
        return loading
      },
    }
  })
}

/**
 * The schema and the prompt of a request with what the instructions of its skills say, for the embedded engine: what they call the
 * fields of a schema; without a schema, all of them beside the prompt. Throws Faults where a bundle is gone.
 */
export async function guidedBySkills(
  parts: LoadParts,
  execution: Pick<Execution, 'workspaceId' | 'request'>,
  signal: AbortSignal,
): Promise<Pick<ExecutionRequest, 'schema' | 'prompt'>> {
  const { schema, prompt, skills = [] } = execution.request
  if (skills.length === 0) return { schema, prompt }
  const enabled = enabledSkills(parts, execution)
  const contents = await Promise.all(enabled.map((skill) => skill.load(signal)))
  const instructions = contents.map((one) => one.instructions).join('\n\n')
  if (schema !== null) return { schema: withHints(schema, instructions), prompt }
  return { schema, prompt: [prompt, instructions].filter(Boolean).join('\n\n') }
}
