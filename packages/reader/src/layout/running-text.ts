import type { Cell } from './layout.ts'
import { numberingOf } from './numbering.ts'
import { keptWeakly } from './remembered.ts'

/** What the words of a cell go on from and to, where lines of running text break them. */
export interface RunningText {
  /** The cells that it goes on from, the nearest first, at most two; none where a paragraph begins. */
  readonly above: readonly Cell[]
  /** The text of those. */
  readonly before: string
  /** The cell that goes on with it. */
  readonly below: Cell | undefined
}

/** A line of running text has at least so many words. */
const wordsMin = 5
/** A line that is broken fills this share of the width of the two. */
const filledShare = 0.75
/** Lines of a paragraph are closer than this many text heights, and their letters alike in size. */
const gapMax = 1
const sizeRatioMax = 1.2
const aboveMax = 2

/** What a cell goes on from and to. */
export const runningTextOf = keptWeakly((cell: Cell): RunningText => {
  const above: Cell[] = []
  for (let last = lineAbove(cell); last !== undefined && above.length < aboveMax; last = lineAbove(last))
    above.push(last)
  return {
    above,
    before: above
      .toReversed()
      .map(({ text }) => text)
      .join(' '),
    below: neighbour(cell, 1).find((next) => goesOn(cell, next)),
  }
})

/** The cell that another one goes on from. */
const lineAbove = (cell: Cell): Cell | undefined => neighbour(cell, -1).find((before) => goesOn(before, cell))

const neighbour = ({ line }: Cell, by: 1 | -1): readonly Cell[] => line.page.lines[line.index + by]?.cells ?? []

/** Whether a line of running text is broken here and goes on there: it is long and fills its column, and the next is close and no new item. */
function goesOn(from: Cell, to: Cell): boolean {
  if (from.words.length < wordsMin || /[:：]$/u.test(from.text)) return false
  const [upper, lower] = [from.line, to.line]
  const [most, least] = [Math.max(upper.height, lower.height), Math.min(upper.height, lower.height)]
  if (lower.y0 - upper.y1 > least * gapMax || most > least * sizeRatioMax) return false
  const left = Math.min(from.x0, to.x0)
  const right = Math.max(from.x1, to.x1)
  const shared = Math.min(from.x1, to.x1) - Math.max(from.x0, to.x0)
  if (shared <= 0 || from.x1 - left < (right - left) * filledShare) return false
  return to.x0 - from.x0 < most * indentMax && numberingOf(to) === 0 && !/^[-–—•·*▪]/u.test(to.text)
}

/** A line may begin so many text heights to the right of the one before. */
const indentMax = 1

/** The number of a clause: `12.`, `§ 5`, `Article IV -`, `(b)`. */
const clausePattern =
  /^(?:(?:§+|(?:art(?:icle|ikel|ículo|icolo|igo)?|section|clause|cláusula|clausola)\b\.?)\s*(?:\d{1,3}|[IVX]{1,5})[a-z]?|\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?=[.)])|\(?[a-z](?=[.)]))[.):]*\s*(?:[-–—]\s*)?(?=\p{L})/iu
/** A heading that runs into its paragraph: `Governing Law. This Agreement …`. */
const runInPattern = /^(\p{Lu}[^.:!?]{1,50})[.:](?:\s*[-–—])?(?=\s+\p{Lu})/u
const headingWordsMax = 8
const runInWordsMax = 6
const topicLinesMax = 40

/** The heading of the paragraph or clause that a cell is in: the nearest one at or above it in its column; '' without one. */
export function topicOf(cell: Cell): string {
  let at: Cell | undefined = cell
  for (let seen = 0; at !== undefined && seen < topicLinesMax; seen++) {
    const { text } = headingIn(at)
    if (text !== '') return text
    at = cellOver(at)
  }
  return ''
}

const cellOver = ({ line, x0, x1 }: Cell): Cell | undefined =>
  line.page.lines[line.index - 1]?.cells.find((over) => Math.min(over.x1, x1) > Math.max(over.x0, x0))

/** The heading that a cell is, or begins with. */
const headingIn = keptWeakly((cell: Cell): { readonly text: string } => {
  const { text } = cell
  const number = clausePattern.exec(text)?.[0].length ?? 0
  const rest = text.slice(number)
  const runIn = runInPattern.exec(rest)?.[1]?.trim()
  if (runIn !== undefined && wordsOf(runIn) <= runInWordsMax && (number > 0 || isInCapitals(runIn)))
    return { text: runIn }
  const isAlone = cell.line.cells.length === 1 && !/[,;:]$/u.test(rest) && !/\d/.test(rest)
  const isHeading = isAlone && wordsOf(rest) <= headingWordsMax && /^\p{Lu}/u.test(rest)
  const { above, below } = runningTextOf(cell)
  return { text: isHeading && above.length === 0 && below === undefined ? rest : '' }
})

const wordsOf = (text: string): number => text.split(' ').length

/** Whether the longer words of a text begin with capitals. */
const isInCapitals = (text: string): boolean =>
  text.split(' ').every((word) => word.length < 4 || /^\p{Lu}/u.test(word))
