import type { Grey } from './grey.ts'
import { type Blob, blobsOf, inkThreshold } from './ink.ts'
import type { SeenWord } from './ocr-result.ts'
import type { Prepared } from './prepare.ts'

/** Pixels around a word that are examined with it: a comma extends below the line. */
const room = { beside: 2, above: 3, below: 6 } as const
/** Shares of the ink threshold at which a word is split into shapes: the darker, the fewer of them touch. */
const darknesses = [1, 0.75, 0.5] as const
/** Fewer pixels of ink are paper grain. */
const inkMin = 4
/** Shapes of at least this share of the tallest one's height are letters or digits. */
const tallMin = 0.6
/** The minimum size, the minimum top and the tolerance at the baseline of a point or comma, in digit heights. */
const markSizeMin = 0.09
const markTopMax = 0.38
const markOffLine = 0.1
/** How far a comma extends below the baseline, in digit heights. */
const commaBelow = 0.07
/** Width of a digit as a share of its height. A mark is no wider than the narrowest digit; wider shapes are several touching digits. */
const figureWidth = { least: 0.3, usual: 0.62, most: 0.95 } as const
/** The maximum inward bend of a zero's sides, as a share of its width; an eight's waist is twice as deep. */
const waistMax = 0.055
/** Top and bottom rows of a digit, as a share of its height, where its sides are not examined. */
const roundEnds = 0.12
/** A zero is slashed or dotted when its centre, this share of its size, has this share of ink. */
const middleOfZero = 0.3
const filledMin = 0.35
/** Lower digits, in pixels, do not show a waist. */
const heightOfWaistMin = 14

/** The maximum distance and vertical offset of a unit from its number, in heights of the number. */
const spaceMax = 0.8
const offLineMax = 0.25

/** Digits that OCR reads for a slashed or dotted zero; in words without letters, other characters too. */
const figuresLikeZero = /[869]/
const signsLikeZero = /[869B@]/

