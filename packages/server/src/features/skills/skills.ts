export {
  bundleTerms,
  type CheckedBundle,
  checkBundleJob,
  reviseBundleJob,
  type TextFile,
} from './bundle.ts'
export {
  createNamed,
  deleteNamed,
  keepDefault,
  listNamed,
  loadNamed,
  loadNamedVersion,
  type NamedSkill,
  zipReply,
} from './by-name/named-skills.ts'
export { receiveBundle } from './by-name/receive-bundle.ts'
export { createFromFile, deleteSkill } from './create.ts'
export { type ApprovalDemand, approvalWait, type Gate, readGate, waitsAtGate } from './gate.ts'
export { findVersionBefore, gateOf, loadSkill, publishVersion } from './load-skill.ts'
export {
  type Bundle,
  type LoadParts,
  loadBundle,
  type PinnedSkill,
  pinnedVersion,
  resolveSkills,
} from './pinned-skill.ts'
export { wireSkill } from './present.ts'
export { refusedAt } from './resolve.ts'
export { nameOfSkillId, type Proof, type SkillVersion, skillIdOf, versionString } from './skill.ts'
export {
  descriptionFromInstructions,
  evalsFolder,
  evalsPath,
  evalsText,
  nameCharactersMax,
  nameFromInstructions,
  promptFiles,
} from './skill-text.ts'
export {
  completeVersion,
  insertVersion,
  type LightVersion,
  latestGate,
  lockName,
  moveVersion,
  replaceBundle,
  selectOwnVersion,
  selectUnfinished,
  selectVersion,
  writeProof,
} from './store.ts'
export { type CreateRequest, createRequest, type SkillEntry, skillEntry, skillRecord } from './wire.ts'
export { type Asker, checkBundle, commitVersion, keepZip, type SkillParts, storeVersion } from './write-version.ts'
