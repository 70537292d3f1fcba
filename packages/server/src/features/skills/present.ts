import type { ApprovalDemand } from './gate.ts'
import type { ListedSkill } from './list.ts'
import type { Proof, SkillVersion } from './skill.ts'
import type { LightVersion } from './store.ts'
import type { SkillRecord, WireListedSkill } from './wire.ts'

/** Fields for everyone who may see the skill. */
export const wireListed = (skill: ListedSkill): WireListedSkill => ({
  id: skill.id,
  name: skill.name,
  description: skill.description,
  skill_version: skill.skillVersion,
  skill_uri: `skillrun://skills/${skill.id}.zip`,
  is_public: skill.isPublic,
  created_at: skill.createdAt.toISOString(),
  updated_at: skill.updatedAt.toISOString(),
})

/** A version in the list of a skill's versions: a summary for its owner, the public fields for others. */
export function wireVersion(version: LightVersion, workspaceId: string): SkillRecord {
  const listed = wireListed(version)
  return version.workspaceId === workspaceId ? { ...listed, ...standing(version) } : listed
}

const standing = (version: LightVersion) => ({
  status: version.status,
  error: version.error,
  number: version.number,
  is_latest: version.isLatest,
  is_held: version.isHeld,
  bundle_sha256: version.sha256,
  bytes: version.zipBytes,
  session_id: version.sessionId,
  proof: version.proof === null ? null : wireProof(version.proof),
  warnings: version.proof?.warning ? [{ code: 'proof_differs', path: '', message: version.proof.warning }] : [],
})

const wireProof = ({ original_id, execution_id, agreement, disagreements }: Proof) => ({
  original_id,
  execution_id,
  agreement,
  disagreements: [...disagreements],
})

/** The wire format of a version: everything for its owner, the public fields for others. */
export function wireSkill(version: SkillVersion, workspaceId: string): SkillRecord {
  const listed = wireListed(version)
  if (version.workspaceId !== workspaceId) return listed
  const { facts } = version
  return {
    ...listed,
    ...standing(version),
    files: [...facts.files],
    json_schema: facts.schema === null ? null : { ...facts.schema },
    model: facts.model,
    toolsets: facts.toolsets === null ? null : [...facts.toolsets],
    allowed_tools: facts.allowedTools === null ? null : [...facts.allowedTools],
    hosts: [...facts.hosts],
    publish_gate: facts.publishGate,
    require_approval: demandOf(facts.requireApproval ?? null),
    review: [...facts.review],
  }
}

const demandOf = (demand: ApprovalDemand | null): SkillRecord['require_approval'] =>
  demand && {
    completion: demand.completion,
    tools: [...demand.tools],
    timeout_seconds: demand.timeoutSeconds,
    on_timeout: demand.onTimeout,
    approvers: demand.approvers ? [...demand.approvers] : null,
  }
