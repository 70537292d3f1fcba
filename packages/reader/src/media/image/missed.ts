import type { Grey } from './grey.ts'
import { type Blob, blobsOf, inkThreshold, lettersOf } from './ink.ts'
import { type OcrResult, ocrResultOf, type SeenWord, unreadPlaces, wordsSeen } from './ocr-result.ts'
import type { Prepared } from './prepare.ts'
import { type Language, pageModes, type Recogniser } from './tesseract.ts'

/** The maximum number of line parts that are read separately; a page with more has a picture, not missed text. */
const piecesMax = 80
/**
 * Letters belong to one part up to this gap, in letter heights, when they overlap vertically by this share of the lower
 * one. In monospaced type, digits of a price are 1.2 apart, as its point is too small to be a letter.
 */
const gapMax = 2
const sharedHeightMin = 0.4
/** The minimum height of a part in letter heights; lower ones are dashes, dots or specks. */
const heightMin = 0.55
/** Margin around a part in letter heights, and how much of it on both sides is copied from the page: a point may be there. */
const margin = 0.6
const marginOwn = 0.4
/** The minimum confidence of a word in such a small image, as logos also read as words. */
const confidenceMin = 0.6

/** A prepared image and the mapping of its pixels to the page. */
type Seen = Pick<Prepared, 'picture' | 'boxOf'>

/** A component with the size of a letter, with its centre in fractions of the page. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly blob: Blob
}

/** The letter-like components of a prepared image. */
export interface Places {
  readonly places: readonly Place[]
  readonly letterHeight: number
}

/** The positions of letters on a prepared image without rules and dark bands. */
export function placesOf({ picture, boxOf }: Seen): Places {
  const { letters, letterHeight } = lettersOf(blobsOf(picture, inkThreshold(picture)), picture)
  const places = letters.map((blob) => {
    const [x, y, w, h] = boxOf(blob)
    return { x: x + w / 2, y: y + h / 2, blob }
  })
  return { places, letterHeight }
}

/**
 * Reads text that the page pass missed: groups letters outside all words into parts of lines, and reads each as one
 * line. Tesseract's column detection drops single digits and text next to boxes.
 */
export async function readMissed(
  recogniser: Recogniser,
  { prepared, reading, seen, language }: { prepared: Seen; reading: OcrResult; seen: Places; language: Language },
): Promise<OcrResult> {
  const { places, letterHeight } = seen
  const pieces = linePieces(
    unreadPlaces(places, reading.words).map(({ blob }) => blob),
    letterHeight,
  )
  const found: SeenWord[] = []
  for (const piece of pieces.slice(0, piecesMax)) {
    const { picture, left, top } = cutOut(prepared.picture, piece, letterHeight)
    const words = await recogniser.recognise({ picture, mode: pageModes.line, language })
    const moved = words.map((word) => ({
      ...word,
      left: word.left + left,
      right: word.right + left,
      top: word.top + top,
      bottom: word.bottom + top,
    }))
    found.push(...wordsSeen(moved, prepared).filter(({ confidence }) => confidence >= confidenceMin))
  }
  return ocrResultOf(found)
}

type Piece = Omit<Blob, 'area'>

/** Groups letters into parts of lines, from left to right, and drops those too low to be text. */
export function linePieces(letters: readonly Blob[], letterHeight: number): Piece[] {
  const pieces: { left: number; top: number; right: number; bottom: number }[] = []
  for (const letter of [...letters].sort((a, b) => a.left - b.left)) {
    const piece = pieces.find((other) => stand(letter, other, gapMax * letterHeight))
    if (piece === undefined) pieces.push({ ...letter })
    else {
      piece.right = Math.max(piece.right, letter.right)
      piece.top = Math.min(piece.top, letter.top)
      piece.bottom = Math.max(piece.bottom, letter.bottom)
    }
  }
  return pieces
    .filter(({ top, bottom }) => bottom - top >= heightMin * letterHeight)
    .map(({ left, top, right, bottom }) => ({ left, top, right, bottom }))
}

/** True when a letter is in the line of a part, at most `gap` after it. */
function stand(letter: Piece, piece: Piece, gap: number): boolean {
  const shared = Math.min(letter.bottom, piece.bottom) - Math.max(letter.top, piece.top)
  const lower = Math.min(letter.bottom - letter.top, piece.bottom - piece.top)
  return shared >= sharedHeightMin * lower && letter.left - piece.right <= gap
}

/** Copies a part of an image onto white paper, without its surroundings. */
function cutOut(
  { width, height, pixels }: Grey,
  { left, top, right, bottom }: Piece,
  letterHeight: number,
): { picture: Grey; left: number; top: number } {
  const space = Math.ceil(letterHeight * margin)
  const beside = Math.floor(letterHeight * marginOwn)
  const above = 2
  const size = { width: right - left + 2 * space, height: bottom - top + 2 * space }
  const cut = new Uint8Array(size.width * size.height).fill(255)
  const from = Math.max(0, left - beside)
  const to = Math.min(width, right + beside)
  for (let y = Math.max(0, top - above); y < Math.min(height, bottom + above); y += 1) {
    const row = pixels.subarray(y * width + from, y * width + to)
    cut.set(row, (y - top + space) * size.width + from - left + space)
  }
  return { picture: { ...size, pixels: cut }, left: left - space, top: top - space }
}
