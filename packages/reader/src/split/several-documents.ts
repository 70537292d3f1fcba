import { isDeepStrictEqual } from 'node:util'
import type { EvidenceMap } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { ExtractionRequest, NamedDocument } from '../extract/extraction.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { Candidate, Field } from '../layout/sheet.ts'
import { type DocumentPart, splitPages } from './split-document.ts'

/** A weaker finding says nothing of what a document is. */
const scoreMin = 0.6

/**
 * How much more likely other values make another document, in log odds. A number that identifies a document says most, and one that is the
 * same on both says that they are one. A name or text may be worded otherwise in the same document.
 */
const oddsOf = { otherId: 2, sameId: -2, otherFigure: 1, otherText: 0.5 }
/** Differing figures and texts together count no more than this: a schedule of a contract has its own dates and sums. */
const othersMax = 2
/** So many fields that differ are enough, however many else one of the documents states. */
const differingMin = 3
/** The log odds from which pages are another document: nineteen to one. */
const oddsMin = 3

/** Among several documents a turn that is this likely to begin one parts those of which the values say nothing. */
const apartMin = 0.95

/** A document states the fields well enough to be the one that is asked for with this share of what the best states. */
const wellStated = 2 / 3

const figures: ReadonlySet<string> = new Set(['date', 'datetime', 'money', 'number', 'integer'])

/** Pages of a file that belong together, with what the rules read from them alone. */
interface ReadPart {
  readonly part: DocumentPart
  readonly single: ReadonlyMap<string, Finding>
}

/** Pages of one document in a file: those of a part and of what belongs to it, such as an annex. */
type Whole = readonly [ReadPart, ...ReadPart[]]

/** What is needed to look for several documents in a file. */
interface Looking {
  /** The files that the pages are of. */
  readonly documents: readonly NamedDocument[]
  readonly fields: readonly Field[]
  readonly pages: readonly PageLayout[]
  /** What was weighed for the single fields on all pages. */
  readonly weighed: readonly Candidate[]
  /** Reads the single fields from some pages of a file. */
  readonly read: (named: NamedDocument) => ReadonlyMap<string, Finding>
}

/** The request for one of several documents in a file, and the warnings where an answer has values of such files. */
export interface OneOfSeveral {
  readonly request: ExtractionRequest
  readonly warningsFor: (evidence: EvidenceMap) => readonly Warning[]
}

/**
 * Where a file holds several documents that state the single fields otherwise, the request for the first that states them well. Undefined
 * where no file does.
 */
export function oneOfSeveral(request: ExtractionRequest, looking: Looking): OneOfSeveral | undefined {
  if (looking.fields.length === 0) return undefined
  const found = new Map<string, NonNullable<ReturnType<typeof severalIn>>>()
  for (const [index, named] of looking.documents.entries()) {
    const pages = looking.pages.filter(({ document }) => document === index)
    const several = severalIn(named, pages, looking)
    if (several) found.set(named.input, several)
  }
  if (found.size === 0) return undefined
  const documents = request.documents.map((named) => found.get(named.input)?.named ?? named)
  const isLeft = (input: string, page: number): boolean =>
    found.get(input)?.named.document.pages.every(({ index }) => index !== page) === true
  const codes = request.codes?.filter(({ input, page }) => !isLeft(input, page))
  return {
    request: { ...request, documents, ...(codes && { codes }) },
    warningsFor: (evidence) => {
      const used = new Set(Object.values(evidence).flatMap(({ input = [] }) => input))
      return [...found].flatMap(([input, { warning }]) => (used.size === 0 || used.has(input) ? [warning] : []))
    },
  }
}

function severalIn(named: NamedDocument, pages: readonly PageLayout[], looking: Looking) {
  const { document } = named
  const { fields } = looking
  // The measures are of printed pages, and attached data belong to the whole file.
  if (pages.length < 2 || document.invoice || pages.some(({ page }) => page.source === 'plain')) return undefined
  const parts = splitPages(pages)
  // Reading each part takes as long as reading all of them.
  const isClear = parts.slice(1).some(({ startsAt }) => startsAt >= apartMin)
  if (!isClear && !(parts.length > 1 && mayDiffer(parts, pages, looking.weighed))) return undefined
  const read = parts.map((part): ReadPart => ({ part, single: sureOf(looking.read(pagesOf(named, part))) }))
  const isOtherOf = (before: ReadPart, after: ReadPart): boolean => isOther(before, after, fields)
  if (wholesOf(read, isOtherOf).length < 2) return undefined
  const all = wholesOf(read, (before, after) => isOtherOf(before, after) || isApart(before, after, fields))
  const counts = all.map((whole) => Math.max(...whole.map(({ single }) => single.size)))
  const taken = all[counts.findIndex((count) => count >= wellStated * Math.max(...counts))]
  const others = all.filter(
    (whole) => whole !== taken && whole.some((one) => taken?.some((part) => isOtherOf(...inOrder(part, one)))),
  )
  if (taken === undefined || others.length === 0) return undefined
  return { named: pagesOf(named, rangeOf(taken)), warning: warningOf(named, taken, others) }
}

