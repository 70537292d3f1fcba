import { least } from '@skillrun/core/extremes.ts'
import type { Line } from '../layout/layout.ts'
import { type Span, spanOf } from '../layout/spans.ts'
import { isDayHeading } from '../statements/ledger-days.ts'
import { readCellAs } from '../values/parsed-values.ts'
import { centredRows } from './centred-rows.ts'
import type { Column, Row, TableSearch } from './table.ts'
import { type BodyLine, isTyped, pitch } from './table-body.ts'

/** True for a line with an amount when its row already has one: a subtotal or a sum carried forward. */
const repeatsAmount = (line: BodyLine, row: BodyLine, columns: readonly Column[], search: TableSearch): boolean =>
  columns.some((column, index) => {
    const [own, other] = [line.parts[index] ?? [], row.parts[index] ?? []]
    if (own.length === 0 || other.length === 0 || search.kindUnder(column.heading) !== 'money') return false
    return readCellAs('money', spanOf(own, []).text, search.conventions).some((reading) => reading.fit >= 0.7)
  })

/** Lines of one text are closer to each other than this many text heights. */
const leadingHeights = 1.75
/** A line this far from the rows beside it, as a share of the least distance between rows, is no part of them. */
const apartShare = 0.9

/** True for a line in capitals below a row that is not: `CHIMICA CLINICA` below `Piastrine`. */
function isInOtherCapitals(line: BodyLine, row: BodyLine | undefined): boolean {
  const textOf = (one: BodyLine | undefined, at: number): string => spanOf(one?.parts[at] ?? [], []).text
  return line.parts.every((words, at) => {
    const text = textOf(line, at)
    return words.length === 0 || (/\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text) && /\p{Ll}/u.test(textOf(row, at)))
  })
}

/**
 * Groups lines into rows: a text-only line belongs to the nearest row. A line as far from the rows as they are from each other is a heading if it
 * is nearer to the row below, or in capitals where the row above is not.
 */
export function rowsOf(
  given: readonly BodyLine[],
  columns: readonly Column[],
  search: TableSearch,
  records?: ReadonlySet<Line>,
): Row[] {
  const { body, days } = partDays(given, columns, search)
  const typedColumns = columns.filter((column) => isTyped(search.kindUnder(column.heading))).length
  const need = typedColumns >= 3 ? 2 : 1
  const isAnchor = (line: BodyLine): boolean =>
    records !== undefined
      ? records.has(line.line)
      : typedColumns === 0
        ? line.parts.filter((part) => part.length > 0).length >= Math.min(2, columns.length)
        : line.typed >= need
  const anchors = body.filter(isAnchor)
  const groups = new Map<BodyLine, BodyLine[]>(anchors.map((anchor) => [anchor, []]))
  const usual = least(anchors.slice(1).map(({ line }, at) => pitch(anchors[at]?.line ?? line, line)))
  const centred = records === undefined ? centredRows(body, isAnchor) : undefined
  let next = 0
  for (const line of body) {
    const row = centred?.get(line)
    if (row !== undefined) {
      if (row) groups.get(row)?.push(line)
      continue
    }
    if (isAnchor(line)) {
      next++
      groups.get(line)?.push(line)
      continue
    }
    const before = anchors[next - 1]
    const after = anchors[next]
    const up = before === undefined ? Number.POSITIVE_INFINITY : pitch(before.line, line.line)
    const lastOfBefore = before === undefined ? undefined : groups.get(before)?.at(-1)
    const step = lastOfBefore === undefined ? up : pitch(lastOfBefore.line, line.line)
    const down = after === undefined ? Number.POSITIVE_INFINITY : pitch(line.line, after.line)
    const least = Math.min(step, up, down)
    const isApart = least >= usual * apartShare && least > line.line.height * leadingHeights
    const home = Math.min(step, up) <= down * 1.15 ? before : after
    if (isApart && (home === after || isInOtherCapitals(line, before))) continue
    if (home !== undefined && line.misfits === 0 && !repeatsAmount(line, home, columns, search))
      groups.get(home)?.push(line)
  }
  return anchors.map((anchor) => {
    const lines = (groups.get(anchor) ?? [anchor]).toSorted((a, b) => a.line.index - b.line.index)
    const cells = columns.map((_, index) => {
      const words = lines.flatMap((line) => line.parts[index] ?? [])
      return words.length === 0 ? null : spanOf(words, [])
    })
    const day = days.get(anchor)
    const isCentred = centred !== undefined && { isCentred: true }
    return { cells, lines: lines.map((line) => line.line), ...(day !== undefined && { day }), ...isCentred }
  })
}

/** Separates date headings from the body, and maps each line to the date above it. */
function partDays(
  given: readonly BodyLine[],
  columns: readonly Column[],
  search: TableSearch,
): { body: readonly BodyLine[]; days: ReadonlyMap<BodyLine, Span> } {
  const days = new Map<BodyLine, Span>()
  const hasColumn = columns.some((column) =>
    column.heading.targets.some((entry) => entry.target === 'c:transaction_date' && entry.weight >= 0.6),
  )
  if (hasColumn) return { body: given, days }
  const body: BodyLine[] = []
  let day: Span | null = null
  for (const line of given) {
    if (isDayHeading(line.line.cells, search.conventions)) {
      day = spanOf(
        line.line.cells.flatMap((cell) => cell.words),
        line.line.cells,
      )
      continue
    }
    body.push(line)
    if (day !== null) days.set(line, day)
  }
  return { body, days }
}
