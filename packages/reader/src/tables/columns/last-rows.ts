import { greatest, least } from '@skillrun/core/extremes.ts'
import type { Finding } from '../../extract/assemble.ts'
import { meantWords } from '../../languages/form-words.ts'
import { meaningOfWords } from '../../languages/label-words.ts'
import { longestPhrase } from '../../languages/phrase-book.ts'
import { isSumTarget, knownBook } from '../../languages/request-book.ts'
import { partLine } from '../../layout/columns.ts'
import type { Line } from '../../layout/layout.ts'
import type { Field, Sheet } from '../../layout/sheet.ts'
import { type Span, spanOf } from '../../layout/spans.ts'
import { tokensOf } from '../../layout/text.ts'
import type { ListField } from '../../schema/fields.ts'
import { sameAmount } from '../../values/amounts.ts'
import type { ReadTables } from '../items.ts'
import type { ReadRow } from '../named-groups.ts'
import { readCell } from '../read-cell.ts'
import { readRow } from '../read-rows.ts'
import type { Row, Table } from '../table.ts'
import { pitch } from '../table-body.ts'

/** So many rows show what a row is. */
const rowsMin = 2
/** Lines below the rows that are looked at. */
const linesMax = 12
/** A line further below a row than this many times the usual distance is not of the table. */
const pitchShare = 1.3

/** Amounts of this kind below a list are charges that invoices also have as items. */
const charges = /^c:(?:shipping|service_charge)$/
/** Meanings of words that name what stands below a list. */
const belowWords = 'total subtotal tax payable paid balance average discount rounding deposit advance'.split(' ')

const note = 'It may be no item: its row has only a text and an amount, and no sum below shows that it counts.'

/** The columns of a text and an amount that each row has. */
interface Ends {
  readonly text: number
  readonly amount: number
  readonly field: Field
  /** Where the texts begin. */
  readonly left: number
}

/**
 * The rows with those behind the last full one that have only a text and an amount, such as a delivery. A sum below tells whether they count;
 * where none does, they need a look. Sums, taxes, payments and what is below them are no rows.
 */
export function withLastRows(
  found: ReadTables,
  of: { readonly list: ListField; readonly sheet: Sheet; readonly inputs: readonly string[] },
): ReadTables {
  const last = found.read.at(-1)
  const table = last && found.tables.find(({ rows }) => rows.includes(last.row))
  if (last === undefined || table === undefined) return found
  const rows = found.read.filter(({ row }) => table.rows.includes(row))
  const ends = rows.length < rowsMin ? null : endsOf(rows)
  if (ends === null) return found
  const place = { table, ends, sheet: of.sheet }
  const { below, near } = linesBelow(rows, table)
  const stop = below.findIndex((line, at) => at >= near || !isLastRow(line, place))
  const candidates = below.slice(0, stop < 0 ? below.length : stop)
  const amounts = below.flatMap((line) => amountOn(line, place) ?? [])
  const items = found.read.map(({ item }) => Number(item.get(ends.field.pointer)?.value ?? 0))
  const { count, isProven } = countOf(amounts, { items, most: candidates.length })
  const more = candidates.slice(0, count).map((line): ReadRow => {
    const row: Row = { cells: cellsOf(line, table), lines: [line] }
    const item = readRow(row, { ...of, table, map: last.map })
    const doubted = [...item].map(([at, one]): [string, Finding] => [at, isProven ? one : { ...one, doubt: note }])
    return { row, map: last.map, item: new Map(doubted) }
  })
  return { ...found, rows: [...found.rows, ...more.map(({ item }) => item)], read: [...found.read, ...more] }
}

function endsOf(rows: readonly ReadRow[]): Ends | null {
  const map = rows.at(-1)?.map ?? new Map<number, Field>()
  const isFull = (at: number): boolean => rows.every(({ row }) => row.cells[at])
  const full = [...map].filter(([at]) => isFull(at)).toSorted(([one], [other]) => one - other)
  const amount = full.findLast(([, { plan }]) => plan.meaning.kind === 'money')
  const lettersIn = (at: number): number =>
    rows.reduce((sum, { row }) => sum + (row.cells[at]?.text.match(/\p{L}/gu)?.length ?? 0), 0)
  const [text] = full
    .filter(([, { plan }]) => /^(?:text|name)$/.test(plan.meaning.kind))
    .toSorted(([one], [other]) => lettersIn(other) - lettersIn(one))
  if (amount === undefined || text === undefined || text[0] >= amount[0]) return null
  const left = least(rows.map(({ row }) => row.cells[text[0]]?.words[0]?.x0 ?? Number.POSITIVE_INFINITY))
  return { text: text[0], amount: amount[0], field: amount[1], left }
}

