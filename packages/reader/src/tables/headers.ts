import type { LabelHit, LabelIndex } from '../labels/labels.ts'
import { correctWord, longestPhrase, type PhraseBook, type PhraseTarget } from '../languages/phrase-book.ts'
import type { Line } from '../layout/layout.ts'
import { type PlacedWord, textOf } from '../layout/placed-words.ts'
import { tokensOf } from '../layout/text.ts'

/** A column heading. */
export interface Heading {
  readonly text: string
  readonly words: readonly PlacedWord[]
  readonly x0: number
  readonly x1: number
  /** Its possible meanings; empty when unknown. */
  readonly targets: readonly PhraseTarget[]
  /** True when it spans several lines that together are a known phrase. */
  readonly isWrapped: boolean
}

/** The headings of a table and their lines. */
export interface Header {
  readonly headings: readonly Heading[]
  readonly first: Line
  readonly last: Line
  /** The horizontal range of the page that the table takes. */
  readonly left: number
  readonly right: number
}

/** The maximum number of lines of a header. */
const headerLinesMax = 3
/** The maximum distance between lines of one header, in text heights. */
const headerPitchHeights = 2.1

interface Piece {
  readonly words: readonly PlacedWord[]
  readonly x0: number
  readonly x1: number
}

const pieceOf = (words: readonly PlacedWord[]): Piece => ({
  words,
  x0: Math.min(...words.map((word) => word.x0)),
  x1: Math.max(...words.map((word) => word.x1)),
})

/** Splits a cell at its labels, for headings so close together that they became one cell. */
function piecesOf(line: Line, labels: LabelIndex): Piece[] {
  return line.cells.flatMap((cell) => {
    const hits = labels.get(cell) ?? []
    if (hits.length < 2) return [pieceOf(cell.words)]
    // `Betrag / Amount` is one heading in two languages.
    const apart = hits.filter(
      (hit, index) =>
        index === 0 || (isApart(hit, hits[index - 1] ?? hit) && !/\/\s*$/.test(cell.text.slice(0, hit.start))),
    )
    const starts = apart.map((hit) => wordAt(hit))
    const first = starts[0] ?? 0
    const cuts = [...new Set(first === 0 ? starts : [0, ...starts])].sort((a, b) => a - b)
    return cuts.flatMap((from, index) => {
      const words = cell.words.slice(from, cuts[index + 1] ?? cell.words.length)
      return words.length === 0 ? [] : [pieceOf(words)]
    })
  })
}

/** The maximum gap between words of one heading, in text heights. */
const headingGapHeights = 0.5

