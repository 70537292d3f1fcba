import type { PlacedWord } from '../layout/placed-words.ts'
import type { Word } from '../media/document.ts'

/** The maximum gap between digits of one number, in text heights; a space is wider. */
const digitGapHeights = 0.14
const onesGapHeights = 0.5
/** The same for a mark between digits, which monospaced type sets far apart, and in spaces of the page: `9, 2072` are two numbers. */
const markGapHeights = 0.5
const markGapSpaces = 0.8

const markPattern = /^[.,:/]$/
const endsInDigit = /\d[.,:/]?$/
const startsWithDigit = /^[.,:/]?\d/

/** Lengths on a line. */
interface LineSizes {
  readonly height: number
  /** The usual gap between words of the page; 0 where it has too few words to tell. */
  readonly space: number
}

const markGap = ({ height, space }: LineSizes): number =>
  space > 0 ? Math.min(height * markGapHeights, space * markGapSpaces) : height * markGapHeights

/** True when two adjacent words are one number, split at wide marks or narrow digits: `4 . 50`, `2.1 18,99`. */
function isSplitNumber(left: PlacedWord, right: PlacedWord, sizes: LineSizes): boolean {
  const { height } = sizes
  const gap = right.x0 - left.x1
  const a = left.word.text
  const b = right.word.text
  if (!endsInDigit.test(a) || !startsWithDigit.test(b)) return false
  if (gap < height * digitGapHeights) return true
  // Two ones in monospaced type are further apart than other digits, but closer than with a space between them.
  if (a.endsWith('1') && b.startsWith('1') && gap < height * onesGapHeights) return true
  const atMark = markPattern.test(b.slice(0, 1)) || markPattern.test(a.slice(-1))
  return atMark && gap < markGap(sizes) && (b.length === 1 || /^[.,:/]\d/.test(b) || markPattern.test(a.slice(-1)))
}

/** Two adjacent words as one, with the text `between` them. */
export function joinWords(left: PlacedWord, right: PlacedWord, between = ''): PlacedWord {
  const [x, y, w, h] = left.word.box
  const [rx, ry, rw, rh] = right.word.box
  const box = [Math.min(x, rx), Math.min(y, ry), 0, 0] as [number, number, number, number]
  box[2] = Math.max(x + w, rx + rw) - box[0]
  box[3] = Math.max(y + h, ry + rh) - box[1]
  const { span } = left.word
  const end = right.word.span?.[1]
  const word: Word = {
    text: left.word.text + between + right.word.text,
    box,
    confidence: Math.min(left.word.confidence, right.word.confidence),
    ...(span !== undefined && end !== undefined && { span: [span[0], end] as const }),
  }
  return { word, x0: left.x0, x1: right.x1, y0: Math.min(left.y0, right.y0), y1: Math.max(left.y1, right.y1) }
}

/** Joins numbers that the reader split. A lone mark joins only when a digit follows it. */
export function joinNumbers(words: readonly PlacedWord[], sizes: LineSizes): PlacedWord[] {
  const mended: PlacedWord[] = []
  const gapMax = markGap(sizes)
  for (const [index, word] of words.entries()) {
    const last = mended.at(-1)
    const next = words[index + 1]
    const isMark = markPattern.test(word.word.text)
    const goesOn = !isMark || (next !== undefined && /^\d/.test(next.word.text) && next.x0 - word.x1 < gapMax)
    const touches =
      last !== undefined &&
      (isMark ? /\d$/.test(last.word.text) && word.x0 - last.x1 < gapMax : isSplitNumber(last, word, sizes))
    if (last !== undefined && goesOn && touches) mended[mended.length - 1] = joinWords(last, word)
    else mended.push(word)
  }
  return mended
}
