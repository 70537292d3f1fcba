import { Fault } from '@skillrun/core/fault.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import type { Blobs } from '../../adapters/blobs/blobs.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { ofShare, type ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { limits } from '../../core/limits.ts'
import { type BundleFacts, type BundleSource, bundleTerms, checkBundleJob, readBundleFileJob } from './bundle.ts'
import type { ApprovalDemand } from './gate.ts'
import { factsReadLately, rememberFacts } from './read-lately.ts'
import { findPlainReferences, inlineZip, isInline, referencedVersion, refusedAt } from './resolve.ts'
import type { PinnableVersion } from './store.ts'
import type { SkillEntry } from './wire.ts'

/**
 * A skill as an execution runs it: chosen when the execution is accepted and kept with it, so that no later version and no
 * other use of its name changes what it ran. Plain data for the request's JSON.
 */
export interface PinnedSkill {
  /** The version's own id; null for an inline skill. */
  readonly id: string | null
  readonly name: string
  readonly description: string
  /** 1, 2, 3 … of its name; null for an inline skill. */
  readonly number: number | null
  /** `YYYYMMDD-` and eight hexadecimal digits; `inline` where it came inline. */
  readonly skillVersion: string
  /** Of the bundle's content, in hexadecimal. */
  readonly sha256: string
  /** A public skill of another workspace: its scripts run only where the request opts in. */
  readonly isForeign: boolean
  /** What applies unless the request says otherwise. */
  readonly schema: JsonSchema | null
  readonly model: string | null
  readonly toolsets: readonly string[] | null
  readonly allowedTools: readonly string[] | null
  /** Applies beside what the request says. Older rows have none. */
  readonly requireApproval?: ApprovalDemand | null
  /** The blob of its zip, in hexadecimal; null for an inline skill. */
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
  readonly processPool: ProcessPool
}

/**
 * The skills that the entries of a request name, in their order. Own ones come before public ones of others, which count by
 * id, or by a name that only one of them has. Inline bundles are read and checked here.
 *
 * Throws ValidationFailures at `loc` and the entry's place, for entries that name nothing, nothing there, or a bundle that
 * is refused.
 */
export async function resolveSkills(
  parts: ResolveParts,
  asked: {
    workspaceId: string
    entries: readonly SkillEntry[]
    loc: readonly (string | number)[]
    signal: AbortSignal
  },
): Promise<readonly PinnedSkill[]> {
  const { workspaceId, signal } = asked
  const pinned: PinnedSkill[] = []
  let characters = 0
  const findPlain = await findPlainReferences(parts.db, asked)
  for (const [index, entry] of asked.entries.entries()) {
    const loc = [...asked.loc, index]
    pinned.push(
      isInline(entry)
        ? await pinnedInline(parts, { workspaceId, entry, loc, signal })
        : pinnedVersion(
            findPlain(entry) ?? (await referencedVersion(parts.db, { workspaceId, entry, loc })),
            workspaceId,
          ),
    )
    characters += charactersOf(pinned.at(-1))
    if (characters > limits.pinnedSkillsCharactersMax)
      throw invalid(
        loc,
        `The schemas and inline bundles of all skills of a request must have at most ${limits.pinnedSkillsCharactersMax} characters in total`,
        { type: 'too_much' },
      )
  }
  return pinned
}

/** What is kept of a skill with the execution: its schema, and the bundle where it came inline. */
const charactersOf = (pinned: PinnedSkill | undefined): number =>
  (pinned?.inline?.length ?? 0) + (pinned?.schema ? JSON.stringify(pinned.schema).length : 0)

/** A stored version as executions of that workspace pin it. */
export function pinnedVersion(version: PinnableVersion, workspaceId: string): PinnedSkill {
  return {
    id: version.id,
    name: version.name,
    description: version.description,
    number: version.number,
    skillVersion: version.skillVersion,
    sha256: version.sha256,
    isForeign: version.workspaceId !== workspaceId,
    ...applying(version.facts),
    zipSha256: version.zipSha256.toString('hex'),
    inline: null,
  }
}

const applying = ({ schema, model, toolsets, allowedTools, requireApproval }: PinnableVersion['facts']) => ({
  schema,
  model,
  toolsets,
  allowedTools,
  ...(requireApproval ? { requireApproval } : {}),
})

async function pinnedInline(
  { processPool }: ResolveParts,
  of: { workspaceId: string; entry: SkillEntry; loc: readonly (string | number)[]; signal: AbortSignal },
): Promise<PinnedSkill> {
  const { entry, loc } = of
  const share = { group: of.workspaceId, rank: 1 }
  const zip = inlineZip(entry, loc)
  const checking = processPool.run(checkBundleJob, { zip }, { ...bundleTerms, signal: of.signal, share })
  const checked = await refusedAt([...loc, ...(entry.source ? ['source', 'data'] : ['bundle'])], checking)
  const name = entry.name || checked.facts.name
  if (name.includes(':'))
    throw invalid(
      [...loc, 'name'],
      'The name in SKILL.md contains a colon, which is not allowed; give another name in name',
      {
        input: name,
      },
    )
  return {
    id: null,
    name,
    description: entry.description || checked.facts.description,
    number: null,
    skillVersion: 'inline',
    sha256: checked.facts.sha256,
    isForeign: false,
    ...applying(checked.facts),
    zipSha256: null,
    inline: Buffer.from(checked.zip).toString('base64'),
  }
}

/** What reading a pinned skill needs. */
export interface LoadParts {
  readonly blobs: Blobs
  readonly processPool: ProcessPool
}

/** The bundle of a pinned skill. Fault `missing` (`skill_deleted`) when its bytes were deleted since. */
export async function loadBundle(
  parts: LoadParts,
  of: { workspaceId: string; pinned: PinnedSkill; signal: AbortSignal },
): Promise<Bundle> {
  const { pinned } = of
  const own = { ...parts, processPool: ofShare(parts.processPool, { group: of.workspaceId, rank: 1 }) }
  const facts = await factsOf(own, of)
  return {
    ...facts,
    async read(path, signal) {
      const bytes = await withZip(own, pinned, (bundle) =>
        own.processPool.run(readBundleFileJob, { bundle, path }, { ...bundleTerms, signal }),
      )
      if (bytes) return bytes
      throw new Fault(
        'missing',
        'unknown_bundle_file',
        `The skill ${JSON.stringify(pinned.name)} has no file ${JSON.stringify(path.slice(0, 200))}`,
      )
    },
  }
}

/** What a bundle says, read in a child unless the same content was read lately. Its bytes must be there either way. */
async function factsOf(
  { blobs, processPool }: LoadParts,
  of: { workspaceId: string; pinned: PinnedSkill; signal: AbortSignal },
): Promise<BundleFacts> {
  const { pinned } = of
  const content = { workspaceId: of.workspaceId, sha256: pinned.sha256 }
  // Of a bundle that came inline nothing is kept beyond its execution.
  const known = pinned.inline === null ? factsReadLately(content) : undefined
  if (known && (await blobs.stat(Buffer.from(pinned.zipSha256 ?? '', 'hex')))) return known
  const { facts } = await withZip({ blobs, processPool }, pinned, (bundle) =>
    processPool.run(checkBundleJob, bundle, { ...bundleTerms, signal: of.signal }),
  )
  if (pinned.inline === null) rememberFacts(content, facts)
  return facts
}

async function withZip<T>(
  { blobs }: LoadParts,
  pinned: PinnedSkill,
  use: (bundle: Exclude<BundleSource, { files: unknown }>) => Promise<T>,
): Promise<T> {
  if (pinned.inline !== null) return use({ zip: Buffer.from(pinned.inline, 'base64') })
  const sha256 = Buffer.from(pinned.zipSha256 ?? '', 'hex')
  return blobs
    .localPath(sha256, (path) => use({ path }))
    .catch((error: unknown) => {
      if (error instanceof Fault && error.code === 'unknown_blob')
        throw new Fault(
          'missing',
          'skill_deleted',
          `The skill ${JSON.stringify(pinned.name)} was deleted in the meantime`,
        )
      throw error
    })
}
