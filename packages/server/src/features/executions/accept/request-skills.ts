import type { Tool } from '../../../agent/tool.ts'
import type { PinnedSkill } from '../../skills/skills.ts'
import type { UsedSkill } from '../execution.ts'
import type { ExecutionRequest } from '../execution-request.ts'
import { approvalRuleWith } from './approval-rule.ts'
import { toolsOfSets } from './toolsets.ts'

/** The skills of a request as in its record. */
export const usedSkills = (skills: readonly PinnedSkill[]): readonly UsedSkill[] =>
  skills.map(({ id, name, skillVersion, sha256 }) => ({ id, name, skill_version: skillVersion, bundle_sha256: sha256 }))

/**
 * A request with its skills' defaults for absent fields: the schema of the first skill that has one, and the tools of all toolsets that its
 * skills name, including `extra` tools of the operator. The request's own fields win; an approval is needed if the request or any skill
 * demands it.
 */
export function withSkills(request: ExecutionRequest, extra: readonly Tool[] = []): ExecutionRequest {
  const skills = request.skills ?? []
  if (skills.length === 0) return request
  const sets = skills.flatMap((skill) => skill.toolsets ?? [])
  const isSilent = request.tools === null || request.tools === undefined
  const approval = approvalRuleWith(
    request.approval,
    skills.map(({ requireApproval }) => requireApproval),
  )
  return {
    ...request,
    ...(approval ? { approval } : {}),
    schema: request.schema ?? skills.find((skill) => skill.schema !== null)?.schema ?? null,
    ...(isSilent && sets.length > 0 ? { tools: toolsOfSets(sets, extra) } : {}),
  }
}

/** Splits `name:version` of a filter; a UUID or a bare name has no version. */
export function parseSkillId(text: string): { name: string; version: string | null } {
  const match = /^(.+):([^:]+)$/s.exec(text)
  return match ? { name: match[1] ?? text, version: match[2] ?? null } : { name: text, version: null }
}
