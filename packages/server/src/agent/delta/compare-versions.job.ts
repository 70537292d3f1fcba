import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { findValue, hasPlainPlaces, sourceOf } from '@skillrun/reader/evidence/find-value.ts'
import { extract } from '@skillrun/reader/extract/extract.ts'
import type { Extraction, NamedDocument } from '@skillrun/reader/extract/extraction.ts'
import { fold, namePhrase, tokensOf } from '@skillrun/reader/layout/text.ts'
import type { Page, ReadDocument } from '@skillrun/reader/media/document.ts'
import { openDocument } from '@skillrun/reader/media/packed-document.ts'
import { hashOfPage } from '@skillrun/reader/media/packed-pages.ts'
import { riskOf } from '@skillrun/reader/score/risk.ts'
import { PatternTooCostly } from '@skillrun/reader/values/bounded-pattern.ts'
import { leafFieldsOf, readPath } from '../programs/leaf-fields.ts'
import type { VersionsCompared, VersionsToCompare } from './compare-versions.ts'
import { type CommonItems, commonItems } from './same-pages.ts'

export default function compareVersions(request: VersionsToCompare): VersionsCompared {
  const { fields, schema, answer, evidence } = request
  const [before, now] = [opened(request.before), opened(request.now)]
  const changes = changedPages(before, now)
  const counts = { before: pagesIn(before), now: pagesIn(now) }
  const pages = { ...counts, changed: Math.max(pagesIn(changes.removed), pagesIn(changes.added)) }
  const leaves = new Map((leafFieldsOf(schema) ?? []).map((leaf) => [leaf.pointer, leaf.path]))
  const earlierValue = (field: string): Json => readPath(answer, leaves.get(field) ?? [])
  const isInOrder = before.map(({ input }) => input).join('\n') === now.map(({ input }) => input).join('\n')
  const evidenceOf = (kept: readonly string[]): EvidenceMap =>
    Object.fromEntries(
      (request.isFound && isInOrder ? kept : []).flatMap((field) => {
        const one = sameEvidence(earlierValue(field), evidence[field], changes.moved)
        return one ? [[field, one] as const] : []
      }),
    )
  const isSame = pages.changed === 0 && counts.before === counts.now
  if (fields.length === 0 || isSame) return { kept: fields, asked: [], pages, evidence: evidenceOf(fields) }
  const changed = contentOf(changes, { schema, counts })
  const asked = fields.flatMap((field) => {
    const path = leaves.get(field) ?? []
    const because = whyAsked(
      { field, path, value: earlierValue(field), shape: shapeAt(schema, path), evidence },
      changed,
    )
    return because === undefined ? [] : [{ field, because }]
  })
  const kept = fields.filter((field) => !asked.some((one) => one.field === field))
  return { kept, asked, pages, evidence: evidenceOf(kept) }
}

/**
 * The evidence of a kept value in the new documents, if it is certain without a search: what is found of it on a page depends only on that
 * page, no changed page has it, and the pages that have it are in the same order. Undefined: search for it.
 */
function sameEvidence(
  value: Json,
  found: Evidence | undefined,
  moved: ReadonlyMap<string, number>,
): Evidence | undefined {
  if (value === null) return found?.status === 'unsupported' ? found : undefined
  if (!found || typeof value !== 'string' || !hasPlainPlaces(value) || found.page === undefined) return undefined
  const page = moved.get(pageKey(found.input ?? '', found.page))
  return page === undefined ? undefined : { ...found, page }
}

const opened = (documents: VersionsToCompare['now']): NamedDocument[] =>
  documents.map(({ input, packed }) => ({ input, document: openDocument(packed) }))

const pagesIn = (documents: readonly NamedDocument[]): number =>
  documents.reduce((sum, { document }) => sum + document.pages.length, 0)

const pageKey = (input: string, page: number): string => `${page} of ${input}`

const textOf = ({ words }: Page): string => words.map(({ text }) => text).join(' ')

/** The pages that differ between two versions, and where the others are now. */
interface PageChanges {
  /** The earlier documents, with only the pages that the new ones do not have at this place. */
  readonly removed: readonly NamedDocument[]
  /** The new documents, with only the pages that the earlier ones did not have at this place. */
  readonly added: readonly NamedDocument[]
  /** The new page number of each unchanged page, by `pageKey`. */
  readonly moved: ReadonlyMap<string, number>
}

function changedPages(before: readonly NamedDocument[], now: readonly NamedDocument[]): PageChanges {
  const names = [...new Set([...before, ...now].map(({ input }) => input))]
  const removed: NamedDocument[] = []
  const added: NamedDocument[] = []
  const moved = new Map<string, number>()
  for (const input of names) {
    const [old, fresh] = [before, now].map((all) => all.find((one) => one.input === input)?.document)
    const isComparable = old !== undefined && fresh !== undefined && factsOf(old) === factsOf(fresh)
    const same = isComparable ? commonItems(old.pages.map(hashOfPage), fresh.pages.map(hashOfPage)) : undefined
    for (const [at, place] of pairsOf(same)) {
      const [left, right] = [old?.pages[at], fresh?.pages[place]]
      if (left && right) moved.set(pageKey(input, left.index), right.index)
    }
    if (old) removed.push({ input, document: withoutPages(old, same?.before) })
    if (fresh) added.push({ input, document: withoutPages(fresh, same?.now) })
  }
  return { removed, added, moved }
}

