import type { BundleFacts } from './bundle.ts'

/** Status of a version. One made from a file or a prompt is completed from the start. */
export type SkillStatus = 'pending' | 'running' | 'completed' | 'failed'

/** The proof of a skill made from a session. */
export interface Proof {
  /** The session's execution that was repeated, and the run with the skill. */
  readonly original_id: string
  /** Null until it starts. */
  readonly execution_id: string | null
  /** Share of equal leaves of the two answers, 0 to 1. Null until it has ended. */
  readonly agreement: number | null
  /** JSON Pointers of differing leaves, a handful at most. */
  readonly disagreements: readonly string[]
  /** One sentence if the answers differ by more than allowed. */
  readonly warning?: string
}

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
  /** Waits for an evaluation to pass its gate; `latest` skips it. */
  readonly isHeld: boolean
  readonly isLatest: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** `YYYYMMDD-` (UTC) and the first eight digits of the content's hash. */
export const versionString = (now: Date, sha256: string): string =>
  `${now.toISOString().slice(0, 10).replaceAll('-', '')}-${sha256.slice(0, 8)}`

/** A requested version of a name: the n-th, a version string, or the latest. */
export type WantedVersion = { readonly number: number } | { readonly text: string } | 'latest'

/** Parses a version in wire format: a number or its digits, `latest`, or a version string. Eight digits alone are a number. */
export function readVersion(value: number | string | null | undefined): WantedVersion {
  if (value === null || value === undefined) return 'latest'
  if (typeof value === 'number') return { number: value }
  if (value.toLowerCase() === 'latest') return 'latest'
  return /^\d{1,9}$/.test(value) ? { number: Number(value) } : { text: value.toLowerCase() }
}

/** The name of a version in messages. */
export function versionInWords(wanted: WantedVersion): string {
  if (wanted === 'latest') return 'latest'
  return 'number' in wanted ? `number ${wanted.number}` : JSON.stringify(wanted.text.slice(0, 100))
}

/** The id of a skill across versions, for APIs that have one: its name in base64url. In our own API each version has an id. */
export const skillIdOf = (name: string): string => `skill_${Buffer.from(name, 'utf8').toString('base64url')}`

/** The name behind such an id. Any other text is returned unchanged: it may be a name, or a version id. */
export function nameOfSkillId(id: string): string {
  const encoded = /^skill_([A-Za-z0-9_-]+)$/.exec(id)?.[1]
  if (encoded === undefined) return id
  const name = Buffer.from(encoded, 'base64url').toString('utf8')
  return skillIdOf(name) === id ? name : id
}