/** The lines below the last row, and how many of them follow it without a gap. */
function linesBelow(rows: readonly ReadRow[], { page: first }: Table): { below: readonly Line[]; near: number } {
  const lines = rows.map(({ row }) => row.lines)
  const steps = lines.slice(1).flatMap((own, at) => {
    const [above, below] = [lines[at]?.at(-1), own[0]]
    return above && below && above.page === below.page ? [pitch(above, below)] : []
  })
  const last = lines.at(-1)?.at(-1)
  const page = last?.page ?? first
  const most = greatest(steps.filter((step) => step > 0)) * pitchShare
  const from = last?.index ?? page.lines.length
  const below = page.lines.slice(from + 1, from + 1 + linesMax)
  const gap = below.findIndex((line) => pitch(page.lines[line.index - 1] ?? line, line) > most)
  return { below, near: gap < 0 ? below.length : gap }
}

const cellsOf = (line: Line, { columns }: Table): (Span | null)[] =>
  partLine(line, columns).map((words) => (words.length === 0 ? null : spanOf(words, [])))

interface Place {
  readonly table: Table
  readonly ends: Ends
  readonly sheet: Sheet
}

function amountOn(line: Line, { table, ends, sheet }: Place): number | undefined {
  const cell = cellsOf(line, table)[ends.amount]
  const value = cell ? readCell(ends.field, cell, sheet)?.value : undefined
  return typeof value === 'number' ? value : undefined
}

/** True for a line of a text where texts begin and an amount, whose text names nothing that stands below a list. */
function isLastRow(line: Line, place: Place): boolean {
  const { table, ends } = place
  const cells = cellsOf(line, table)
  const text = cells[ends.text]
  const amount = amountOn(line, place)
  if (!text || amount === undefined || amount <= 0 || cells[ends.amount]?.text.includes('%')) return false
  const words = cells.reduce((sum, cell) => sum + (cell?.words.length ?? 0), 0)
  const isWhole = words === line.cells.reduce((sum, cell) => sum + cell.words.length, 0)
  const isBare = cells.every((cell, at) => !cell || at === ends.text || at === ends.amount)
  const isAligned = Math.abs((text.words[0]?.x0 ?? 0) - ends.left) < line.height
  return isWhole && isBare && isAligned && !namesFigure(text.text)
}

/** True for a text that is a label or names a sum, a tax, a payment or a balance. */
function namesFigure(text: string): boolean {
  if (/[%:]|^[^\p{L}]*$/u.test(text)) return true
  const words = tokensOf(text).map((token) => token.text)
  const known = longestPhrase(knownBook(), words, 0)
  const targets = [
    ...(meaningOfWords(words) ?? []),
    ...(known?.length === words.length ? known.targets.filter(({ weight }) => weight >= 0.9) : []),
  ].map(({ target }) => target)
  if (targets.some((target) => isSumTarget(target) && charges.test(target))) return false
  return (
    targets.some(isSumTarget) || meantWords(text).some(({ meanings }) => belowWords.some((word) => meanings.has(word)))
  )
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** How many of the first amounts below a list are items: as many as a sum below them counts, else all up to one that is a sum itself. */
function countOf(
  amounts: readonly number[],
  { items, most }: { readonly items: readonly number[]; readonly most: number },
): { count: number; isProven: boolean } {
  const total = sumOf(items)
  for (let count = most; count >= 0; count--) {
    const all = total + sumOf(amounts.slice(0, count))
    if (amounts.slice(count).some((one) => sameAmount(one, all))) return { count, isProven: count > 0 }
  }
  const end = amounts.slice(0, most).findIndex((one) => one > total)
  return { count: end < 0 ? most : end, isProven: false }
}
