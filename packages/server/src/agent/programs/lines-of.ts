import { layoutDocument } from '@skillrun/reader/layout/layout.ts'
import type { PlacedWord } from '@skillrun/reader/layout/placed-words.ts'
import type { Box, Page, ReadDocument } from '@skillrun/reader/media/document.ts'
import { conventionsOf } from '@skillrun/reader/values/conventions.ts'
import { type DateOrder, findDates, isoDay, readDay } from '@skillrun/reader/values/dates.ts'
import { findNumbers } from '@skillrun/reader/values/numbers.ts'
import type { Conventions } from '@skillrun/reader/values/parsed-values.ts'
import { boxAround } from '@skillrun/reader/values/verify.ts'
import type { CellValue, DocumentLine, LineCell } from './candidates.ts'

/** The lines of a document, with their dates and amounts parsed by the document's conventions. */
export function linesOf(input: string, document: ReadDocument): DocumentLine[] {
  const pages = layoutDocument(document, 0)
  const { conventions } = conventionsOf(pages)
  return pages.flatMap(({ page, lines }) =>
    lines.map((line) => ({
      input,
      page: page.index,
      cells: line.cells.map((cell) => ({
        text: cell.text,
        box: rounded(boxAround(cell.words)),
        values: valuesOf(cell.text, conventions),
        ...timeOf(page, cell.words),
      })),
    })),
  )
}

/** The time of a cell: that of its video frame, or the span of its spoken words. */
function timeOf({ atSeconds }: Page, words: readonly PlacedWord[]): Pick<LineCell, 'seconds'> {
  if (atSeconds !== undefined) return { seconds: [atSeconds, atSeconds] }
  const spans = words.flatMap(({ word }) => (word.seconds ? [word.seconds] : []))
  if (spans.length === 0) return {}
  return { seconds: [Math.min(...spans.map(([from]) => from)), Math.max(...spans.map(([, to]) => to))] }
}

/** Rounds to ten-thousandths of a page: half a pixel of a large photo. */
const rounded = ([x, y, w, h]: Box): Box => [tenThousandth(x), tenThousandth(y), tenThousandth(w), tenThousandth(h)]
const tenThousandth = (share: number): number => Math.round(share * 10_000) / 10_000

function valuesOf(text: string, conventions: Conventions): CellValue[] {
  if (!/\d/.test(text)) return []
  const dates = findDates(text).flatMap((match): CellValue[] => {
    const day = readDay(match, conventions.dates.order)
    if (day === null) return []
    const { start, end } = match
    const inOrder = (order: DateOrder): string => isoDay(readDay(match, order) ?? day)
    const readings = { value: isoDay(day), dayFirst: inOrder('day-first'), monthFirst: inOrder('month-first') }
    return [{ kind: 'date', printed: text.slice(start, end), start, end, ...readings }]
  })
  // Dates are blanked so that their numbers are not found as amounts.
  const rest = dates.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  )
  const amounts = findNumbers(rest, conventions.numbers)
    .filter(({ percent }) => !percent)
    .map(
      ({ start, end, value, decimals, printed }): CellValue => ({
        kind: 'amount',
        printed,
        start,
        end,
        value,
        decimals,
      }),
    )
  return [...dates, ...amounts].toSorted((a, b) => a.start - b.start)
}
