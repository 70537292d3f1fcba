import type { PhraseTarget } from '../languages/phrase-book.ts'
import type { FieldsByTarget } from '../languages/request-book.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { findField, type ListField } from '../schema/fields.ts'
import { readCellAs } from '../values/parsed-values.ts'
import { settleCodes, settleProducts } from './column-roles.ts'
import type { Heading } from './headers.ts'
import { readCell } from './read-cell.ts'
import type { Table } from './table.ts'

/** Index of a column → its field. */
export type ColumnMap = ReadonlyMap<number, Field>

/** The share of a column's non-empty cells that are valid values of the field. */
function columnFit(field: Field, at: number, table: Table, sheet: Sheet): number {
  let filled = 0
  let fit = 0
  for (const row of table.rows.slice(0, 30)) {
    const span = row.cells[at]
    if (span === null || span === undefined) continue
    filled++
    fit += readCell(field, span, sheet)?.fit ?? 0
  }
  if (filled > 0 && field.plan.meaning.kind === 'money' && holdsDays(at, table, sheet)) return 0.1
  if (filled > 0 && /^(?:quantity|item_code)$/.test(field.plan.meaning.concept?.id ?? '') && countsUp(at, table))
    return 0
  const isName = field.plan.meaning.concept?.id === 'description'
  return filled === 0 ? 0.3 : (fit / filled) * (isName ? wordinessOf(at, table) : 1)
}

/** The minimum average number of letters of item names; units and codes have fewer. */
const nameLetters = 5

/** How much the texts of a column look like names of different things, 0.3 to 1. */
function wordinessOf(at: number, table: Table): number {
  const texts = table.rows.slice(0, 30).flatMap((row) => row.cells[at]?.text ?? [])
  const letters = texts.reduce((sum, text) => sum + (text.match(/\p{L}/gu)?.length ?? 0), 0) / Math.max(1, texts.length)
  const isVaried = texts.length < 4 || new Set(texts).size > texts.length * 0.25
  return Math.max(0.3, Math.min(1, letters / nameLetters)) * (isVaried ? 1 : 0.6)
}

/** The minimum number of rows to distinguish row counters from quantities. */
const countedMin = 3

/** True when the numbers of a column increase by one per row: they count the rows. */
function countsUp(at: number, table: Table): boolean {
  const texts = table.rows.flatMap((row) => row.cells[at]?.text ?? [])
  const values = texts.map((text) => (/^\d{1,5}\.?$/.test(text) ? Number.parseInt(text, 10) : Number.NaN))
  const step = (values[1] ?? 0) - (values[0] ?? 0)
  const steps = values.slice(1).filter((value, index) => value - (values[index] ?? 0) === step)
  return values.length >= countedMin && step > 0 && steps.length >= (values.length - 1) * 0.8
}

/** The minimum number of rows to distinguish dates without a year from amounts. */
const daysMin = 3

/** True when every cell of a column is a date in the documents' period: then `01.12` is not an amount. */
function holdsDays(at: number, table: Table, sheet: Sheet): boolean {
  const texts = table.rows.slice(0, 30).flatMap((row) => row.cells[at]?.text ?? [])
  return (
    texts.length >= daysMin &&
    texts.every(
      (text) => /^\d{1,2}[./-]\d{1,2}\.?$/.test(text) && readCellAs('date', text, sheet.conventions).length > 0,
    )
  )
}

/** The minimum combined score of heading and content. */
const columnScoreMin = 0.45
/** The minimum score when a field and a column have no alternative. */
const weakScoreMin = 0.2
const weakFitMin = 0.5

interface Claim {
  readonly at: number
  readonly field: Field
  readonly score: number
}

/** Assigns remaining fields to remaining columns, where neither has an alternative. */
function settleWeak(weak: readonly Claim[], { map, taken }: { map: Map<number, Field>; taken: Set<Field> }): void {
  const open = weak.filter(({ at, field }) => !map.has(at) && !taken.has(field))
  for (const { at, field } of open) {
    const isOnly = open.every((other) => (other.at === at) === (other.field === field))
    if (!isOnly) continue
    map.set(at, field)
    taken.add(field)
  }
}

/** Headings of the value date, which is rarely the requested date of a movement. */
const valueDayPattern = /\b(?:value|val|valor|valuta|valeur|wert\p{L}*|rentedatum|effective)\b/iu
const secondDayFactor = 0.9

