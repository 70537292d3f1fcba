import type { Finding } from '../extract/assemble.ts'
import type { Cell } from '../layout/layout.ts'
import { type Conventions, readCellAs } from '../values/readings.ts'

/** Part of a line that its date takes when the line heads the movements of a day. */
const dateShare = 0.5

/** True for a line that holds a date and no more than the name of a weekday beside it. */
export function isDayHeading(cells: readonly Cell[], conventions: Conventions): boolean {
  const [only] = cells
  if (only === undefined || cells.length > 1 || only.words.length > 6) return false
  const [reading] = readCellAs('date', only.text, conventions)
  if (reading === undefined || (reading.end - reading.start) / only.text.length < dateShare) return false
  return !/\d/.test(only.text.slice(0, reading.start) + only.text.slice(reading.end))
}

/** From this part of rows without a date on, a recogniser has not lost them: the statement prints each day once. */
const bareShare = 0.25

const note = 'The date of the row above goes for this one as well.'

/**
 * Gives rows without a date that of the row above, as statements print it that name each day once. On recognised pages a
 * date may only be lost: where few are missing, the next date has to be the same. Works in place.
 */
export function carryDays(rows: readonly Map<string, Finding>[], pointer: string): void {
  const isStyle = rows.filter((row) => !row.has(pointer)).length >= rows.length * bareShare
  let last: Finding | null = null
  for (const [at, row] of rows.entries()) {
    const own = row.get(pointer)
    if (own !== undefined) {
      last = own
      continue
    }
    if (last === null) continue
    const isRead = [...row.values(), last].some((finding) => finding.sureness !== undefined)
    const next = rows.slice(at + 1).find((other) => other.has(pointer))
    if (isRead && !isStyle && next?.get(pointer)?.value !== last.value) continue
    row.set(pointer, { ...last, evidence: { ...last.evidence, status: 'derived', note } })
  }
}
