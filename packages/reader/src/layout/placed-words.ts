import type { Word } from '../media/document.ts'

/** A word on its upright page. Lengths are in the page's own units; only their ratios matter. */
export interface PlacedWord {
  readonly word: Word
  readonly x0: number
  readonly x1: number
  readonly y0: number
  readonly y1: number
}

/** The median; 0 for an empty list. */
export const median = (values: readonly number[]): number => {
  if (values.length === 0) return 0
  const sorted = Float64Array.from(values).sort()
  return sorted[sorted.length >> 1] ?? 0
}

/** Width and height of a page. */
export interface Frame {
  readonly width: number
  readonly height: number
}

/** How a page was turned for reading. */
export interface TurnOfPage {
  /** Clockwise, around its centre. */
  readonly degrees: number
  /** Whether the boxes of slightly slanted words are higher than the words, as those of recognised words are. */
  readonly isLoose: boolean
}

/** The boxes of words that slant more, by the sine of the angle, have the size of the word. */
const slantMax = 0.3

/** Turns a word upright. */
export function placeWord(word: Word, frame: Frame, { degrees, isLoose }: TurnOfPage): PlacedWord {
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
  const slanted = turned ? Math.abs(cos) : Math.abs(sin)
  const slant = isLoose && slanted < slantMax ? slanted : 0
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

/** The slope of the lines of a page (down to the right, as a ratio), from neighbouring words. */
export function slopeOf(words: readonly PlacedWord[]): number {
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

/** A word shifted vertically to level its line. */
export const levelled = (word: PlacedWord, slope: number): PlacedWord => {
  const shift = ((word.x0 + word.x1) / 2) * slope
  return { ...word, y0: word.y0 - shift, y1: word.y1 - shift }
}

/** OCR boxes lower than this share of the usual height are letters without ascenders, or no letters. */
const lowBox = 0.8
/** A word with lower OCR confidence is noise when it has no letters or is flat. */
const noiseConfidence = 0.6
const flatNoiseConfidence = 0.5
const flatBox = 0.35

const isNoise = ({ word, y0, y1 }: PlacedWord, usual: number): boolean =>
  (word.confidence < noiseConfidence && !/[\p{L}\p{N}]/u.test(word.text)) ||
  (word.confidence < flatNoiseConfidence && y1 - y0 < usual * flatBox)

/** OCR words without noise, with every box as high as a text line, so that lines can be detected. */
export function evenOut(words: readonly PlacedWord[]): PlacedWord[] {
  const usual = median(words.map((word) => word.y1 - word.y0))
  return words
    .filter((word) => !isNoise(word, usual))
    .map((word) => {
      const height = word.y1 - word.y0
      if (height >= usual * lowBox) return word
      const middle = (word.y0 + word.y1) / 2
      return { ...word, y0: middle - usual / 2, y1: middle + usual / 2 }
    })
}

/** The text of words, separated by spaces. */
export const textOf = (words: readonly PlacedWord[]): string => words.map((word) => word.word.text).join(' ')
