import type { Finding } from '../extract/assemble.ts'
import { type PageLayout, spaceOn } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { fieldsIn, fromReceipt, multipliesOut } from '../receipts/receipt-rows.ts'
import { type Fields, findField, type ListField } from '../schema/fields.ts'
import { isProduct, sameAmount } from '../values/amounts.ts'
import { withLastRows } from './columns/last-rows.ts'
import { noTables, type ReadTables, rowsByKind, rowsOfTables } from './items.ts'
import { fittedTables } from './layout/fitted-tables.ts'
import { inOwnSections, listSections } from './list-sections.ts'
import { rowKeys, type Table } from './table.ts'
import { linesOfTables } from './tables.ts'

/** The value of tables for a list: filled places, plus rows that multiply out or continue a balance. */
function worthOf(list: ListField, { rows, tables, sure }: ReadTables): number {
  const pointerOf = (id: string): string | undefined => findField(list.columns, id)?.pointer
  const numberIn = (row: ReadonlyMap<string, Finding> | undefined, id: string): number => {
    const value = row?.get(pointerOf(id) ?? '')?.value
    return typeof value === 'number' ? value : Number.NaN
  }
  let worth = 0
  const usual = rows.reduce((most, row) => Math.max(most, row.size), 0)
  for (const [at, row] of rows.entries()) {
    const isEmpty = numberIn(row, 'movement') === 0 || numberIn(row, 'line_amount') === 0
    if (!isEmpty && row.size >= usual / 2) for (const pointer of row.keys()) worth += sure.get(pointer) ?? settledWorth
    const name = row.get(pointerOf('description') ?? '')?.value
    if (typeof name === 'string' && !/\p{L}{2}/u.test(name.replace(/\S*\d\S*/g, ''))) worth -= 0.7
    const [q, p, a] = ['quantity', 'unit_price', 'line_amount'].map((id) => numberIn(row, id)) as [
      number,
      number,
      number,
    ]
    if (isProduct(q, p, a)) worth += 1
    const moved = numberIn(row, 'running_balance') - numberIn(rows[at - 1], 'running_balance')
    if (sameAmount(Math.abs(moved), Math.abs(numberIn(row, 'movement')))) worth += 1
  }
  return worth - tables.reduce((sum, table) => sum + cutsOf(table), 0) * cutCost
}

/** What a value counts whose column was found by arithmetic or its place. */
const settledWorth = 0.9

/** The penalty for a row with a text that a column border splits. */
const cutCost = 0.6
/** The maximum gap between words of one text, as a multiple of the usual gap. */
const spacesMax = 1.3

const isWord = (word: PlacedWord): boolean => /^\p{L}+$/u.test(word.word.text)

/** The number of rows in which a column border separates two words that are one space apart. */
function cutsOf({ rows, page }: Table): number {
  const space = spaceOn(page)
  const isCut = (left: PlacedWord, right: PlacedWord): boolean => {
    const height = left.y1 - left.y0
    const gap = right.x0 - left.x1
    return Math.abs(right.y0 - left.y0) < height / 2 && gap > 0 && gap < space * spacesMax
  }
  return rows.filter(({ cells }) => {
    const worded = cells.map((cell) => cell?.words.filter(isWord) ?? []).filter((words) => words.length > 0)
    return worded.some((words, at) =>
      worded.slice(at + 1).some((others) => words.some((left) => others.some((right) => isCut(left, right)))),
    )
  }).length
}

/** Tables found by another method replace the current ones only when they are worth this much more. */
const betterFactor = 1.02

interface Weighed extends ReadTables {
  readonly worth: number
}

