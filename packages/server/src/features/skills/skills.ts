export type { BundleFacts } from './bundle.ts'
export { type Gate, readGate } from './gate.ts'
export { findVersionBefore, gateOf, loadSkill, publishVersion } from './load-skill.ts'
export {
  type Bundle,
  type LoadParts,
  loadBundle,
  type PinnedSkill,
  pinnedVersion,
  type ResolveParts,
  resolveSkills,
} from './pinned-skill.ts'
export type { SkillVersion } from './skill.ts'
export { type SkillEntry, skillEntry } from './wire.ts'
