import type { Tool } from '../../../agent/tool.ts'
import type { PinnedSkill } from '../../skills/skills.ts'
import type { ExecutionRequest, UsedSkill } from '../execution.ts'
import { approvalRuleWith } from './approval-rule.ts'
import { toolsOfSets } from './toolsets.ts'

/** The skills of a request as its record shows them. */
export const usedSkills = (skills: readonly PinnedSkill[]): readonly UsedSkill[] =>
  skills.map(({ id, name, skillVersion, sha256 }) => ({ id, name, skill_version: skillVersion, bundle_sha256: sha256 }))

/**
 * A request with what its skills bring where it says nothing itself: the schema of the first skill that has one, and the
 * tools of all the toolsets that its skills name, `extra` ones of the operator among them. What the request says stands; approvals are
 * needed where it or a skill asks for them.
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

/** Splits `name:version` of a filter; a UUID, and a bare name, have no version. */
export function parseSkillId(text: string): { name: string; version: string | null } {
  const match = /^(.+):([^:]+)$/s.exec(text)
  return match ? { name: match[1] ?? text, version: match[2] ?? null } : { name: text, version: null }
}
