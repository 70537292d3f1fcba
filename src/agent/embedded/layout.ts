import type { Page, ReadDocument, Word } from '../../media/document.ts'

/** A word placed on its upright page. Lengths are in the page's own units; only their ratios matter. */
export interface PlacedWord {
  readonly word: Word
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

/** Words of one line that stand close together. */
export interface Cell {
  readonly words: readonly PlacedWord[]
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly line: Line
  /** Number of the cell in its line. */
  readonly index: number
}

/** Words that stand on one height, from left to right. */
export interface Line {
  readonly cells: readonly Cell[]
  readonly page: PageLayout
  /** Number of the line on its page, from the top. */
  readonly index: number
  readonly y0: number
  readonly y1: number
  /** Height of its text: the median of its words. */
  readonly height: number
}

/** A page as lines of cells. */
export interface PageLayout {
  /** Number of the document in the request. */
  readonly document: number
  readonly page: Page
  readonly lines: readonly Line[]
  readonly width: number
  readonly height: number
  /** Median height of its words. */
  readonly wordHeight: number
}

/** A gap wider than this many text heights parts two cells. A space is 0.2 to 0.4 text heights wide. */
const cellGapHeights = 1.05
/** Words belong to one line when they overlap by this part of the lower one. */
const lineOverlap = 0.5
/** On a grid of characters a character is about half as wide as high. */
const gridCharacterWidth = 0.5
/** Words whose middles differ by less than this part of their height stand on one line, even if their boxes overlap. */
const levelHeights = 0.22
/** Lines that a word may still join; more would only cost time. */
const openLinesMax = 6
/** Words of a line that a new word is held against; words come nearly from left to right. */
const neighboursMax = 48

/** Digits nearer than this many text heights belong to one number; a space is wider. */
const tornDigitHeights = 0.14
const tornOnesHeights = 0.5
/** The same for a mark between digits, which type of one width sets wide apart. */
const tornMarkHeights = 0.5

const leaderPattern = /^(?:[.·…_]{3,}|[-–—_]{2,}|[|¦]|[.·…])$/u
const separatorPattern = /^[|¦]+$/u

const median = (values: readonly number[]): number => {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

interface Frame {
  readonly width: number
  readonly height: number
}

/** Brings a word upright: the page was read after turning it `degrees` clockwise about its middle. */
function placeWord(word: Word, frame: Frame, degrees: number): PlacedWord {
  const [x, y, w, h] = word.box
  const width = w * frame.width
  const height = h * frame.height
  const centreX = (x + w / 2 - 0.5) * frame.width
  const centreY = (y + h / 2 - 0.5) * frame.height
  const angle = (degrees * Math.PI) / 180
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  const turned = Math.abs(sin) > Math.SQRT1_2
  const [long, high] = turned ? [height, width] : [width, height]
  // The box of a slanted word is higher than the word by its length times the slant.
  const slant = turned ? Math.abs(cos) : Math.abs(sin)
  const uprightHeight = Math.max(high - long * slant, high * 0.4)
  const [boxWidth, boxHeight] = turned ? [frame.height, frame.width] : [frame.width, frame.height]
  const middleX = centreX * cos - centreY * sin + boxWidth / 2
  const middleY = centreX * sin + centreY * cos + boxHeight / 2
  return {
    word,
    x0: middleX - long / 2,
    x1: middleX + long / 2,
    y0: middleY - uprightHeight / 2,
    y1: middleY + uprightHeight / 2,
  }
}

/** How much the lines of a page fall to the right, as a ratio, from neighbouring words. */
function slopeOf(words: readonly PlacedWord[]): number {
  const slopes: number[] = []
  for (let index = 0; index + 1 < words.length; index++) {
    const left = words[index]
    const right = words[index + 1]
    if (left === undefined || right === undefined) continue
    const height = Math.min(left.y1 - left.y0, right.y1 - right.y0)
    const gap = right.x0 - left.x1
    const run = (right.x0 + right.x1 - left.x0 - left.x1) / 2
    const rise = (right.y0 + right.y1 - left.y0 - left.y1) / 2
    if (gap < -height * 0.2 || gap > height * 1.5 || run < height * 2 || Math.abs(rise) > height * 0.6) continue
    slopes.push(rise / run)
  }
  return slopes.length < 12 ? 0 : median(slopes)
}

const levelled = (word: PlacedWord, slope: number): PlacedWord => {
  const shift = ((word.x0 + word.x1) / 2) * slope
  return { ...word, y0: word.y0 - shift, y1: word.y1 - shift }
}

interface OpenLine {
  readonly words: PlacedWord[]
  y0: number
  y1: number
}

const overlapsAcross = (line: OpenLine, word: PlacedWord): boolean => {
  // Recognisers draw boxes too wide: neighbours may overlap by a part of the word.
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
  // The mean keeps one tall word from swallowing the lines beside it.
  const count = best.words.length
  best.y0 = (best.y0 * count + word.y0) / (count + 1)
  best.y1 = (best.y1 * count + word.y1) / (count + 1)
  best.words.push(word)
  return true
}

/** Boxes of a recogniser lower than this part of the usual are those of letters without stems, or of no letters. */
const lowBox = 0.8
/** What a recogniser is less sure of than this is dirt when it has no letters, or is flat. */
const dirtConfidence = 0.6
const flatDirtConfidence = 0.5
const flatBox = 0.35

const isDirt = ({ word, y0, y1 }: PlacedWord, usual: number): boolean =>
  (word.confidence < dirtConfidence && !/[\p{L}\p{N}]/u.test(word.text)) ||
  (word.confidence < flatDirtConfidence && y1 - y0 < usual * flatBox)

/** Words of a recogniser with the dirt left out and every box as high as a line of text, so that lines can be told. */
function evenOut(words: readonly PlacedWord[]): PlacedWord[] {
  const usual = median(words.map((word) => word.y1 - word.y0))
  return words
    .filter((word) => !isDirt(word, usual))
    .map((word) => {
      const height = word.y1 - word.y0
      if (height >= usual * lowBox) return word
      const middle = (word.y0 + word.y1) / 2
      return { ...word, y0: middle - usual / 2, y1: middle + usual / 2 }
    })
}

/** A line of marks alone, drawn to part others. */
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

/** Parts the words of a line where the gap is wide or a ruling character stands. */
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

const markPattern = /^[.,:/]$/
const endsInDigit = /\d[.,:/]?$/
const startsWithDigit = /^[.,:/]?\d/

/** True when two neighbours are one number that wide marks or narrow digits pulled apart: `4 . 50`, `2.1 18,99`. */
function isTornNumber(left: PlacedWord, right: PlacedWord, height: number): boolean {
  const gap = right.x0 - left.x1
  const a = left.word.text
  const b = right.word.text
  if (!endsInDigit.test(a) || !startsWithDigit.test(b)) return false
  if (gap < height * tornDigitHeights) return true
  // Two ones of a fixed width stand further apart than other digits; with a space between they would be wider still.
  if (a.endsWith('1') && b.startsWith('1') && gap < height * tornOnesHeights) return true
  const atMark = markPattern.test(b.slice(0, 1)) || markPattern.test(a.slice(-1))
  return (
    atMark && gap < height * tornMarkHeights && (b.length === 1 || /^[.,:/]\d/.test(b) || markPattern.test(a.slice(-1)))
  )
}

function joinWords(left: PlacedWord, right: PlacedWord): PlacedWord {
  const [x, y, w, h] = left.word.box
  const [rx, ry, rw, rh] = right.word.box
  const box = [Math.min(x, rx), Math.min(y, ry), 0, 0] as [number, number, number, number]
  box[2] = Math.max(x + w, rx + rw) - box[0]
  box[3] = Math.max(y + h, ry + rh) - box[1]
  const { span } = left.word
  const end = right.word.span?.[1]
  const word: Word = {
    text: left.word.text + right.word.text,
    box,
    confidence: Math.min(left.word.confidence, right.word.confidence),
    ...(span !== undefined && end !== undefined && { span: [span[0], end] as const }),
  }
  return { word, x0: left.x0, x1: right.x1, y0: Math.min(left.y0, right.y0), y1: Math.max(left.y1, right.y1) }
}

/** Mends numbers that the reader handed over in pieces. A mark alone joins only when a digit follows it. */
function mendNumbers(words: readonly PlacedWord[], height: number): PlacedWord[] {
  const mended: PlacedWord[] = []
  for (const [index, word] of words.entries()) {
    const last = mended.at(-1)
    const next = words[index + 1]
    const isMark = markPattern.test(word.word.text)
    const goesOn =
      !isMark || (next !== undefined && /^\d/.test(next.word.text) && next.x0 - word.x1 < height * tornMarkHeights)
    const touches =
      last !== undefined &&
      (isMark
        ? /\d$/.test(last.word.text) && word.x0 - last.x1 < height * tornMarkHeights
        : isTornNumber(last, word, height))
    if (last !== undefined && goesOn && touches) mended[mended.length - 1] = joinWords(last, word)
    else mended.push(word)
  }
  return mended
}

/** The text of words, one space between them. */
export const textOf = (words: readonly PlacedWord[]): string => words.map((word) => word.word.text).join(' ')

function buildLine(open: OpenLine, page: PageLayout, index: number): Line {
  const height = Math.max(median(open.words.map((word) => word.y1 - word.y0)), page.wordHeight * 0.5)
  const cells: Cell[] = []
  const line: Line = { cells, page, index, y0: open.y0, y1: open.y1, height }
  const gapHeights = page.page.source === 'plain' ? 0.75 : cellGapHeights
  const whole = page.page.source === 'plain' ? open.words : mendNumbers(open.words, height)
  for (const words of partWords(whole, height, gapHeights)) {
    const first = words[0]
    const last = words.at(-1)
    if (first === undefined || last === undefined) continue
    cells.push({ words, text: textOf(words), x0: first.x0, x1: last.x1, line, index: cells.length })
  }
  return line
}

/**
 * Lays out one page: its words brought upright and level, gathered into lines, each line parted into cells.
 * Costs about n log n in the number of words.
 */
export function layoutPage(page: Page, document: number): PageLayout {
  const frame =
    page.source === 'plain'
      ? { width: page.width * gridCharacterWidth, height: page.height }
      : { width: page.width, height: page.height }
  const upright = page.words
    .filter((word) => word.text.trim() !== '')
    .map((word) => placeWord(word, frame, page.turnedDegrees))
  const isRead = page.source === 'ocr'
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
  for (const open of linesOf(words)) {
    const line = buildLine(open, layout, lines.length)
    if (line.cells.length > 0) lines.push(line)
  }
  return layout
}

/** Lays out every page of a document. */
export const layoutDocument = (document: ReadDocument, number: number): PageLayout[] =>
  document.pages.map((page) => layoutPage(page, number))

/** The text of a line, cells parted by two spaces. */
export const lineText = (line: Line): string => line.cells.map((cell) => cell.text).join('  ')
