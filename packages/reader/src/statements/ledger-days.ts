import type { Finding } from '../extract/assemble.ts'
import type { Cell } from '../layout/layout.ts'
import { type Conventions, readCellAs } from '../values/parsed-values.ts'

/** The minimum share of a line that its date takes when the line is a heading for one day's movements. */
const dateShare = 0.5

/** True for a line with a date and at most a weekday. */
export function isDayHeading(cells: readonly Cell[], conventions: Conventions): boolean {
  const [only] = cells
  if (only === undefined || cells.length > 1 || only.words.length > 6) return false
  const [reading] = readCellAs('date', only.text, conventions)
  if (reading === undefined || (reading.end - reading.start) / only.text.length < dateShare) return false
  return !/\d/.test(only.text.slice(0, reading.start) + only.text.slice(reading.end))
}

/** From this share of rows without a date on, OCR has not lost them: the statement prints each day once. */
const bareShare = 0.25

const note = 'The date of the row above also applies to this row.'

/**
 * Fills in missing dates from the row above, for statements that print each day once. On OCR pages a date may have been
 * lost: where few are missing, the next date must be the same. Modifies the rows.
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
    const isRead = [...row.values(), last].some((finding) => finding.ocrConfidence !== undefined)
    const next = rows.slice(at + 1).find((other) => other.has(pointer))
    if (isRead && !isStyle && next?.get(pointer)?.value !== last.value) continue
    row.set(pointer, { ...last, evidence: { ...last.evidence, status: 'derived', note } })
  }
}
