import { createHash } from 'node:crypto'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { findValue, sourceOf } from '@skillrun/reader/evidence/find-value.ts'
import { extract } from '@skillrun/reader/extract/extract.ts'
import type { Extraction, NamedDocument } from '@skillrun/reader/extract/extraction.ts'
import { fold, namePhrase, tokensOf } from '@skillrun/reader/layout/text.ts'
import type { Page, ReadDocument } from '@skillrun/reader/media/document.ts'
import { unpackDocument } from '@skillrun/reader/media/reading.ts'
import { agreedMin, riskOf } from '@skillrun/reader/score/decide.ts'
import { PatternTooCostly } from '@skillrun/reader/values/bounded-pattern.ts'
import { leafFieldsOf, readPath } from '../programs/leaf-fields.ts'
import type { VersionsCompared, VersionsToCompare } from './compare-versions.ts'
import { commonItems } from './same-pages.ts'

export default function compareVersions(request: VersionsToCompare): VersionsCompared {
  const { fields, schema, answer, evidence } = request
  const [before, now] = [unpacked(request.before), unpacked(request.now)]
  const changes = changedPages(before, now)
  const counts = { before: pagesIn(before), now: pagesIn(now) }
  const pages = { ...counts, changed: pagesIn(changes.gone) + pagesIn(changes.come) }
  if (pages.changed === 0 && counts.before === counts.now) return { kept: fields, asked: [], pages }
  const texts = [...changes.gone, ...changes.come].flatMap(({ document }) => document.pages.map(textOf))
  const changed: Changed = {
    gone: new Set(
      changes.gone.flatMap(({ input, document }) => document.pages.map(({ index }) => placeOf(input, index))),
    ),
    words: new Set(texts.flatMap((text) => tokensOf(text).map((token) => token.text))),
    texts: texts.map(fold),
    source: sourceOf([...changes.gone, ...changes.come]),
    read: [changes.gone, changes.come].map((documents) => readAlone(documents, schema)),
    counts,
  }
  const leaves = new Map((leafFieldsOf(schema) ?? []).map((leaf) => [leaf.pointer, leaf.path]))
  const asked = fields.flatMap((field) => {
    const path = leaves.get(field) ?? []
    const because = whyAsked(
      { field, path, value: readPath(answer, path), shape: shapeAt(schema, path), evidence },
      changed,
    )
    return because === undefined ? [] : [{ field, because }]
  })
  const left = new Set(asked.map(({ field }) => field))
  return { kept: fields.filter((field) => !left.has(field)), asked, pages }
}

const unpacked = (documents: VersionsToCompare['now']): NamedDocument[] =>
  documents.map(({ input, packed }) => ({ input, document: unpackDocument(packed) }))

const pagesIn = (documents: readonly NamedDocument[]): number =>
  documents.reduce((sum, { document }) => sum + document.pages.length, 0)

const placeOf = (input: string, page: number): string => `${page} of ${input}`

const textOf = ({ words }: Page): string => words.map(({ text }) => text).join(' ')

/** The documents of each version reduced to the pages that the other version does not have at this place. */
function changedPages(
  before: readonly NamedDocument[],
  now: readonly NamedDocument[],
): { readonly gone: readonly NamedDocument[]; readonly come: readonly NamedDocument[] } {
  const names = [...new Set([...before, ...now].map(({ input }) => input))]
  const gone: NamedDocument[] = []
  const come: NamedDocument[] = []
  for (const input of names) {
    const [old, fresh] = [before, now].map((all) => all.find((one) => one.input === input)?.document)
    const isComparable = old !== undefined && fresh !== undefined && factsOf(old) === factsOf(fresh)
    const same = isComparable ? commonItems(old.pages.map(keyOf), fresh.pages.map(keyOf)) : undefined
    if (old) gone.push({ input, document: withoutPages(old, same?.before) })
    if (fresh) come.push({ input, document: withoutPages(fresh, same?.now) })
  }
  return { gone, come }
}

/** What a document says besides its pages, such as the data of an electronic invoice. */
const factsOf = ({ pages: _pages, pageCount: _count, ...facts }: ReadDocument): string => JSON.stringify(facts)

