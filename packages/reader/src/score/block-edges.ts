import type { LabelIndex } from '../labels/labels.ts'
import type { Cell, Line } from '../layout/layout.ts'
import type { Span } from './read-span.ts'

/** The features that show whether a text starts and ends where a block of lines does. */
export const edgeNames: readonly string[] = [
  ...['gap', 'isAligned', 'digits', 'isLabelled', 'words', 'capitals'].map((name) => `below.${name}`),
  ...['isAligned', 'isNear', 'isLabelled'].map((name) => `before.${name}`),
  ...['end.isTown', 'end.comma', 'start.digit'],
]

/** Lines below a text that are searched for its continuation. */
const belowMax = 3
const gapMax = 10

/** Whether a name or an address was cut too early or too late: the text after and before it in its column. */
export function edgesOf({ words, cell, printed }: Span, above: Cell | undefined, labels: LabelIndex): number[] {
  const height = Math.max(cell.line.height, 1e-9)
  const bottom = bottomOf(cell, words)
  const below = cellBelow(cell, bottom)
  const last = printed.slice(printed.lastIndexOf(',', printed.length - 2) + 1)
  return [
    below === undefined ? gapMax : Math.max(-1, Math.min(gapMax, (below.line.y0 - bottom) / height)),
    yes(below !== undefined && isAligned(cell, below, height)),
    yes(below !== undefined && /\d/.test(below.text)),
    yes(below !== undefined && isLabelled(below, labels)),
    below?.words.length ?? 0,
    yes(below !== undefined && below.text === below.text.toUpperCase()),
    yes(above !== undefined && isAligned(cell, above, height)),
    yes(above !== undefined && cell.line.y0 - above.line.y1 < height * 0.6),
    yes(above !== undefined && isLabelled(above, labels)),
    yes(/(?<!\d)\d{4,6}(?!\d)/.test(last)),
    yes(printed.endsWith(',')),
    yes(/^\d/.test(printed)),
  ]
}

export function bottomOf(cell: Cell, words: Span['words']): number {
  let bottom = cell.line.y1
  for (const word of words) bottom = Math.max(bottom, word.y1)
  return bottom
}

/** The cell below `bottom` in the column of another, within a few lines. */
export function cellBelow(cell: Cell, bottom: number): Cell | undefined {
  const { lines } = cell.line.page
  let seen = 0
  for (let at = cell.line.index + 1; at < lines.length && seen < belowMax; at++) {
    const line = lines[at] as Line
    if ((line.y0 + line.y1) / 2 < bottom) continue
    seen++
    const found = line.cells.find((one) => Math.min(one.x1, cell.x1) > Math.max(one.x0, cell.x0))
    if (found !== undefined) return found
  }
  return undefined
}

const isAligned = (one: Cell, other: Cell, height: number): boolean =>
  Math.abs(one.x0 - other.x0) < height * 0.8 || Math.abs(one.x0 + one.x1 - other.x0 - other.x1) / 2 < height * 0.8

const isLabelled = (cell: Cell, labels: LabelIndex): boolean =>
  cell.text.includes(':') || (labels.get(cell) ?? []).some(({ start }) => start === 0)

const yes = (is: boolean): number => (is ? 1 : 0)