/** Whether a field may have values on the pages of two parts. */
function mayDiffer(
  parts: readonly DocumentPart[],
  pages: readonly PageLayout[],
  weighed: readonly Candidate[],
): boolean {
  const positions = new Map(pages.map((page, at) => [page, at]))
  const partsOf = new Map<Field, number>()
  return weighed.some(({ field, page }) => {
    const at = positions.get(page) ?? -1
    const part = parts.findIndex(({ first, last }) => at >= first && at <= last)
    const known = partsOf.get(field) ?? part
    partsOf.set(field, known)
    return part >= 0 && known !== part
  })
}

const sureOf = (single: ReadonlyMap<string, Finding>): ReadonlyMap<string, Finding> =>
  new Map([...single].filter(([, { evidence }]) => evidence.confidence >= scoreMin))

type Parting = (before: ReadPart, after: ReadPart) => boolean

/** Puts each part together with those before it, if it is not to be parted from any. */
function wholesOf(parts: readonly ReadPart[], isParted: Parting): Whole[] {
  const wholes: [ReadPart, ...ReadPart[]][] = []
  for (const part of parts) {
    const open = wholes.at(-1)
    if (open === undefined || open.some((before) => isParted(before, part))) wholes.push([part])
    else open.push(part)
  }
  return wholes
}

const inOrder = (one: ReadPart, two: ReadPart): [ReadPart, ReadPart] =>
  one.part.first < two.part.first ? [one, two] : [two, one]

const isApart = (before: ReadPart, { part, single }: ReadPart, fields: readonly Field[]): boolean =>
  part.startsAt >= apartMin &&
  before.single.size > 0 &&
  single.size > 0 &&
  !fields.some((field) => isId(field) && single.has(field.pointer) && isSame(field, before.single, single))

const isSame = ({ pointer }: Field, one: ReadonlyMap<string, Finding>, two: ReadonlyMap<string, Finding>): boolean =>
  isDeepStrictEqual(one.get(pointer)?.value, two.get(pointer)?.value)

/**
 * Whether the later of two parts is another document than the earlier: it states half of the fields or more, or several otherwise, and the
 * turn to it and the values make that likely.
 */
function isOther(before: ReadPart, after: ReadPart, fields: readonly Field[]): boolean {
  const both = fields.filter(({ pointer }) => before.single.has(pointer) && after.single.has(pointer))
  const differing = both.filter((field) => !isSame(field, before.single, after.single))
  if (differing.length === 0) return false
  if (differing.length < differingMin && both.length * 2 < Math.max(before.single.size, after.single.size)) return false
  const ids = both.filter(isId)
  const otherIds = differing.filter(isId).length
  const others = differing
    .filter((field) => !isId(field))
    .reduce(
      (sum, { plan: { meaning } }) => sum + (figures.has(meaning.kind) ? oddsOf.otherFigure : oddsOf.otherText),
      0,
    )
  const { startsAt } = after.part
  const odds =
    Math.log(startsAt / (1 - startsAt)) +
    otherIds * oddsOf.otherId +
    Math.min(1, ids.length - otherIds) * oddsOf.sameId +
    Math.min(others, othersMax)
  return odds >= oddsMin
}

/** An identifier that is not of a party: of the document, but also of an account or contract. */
const isId = ({ plan: { meaning } }: Field): boolean => meaning.kind === 'id' && meaning.party === null

const rangeOf = (whole: Whole): Pick<DocumentPart, 'first' | 'last'> => ({
  first: whole[0].part.first,
  last: Math.max(...whole.map(({ part }) => part.last)),
})

const pagesOf = (
  { input, document }: NamedDocument,
  { first, last }: Pick<DocumentPart, 'first' | 'last'>,
): NamedDocument => ({
  input,
  document: { ...document, pages: document.pages.slice(first, last + 1) },
})

/** Documents that a warning names. */
const listedMax = 8

function warningOf({ input, document: { pages } }: NamedDocument, taken: Whole, others: readonly Whole[]): Warning {
  const named = (whole: Whole): string => {
    const { first, last } = rangeOf(whole)
    const [from, to] = [first, last].map((at) => (pages[at]?.index ?? at) + 1)
    return from === to ? `page ${from}` : `pages ${from} to ${to}`
  }
  const more = others.length > listedMax ? ` and ${others.length - listedMax} more` : ''
  const rest = `${others
    .slice(0, listedMax)
    .map(named)
    .join(more ? ', ' : ' and ')}${more}`
  const message = `The file ${JSON.stringify(input)} seems to hold several documents. The values are those of ${named(taken)} alone, and ${rest} would give others. To read each document, ask for a list with "x-documents": true, or split the file with document.split`
  return { code: 'several_documents', path: '', message }
}
