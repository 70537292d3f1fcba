import type { Grey } from './grey.ts'
import { type Blob, blobsOf, inkThreshold, lettersOf } from './ink.ts'
import type { Prepared } from './prepare.ts'
import { type Reading, readingOf, type SeenWord, unreadPlaces, wordsSeen } from './reading.ts'
import { type Language, pageModes, type Recogniser } from './tesseract.ts'

/** Pieces of one line that are read on their own; what a page has more is no text that was missed, but a picture. */
const piecesMax = 80
/**
 * Letters stand in one piece up to this gap, in letter heights, and with this share of the lower one's height in common. In type of
 * one width the figures of a price stand 1.2 apart, for its point is too small to be a letter.
 */
const gapMax = 2
const sharedHeightMin = 0.4
/** A piece is at least this high, in letter heights: less is a dash, a dot or a speck. */
const heightMin = 0.55
/** Paper around a piece, in letter heights, and how much of it to both sides is the page's own: a point may stand there. */
const margin = 0.6
const marginOwn = 0.4
/** A word read in so small a picture counts from this confidence: a logo reads as some word too. */
const confidenceMin = 0.6

/** A prepared picture and where its pixels stand on the page. */
type Seen = Pick<Prepared, 'picture' | 'boxOf'>

/** A piece of ink that has a letter's size, and its middle in fractions of the page. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly blob: Blob
}

/** What looks like letters on a prepared picture. */
export interface Places {
  readonly places: readonly Place[]
  readonly letterHeight: number
}

/** Where letters stand on a prepared picture, whose rules and dark bands are gone. */
export function placesOf({ picture, boxOf }: Seen): Places {
  const { letters, letterHeight } = lettersOf(blobsOf(picture, inkThreshold(picture)), picture)
  const places = letters.map((blob) => {
    const [x, y, w, h] = boxOf(blob)
    return { x: x + w / 2, y: y + h / 2, blob }
  })
  return { places, letterHeight }
}

/**
 * Reads what the page's reading left out: letters that stand in none of its words, put together to pieces of lines, each cut
 * out and read as one line. The recogniser's own search for columns drops lone digits and what stands beside boxes.
 */
export async function readMissed(
  recogniser: Recogniser,
  { prepared, reading, seen, language }: { prepared: Seen; reading: Reading; seen: Places; language: Language },
): Promise<Reading> {
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
  return readingOf(found)
}

type Piece = Omit<Blob, 'area'>

/** Letters put together to pieces of lines, from left to right, without those too low to be text. */
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

/** Whether a letter stands in the line of a piece, no further than `gap` behind it. */
function stand(letter: Piece, piece: Piece, gap: number): boolean {
  const shared = Math.min(letter.bottom, piece.bottom) - Math.max(letter.top, piece.top)
  const lower = Math.min(letter.bottom - letter.top, piece.bottom - piece.top)
  return shared >= sharedHeightMin * lower && letter.left - piece.right <= gap
}

/** A part of a picture on paper: what stands around the part does not come with it. */
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