/** A single amount, with or without thousands separators and decimals. */
const amount = /^[^\d]*(?:\d+|\d{1,3}(?:[.,'’]\d{3})+)(?:[.,]\d{1,2})?(?:[^\d.,'’][^\d]*)?$/u

/** Characters as tall as a digit: all except punctuation and dashes. */
const isTall = (sign: string): boolean => !/[.,_…·\-–—=~'’‘"“”°*^+]/u.test(sign)
/** Characters of unknown height, and dates: words with one are skipped. */
const unsure = /[:;/|\\]/u

/**
 * Corrects numbers from the shapes of their print where OCR often fails: adds a missing point or comma between two
 * close digits, reads a slashed or dotted zero that was read as 8, 6 or 9, and a litre sign after a number that was
 * read as a rule. `picture` is the image that the words were read from, with straight lines.
 */
export function correctDigits(
  words: readonly SeenWord[],
  prepared: Pick<Prepared, 'picture' | 'pixelsOf'>,
): SeenWord[] {
  const threshold = inkThreshold(prepared.picture)
  const cuts = words.map(({ text, box }) =>
    text.length > 1 && /\d/.test(text) ? cutOut(prepared.picture, prepared.pixelsOf(box)) : null,
  )
  const fills = words.flatMap(({ text }, index) => fillsOfZeros(text, cuts[index] ?? null, threshold))
  const areFilled = fills.filter((fill) => fill >= filledMin).length > fills.length / 2
  return words.map((word, index) => {
    if (isStroke(word) && words.some((other) => isCounted(word, other, prepared))) return { ...word, text: 'l' }
    const cut = cuts[index] ?? null
    if (cut === null) return word
    const plain = areFilled ? withZeros(word.text, cut, threshold) : word.text
    const text = withMarks(plain, cut, threshold)
    return text === word.text ? word : { ...word, text }
  })
}

const isStroke = ({ text }: SeenWord): boolean => /^[|!]$/.test(text)

/** True when a stroke is one space after a number and as high: litres, not a column rule. */
function isCounted(stroke: SeenWord, number: SeenWord, { pixelsOf }: Pick<Prepared, 'pixelsOf'>): boolean {
  if (!/\d$/.test(number.text)) return false
  const [own, other] = [pixelsOf(stroke.box), pixelsOf(number.box)]
  const height = other.bottom - other.top
  const gap = own.left - other.right
  return (
    gap > 0 &&
    gap < height * spaceMax &&
    Math.abs(own.bottom - other.bottom) < height * offLineMax &&
    Math.abs(own.top - other.top) < height * offLineMax
  )
}

/** The share of ink in the centre of each zero of a word, 0 to 1; empty when the shapes do not match the text. */
function fillsOfZeros(text: string, cut: Grey | null, threshold: number): number[] {
  if (cut === null || !text.includes('0')) return []
  const signs = signsOf(cut, threshold)
  const letters = [...text]
  return signs.length === letters.length
    ? signs.flatMap((sign, index) => (letters[index] === '0' ? [darknessInside(cut, sign)] : []))
    : []
}

function darknessInside({ width, pixels }: Grey, sign: Blob): number {
  const [x, y] = [(sign.left + sign.right) / 2, (sign.top + sign.bottom) / 2]
  const [across, down] = [(widthOf(sign) * middleOfZero) / 2, (heightOf(sign) * middleOfZero) / 2]
  let [sum, count] = [0, 0]
  for (let row = Math.round(y - down); row < Math.round(y + down); row += 1)
    for (let column = Math.round(x - across); column < Math.round(x + across); column += 1) {
      sum += 255 - (pixels[row * width + column] ?? 255)
      count += 1
    }
  return count === 0 ? 0 : sum / count / 255
}

function cutOut(
  { width, height, pixels }: Grey,
  at: { left: number; top: number; right: number; bottom: number },
): Grey | null {
  const left = Math.max(0, Math.floor(at.left) - room.beside)
  const top = Math.max(0, Math.floor(at.top) - room.above)
  const right = Math.min(width, Math.ceil(at.right) + room.beside)
  const bottom = Math.min(height, Math.ceil(at.bottom) + room.below)
  if (right <= left || bottom <= top) return null
  const cut = new Uint8Array((right - left) * (bottom - top))
  for (let y = top; y < bottom; y += 1)
    cut.set(pixels.subarray(y * width + left, y * width + right), (y - top) * (right - left))
  return { width: right - left, height: bottom - top, pixels: cut }
}

const heightOf = ({ top, bottom }: Blob): number => bottom - top
const widthOf = ({ left, right }: Blob): number => right - left

/** The shapes of a word from left to right, each including everything above or below it. */
function signsOf(cut: Grey, threshold: number): Blob[] {
  const signs: Blob[] = []
  const blobs = blobsOf(cut, threshold).filter(({ area }) => area >= inkMin)
  for (const blob of blobs.sort((a, b) => a.left - b.left)) {
    const last = signs.at(-1)
    const shared = last === undefined ? 0 : Math.min(last.right, blob.right) - blob.left
    if (last === undefined || shared <= 0.5 * Math.min(widthOf(last), widthOf(blob))) signs.push(blob)
    else
      signs[signs.length - 1] = {
        left: last.left,
        top: Math.min(last.top, blob.top),
        right: Math.max(last.right, blob.right),
        bottom: Math.max(last.bottom, blob.bottom),
        area: last.area + blob.area,
      }
  }
  return signs
}

/** The text with missing points and commas between its digits added. */
function withMarks(text: string, cut: Grey, threshold: number): string {
  if (!/\d{2}/.test(text) || unsure.test(text)) return text
  const plain = signsOf(cut, threshold)
  for (const share of darknesses) {
    const marked = markedBy(text, share === 1 ? plain : signsOf(cut, threshold * share), plain)
    if (marked !== null) return amount.test(marked) ? marked : text
  }
  return text
}

/**
 * The text with the marks that its shapes show, or null when the shapes do not match the text. A mark must also be
 * separate among the `plain` shapes, because the bottom of a digit may separate at the darkest threshold alone.
 */
function markedBy(text: string, signs: readonly Blob[], plain: readonly Blob[]): string | null {
  const highest = Math.max(0, ...signs.map(heightOf))
  const tall = signs.filter((sign) => heightOf(sign) >= tallMin * highest)
  const line = median(tall.map(({ bottom }) => bottom))
  const figure = line - median(tall.map(({ top }) => top))
  const counts = tall.map((sign) => Math.max(1, Math.round(widthOf(sign) / (figureWidth.usual * figure))))
  // The characters between the tall characters of the text; each tall shape in the image is one or several of them.
  const letters = partsOf(text)
  if (counts.reduce((sum, count) => sum + count, 0) !== letters.length) return null
  let marked = ''
  let at = 0
  for (const [index, sign] of tall.entries()) {
    const own = letters.slice(at, at + (counts[index] ?? 1))
    at += own.length
    marked += own.map(({ sign: letter, behind }, n) => letter + (n < own.length - 1 ? behind : '')).join('')
    const [last, first, next] = [own.at(-1), letters[at], tall[index + 1]]
    if (last === undefined) return null
    const isBetween = /\d/.test(last.sign) && first !== undefined && /\d/.test(first.sign) && next !== undefined
    const mark = isBetween
      ? signs.find(
          (other) => isMark(other, { line, figure }) && standsBetween(other, sign, next) && isAlone(other, plain),
        )
      : undefined
    // A mark that was read but is not in the image: the shapes were counted wrongly.
    if (isBetween && mark === undefined && /[.,]/.test(last.behind)) return null
    const shape = mark !== undefined && mark.bottom > line + commaBelow * figure ? ',' : '.'
    marked += mark !== undefined && last.behind === '' ? shape : last.behind
  }
  return letters.length === 0 ? null : marked
}

const isAlone = (mark: Blob, plain: readonly Blob[]): boolean =>
  plain.some(({ left, right, top }) => left <= mark.left && right >= mark.right && top >= mark.top - heightOf(mark))

const standsBetween = (mark: Blob, before: Blob, after: Blob): boolean =>
  mark.left >= before.left + widthOf(before) / 2 &&
  mark.left < after.left + widthOf(after) / 2 &&
  mark.right <= after.right

/** The tall characters of a text, each with the text up to the next; the first also has the text before it. */
function partsOf(text: string): { sign: string; behind: string }[] {
  const parts: { sign: string; behind: string }[] = []
  let before = ''
  for (const letter of text) {
    const last = parts.at(-1)
    if (isTall(letter)) {
      parts.push({ sign: before + letter, behind: '' })
      before = ''
    } else if (last === undefined) before += letter
    else last.behind += letter
  }
  return parts
}

function isMark(sign: Blob, { line, figure }: { line: number; figure: number }): boolean {
  const size = markSizeMin * figure
  return (
    heightOf(sign) >= size &&
    widthOf(sign) >= size &&
    widthOf(sign) <= figureWidth.least * figure &&
    sign.top >= line - markTopMax * figure &&
    sign.bottom >= line - markOffLine * figure
  )
}

/** The text with those digits replaced by zeros whose print has no waist. */
function withZeros(text: string, cut: Grey, threshold: number): string {
  const alike = /\p{L}/u.test(text.replace('B', '')) ? figuresLikeZero : signsLikeZero
  if (!alike.test(text)) return text
  const letters = [...text]
  for (const share of darknesses) {
    const signs = signsOf(cut, threshold * share)
    if (signs.length !== letters.length) continue
    const highest = Math.max(0, ...signs.map(heightOf))
    return letters
      .map((letter, index) => {
        const sign = signs[index]
        const isHigh = sign !== undefined && heightOf(sign) >= tallMin * highest
        return isHigh && alike.test(letter) && isRound(cut, sign, threshold * share) ? '0' : letter
      })
      .join('')
  }
  return text
}

/** True when both sides of a shape are convex all the way, like those of a zero. */
function isRound(cut: Grey, sign: Blob, threshold: number): boolean {
  const height = heightOf(sign)
  if (height < heightOfWaistMin || widthOf(sign) > figureWidth.most * height) return false
  const ends = Math.round(roundEnds * height)
  const left: number[] = []
  const right: number[] = []
  for (let y = sign.top + ends; y < sign.bottom - ends; y += 1) {
    const row = y * cut.width
    const ink = (x: number): number => (x < 0 || x >= cut.width ? 255 : (cut.pixels[row + x] ?? 255))
    let from = sign.left
    while (from < sign.right && ink(from) >= threshold) from += 1
    let to = sign.right - 1
    while (to > from && ink(to) >= threshold) to -= 1
    if (from >= sign.right) return false
    left.push(from - crossing(ink(from), ink(from - 1), threshold))
    right.push(-(to + crossing(ink(to), ink(to + 1), threshold)))
  }
  const most = waistMax * widthOf(sign)
  return bend(left) <= most && bend(right) <= most
}

/** The position of the threshold between an ink pixel and a paper pixel, 0 to 1. */
const crossing = (ink: number, paper: number, threshold: number): number =>
  Math.max(0, Math.min(1, (threshold - ink) / Math.max(1, paper - ink)))

/** How far a side bends inwards from the straight line between points above and below. */
function bend(side: readonly number[]): number {
  let most = 0
  for (let above = 0; above < side.length - 2; above += 1)
    for (let below = above + 2; below < side.length; below += 1)
      for (let at = above + 1; at < below; at += 1) {
        const [from, to] = [side[above] ?? 0, side[below] ?? 0]
        most = Math.max(most, (side[at] ?? 0) - from - ((to - from) * (at - above)) / (below - above))
      }
  return most
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
