import { Fault } from '../../kit/fault.ts'
import type { JsonSchema } from '../../kit/json.ts'
import type { Blobs } from '../../seams/blobs/blobs.ts'
import type { Sql } from '../../seams/db/db.ts'
import type { Workshop } from '../../seams/workshop/workshop.ts'
import type { BundleFacts } from './bundle.ts'
import type { SkillEntry } from './wire.ts'

export type { BundleFacts, BundleFile, ReviewNote } from './bundle.ts'
export { type SkillEntry, skillEntry } from './wire.ts'

/**
 * A skill as an execution runs it: chosen when the execution is accepted and kept with it, so that no later version and no
 * other use of its name changes what it ran. Plain data for the request's JSON.
 */
export interface PinnedSkill {
  /** The version's own id; null: it came inline. */
  readonly id: string | null
  readonly name: string
  readonly description: string
  /** 1, 2, 3 … of its name; null: it came inline. */
  readonly number: number | null
  /** `YYYYMMDD-` and eight hexadecimal digits; `inline` where it came inline. */
  readonly skillVersion: string
  /** Of the bundle's content, in hexadecimal. */
  readonly sha256: string
  /** A public skill of another workspace: its scripts run only where the caller opts in. */
  readonly isForeign: boolean
  /** What applies unless the request says otherwise. */
  readonly schema: JsonSchema | null
  readonly model: string | null
  readonly toolsets: readonly string[] | null
  readonly allowedTools: readonly string[] | null
  /** The blob of its zip, in hexadecimal; null: it came inline. */
  readonly zipSha256: string | null
  /** The bundle itself as a checked zip in base64, where it came inline: it is kept with the execution and nowhere else. */
  readonly inline: string | null
}

/** A bundle that was read, its files to be had one by one. */
export interface Bundle extends BundleFacts {
  /** The bytes of a file of `files`; Fault `missing` (`unknown_bundle_file`) for another path. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>
}

/** What choosing skills needs. */
export interface ResolveParts {
  readonly db: Sql
  readonly workshop: Workshop
}

/**
 * The skills that the entries of a request name, in their order. Own ones come before public ones of others, which count by
 * id, or by a name that only one of them has. Inline bundles are read and checked here.
 *
 * Throws ValidationFailures at `loc` and the entry's place, for entries that name nothing, nothing there, or a bundle that
 * is refused.
 */
export async function resolveSkills(
  _parts: ResolveParts,
  _asked: {
    workspaceId: string
    entries: readonly SkillEntry[]
    loc: readonly (string | number)[]
    signal: AbortSignal
  },
): Promise<readonly PinnedSkill[]> {
  throw absent()
}

/** What reading a pinned skill needs. */
export interface LoadParts {
  readonly blobs: Blobs
  readonly workshop: Workshop
}

/** The bundle of a pinned skill. Fault `missing` (`skill_deleted`) when its bytes were deleted since. */
export async function loadBundle(
  _parts: LoadParts,
  _of: { workspaceId: string; pinned: PinnedSkill; signal: AbortSignal },
): Promise<Bundle> {
  throw absent()
}

const absent = (): Fault => new Fault('unavailable', 'skills_absent', 'This server has no skills yet')
