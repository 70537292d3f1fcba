import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'
import { readVersion, versionInWords, type WantedVersion } from './skill.ts'
import {
  hasName,
  type PinnableVersion,
  selectOwnVersion,
  selectOwnVersions,
  selectPinnable,
  selectPublicVersions,
} from './store.ts'
import type { SkillEntry } from './wire.ts'

type Loc = readonly (string | number)[]

/** Runs `work` and adds the place in the request to a Fault of a bundle. */
export async function refusedAt<T>(loc: Loc, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Fault && refusals.includes(error.code)) throw invalid(loc, error.message, { type: error.code })
    throw error
  }
}

const refusals = ['bad_bundle', 'input_too_costly', 'unreadable_input']

/**
 * The version for `name` (or `name:version`) and a requested version: of the workspace's own, or of public ones of others if only one of
 * them has the name. Undefined if there is none; Fault `conflict` (`ambiguous_skill`) for a name that several others have.
 */
export async function findByName(
  db: Sql,
  of: { workspaceId: string; name: string; wanted: WantedVersion },
): Promise<PinnableVersion | undefined> {
  const { workspaceId } = of
  const readings = readingsOf(of)
  for (const reading of readings) {
    const own = await selectOwnVersion(db, { workspaceId, ...reading })
    if (own) return own
  }
  // A foreign skill of the same name must not replace a version that the workspace lacks, or a deleted id.
  if (isId(of.name.toLowerCase())) return undefined
  if (await hasName(db, { workspaceId, names: readings.map(({ name }) => name) })) return undefined
  for (const reading of readings) {
    const others = await findPublic(db, { workspaceId, ...reading })
    if (others) return others
  }
  return undefined
}

/** Interpretations of a name and a requested version: the whole name, or else the part before its last colon in the version after it. */
function readingsOf({
  name,
  wanted,
}: {
  name: string
  wanted: WantedVersion
}): { name: string; wanted: WantedVersion }[] {
  const [, before, version] = /^(.+):([^:]*)$/s.exec(name) ?? []
  // Clients send `latest` with every name: a version in the name wins.
  if (before === undefined || wanted !== 'latest') return [{ name, wanted }]
  return [
    { name, wanted },
    { name: before, wanted: readVersion(version || null) },
  ]
}

async function findPublic(
  db: Sql,
  of: { workspaceId: string; name: string; wanted: WantedVersion },
): Promise<PinnableVersion | undefined> {
  const [first, second] = await selectPublicVersions(db, of)
  if (second)
    throw new Fault(
      'conflict',
      'ambiguous_skill',
      `Several public skills are named ${JSON.stringify(of.name.slice(0, 300))}; use the id`,
    )
  return first
}

/** The stored version of a request's entry. Throws ValidationFailures at `loc`. */
export async function referencedVersion(
  db: Sql,
  of: { workspaceId: string; entry: SkillEntry; loc: Loc },
): Promise<PinnableVersion> {
  const { workspaceId, entry, loc } = of
  const field = entry.skill_id ? 'skill_id' : 'skill_name'
  const named = entry.skill_id ?? entry.skill_name
  if (!named)
    throw invalid([...loc, 'skill_id'], 'Give the id or name of a skill in skill_id, or an inline skill in source', {
      type: 'missing',
    })
  const wanted = readVersion(entry.skill_version ?? entry.version)
  const found = await lookedUp(db, { workspaceId, named, wanted }).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'conflict')
      throw invalid([...loc, field], error.message, { type: error.code, input: named })
    throw error
  })
  if (!found) {
    const version = wanted === 'latest' ? '' : ` in version ${versionInWords(wanted)}`
    const msg = `There is no skill ${JSON.stringify(named.slice(0, 300))}${version} in this workspace, and no public one`
    throw invalid([...loc, field], msg, { type: 'unknown_skill', input: named })
  }
  if (found.status !== 'completed') {
    const msg = `The skill ${JSON.stringify(found.name)} cannot be used: its status is ${found.status}`
    throw invalid([...loc, field], msg, { type: 'skill_not_ready', input: named })
  }
  return found
}

