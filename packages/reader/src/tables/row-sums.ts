import type { Finding } from '../extract/assemble.ts'
import { meaningOfWords } from '../languages/label-words.ts'
import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'

type Row = Map<string, Finding>

/** Sums that differ by less are equal: half a cent and what adding may lose. */
const tolerance = 0.006
/** From this part of the rows on, what they have makes a row without it another thing. */
const usualShare = 0.6
/** Rows that are needed to tell what is usual. */
const rowsMin = 2

const numberIn = (row: Row, field: Field | undefined): number | null => {
  const value = field === undefined ? undefined : row.get(field.pointer)?.value
  return typeof value === 'number' ? value : null
}

const cents = (amount: number): number => Math.round(amount * 100)

/** Amounts as they come, and which of them add up to what. */
class RunningSum {
  total = 0
  count = 0
  #last = 0
  /** What the amounts before each of the others came to, but for the last one. */
  readonly #before = new Set<number>()

  add(amount: number): void {
    if (this.count > 0) this.#before.add(cents(this.#last))
    this.#last = this.total
    this.total += amount
    this.count += 1
  }

  /** True when an amount is the sum of two or more of the last. */
  endsIn(sum: number): boolean {
    return this.#before.has(cents(this.total - sum))
  }
}

const sumTargets = /^c:(?:total|subtotal|amount_due)$/

/** True for a row that has nothing but an amount, or a text that names a sum beside it. */
function isNamedSum(row: Row): boolean {
  const texts = [...row.values()].flatMap(({ value }) => (typeof value === 'string' ? [value] : []))
  const names = (text: string): boolean =>
    (meaningOfWords(tokensOf(text).map((token) => token.text)) ?? []).some(({ target }) => sumTargets.test(target))
  return row.size === 1 || texts.some(names)
}

/**
 * The rows of a list without those that only add others up: a sum of a section or of all, which has no quantity and no price
 * where the others do, and a balance carried along, which moves nothing.
 */
export function withoutSums(rows: readonly Row[], list: ListField): Row[] {
  const fieldOf = (id: string): Field | undefined => list.columns.find((field) => field.plan.meaning.concept?.id === id)
  const movement = fieldOf('movement')
  if (movement !== undefined) {
    const moving = rows.filter((row) => numberIn(row, movement) !== null)
    return moving.length >= rows.length * usualShare ? moving : [...rows]
  }
  const amount = fieldOf('line_amount')
  const factors = [fieldOf('quantity'), fieldOf('unit_price')]
  if (amount === undefined) return [...rows]
  const isFull = (row: Row): boolean => factors.some((field) => numberIn(row, field) !== null)
  const isUsual = rows.length > rowsMin && rows.filter(isFull).length >= rows.length * usualShare
  const kept: Row[] = []
  const amounts = new RunningSum()
  for (const row of rows) {
    const own = numberIn(row, amount)
    if (own !== null && !isFull(row) && amounts.count >= rowsMin && amounts.endsIn(own)) {
      if (isUsual) continue
      // All that stands below the sum of all rows is sums as well.
      if (Math.abs(amounts.total - own) < tolerance && isNamedSum(row)) break
    }
    kept.push(row)
    if (own !== null) amounts.add(own)
  }
  return kept
}
