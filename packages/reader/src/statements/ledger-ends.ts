import type { Finding } from '../extract/assemble.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { type Field, ocrConfidenceOf, type Sheet } from '../layout/sheet.ts'
import { spanOfCell, wordsWithin } from '../layout/spans.ts'
import { type Fields, findField, type ListField } from '../schema/fields.ts'
import { sameAmount, toleranceOf, toMinorUnit } from '../values/amounts.ts'
import { readAs } from '../values/parsed-values.ts'
import { valueFor } from '../values/values.ts'
import { prove } from '../values/verify.ts'

/** The maximum number of amounts outside the rows that are tried as balances. */
const printedMax = 60
/** The confidence of an amount that the rows require. */
const confidence = 0.85

interface Printed {
  readonly value: number
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
}

/** The amounts with decimals outside table rows, in reading order. */
function printedOutside(sheet: Sheet): Printed[] {
  // Lines of rows may be clipped copies, so compare page and line number.
  const rows = new Map<PageLayout, Set<number>>()
  for (const { page, index } of sheet.tables.flatMap((table) => table.rows.flatMap((row) => row.lines)))
    rows.set(page, (rows.get(page) ?? new Set()).add(index))
  const found: Printed[] = []
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      if (rows.get(page)?.has(line.index) === true) continue
      for (const cell of line.cells) {
        const span = spanOfCell(cell)
        for (const reading of readAs('money', span.text, sheet.conventions)) {
          if (reading.fit < 0.7 || typeof reading.value !== 'number') continue
          found.push({ value: reading.value, words: wordsWithin(span, reading.start, reading.end), page })
        }
      }
    }
  }
  return found
}

interface Movements {
  readonly sum: number
  readonly credits: number
  readonly debits: number
  /** The balances before the first and after the last row, when running balances agree throughout. */
  readonly ends: { readonly opening: number; readonly closing: number } | null
}

/** The sums of an account's rows; null when a row has no amount. */
function movementsOf(list: ListField, rows: readonly ReadonlyMap<string, Finding>[]): Movements | null {
  const pointerOf = (id: string): string | undefined => findField(list.columns, id)?.pointer
  const [movement, running] = ['movement', 'running_balance'].map(pointerOf)
  if (movement === undefined || rows.length === 0) return null
  const numberIn = (row: ReadonlyMap<string, Finding>, pointer: string | undefined): number | null => {
    const value = pointer === undefined ? undefined : row.get(pointer)?.value
    return typeof value === 'number' ? value : null
  }
  let [sum, credits, debits] = [0, 0, 0]
  let opening: number | null = null
  let steps = 0
  let isWhole = true
  for (const row of rows) {
    const amount = numberIn(row, movement)
    const carried = numberIn(row, running)
    // A balance carried forward is not a movement.
    if (amount === null && carried !== null && opening !== null && sameAmount(opening + sum, carried)) continue
    if (amount === null) return null
    sum += amount
    if (amount < 0) debits -= amount
    else credits += amount
    const balance = numberIn(row, running)
    if (balance === null) continue
    if (opening === null) opening = balance - sum
    else if (sameAmount(opening + sum, balance)) steps++
    else isWhole = false
  }
  const ends = opening !== null && isWhole && steps >= 1 ? { opening, closing: opening + sum } : null
  return { sum, credits, debits, ends }
}

/** The JSON Pointers and values that both the rows and printed amounts give. */
function endsOf(
  rows: Movements,
  printed: readonly Printed[],
  known: { readonly opening: number | null; readonly closing: number | null },
): { readonly opening: number; readonly closing: number } | null {
  if (rows.ends !== null) return rows.ends
  const isPrinted = (value: number): boolean => printed.some((other) => sameAmount(other.value, value))
  const { opening, closing } = known
  if (opening !== null && closing !== null && sameAmount(opening + rows.sum, closing)) return { opening, closing }
  if (opening !== null && isPrinted(opening + rows.sum)) return { opening, closing: opening + rows.sum }
  if (closing !== null && isPrinted(closing - rows.sum)) return { opening: closing - rows.sum, closing }
  if (opening !== null || closing !== null || printed.length > printedMax) return null
  const pairs = printed.flatMap((first, at) =>
    printed.slice(at + 1).flatMap((last) => (sameAmount(first.value + rows.sum, last.value) ? [first.value] : [])),
  )
  const [only, ...others] = pairs
  return only === undefined || others.some((value) => !sameAmount(value, only))
    ? null
    : { opening: only, closing: only + rows.sum }
}

/** The mutable findings of a statement. */
export interface LedgerDraft {
  readonly single: Map<string, Finding>
  readonly lists: ReadonlyMap<string, readonly ReadonlyMap<string, Finding>[]>
  readonly sheet: Sheet
  readonly inputs: readonly string[]
}

/**
 * Sets the balances and sums of a statement from its rows, whatever their labels: the balance before the first and
 * after the last row, and the sums of both sides, each only if printed. Withdraws values that contradict the running
 * balances. Modifies `draft`.
 */
export function settleLedger(fields: Fields, draft: LedgerDraft): void {
  const fieldOf = (id: string): Field | undefined => findField(fields.single, id)
  const amountOf = (id: string): number | null => {
    const value = draft.single.get(fieldOf(id)?.pointer ?? '')?.value
    return typeof value === 'number' ? value : null
  }
  for (const list of fields.lists) {
    const rows = movementsOf(list, draft.lists.get(list.pointer) ?? [])
    if (rows === null) continue
    const printed = printedOutside(draft.sheet)
    const ends = endsOf(rows, printed, { opening: amountOf('opening_balance'), closing: amountOf('closing_balance') })
    if (ends === null) continue
    const wanted = [
      ['opening_balance', ends.opening],
      ['closing_balance', ends.closing],
      ['total_credits', rows.credits],
      ['total_debits', rows.debits],
    ] as const
    for (const [id, value] of wanted) {
      const field = fieldOf(id)
      const known = amountOf(id)
      if (field === undefined || (known !== null && sameAmount(Math.abs(known), Math.abs(value)))) continue
      const isTotal = id.startsWith('total')
      if (isTotal && value < toleranceOf()) continue
      const found = findingFor(field, value, isTotal ? notEnds(printed, ends) : printed, draft)
      if (found !== null) draft.single.set(field.pointer, found)
      else if (known !== null && (isTotal || rows.ends !== null)) draft.single.delete(field.pointer)
    }
  }
}

const notEnds = (printed: readonly Printed[], ends: { readonly opening: number; readonly closing: number }) =>
  printed.filter(({ value }) => !sameAmount(value, ends.opening) && !sameAmount(value, ends.closing))

const note = 'The rows of the account add up to this value.'

function findingFor(
  field: Field,
  value: number,
  printed: readonly Printed[],
  { sheet, inputs }: LedgerDraft,
): Finding | null {
  for (const place of printed) {
    if (!sameAmount(Math.abs(place.value), Math.abs(value)) || (place.value < 0 && value > 0)) continue
    const rounded = toMinorUnit(value)
    const reading = { start: 0, end: 0, value: rounded, printed: String(rounded), fit: 1 }
    const own = valueFor(field.plan, reading)
    if (own === undefined) continue
    const claim = { plan: field.plan, value: own, words: place.words, page: place.page, confidence, note }
    const evidence = prove(claim, inputs[place.page.document] ?? '', sheet.conventions)
    if (evidence !== null) return { value: own, evidence, ...ocrConfidenceOf(place.words, place.page) }
  }
  return null
}
