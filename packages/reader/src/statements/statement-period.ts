import type { Cell, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import {
  type Candidate,
  type Field,
  inTable,
  overlapAcross,
  type PeriodSighting,
  type Sheet,
  wordConfidence,
} from '../layout/sheet.ts'
import { spanOfCells, wordsWithin } from '../layout/spans.ts'
import { type DateOrder, dayNumber, findDates, isoDay, readDay } from '../values/dates.ts'
import type { ParsedValue } from '../values/parsed-values.ts'
import { findPeriods, mayJoinDays, type Period } from '../values/periods.ts'
import { fits } from '../values/values.ts'

/** The maximum distance to a cell that continues the text above, in text heights. */
const wrapPitchHeights = 2

const isSame = (a: Period, b: Period): boolean => isoDay(a.start) === isoDay(b.start) && isoDay(a.end) === isoDay(b.end)

/** The cell on the next line that continues a cell's text. */
function cellBelow(cell: Cell): Cell | undefined {
  const { line } = cell
  const below = line.page.lines[line.index + 1]
  if (below === undefined || below.y0 - line.y0 > wrapPitchHeights * Math.max(below.height, line.height))
    return undefined
  return below.cells.find((other) => overlapAcross(cell, other) > 0.5)
}

/** Every period within one cell, in a cell and the one below, or across the cells of a line. */
export function sightPeriods(pages: readonly PageLayout[], order: DateOrder): PeriodSighting[] {
  const found: PeriodSighting[] = []
  const see = (cell: Cell, cells: readonly Cell[]): boolean => {
    if (!cells.some(({ text }) => mayJoinDays(text))) return false
    const span = spanOfCells(cells)
    const matches = findPeriods(span.text, order)
    for (const match of matches) found.push({ cell, span, match })
    return matches.length > 0
  }
  for (const page of pages) {
    for (const line of page.lines) {
      let seen = false
      for (const cell of line.cells) {
        if (!/\d/.test(cell.text)) continue
        if (see(cell, [cell])) {
          seen = true
          continue
        }
        const below = findDates(cell.text).length > 0 ? cellBelow(cell) : undefined
        if (below === undefined) continue
        const last = cellBelow(below)
        if (see(cell, [cell, below]) || (last !== undefined && see(cell, [cell, below, last]))) seen = true
      }
      const [first] = line.cells
      if (!seen && first !== undefined && line.cells.length > 1) see(first, line.cells)
    }
  }
  return found
}

/** When no period is printed, movements fall within this many days before the document's last date. */
const backDays = 364

/** The period for dates without a year: the first printed one, else the year up to the last full date. Null when there is no full date. */
export function documentPeriod(
  pages: readonly PageLayout[],
  [first]: readonly PeriodSighting[],
  order: DateOrder,
): Period | null {
  if (first !== undefined) return first.match.period
  let last: Period['end'] | null = null
  for (const page of pages) {
    for (const line of page.lines) {
      for (const cell of line.cells) {
        for (const match of findDates(cell.text)) {
          const day = readDay(match, order)
          if (day !== null && (last === null || dayNumber(day) > dayNumber(last))) last = day
        }
      }
    }
  }
  if (last === null) return null
  const start = new Date((dayNumber(last) - backDays) * 86_400_000)
  return {
    start: { year: start.getUTCFullYear(), month: start.getUTCMonth() + 1, day: start.getUTCDate() },
    end: last,
  }
}

const isPeriodLabel = (sheet: Sheet, cell: Cell): boolean =>
  (sheet.labels.get(cell) ?? []).some((hit) =>
    hit.targets.some((entry) => /^c:period(?:_start)?$/.test(entry.target) && entry.weight >= 0.9),
  )

function isLabelled(sheet: Sheet, { cell }: PeriodSighting): boolean {
  const { line } = cell
  const before = line.cells[cell.index - 1]
  if (isPeriodLabel(sheet, cell) || (before !== undefined && isPeriodLabel(sheet, before))) return true
  const above = line.page.lines.slice(Math.max(0, line.index - 2), line.index)
  return above.some((other) =>
    other.cells.some((label) => isPeriodLabel(sheet, label) && overlapAcross(label, cell) > 0.35),
  )
}

function candidateOf(field: Field, sighting: PeriodSighting, score: number): Candidate[] {
  const { span, match, cell } = sighting
  const isEnd = field.plan.meaning.concept?.id === 'period_end'
  const day = isEnd ? match.period.end : match.period.start
  const own = match.places[isEnd ? 1 : 0]
  // A date that takes its year from the other end is quoted together with it.
  const isFull = findDates(span.text.slice(...own)).length > 0
  const [start, end] = isFull ? own : [match.start, match.end]
  const printed = span.text.slice(start, end)
  const reading: ParsedValue = { start, end, value: isoDay(day), printed, fit: 1, derived: !isFull }
  if (!fits(field.plan, reading)) return []
  const words: PlacedWord[] = wordsWithin(span, start, end)
  const page = cell.line.page
  const sure = score * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page, label: [], relation: 'unlabelled', score: sure }]
}

/** First and last day of a printed period: with a label, or the only one in the documents. */
export function periodCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const wanted = fields.filter((field) => /^period_(?:start|end)$/.test(field.plan.meaning.concept?.id ?? ''))
  if (wanted.length === 0) return []
  const sightings = sheet.periods.filter(({ cell }) => !inTable(sheet, cell))
  const labelled = sightings.filter((sighting) => isLabelled(sheet, sighting))
  const [first] = labelled.length > 0 ? labelled : sightings
  if (first === undefined) return []
  const agree = sightings.every(({ match }) => isSame(match.period, first.match.period))
  if (labelled.length === 0 && !agree) return []
  const score = labelled.length > 0 ? 0.95 : 0.8
  return wanted.flatMap((field) => candidateOf(field, first, score))
}

/** The words of every period outside tables. */
export const wordsOfPeriods = (sheet: Sheet): Set<PlacedWord> =>
  new Set(
    sheet.periods
      .filter(({ cell }) => !inTable(sheet, cell))
      .flatMap(({ span, match }) => wordsWithin(span, match.start, match.end)),
  )

/** True for an issue or due date that was read from the ends of a period. */
export const isOfPeriod = (field: Field, words: readonly PlacedWord[], inPeriods: ReadonlySet<PlacedWord>): boolean =>
  (field.plan.meaning.concept?.family === 'issue' || field.plan.meaning.concept?.id === 'due_date') &&
  words.some((word) => inPeriods.has(word))
