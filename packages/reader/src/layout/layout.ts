import type { Page, ReadDocument } from '../media/document.ts'
import { partRates } from '../values/joined-rates.ts'
import { joinEmails } from '../values/split-emails.ts'
import { joinNumbers } from '../values/split-numbers.ts'
import { evenOut, levelled, median, type PlacedWord, placeWord, slopeOf, textOf } from './placed-words.ts'

/** Adjacent words of one line. */
export interface Cell {
  readonly words: readonly PlacedWord[]
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly line: Line
  /** Index of the cell in its line. */
  readonly index: number
}

/** Words at the same height, from left to right. */
export interface Line {
  readonly cells: readonly Cell[]
  readonly page: PageLayout
  /** Index of the line on its page, from the top. */
  readonly index: number
  readonly y0: number
  readonly y1: number
  /** The median height of its words. */
  readonly height: number
}

/** A page as lines of cells. */
export interface PageLayout {
  /** Index of the document in the request. */
  readonly document: number
  readonly page: Page
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
  /** The median height of its words. */
  readonly wordHeight: number
}

/** A gap wider than this many text heights separates two cells. A space is 0.2 to 0.4 text heights wide. */
const cellGapHeights = 1.05
/** Words are on one line when they overlap vertically by this share of the lower one. */
const lineOverlap = 0.5
/** On OCR pages, the gap must also exceed this many usual spaces: in monospaced type a space is as wide as a letter. */
const cellGapSpaces = 1.4
/** Gaps up to this many text heights may be spaces, and so many of them show how wide a space is; in a text layer one does. */
const spaceHeightsMax = 2
const spacesMin = 8
/** On a character grid, a character is about half as wide as high. */
const gridCharacterWidth = 0.5
/** Words whose vertical centres differ by less than this share of their height are on one line, even if their boxes overlap. */
const levelHeights = 0.22
/** The maximum number of recent lines that a word may join; more would only cost time. */
const openLinesMax = 6
/** The maximum number of words of a line compared with a new word; words arrive nearly from left to right. */
const neighboursMax = 48

const leaderPattern = /^(?:[.·…_]{3,}|[-–—_]{2,}|[|¦]|[.·…])$/u
const separatorPattern = /^[|¦]+$/u

interface OpenLine {
  readonly words: PlacedWord[]
  y0: number
  y1: number
}

const overlapsAcross = (line: OpenLine, word: PlacedWord): boolean => {
  // OCR boxes are too wide: neighbours may overlap by a part of the word.
  const slack = Math.max((word.y1 - word.y0) * 0.3, (word.x1 - word.x0) * 0.25)
  return line.words.slice(-neighboursMax).some((other) => other.x0 + slack < word.x1 && word.x0 + slack < other.x1)
}

function joinLine(open: readonly OpenLine[], word: PlacedWord): boolean {
  const height = word.y1 - word.y0
  let best: OpenLine | null = null
  let bestOverlap = lineOverlap
  for (const line of open) {
    const overlap = Math.min(line.y1, word.y1) - Math.max(line.y0, word.y0)
    const share = overlap / Math.max(Math.min(height, line.y1 - line.y0), 1e-9)
    const isLevel = Math.abs(line.y0 + line.y1 - word.y0 - word.y1) < height * levelHeights * 2
    if (share > bestOverlap && (isLevel || !overlapsAcross(line, word))) {
      best = line
      bestOverlap = share
    }
  }
  if (best === null) return false
  // Use the mean, so that one tall word does not swallow adjacent lines.
  const count = best.words.length
  best.y0 = (best.y0 * count + word.y0) / (count + 1)
  best.y1 = (best.y1 * count + word.y1) / (count + 1)
  best.words.push(word)
  return true
}