/**
 * Resolves the most common entries with one query: an own version by id, or the latest of a name. Undefined for other entries, which
 * `referencedVersion` looks up.
 */
export async function findPlainReferences(
  db: Sql,
  of: { workspaceId: string; entries: readonly SkillEntry[] },
): Promise<(entry: SkillEntry) => PinnableVersion | undefined> {
  const plain = of.entries.map(plainReference).filter((named) => named !== undefined)
  if (plain.length === 0) return () => undefined
  const ids = plain.filter((named) => isId(named))
  const names = plain.filter((named) => !isId(named))
  const found = await selectOwnVersions(db, { workspaceId: of.workspaceId, ids, names })
  return (entry) => {
    const named = plainReference(entry)
    if (named === undefined) return undefined
    return isId(named) ? found.find((one) => one.id === named) : found.find((one) => one.name === named && one.isLatest)
  }
}

/** The lower-case id, or the name of an entry without a requested version. */
function plainReference(entry: SkillEntry): string | undefined {
  const named = entry.skill_id ?? entry.skill_name
  if (!named || isInline(entry) || readVersion(entry.skill_version ?? entry.version) !== 'latest') return undefined
  return isId(named.toLowerCase()) ? named.toLowerCase() : named
}

/** An id wins over a requested version, unless that is another version of the same name. */
async function lookedUp(
  db: Sql,
  { workspaceId, named, wanted }: { workspaceId: string; named: string; wanted: WantedVersion },
): Promise<PinnableVersion | undefined> {
  const id = named.toLowerCase()
  const byId = isId(id) ? await selectPinnable(db, { workspaceId, id }) : undefined
  if (!byId) return findByName(db, { workspaceId, name: named, wanted })
  if (wanted === 'latest') return byId
  if (byId.workspaceId === workspaceId) return selectOwnVersion(db, { workspaceId, name: byId.name, wanted })
  const others = await selectPublicVersions(db, { workspaceId, name: byId.name, wanted })
  return others.find((other) => other.workspaceId === byId.workspaceId)
}

/** The zip of an inline entry. Throws ValidationFailures at `loc`. */
export function inlineZip(entry: SkillEntry, loc: Loc): Uint8Array {
  const field = entry.bundle && !entry.source ? [...loc, 'bundle'] : [...loc, 'source', 'data']
  const data = entry.source?.data ?? entry.bundle ?? ''
  if (entry.skill_id || entry.skill_name)
    throw invalid([...loc, entry.skill_id ? 'skill_id' : 'skill_name'], 'An inline skill has no id; remove skill_id')
  if (data === '')
    throw invalid(field, 'source.data must contain the zip of the inline skill, in base64', { type: 'missing' })
  if (data.length > Math.ceil(limits.bundleZipBytesMax / 3) * 4)
    throw invalid(field, `The zip must have at most ${limits.bundleZipBytesMax} bytes`, { type: 'bad_bundle' })
  const bytes = Buffer.from(data, 'base64')
  // Decoding ignores invalid base64, so compare it with its re-encoding. A regular expression would take too long on megabytes.
  const isSame = withoutPadding(bytes.toString('base64')) === withoutPadding(data.replaceAll(/[\r\n]/g, ''))
  if (!isSame) throw invalid(field, 'Input should be base64', { type: 'base64_format' })
  return bytes
}

const withoutPadding = (base64: string): string =>
  base64.slice(0, base64.length - (/={0,2}$/.exec(base64.slice(-2))?.[0].length ?? 0))

/** Whether an entry has an inline bundle. */
export const isInline = (entry: SkillEntry): boolean =>
  entry.type === 'inline' ||
  (!entry.type && !entry.skill_id && !entry.skill_name && Boolean(entry.source || entry.bundle))