const keyOf = ({ index: _index, print: _print, ...page }: Page): string =>
  createHash('sha256').update(JSON.stringify(page)).digest('base64')

const withoutPages = (document: ReadDocument, places: ReadonlySet<number> | undefined): ReadDocument => ({
  ...document,
  pages: document.pages.filter((_page, place) => !places?.has(place)),
})

/** What the changed pages of both versions say. */
interface Changed {
  /** The changed pages of the earlier version. */
  readonly gone: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Folded. */
  readonly texts: readonly string[]
  readonly source: ReturnType<typeof sourceOf>
  /** What the reader finds on the pages of each version; undefined: the schema has a pattern that is too costly for them. */
  readonly read: readonly (Extraction | undefined)[]
  readonly counts: { readonly before: number; readonly now: number }
}

function readAlone(documents: readonly NamedDocument[], schema: JsonSchema): Extraction | undefined {
  try {
    return extract({ documents, values: {}, schema, risk: riskOf(undefined) })
  } catch (error) {
    if (error instanceof PatternTooCostly) return undefined
    throw error
  }
}

interface EarlierField {
  readonly field: string
  readonly path: readonly string[]
  readonly value: Json
  readonly shape: Json
  readonly evidence: EvidenceMap
}

/** Why the changed pages may matter to a field; undefined if there is no sign that they do. */
function whyAsked({ field, path, value, shape, evidence }: EarlierField, changed: Changed): string | undefined {
  if (isList(shape) || (typeof value === 'object' && value !== null)) return 'a list may have rows on every page'
  const found = evidence[field]
  if (value !== null) {
    const isFound = found?.status === 'verified' || found?.status === 'normalised'
    if (!isFound || found.input === undefined) return 'the earlier value stands on no page'
    if (found.page !== undefined && changed.gone.has(placeOf(found.input, found.page)))
      return 'the page of the earlier value changed'
    if (typeof value !== 'object' && findValue(changed.source, value, path.at(-1) ?? ''))
      return 'the earlier value stands on a changed page as well'
    if (typeof value === 'number' && changed.counts.before !== changed.counts.now && value === changed.counts.before)
      return 'the earlier value is the number of pages, which changed'
  }
  if (isNamed(path, shape, changed)) return 'a changed page has words of the field'
  if (changed.read.some((one) => one === undefined || isSeen(one, field, path)))
    return 'a changed page has something that may be the value'
  return undefined
}

const isList = (shape: Json): boolean =>
  isJsonObject(shape) && ([shape['type']].flat().includes('array') || 'items' in shape || 'prefixItems' in shape)

/**
 * Whether a changed page may hold the value: on that page alone it would be given, or is as likely as the least likely that are. A lower limit
 * than that of values that only the score found: four of ten of those between the two are right (decision 0023), and what is not asked again stays
 * as it was. Less likely ones say nothing, since on a page alone almost everything is a candidate for something.
 */
const isSeen = ({ answer, evidence }: Extraction, field: string, path: readonly string[]): boolean =>
  readPath(answer, path) !== null ||
  (evidence[field]?.candidates ?? []).some(({ confidence }) => confidence >= agreedMin)

/** Shorter words occur within others by chance. */
const wordLettersMin = 4

/**
 * Whether a changed page has a word of the name or title of a field, or half the words of its description. Long words may be part of others.
 */
function isNamed(path: readonly string[], shape: Json, changed: Changed): boolean {
  const { title, description } = isJsonObject(shape) ? shape : {}
  const stands = (word: string): boolean =>
    changed.words.has(word) || (word.length >= wordLettersMin && changed.texts.some((text) => text.includes(word)))
  const names = [...path, ...(typeof title === 'string' ? [title] : [])]
  if (names.some((name) => namePhrase(name).split(' ').filter(Boolean).some(stands))) return true
  const described = typeof description === 'string' ? tokensOf(description).map((token) => token.text) : []
  const telling = described.filter((word) => word.length >= wordLettersMin)
  return telling.length > 0 && telling.filter(stands).length * 2 >= telling.length
}

function shapeAt(schema: JsonSchema, path: readonly string[]): Json {
  let at: Json = schema
  for (const step of path)
    at = isJsonObject(at) && isJsonObject(at['properties']) ? (at['properties'][step] ?? null) : null
  return at
}