/** Words that continue a heading: the label after them is not a separate heading. */
const joiningPattern =
  /(?:^|[\s'’])(?:of|the|per|for|and|de|des|du|del|della|di|do|da|d|en|et|y|e|na|van|der|die|das|und|pro|je|por|par)$/iu

/**
 * True when a label in a cell is a separate heading: it is far from the words before it, or it names another column
 * than the previous label and no word such as `of` joins the two.
 */
function isApart(hit: LabelHit, previous: LabelHit): boolean {
  const at = wordAt(hit)
  const before = hit.cell.words[at - 1]
  const word = hit.cell.words[at]
  if (before === undefined || word === undefined) return true
  if (word.x0 - before.x1 > headingGapHeights * hit.cell.line.height) return true
  const shared = hit.targets.some((entry) => previous.targets.some((other) => other.target === entry.target))
  const opening = hit.cell.text.slice(0, hit.start).trimEnd()
  return !shared && !joiningPattern.test(opening) && !/[-/&(]$/.test(opening)
}

/** Index of the cell's word that a label starts in. */
function wordAt(hit: LabelHit): number {
  let length = 0
  for (const [index, word] of hit.cell.words.entries()) {
    length += word.word.text.length + 1
    if (hit.start < length) return index
  }
  return 0
}

interface Stack {
  readonly rows: Piece[]
  x0: number
  x1: number
}

function stackPieces(rows: readonly (readonly Piece[])[]): Stack[] {
  const stacks: Stack[] = []
  for (const row of rows) {
    for (const piece of row) {
      const over = stacks.find(
        (stack) =>
          Math.min(stack.x1, piece.x1) - Math.max(stack.x0, piece.x0) > 0 &&
          !row.some((other) => stack.rows.includes(other)),
      )
      if (over === undefined) stacks.push({ rows: [piece], x0: piece.x0, x1: piece.x1 })
      else {
        over.rows.push(piece)
        over.x0 = Math.min(over.x0, piece.x0)
        over.x1 = Math.max(over.x1, piece.x1)
      }
    }
  }
  return stacks.sort((a, b) => a.x0 - b.x0)
}

function headingOf(stack: Stack, search: HeaderSearch, mend: boolean): Heading {
  const { heading, share } = readColumnHeading(
    stack.rows.flatMap((piece) => piece.words),
    search,
    mend,
  )
  return { ...heading, x0: stack.x0, x1: stack.x1, isWrapped: stack.rows.length > 1 && share > 0.6 }
}

/** The heading that some words form, and the share of them that is known. */
export function readHeading(
  words: readonly PlacedWord[],
  book: PhraseBook,
  mend: boolean,
): { readonly heading: Heading; readonly share: number } {
  const text = words.map((word) => word.word.text).join(' ')
  // A lone `@` is the heading of the unit price.
  const named = text.trim() === '@' ? 'price' : text
  const tokens = tokensOf(named).map((token) => (mend ? correctWord(book, token.text) : token.text))
  let best: { targets: readonly PhraseTarget[]; share: number } = { targets: [], share: 0 }
  for (let at = 0; at < tokens.length; at++) {
    const match = longestPhrase(book, tokens, at)
    if (match === null) continue
    const share = match.length / tokens.length
    // Two names of one column, `Buchung / Verwendungszweck`: its content decides which is meant.
    if (share === best.share) best = { targets: [...best.targets, ...match.targets], share }
    if (share > best.share) best = { targets: match.targets, share }
    at += match.length - 1
  }
  // Extra words lower the weight: `Price (EUR)` loses little, `Price list valid from` much.
  const factor = best.share >= 0.5 ? 0.7 + 0.3 * best.share : best.share
  const targets = best.targets.map((target) => ({ target: target.target, weight: target.weight * factor }))
  const heading = { text, ...pieceOf(words), targets, isWrapped: false }
  return { heading, share: best.share }
}

/** The same, with the columns that it may mean by its words where it names none. */
export function readColumnHeading(
  words: readonly PlacedWord[],
  search: HeaderSearch,
  mend: boolean,
): { readonly heading: Heading; readonly share: number } {
  const { heading, share } = readHeading(words, search.book, mend)
  if (search.count([heading]) > 0) return { heading, share }
  return { heading: { ...heading, targets: [...heading.targets, ...search.likeColumns(heading.text)] }, share }
}

/** The settings of the header search. */
export interface HeaderSearch {
  readonly labels: LabelIndex
  readonly book: PhraseBook
  /** The columns that a heading may mean by its words. */
  readonly likeColumns: (heading: string) => readonly PhraseTarget[]
  /** Counts the headings that may belong to a requested column. */
  readonly count: (headings: readonly Heading[]) => number
}

const looksFilled = (text: string): boolean => /\d/.test(text) && !/^\W*\d{0,2}\W*\p{L}[^\d:]*\d?$/u.test(text)

function headerFrom(lines: readonly Line[], search: HeaderSearch): Header | null {
  const [first] = lines
  const last = lines.at(-1)
  if (first === undefined || last === undefined) return null
  const mend = first.page.page.source === 'ocr'
  const stacks = stackPieces(lines.map((line) => piecesOf(line, search.labels)))
  const isFilled = stacks.map((stack) => stack.rows.some((piece) => looksFilled(textOf(piece.words))))
  const from = isFilled.indexOf(false)
  const to = isFilled.lastIndexOf(false) + 1
  if (from < 0 || isFilled.slice(from, to).filter(Boolean).length > (to - from) * 0.2) return null
  const headings = stacks.slice(from, to).map((stack) => headingOf(stack, search, mend))
  // Text beside the headings that is no heading belongs to another column of the page.
  const left = from === 0 ? Number.NEGATIVE_INFINITY : ((stacks[from - 1]?.x1 ?? 0) + (stacks[from]?.x0 ?? 0)) / 2
  const right =
    to === stacks.length ? Number.POSITIVE_INFINITY : ((stacks[to - 1]?.x1 ?? 0) + (stacks[to]?.x0 ?? 0)) / 2
  return { headings, first, last, left, right }
}

/** The maximum distance between lines of one heading, top to top, in text heights. */
const wrapPitchHeights = 1.6

/** True for a lone left-aligned line far above the headings: it is the title of the table. */
function isTitleOver(above: Line, below: Line): boolean {
  const [title] = above.cells
  const [first] = below.cells
  if (title === undefined || first === undefined || above.cells.length > 1 || below.cells.length < 3) return false
  const isLeft = title.x0 < first.x0 + below.height
  return isLeft && below.y0 - above.y0 > wrapPitchHeights * Math.max(above.height, below.height)
}

/** True when a header is narrower than another. */
const isNarrower = (header: Header, other: Header): boolean => header.left > other.left || header.right < other.right

/**
 * The best header that starts on a line, over one to three lines, with its number of requested columns and its share of
 * known headings; null when there is none.
 */
export function findHeader(
  lines: readonly Line[],
  from: number,
  search: HeaderSearch,
): { header: Header; count: number; share: number } | null {
  const start = lines[from]
  if (start === undefined) return null
  let best: { header: Header; count: number; score: number } | null = null
  const taken: Line[] = []
  for (let at = from; at < Math.min(from + headerLinesMax, lines.length); at++) {
    const line = lines[at]
    const above = taken.at(-1)
    if (line === undefined) break
    if (above !== undefined && line.y0 - above.y0 > headerPitchHeights * Math.max(above.height, line.height)) break
    if (above !== undefined && taken.length === 1 && isTitleOver(above, line)) break
    taken.push(line)
    const header = headerFrom(taken, search)
    if (header === null) break
    // A line that fills some of the columns with values is the first row.
    if (best !== null && isNarrower(header, best.header)) break
    const count = search.count(header.headings)
    const known = header.headings.reduce(
      (sum, heading) => sum + Math.max(0, ...heading.targets.map((target) => target.weight)),
      0,
    )
    const wrapped = header.headings.filter((heading) => heading.isWrapped).length
    const score = count * 2 + known + wrapped * 0.6 - header.headings.length * 0.35 - taken.length * 0.3
    if (best === null || score > best.score) best = { header, count, score }
  }
  if (best === null || best.count < 1) return null
  const { header, count } = best
  const share = header.headings.filter((heading) => heading.targets.length > 0).length / header.headings.length
  return { header, count, share }
}
