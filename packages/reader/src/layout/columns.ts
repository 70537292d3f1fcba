import { withInferred } from '../candidates/inferred.ts'
import type { Header, Heading } from '../tables/headers.ts'
import { withHeadless } from '../tables/headless.ts'
import type { Column, TableSearch } from '../tables/table.ts'
import type { Cell, Line } from './layout.ts'
import type { PlacedWord } from './placed-words.ts'

/** The number of positions tried for the border between two columns. */
const cutSamples = 48
/** With this many lines, aligned gaps between words are no longer a coincidence. */
const cutLinesSure = 4
/** The maximum number of lines sampled for column borders. */
export const cutLinesMax = 60
/** The border between two columns: the middle of the widest range that the fewest words of the body cross. */
function cutBetween(left: Heading, right: Heading, body: readonly PlacedWord[], lineCount: number): number {
  const from = (left.x0 + left.x1) / 2
  const to = (right.x0 + right.x1) / 2
  const step = (to - from) / cutSamples
  const near = body.filter((word) => word.x1 > from && word.x0 < to)
  const seam = (left.x1 + right.x0) / 2
  // Over several rows, gaps between words do not line up, so the free strip nearest to the boundary of the headings is
  // the border.
  const isSure = lineCount >= cutLinesSure
  let best = { crossings: Number.POSITIVE_INFINITY, worth: Number.NEGATIVE_INFINITY, middle: seam }
  let run = { crossings: -1, start: from }
  const close = (end: number): void => {
    if (run.crossings < 0) return
    const distance = Math.max(0, run.start - seam, seam - end)
    const worth = isSure ? -distance : end - run.start
    if (run.crossings < best.crossings || (run.crossings === best.crossings && worth > best.worth)) {
      best = { crossings: run.crossings, worth, middle: (run.start + end) / 2 }
    }
  }
  for (let index = 0; index <= cutSamples; index++) {
    const x = from + index * step
    const inHeading = (x > left.x0 && x < left.x1) || (x > right.x0 && x < right.x1)
    const crossings = near.filter((word) => word.x0 < x && word.x1 > x).length + (inHeading && !isSure ? 0.5 : 0)
    if (crossings === run.crossings) continue
    close(x)
    run = { crossings, start: x }
  }
  close(to)
  return best.middle
}

/** The columns under a header, separated by the free strips between the words of the body. */
function columnsOf(header: Header, body: readonly Line[]): Column[] {
  const lines = body.slice(0, cutLinesMax)
  const words = lines.flatMap((line) => line.cells.flatMap((cell) => cell.words))
  const cuts = header.headings
    .slice(1)
    .map((heading, index) => cutBetween(header.headings[index] ?? heading, heading, words, lines.length))
  return header.headings.map((heading, index) => ({
    heading,
    left: cuts[index - 1] ?? header.left,
    right: cuts[index] ?? header.right,
  }))
}

/** The columns under a header, including columns without a heading. */
export function headedColumns(
  given: Header,
  lines: readonly Line[],
  search: TableSearch,
): { header: Header; columns: Column[] } {
  const { conventions } = search
  const whole = withHeadless(given, columnsOf(given, lines), { lines, conventions })
  const columns = columnsOf(whole, lines)
  const header = withInferred(whole, columns, { lines, search })
  return { header, columns: header === whole ? columns : columnsOf(header, lines) }
}

/** The maximum gap between words of one text, in text heights. */
const spaceHeights = 0.42

/** Moves the last words of a text that overlaps a column border back to the text's column. */
function keepTogether(cell: Cell, parts: readonly PlacedWord[][]): void {
  for (let at = parts.length - 1; at > 0; at--) {
    const [left, right] = [parts[at - 1], parts[at]]
    const before = left?.at(-1)
    if (left === undefined || right === undefined || before === undefined || !cell.words.includes(before)) continue
    let last = before
    let count = 0
    for (const word of right) {
      const isNear = cell.words.includes(word) && word.x0 - last.x1 < spaceHeights * cell.line.height
      const isText = /\p{L}/u.test(word.word.text) && !/^\W*\d[\d.,]*\W*$/.test(word.word.text)
      // A number joins the text before it only when the column keeps another number.
      const isPart = isText || (/\p{L}/u.test(last.word.text) && count + 1 < right.length)
      if (!isNear || !isPart) break
      last = word
      count++
    }
    if (count > 0 && left.some((word) => /\p{L}{2}/u.test(word.word.text))) left.push(...right.splice(0, count))
  }
}

/** The words of a line by column. */
export function partLine(line: Line, columns: readonly Column[]): PlacedWord[][] {
  const parts: PlacedWord[][] = columns.map(() => [])
  for (const cell of line.cells) {
    for (const word of cell.words) {
      const middle = (word.x0 + word.x1) / 2
      const at = columns.findIndex((column) => middle >= column.left && middle < column.right)
      parts[at]?.push(word)
    }
    keepTogether(cell, parts)
  }
  return parts
}