/** The content of a document besides its pages, such as the data of an electronic invoice. */
const factsOf = ({ pages: _pages, pageCount: _count, ...facts }: ReadDocument): string => JSON.stringify(facts)

/** The places of equal pages in both versions. */
function pairsOf(same: CommonItems | undefined): readonly (readonly [before: number, now: number])[] {
  const now = [...(same?.now ?? [])].toSorted((left, right) => left - right)
  return [...(same?.before ?? [])].toSorted((left, right) => left - right).map((at, nth) => [at, now[nth] ?? -1])
}

const withoutPages = (document: ReadDocument, places: ReadonlySet<number> | undefined): ReadDocument => ({
  ...document,
  pages: document.pages.filter((_page, place) => !places?.has(place)),
})

/** The content of the changed pages of both versions. */
interface ChangedContent {
  /** The changed pages of the earlier version, by `pageKey`. */
  readonly removed: ReadonlySet<string>
  readonly words: ReadonlySet<string>
  /** Folded. */
  readonly texts: readonly string[]
  readonly source: ReturnType<typeof sourceOf>
  /** What the reader finds on the pages of each version; undefined: the schema has a pattern that is too costly for them. */
  readonly read: readonly (Extraction | undefined)[]
  readonly counts: { readonly before: number; readonly now: number }
}

function contentOf(
  { removed, added }: PageChanges,
  { schema, counts }: { schema: JsonSchema; counts: ChangedContent['counts'] },
): ChangedContent {
  const texts = [...removed, ...added].flatMap(({ document }) => document.pages.map(textOf))
  return {
    removed: new Set(
      removed.flatMap(({ input, document }) => document.pages.map(({ index }) => pageKey(input, index))),
    ),
    words: new Set(texts.flatMap((text) => tokensOf(text).map((token) => token.text))),
    texts: texts.map(fold),
    source: sourceOf([...removed, ...added]),
    read: [removed, added].map((documents) => readAlone(documents, schema)),
    counts,
  }
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
function whyAsked({ field, path, value, shape, evidence }: EarlierField, changed: ChangedContent): string | undefined {
  if (isList(shape) || (typeof value === 'object' && value !== null)) return 'a list may have rows on every page'
  const found = evidence[field]
  if (value !== null) {
    const isFound = found?.status === 'verified' || found?.status === 'normalised'
    if (!isFound || found.input === undefined) return 'the earlier value was not found on a page'
    if (found.page !== undefined && changed.removed.has(pageKey(found.input, found.page)))
      return 'the page of the earlier value changed'
    if (typeof value !== 'object' && findValue(changed.source, value, path.at(-1) ?? ''))
      return 'the earlier value also occurs on a changed page'
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

/** Below the confidence from which a value is given: asking again costs less than keeping a stale value (decision 26). */
const seenMin = 0.35

/**
 * Whether a changed page may have the value: read alone, the page gives a value, or a candidate at least as likely as `seenMin`. Less likely
 * candidates do not count, since on a single page almost everything is a candidate for something.
 */
const isSeen = ({ answer, evidence }: Extraction, field: string, path: readonly string[]): boolean =>
  readPath(answer, path) !== null || (evidence[field]?.candidates ?? []).some(({ confidence }) => confidence >= seenMin)

/** Shorter words occur within others by chance. */
const wordLettersMin = 4

/**
 * Whether a changed page has a word of the name or title of a field, or half the words of its description. Long words may be part of others.
 */
function isNamed(path: readonly string[], shape: Json, changed: ChangedContent): boolean {
  const { title, description } = isJsonObject(shape) ? shape : {}
  const occurs = (word: string): boolean =>
    changed.words.has(word) || (word.length >= wordLettersMin && changed.texts.some((text) => text.includes(word)))
  const names = [...path, ...(typeof title === 'string' ? [title] : [])]
  if (names.some((name) => namePhrase(name).split(' ').filter(Boolean).some(occurs))) return true
  const described = typeof description === 'string' ? tokensOf(description).map((token) => token.text) : []
  const telling = described.filter((word) => word.length >= wordLettersMin)
  return telling.length > 0 && telling.filter(occurs).length * 2 >= telling.length
}

function shapeAt(schema: JsonSchema, path: readonly string[]): Json {
  let at: Json = schema
  for (const step of path)
    at = isJsonObject(at) && isJsonObject(at['properties']) ? (at['properties'][step] ?? null) : null
  return at
}
