import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
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

/** True when an amount is the sum of the last of some before it. */
function isSumOfLast(amounts: readonly number[], sum: number): boolean {
  let total = 0
  for (let at = amounts.length - 1; at >= 0; at--) {
    total += amounts[at] ?? 0
    if (at < amounts.length - 1 && Math.abs(total - sum) < tolerance) return true
  }
  return false
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
  const amounts: number[] = []
  for (const row of rows) {
    const own = numberIn(row, amount)
    if (own !== null && !isFull(row) && amounts.length >= rowsMin && isSumOfLast(amounts, own)) {
      if (isUsual) continue
      // All that stands below the sum of all rows is sums as well.
      if (Math.abs(amounts.reduce((sum, value) => sum + value, 0) - own) < tolerance) break
    }
    kept.push(row)
    if (own !== null) amounts.push(own)
  }
  return kept
}