/** The most valuable tables, together with tables on other pages whose columns mean nearly the same. */
function together(found: readonly Weighed[]): Weighed | undefined {
  const [best, ...others] = found.toSorted((a, b) => b.worth - a.worth)
  if (best === undefined) return undefined
  const parts = [best]
  const pages = new Set(best.tables.map(({ page }) => page))
  const own = columnsOf(best)
  for (const other of others) {
    const places = [...columnsOf(other)]
    const isAlike = places.filter((place) => own.has(place)).length >= Math.max(2, own.size * alikeShare)
    if (!isAlike || other.tables.some(({ page }) => pages.has(page))) continue
    parts.push(other)
    for (const { page } of other.tables) pages.add(page)
  }
  const order = [...pages].toSorted((a, b) => a.document - b.document || a.page.index - b.page.index)
  const sorted = parts.toSorted(
    (a, b) => order.indexOf(a.tables[0]?.page as PageLayout) - order.indexOf(b.tables[0]?.page as PageLayout),
  )
  return {
    rows: sorted.flatMap(({ rows }) => rows),
    read: sorted.flatMap(({ read }) => read),
    tables: sorted.flatMap(({ tables }) => tables),
    sure: best.sure,
    refused: best.refused,
    worth: parts.reduce((sum, { worth }) => sum + worth, 0),
  }
}

const widthOf = (tables: readonly Table[]): number =>
  tables.reduce((most, { columns }) => Math.max(most, columns.length), 0)

/** Whether most columns of tables have headings. */
const isHeaded = ({ tables }: ReadTables): boolean =>
  tables.every(({ columns }) => columns.filter(({ heading }) => heading.text !== '').length > columns.length / 2)

const mostWorth = (found: readonly (Weighed | undefined)[]): Weighed | undefined =>
  found.reduce((best, one) => (one && one.worth > (best?.worth ?? 0) ? one : best), undefined)

const columnsOf = ({ rows }: Pick<ReadTables, 'rows'>): Set<string> => new Set(rows.flatMap((row) => [...row.keys()]))

/** The minimum share of the rows found otherwise that a table with rules must have: the others may be prose below it. */
const ruledShare = 0.6

/** True when a reading has every column of another, and hardly fewer rows. */
function covers(ruled: ReadTables, other: ReadTables): boolean {
  const own = columnsOf(ruled)
  return ruled.rows.length >= other.rows.length * ruledShare && [...columnsOf(other)].every((column) => own.has(column))
}

/** How much the values of a table count that has fewer columns than its lines show otherwise: one of them may be two that stand close. */
const coarseShare = 0.7

/** The minimum share of fields that two tables have in common for one to continue the other. */
const alikeShare = 0.6

/** How the rows of a list were found: under known headings, by aligned amounts, by rules, by the places of words, as items of a till. */
export const searches = ['headed', 'aligned', 'ruled', 'placed', 'till'] as const

/** The rows that were chosen for a list, and those of the other searches. */
export interface ListReading {
  readonly read: ReadTables
  readonly search: (typeof searches)[number]
  readonly others: readonly ReadTables['rows'][]
}

/** The reading of a list whose fields are the names of columns: these are certain. */
export const readByName = ({ columns }: ListField, rows: ReadTables['rows']): ListReading => ({
  read: { ...noTables, rows, sure: new Map(columns.map(({ pointer }) => [pointer, 1])) },
  search: 'headed',
  others: [],
})

/** The sheet with the chosen tables, and the readings of the lists. */
export interface Choice {
  readonly sheet: Sheet
  readonly readings: ReadonlyMap<ListField, ListReading>
}

/**
 * Chooses the most valuable tables for a list: those found by headings, those found by alignment when these are worth
 * more, or those that rules enclose when they have every column of the others.
 */