/** A line that consists of ruling characters only. */
const isRule = (line: OpenLine): boolean =>
  line.words.length > 3 && line.words.every((word) => /^[-–—*=_.~#+·•]+$/u.test(word.word.text))

function linesOf(words: readonly PlacedWord[]): OpenLine[] {
  const sorted = words.toSorted((a, b) => a.y0 + a.y1 - b.y0 - b.y1 || a.x0 - b.x0)
  const lines: OpenLine[] = []
  for (const word of sorted) {
    if (joinLine(lines.slice(-openLinesMax), word)) continue
    lines.push({ words: [word], y0: word.y0, y1: word.y1 })
  }
  for (const line of lines) line.words.sort((a, b) => a.x0 - b.x0)
  return lines.filter((line) => !isRule(line)).sort((a, b) => a.y0 + a.y1 - b.y0 - b.y1)
}

/** Splits the words of a line at wide gaps and ruling characters. */
function partWords(words: readonly PlacedWord[], height: number, gapHeights: number): PlacedWord[][] {
  const groups: PlacedWord[][] = []
  let group: PlacedWord[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const word of words) {
    const text = word.word.text
    const isLeader = leaderPattern.test(text)
    const wide = word.x0 - end > height * gapHeights
    if (group.length > 0 && (wide || (isLeader && (text.length > 2 || separatorPattern.test(text))))) {
      groups.push(group)
      group = []
    }
    if (!isLeader) group.push(word)
    else if (group.length > 0 && !separatorPattern.test(text) && text.length <= 2) group.push(word)
    end = word.x1
  }
  if (group.length > 0) groups.push(group)
  return groups
}

/** The usual gap between the words of a page, without those inside of numbers; 0 where there are too few to tell. */
function usualSpace(lines: readonly OpenLine[], enough: number): number {
  const gaps: number[] = []
  for (const { words } of lines) {
    const height = median(words.map((word) => word.y1 - word.y0))
    for (const [at, word] of words.slice(1).entries()) {
      const gap = word.x0 - (words[at]?.x1 ?? word.x0)
      const isTorn = /[\d.,:/]$/.test(words[at]?.word.text ?? '') && /^[.,:/\d]/.test(word.word.text)
      if (gap > 0 && gap < height * spaceHeightsMax && !isTorn) gaps.push(gap)
    }
  }
  return gaps.length < enough ? 0 : median(gaps)
}

function buildLine(open: OpenLine, page: PageLayout, { index, space }: { index: number; space: number }): Line {
  const height = Math.max(median(open.words.map((word) => word.y1 - word.y0)), page.wordHeight * 0.5)
  const cells: Cell[] = []
  const line: Line = { cells, page, index, y0: open.y0, y1: open.y1, height }
  const { source } = page.page
  const gapMin = source === 'ocr' ? space * cellGapSpaces : 0
  const gapHeights = source === 'plain' ? 0.75 : Math.max(cellGapHeights, gapMin / height)
  const untorn = source === 'ocr' ? partRates(joinEmails(open.words, height)) : open.words
  const whole = source === 'plain' ? open.words : joinNumbers(untorn, { height, space })
  for (const words of partWords(whole, height, gapHeights)) {
    const first = words[0]
    const last = words.at(-1)
    if (first === undefined || last === undefined) continue
    cells.push({ words, text: textOf(words), x0: first.x0, x1: last.x1, line, index: cells.length })
  }
  return line
}

/**
 * Lays out a page: turns its words upright, levels them, groups them into lines, and splits lines into cells. O(n log
 * n) in the number of words.
 */
export function layoutPage(page: Page, document: number): PageLayout {
  const frame =
    page.source === 'plain'
      ? { width: page.width * gridCharacterWidth, height: page.height }
      : { width: page.width, height: page.height }
  const isRead = page.source === 'ocr'
  const upright = page.words
    .filter((word) => word.text.trim() !== '')
    .map((word) => placeWord(word, frame, { degrees: page.turnedDegrees, isLoose: isRead }))
  const slope = isRead ? slopeOf(upright) : 0
  const level = slope === 0 ? upright : upright.map((word) => levelled(word, slope))
  const words = isRead ? evenOut(level) : level
  const sideways = Math.abs(Math.sin((page.turnedDegrees * Math.PI) / 180)) > Math.SQRT1_2
  const lines: Line[] = []
  const layout: PageLayout = {
    document,
    page,
    lines,
    width: sideways ? frame.height : frame.width,
    height: sideways ? frame.width : frame.height,
    wordHeight: median(words.map((word) => word.y1 - word.y0)),
  }
  const found = linesOf(words)
  const space = page.source === 'plain' ? 0 : usualSpace(found, isRead ? spacesMin : 1)
  for (const open of found) {
    const line = buildLine(open, layout, { index: lines.length, space })
    if (line.cells.length > 0) lines.push(line)
  }
  return layout
}

export const layoutDocument = (document: ReadDocument, number: number): PageLayout[] =>
  document.pages.map((page) => layoutPage(page, number))

/** The text of a line, with two spaces between cells. */
export const lineText = (line: Line): string => line.cells.map((cell) => cell.text).join('  ')

const spaces = new WeakMap<PageLayout, number>()
/** The maximum number of gaps sampled for the width of a space. */
const gapsMax = 600

/** The usual gap between two words on a page: wide in monospaced type, narrow otherwise. */
export function spaceOn(page: PageLayout): number {
  const known = spaces.get(page)
  if (known !== undefined) return known
  const gaps: number[] = []
  for (const line of page.lines) {
    for (const { words } of line.cells)
      for (const [at, word] of words.slice(1).entries()) gaps.push(word.x0 - (words[at]?.x1 ?? word.x0))
    if (gaps.length > gapsMax) break
  }
  const space = median(gaps)
  spaces.set(page, space)
  return space
}

const linesOfWords = new WeakMap<PageLayout, ReadonlyMap<PlacedWord, Line>>()

/** The line that contains a word. */
export function lineWithWord(page: PageLayout, word: PlacedWord): Line | undefined {
  const known =
    linesOfWords.get(page) ??
    new Map(page.lines.flatMap((line) => line.cells.flatMap(({ words }) => words.map((one) => [one, line] as const))))
  linesOfWords.set(page, known)
  return known.get(word)
}
