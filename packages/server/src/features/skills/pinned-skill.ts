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
 * A skill as an execution runs it: resolved when the execution is accepted and stored with it, so that later versions or reused names do
 * not change the run. Plain data for the request's JSON.
 */
export interface PinnedSkill {
  /** The version's own id; null for an inline skill. */
  readonly id: string | null
  readonly name: string
  readonly description: string
  /** 1, 2, 3 … within its name; null for an inline skill. */
  readonly number: number | null
  /** `YYYYMMDD-` and eight hexadecimal digits; `inline` for an inline skill. */
  readonly skillVersion: string
  /** Of the bundle's content, in hexadecimal. */
  readonly sha256: string
  /** A public skill of another workspace: its scripts run only if the request opts in. */
  readonly isForeign: boolean
  /** Defaults for absent fields of the request. */
  readonly schema: JsonSchema | null
  readonly model: string | null
  readonly toolsets: readonly string[] | null
  readonly allowedTools: readonly string[] | null
  /** Applies in addition to the request. Older rows have none. */
  readonly requireApproval?: ApprovalDemand | null
  /** The blob of its zip, in hexadecimal; null for an inline skill. */
  readonly zipSha256: string | null
  /** An inline skill's valid zip in base64, stored only with the execution. */
  readonly inline: string | null
}

/** A parsed bundle with access to its files. */
export interface Bundle extends BundleFacts {
  /** The bytes of a file in `files`; Fault `missing` (`unknown_bundle_file`) for another path. */
  read(path: string, signal: AbortSignal): Promise<Uint8Array>
}

/** Dependencies of resolving skills. */
export interface SkillSourceParts {
  readonly db: Sql
  readonly processPool: ProcessPool
}

/**
 * Resolves the skill entries of a request, in order. The workspace's own skills come before public ones of others, which match by id, or by
 * name if only one of them has it. Parses and checks inline bundles here.
 *
 * Throws ValidationFailures at `loc` and the entry's place, for entries without a reference, unknown skills, and invalid bundles.
 */
export async function resolveSkills(
  parts: SkillSourceParts,
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

/** Stored with the execution: the skill's schema, and an inline bundle. */
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
  { processPool }: SkillSourceParts,
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

/** Dependencies of reading a pinned skill. */
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

/** The content of a bundle, parsed in a child process unless cached. Its bytes must exist either way. */
async function factsOf(
  { blobs, processPool }: LoadParts,
  of: { workspaceId: string; pinned: PinnedSkill; signal: AbortSignal },
): Promise<BundleFacts> {
  const { pinned } = of
  const content = { workspaceId: of.workspaceId, sha256: pinned.sha256 }
  // An inline bundle leaves nothing behind after its execution.
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