function chooseFor(list: ListField, sheet: Sheet, inputs: readonly string[]): ListReading {
  const headed = rowsOfTables(list, sheet, inputs)
  if (list.columns.length < 2) return { read: headed, search: 'headed', others: [] }
  const receipt = fromReceipt(list, sheet, inputs)
  const bestOf = (others: readonly Table[]): Weighed | undefined =>
    together(
      rowsByKind(list, { ...sheet, tables: others }, inputs).map((one) => ({ ...one, worth: worthOf(list, one) })),
    )
  const fromTill: ReadTables = { ...noTables, rows: receipt.rows }
  const least = Math.max(worthOf(list, headed), worthOf(list, fromTill)) * betterFactor
  const aligned = bestOf(sheet.grids())
  const layout = fittedTables(list, sheet.layoutTables(), sheet)
  // Rules say better than places of words which words are a cell, and where a table ends.
  const ruled = bestOf(layout.filter(({ isRuled }) => isRuled))
  const placed = bestOf(layout)
  const others = [...headed.tables, ...(aligned?.tables ?? [])]
  const isCoarse = (read: ReadTables): boolean => widthOf(read.tables) < widthOf(others)
  const isRuled =
    ruled !== undefined && [headed, fromTill, ...(aligned ? [aligned] : [])].every((other) => covers(ruled, other))
  const found = isRuled
    ? ruled
    : mostWorth([aligned, placed && { ...placed, worth: placed.worth * (isCoarse(placed) ? coarseShare : 1) }])
  const readOf: readonly (readonly [ListReading['search'], ReadTables | undefined])[] = [
    ...([
      ['headed', headed],
      ['aligned', aligned],
      ['till', fromTill],
    ] as const),
    [isRuled ? 'ruled' : 'placed', isRuled ? ruled : placed],
  ]
  const chosen = (read: ReadTables, search: ListReading['search']): ListReading => ({
    ...{ read, search },
    others: readOf.flatMap(([name, other]) => (name === search ? [] : [other?.rows ?? []])),
  })
  const isFuller = ({ rows }: ReadTables): boolean => {
    const [own, other] = [fieldsIn(rows), fieldsIn(receipt.rows)]
    return own > other || (own === other && multipliesOut(rows, list))
  }
  const isBetter =
    found !== undefined &&
    (isRuled || found.worth > least) &&
    (!receipt.isProven || (isHeaded(found) && isFuller(found)))
  if (!isBetter) return chosen(headed, headed.tables.length > 0 ? 'headed' : 'till')
  return chosen(found, isRuled ? 'ruled' : found === aligned ? 'aligned' : 'placed')
}

/** Lists that have lines of their tables in common, with the readings of each. */
function sharing(readings: ReadonlyMap<ListField, ListReading>): ListField[] {
  const keys = new Map([...readings].map(([list, { read }]) => [list, new Set(read.tables.flatMap(rowKeys))]))
  return [...keys].flatMap(([list, own]) =>
    [...keys].some(([other, lines]) => other !== list && [...lines].some((line) => own.has(line))) ? [list] : [],
  )
}

/** Chooses the tables of each list. Lists that share rows take those of the sections that are named for them. */
export function chooseTables(sheet: Sheet, fields: Fields, inputs: readonly string[]): Choice {
  const readings = new Map(fields.lists.map((list) => [list, chooseFor(list, sheet, inputs)]))
  const shared = sharing(readings)
  const sectionOf = shared.length > 1 ? listSections(sheet.pages, shared) : null
  if (sectionOf)
    for (const list of shared) {
      const own = inOwnSections(sheet, (line) => (sectionOf(line) ?? list) === list)
      readings.set(list, chooseFor(list, own, inputs))
    }
  for (const [list, reading] of readings)
    readings.set(list, { ...reading, read: withLastRows(reading.read, { list, sheet, inputs }) })
  let { tables } = sheet
  for (const { read, search } of readings.values()) {
    if (search === 'headed' || search === 'till') continue
    const taken = new Set(read.tables.flatMap(rowKeys))
    tables = [...tables.filter((table) => !rowKeys(table).some((key) => taken.has(key))), ...read.tables]
  }
  if (tables === sheet.tables) return { sheet, readings }
  return { sheet: { ...sheet, tables, tableLines: linesOfTables(tables) }, readings }
}
