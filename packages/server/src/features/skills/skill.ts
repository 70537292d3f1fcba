import type { BundleFacts } from './bundle.ts'

/** How far a version has come. One that was made from a file or a prompt is completed from the start. */
export type SkillStatus = 'pending' | 'running' | 'completed' | 'failed'

/** How a skill made from a session was proved. */
export interface Proof {
  /** The session's execution that was run again, and the run with the skill. */
  readonly original_id: string
  /** Null until it has begun. */
  readonly execution_id: string | null
  /** Leaves of the two answers that are the same, of all that either has: 0 to 1. Null until it has ended. */
  readonly agreement: number | null
  /** JSON Pointers of leaves that differ, at most a handful. */
  readonly disagreements: readonly string[]
  /** One sentence, where the two answers differ by more than they may. */
  readonly warning?: string
}

/** Get a version of a skill. */
export interface SkillVersion {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Counts 1, 2, 3 … per skill name; null until the version is completed. */
  readonly number: number | null
  readonly skillVersion: string
  readonly description: string
  readonly isPublic: boolean
  readonly status: SkillStatus
  readonly error: { readonly code: string; readonly message: string } | null
  readonly origin: 'file' | 'prompt' | 'session'
  readonly sessionId: string | null
  /** Hash of the content, in hexadecimal. */
  readonly sha256: string
  readonly zipSha256: Buffer
  readonly zipBytes: number
  readonly facts: BundleFacts
  readonly proof: Proof | null
  /** Waits for an evaluation to pass its gate; `latest` does not lead to it. */
  readonly isHeld: boolean
  readonly isLatest: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `YYYYMMDD-` (UTC) and the first eight digits of the content's hash. */
export const versionString = (now: Date, sha256: string): string =>
  `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${sha256.slice(0, 8)}`

/** Which version of a name is meant: the n-th, the one of a version string, or the latest. */
export type VersionWish = { readonly number: number } | { readonly text: string } | 'latest'

/**
 * Reads a version as the wire has it: a whole number or one in digits, `latest`, or a version string. Eight digits with
 * nothing behind them are a number.
 */
export function readVersion(value: number | string | null | undefined): VersionWish {
  if (value === null || value === undefined) return 'latest'
  if (typeof value === 'number') return { number: value }
  if (value.toLowerCase() === 'latest') return 'latest'
  return /^\d{1,9}$/.test(value) ? { number: Number(value) } : { text: value.toLowerCase() }
}

/** How a version is called in a sentence. */
export function versionInWords(wish: VersionWish): string {
  if (wish === 'latest') return 'latest'
  return 'number' in wish ? `number ${wish.number}` : JSON.stringify(wish.text.slice(0, 100))
}

/**
 * The id of a skill whatever its versions, for the APIs that have one: its name in base64url. In our own API each version has
 * an id.
 */
export const skillIdOf = (name: string): string => `skill_${Buffer.from(name, 'utf8').toString('base64url')}`

/** The name that such an id stands for. Any other text is taken as it is: it may be a name, or the id of a version. */
export function nameOfSkillId(id: string): string {
  const encoded = /^skill_([A-Za-z0-9_-]+)$/.exec(id)?.[1]
  if (encoded === undefined) return id
  const name = Buffer.from(encoded, 'base64url').toString('utf8')
  return skillIdOf(name) === id ? name : id
}