/** The fields of a table's columns, from headings and contents, and how well they fit. */
export function mapColumns(
  list: ListField,
  table: Table,
  sheet: Sheet,
  byTarget: FieldsByTarget<Field>,
): { map: ColumnMap; score: number } {
  const pairs: Claim[] = []
  const weak: Claim[] = []
  for (const [at, column] of table.columns.entries()) {
    for (const { field, weight } of columnClaims(column.heading, byTarget)) {
      const isSecond =
        field.plan.meaning.concept?.id === 'transaction_date' && valueDayPattern.test(column.heading.text)
      const fit = columnFit(field, at, table, sheet)
      const score = weight * (0.35 + 0.65 * fit) * (isSecond ? secondDayFactor : 1)
      if (score >= columnScoreMin) pairs.push({ at, field, score })
      else if (score >= weakScoreMin && fit > weakFitMin) weak.push({ at, field, score })
    }
  }
  pairs.sort((a, b) => b.score - a.score || a.at - b.at)
  const map = new Map<number, Field>()
  const taken = new Set<Field>()
  let total = 0
  for (const { at, field, score } of pairs) {
    if (map.has(at) || taken.has(field)) continue
    map.set(at, field)
    taken.add(field)
    total += score
  }
  settleWeak(weak, { map, taken })
  settleProducts(map, list.columns, table, sheet)
  settleCodes(map, list.columns, table, sheet)
  const spare = spareTextColumn(list, table, sheet, map)
  if (spare !== null) map.set(spare.at, spare.field)
  return { map, score: total / Math.max(1, Math.min(list.columns.length, table.columns.length)) + total * 0.2 }
}

/** The only text column under an unknown heading holds the descriptions, when no other column does. */
function spareTextColumn(
  list: ListField,
  table: Table,
  sheet: Sheet,
  map: ColumnMap,
): { at: number; field: Field } | null {
  const field = findField(list.columns, 'description')
  if (field === undefined || map.size < 2 || [...map.values()].includes(field)) return null
  const spare = table.columns.flatMap((column, at) => {
    const isKnown = column.heading.targets.some(({ target, weight }) => weight >= 0.85 && isAsked(list, target))
    if (map.has(at) || isKnown) return []
    const texts = table.rows.flatMap((row) => row.cells[at]?.text ?? [])
    const wordy = texts.filter(
      (text) => (text.match(/\p{L}/gu)?.length ?? 0) > text.length * 0.5 && text.length > 4,
    ).length
    return wordy >= table.rows.length * 0.6 && columnFit(field, at, table, sheet) > 0.5 ? [at] : []
  })
  const [at] = spare
  return spare.length === 1 && at !== undefined ? { at, field } : null
}

const sideTargets = new Set(['c:debit', 'c:credit', 'c:running_balance'])

/** True when a meaning applies to the rows of a list: the reference of a movement is not an item code. */
const isAsked = (list: ListField, target: string): boolean =>
  sideTargets.has(target) ||
  list.columns.some((field) => `c:${field.plan.meaning.concept?.id}` === target || `f:${field.id}` === target)

/** A heading such as `Debit/Credit` covers movements in both directions. */
export function bothSides({ targets }: Heading): PhraseTarget[] {
  const weightOf = (target: string): number =>
    Math.max(0, ...targets.filter((entry) => entry.target === target).map((entry) => entry.weight))
  const weight = Math.min(weightOf('c:debit'), weightOf('c:credit'))
  return weight >= 0.6 ? [{ target: 'c:movement', weight }] : []
}

/** Line amounts and account movements have the same headings. */
function alike(entry: PhraseTarget): PhraseTarget[] {
  if (entry.target === 'c:line_amount') return [entry, { target: 'c:movement', weight: entry.weight }]
  return entry.target === 'c:movement' ? [entry, { target: 'c:line_amount', weight: entry.weight }] : [entry]
}

/** A heading for quantities means the amount of a movement where there are no goods: `Cantidad`. */
const ofAccount = (entry: PhraseTarget): PhraseTarget[] =>
  entry.target === 'c:quantity' ? [{ target: 'c:movement', weight: entry.weight * 0.9 }] : [entry]

/** All fields of a list that a heading may mean; the column's content decides. */
function columnClaims(heading: Heading, byTarget: FieldsByTarget<Field>): { field: Field; weight: number }[] {
  const best = new Map<Field, number>()
  const isAccount = byTarget.has('c:movement') && !byTarget.has('c:quantity')
  const targets = isAccount ? heading.targets.flatMap(ofAccount) : heading.targets
  for (const { target, weight } of [...targets, ...bothSides(heading)].flatMap(alike)) {
    for (const field of byTarget.get(target) ?? []) best.set(field, Math.max(best.get(field) ?? 0, weight))
  }
  return [...best].map(([field, weight]) => ({ field, weight }))
}

/** The number of fields of any list that some headings may name. */
export function countColumns(headings: readonly Heading[], known: ReadonlySet<string>): number {
  const seen = new Set<string>()
  let count = 0
  for (const heading of headings) {
    const target = heading.targets.find((entry) => known.has(entry.target) && !seen.has(entry.target))
    if (target === undefined) continue
    seen.add(target.target)
    count++
  }
  return count
}
