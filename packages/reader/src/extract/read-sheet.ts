import { findLabels, type LabelHit, type LabelIndex } from '../labels/labels.ts'
import { likeColumnsOf, withLikeLabels } from '../labels/like-labels.ts'
import type { Kind } from '../languages/concept.ts'
import { findConcept } from '../languages/concepts.ts'
import { withoutCurrencies } from '../languages/currencies.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import { bookOf, isSumTarget } from '../languages/request-book.ts'
import { meaningOfStatementWords } from '../languages/statement-words.ts'
import { type Line, layoutDocument } from '../layout/layout.ts'
import { keptBy, madeOnce } from '../layout/remembered.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { type Fields, fieldOfItems, isOfValues } from '../schema/fields.ts'
import { countColumns } from '../tables/columns/heading-weights.ts'
import { findGrids } from '../tables/grids.ts'
import type { Heading } from '../tables/headers.ts'
import { layoutTables } from '../tables/layout/layout-tables.ts'
import type { TableSearch } from '../tables/table.ts'
import { findTables, linesOfTables } from '../tables/tables.ts'
import { conventionsOf } from '../values/conventions.ts'
import { findNumbers } from '../values/numbers.ts'
import type { NamedDocument } from './extraction.ts'

const numbersIn = (line: Line): number =>
  line.cells.reduce((sum, cell) => sum + findNumbers(cell.text, 'point').filter((match) => !match.percent).length, 0)

/** The label of the total alone in its cell, after the number of items: `7  TOTAL  75.70`. */
const isPlainTotal = (hit: LabelHit): boolean =>
  hit.isWhole &&
  hit.cell.index === 1 &&
  hit.cell.line.cells.length <= 3 &&
  hit.targets.some((entry) => entry.target === 'c:total' && entry.weight >= 0.9)

/** True for a line that starts with the label of a sum and has little other text. */
function isSumLine(labels: LabelIndex, line: Line): boolean {
  const isSum = line.cells.some((cell, index) =>
    (labels.get(cell) ?? []).some((hit) => {
      if (!hit.startsCell || hit.coverage < 0.75 || !hit.targets.some((entry) => isSumTarget(entry.target)))
        return false
      const before = line.cells.slice(0, index)
      return (
        (hit.hasColon || isPlainTotal(hit) || before.every((other) => !/\d/.test(other.text))) &&
        !/\p{L}{3}/u.test(withoutCurrencies(hit.rest.text.replace(/\([^)]*\)/g, '')))
      )
    }),
  )
  if (!isSum) return false
  const count = numbersIn(line)
  return count >= 1 && count <= 2
}

const asidePattern = /^(?:c:opening_balance|c:closing_balance)$/

function isAsideLine(labels: LabelIndex, line: Line): boolean {
  return line.cells.some((cell) =>
    (labels.get(cell) ?? []).some(
      (hit) =>
        hit.coverage >= 0.75 && hit.targets.some((entry) => asidePattern.test(entry.target) && entry.weight >= 0.9),
    ),
  )
}

/** True for a heading of two parts of which one may head texts: `Buchung / Verwendungszweck`. */
const isTwofold = (heading: Heading): boolean =>
  /\s\/\s/.test(heading.text) &&
  heading.targets.some((entry) => entry.target === 'c:description' && entry.weight >= 0.6) &&
  heading.targets.some((entry) => entry.target === 'c:transaction_date')

/** The kind of values under a heading: by the fields of the request, else by known concepts. */
function kindUnder(columns: readonly Field[]): (heading: Heading) => Kind | null {
  const kinds = new Map<string, Kind>()
  for (const field of columns) {
    kinds.set(`f:${field.id}`, field.plan.meaning.kind)
    const id = field.plan.meaning.concept?.id
    if (id !== undefined) kinds.set(`c:${id}`, field.plan.meaning.kind)
  }
  return keptBy((heading) => {
    const sorted = heading.targets.toSorted((a, b) => b.weight - a.weight)
    if (isTwofold(heading)) return null
    for (const { target } of sorted) {
      const own = kinds.get(target)
      if (own !== undefined) return own
    }
    for (const { target } of sorted) {
      const concept = target.startsWith('c:') ? findConcept(target.slice(2)) : undefined
      if (concept?.column === true) return concept.kind
    }
    return null
  })
}

