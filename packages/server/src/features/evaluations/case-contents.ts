import { createHash } from 'node:crypto'
import { canonicalSha256 } from '@skillrun/core/canonical-json.ts'
import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { findFile } from '../files/files.ts'
import { bytesOfDataUrl, isInputItem } from '../inputs/inputs.ts'
import type { SkillVersion } from '../skills/skills.ts'
import type { KnownCase } from './bundle-cases.ts'

interface Of {
  readonly workspaceId: string
  /** Cases of its bundle name files in it. */
  readonly version: Pick<SkillVersion, 'facts'>
}

/**
 * What the inputs of a case contain: the SHA-256 of each document, sorted, whatever its slot, its file id or the way in which it was given,
 * and all other values. Of a URL only the address counts, since its content is not stored.
 */
export async function contentsOfInputs(db: Sql, inputs: KnownCase['inputs'], of: Of): Promise<JsonObject> {
  const documents = new Set<string>()
  const values: Record<string, Json> = {}
  for (const [slot, value] of Object.entries(inputs)) {
    const items = Array.isArray(value) ? (value as readonly Json[]) : [value]
    const hashes = await Promise.all(items.map((item) => hashOf(db, item, of)))
    if (hashes.length === 0 || hashes.includes(undefined)) values[slot] = value
    else for (const hash of hashes) documents.add(hash ?? '')
  }
  return { documents: [...documents].toSorted(), values }
}

/** The SHA-256 of each document that the inputs of a case give as a file or URL. A text may be a setting that many cases have. */
export async function filesOfInputs(db: Sql, inputs: KnownCase['inputs'], of: Of): Promise<ReadonlySet<string>> {
  const items = Object.values(inputs).flat() as readonly Json[]
  const hashes = await Promise.all(items.filter(isFile).map((item) => hashOf(db, item, of)))
  return new Set(hashes.filter((hash) => hash !== undefined))
}

const isFile = (item: Json): boolean =>
  typeof item === 'string'
    ? /^(data|https?):/i.test(item)
    : isJsonObject(item) && (item['type'] === 'bundle_file' || (isInputItem(item) && item['type'] !== 'text'))

/**
 * Finds copies among cases: the same question about equal inputs. A copy says nothing more of other documents, and the test of a lift takes cases
 * for independent.
 */
export function makeCopyFinder(): (known: Pick<KnownCase, 'config'>, contents: JsonObject) => Promise<boolean> {
  const seen = new Set<string>()
  return async ({ config }, contents) => {
    const question = await canonicalSha256({ contents, config })
    return seen.size === seen.add(question).size
  }
}

/** The SHA-256 of a document; undefined for another value. */
async function hashOf(db: Sql, item: Json, { workspaceId, version }: Of): Promise<string | undefined> {
  if (typeof item === 'string') return sha256(bytesOf(item))
  if (!isJsonObject(item)) return undefined
  if (item['type'] === 'bundle_file') return version.facts.files.find(({ path }) => path === item['path'])?.sha256
  if (!isInputItem(item)) return undefined
  const { file_id: id, text, type } = item
  if (typeof id === 'string') return (await findFile({ db }, { workspaceId, id }))?.sha256.toString('hex')
  const place = type === 'input_file' ? item['file_url'] : item[String(type)]
  const url = isJsonObject(place) ? place['url'] : text
  return typeof url === 'string' ? sha256(bytesOf(url)) : undefined
}

function bytesOf(text: string): Buffer {
  try {
    if (/^data:/i.test(text)) return bytesOfDataUrl(text)
  } catch {
    // It is no data URL, whatever it begins with.
  }
  return Buffer.from(text)
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