/** Headings of item tables that are known even without requested items, so that no single field is read from such a table. */
function knownColumns(columns: readonly Field[]): Set<string> {
  const known = new Set<string>()
  for (const field of columns) {
    known.add(`f:${field.id}`)
    const id = field.plan.meaning.concept?.id
    if (id !== undefined) known.add(`c:${id}`)
  }
  for (const id of [
    'description',
    'quantity',
    'unit_price',
    'line_amount',
    'item_code',
    'line_number',
    'unit',
    'debit',
    'credit',
    'running_balance',
    'transaction_date',
    'movement',
  ]) {
    known.add(`c:${id}`)
  }
  return known
}

const weightOf = (heading: Heading, isColumn: boolean): number =>
  heading.targets.reduce((best, { target, weight }) => {
    const concept = target.startsWith('c:') ? findConcept(target.slice(2)) : undefined
    if (concept === undefined || (concept.kind === 'money' && !isColumn)) return best
    return (concept.column === true) === isColumn ? Math.max(best, weight) : best
  }, 0)

/** Headings with at least this weight may be labels of the document. */
const labelWeightMin = 0.6

/** True for a row of document labels that are not column headings: order number, date of delivery, contact. */
function isFormRow(headings: readonly Heading[]): boolean {
  const isLabel = (heading: Heading): boolean => {
    const read = meaningOfWords(tokensOf(heading.text).map((token) => token.text)) ?? []
    const weight = Math.max(
      weightOf(heading, false),
      ...read.flatMap(({ target, weight }) => (formTargets.test(target) ? [weight] : [])),
    )
    return weight >= labelWeightMin && weight > weightOf(heading, true)
  }
  const labels = headings.filter(isLabel)
  return labels.length >= 2 && labels.length * 2 > headings.length
}

const formTargets =
  /^(?:c:(?:order_date|invoice_date|due_date|delivery_date|invoice_number|purchase_order_number|contact_name|payment_terms|incoterm|delivery_note_number|customer_number)|p:number)$/

const endTargets = /^c:(?:opening_balance|closing_balance|total_debits|total_credits)$/
const sideTargets = /^c:(?:debit|credit|running_balance|movement)$/

/** True for labels of account sums side by side with one line of amounts below: not column headings. */
function isSumRow(headings: readonly Heading[]): boolean {
  const ends = headings.filter((heading) => {
    const read = meaningOfStatementWords(tokensOf(heading.text).map((token) => token.text)) ?? []
    return [...heading.targets, ...read].some(
      ({ target, weight }) => endTargets.test(target) && weight >= labelWeightMin,
    )
  })
  const others = headings.filter((heading) => !ends.includes(heading))
  return ends.length > 0 && others.every(({ targets }) => targets.some(({ target }) => sideTargets.test(target)))
}

/** Lays out the documents of a request and finds their labels, tables and conventions. */
export function readSheet(documents: readonly NamedDocument[], fields: Fields): Sheet {
  const pages = documents.flatMap(({ document }, index) => layoutDocument(document, index))
  const book = bookOf(fields.all)
  const labels = findLabels(pages, book)
  const { conventions, periods } = conventionsOf(pages)
  const columns = fields.lists.flatMap((list) => list.columns)
  const known = knownColumns(columns)
  const isSum = keptBy((line: Line) => isSumLine(labels, line))
  const isAside = keptBy((line: Line) => isAsideLine(labels, line))
  const search: TableSearch = {
    labels,
    book,
    conventions,
    count: (headings) => (isFormRow(headings) || isSumRow(headings) ? 0 : countColumns(headings, known)),
    endsTable: (line) => isSum(line) && !isAside(line),
    isAside,
    kindUnder: kindUnder(columns),
    likeColumns: likeColumnsOf(fields.lists.map((list) => list.columns)),
    columnsMin: 3,
  }
  const tables = findTables(pages, search)
  const sumLines = new Set(pages.flatMap((page) => page.lines.filter(isSum)))
  return {
    pages,
    labels: withLikeLabels(labels, pages, [...fields.single, ...fields.lists.filter(isOfValues).map(fieldOfItems)]),
    conventions,
    periods,
    tables,
    grids: madeOnce(() => findGrids(pages, search)),
    layoutTables: madeOnce(() => layoutTables(pages, search)),
    tableLines: linesOfTables(tables),
    sumLines,
  }
}
