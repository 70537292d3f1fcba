import type { Box } from '../document.ts'
import type { Prepared } from './prepare.ts'
import type { Language, PageMode, RecognisedWord, Recogniser } from './tesseract.ts'

/** A word of one pass, with its box on the page as given; confidence 0 to 1. */
export interface SeenWord {
  readonly text: string
  readonly box: Box
  readonly confidence: number
}

/** The result of one OCR pass. */
export interface OcrResult {
  readonly words: readonly SeenWord[]
  /** The sum of characters weighted by their word's confidence; the reading with the higher value is better. */
  readonly worth: number
  /** The mean confidence per character, 0 to 1; 0 when nothing was read. */
  readonly confidence: number
}

/** Words with less confidence are usually specks, rules and pictures. */
const confidenceMin = 0.2
/** The minimum confidence of a word that only the second reading has. */
const confidenceOfAdded = 0.5
/** A word of the second reading replaces that of the first when its confidence is higher by this. */
const surerBy = 0.05

/** Reads a prepared image in one page mode with one language model. */
export async function readPrepared(
  recogniser: Recogniser,
  prepared: Prepared,
  how: { mode: PageMode; language: Language },
): Promise<OcrResult> {
  return ocrResultOf(wordsSeen(await recogniser.recognise({ picture: prepared.picture, ...how }), prepared))
}

/** The useful words among those recognised on a prepared image, with boxes on the page. */
export function wordsSeen(recognised: readonly RecognisedWord[], { boxOf }: Pick<Prepared, 'boxOf'>): SeenWord[] {
  return recognised
    .filter(isWord)
    .map((word): SeenWord => ({ text: word.text.trim(), box: boxOf(word), confidence: word.confidence / 100 }))
}

/**
 * Merges two readings: the first, with words replaced where the second is more confident, plus words that only the
 * second has. With `areAlike`, both used models for the page's language, and words combine the accents of both.
 */
export function mergeOcrResults(first: OcrResult, second: OcrResult, { areAlike = false } = {}): OcrResult {
  const rows = new Rows(first.words)
  const replaced = new Map<SeenWord, SeenWord>()
  const added: SeenWord[] = []
  for (const word of second.words) {
    const same = rows.overlapping(word)
    const [only] = same
    if (only === undefined) {
      if (word.confidence >= confidenceOfAdded) added.push(word)
    } else if (same.length === 1 && sameSize(only, word)) {
      const before = replaced.get(only) ?? only
      const after = agreed(before, word, areAlike)
      if (after !== before) replaced.set(only, after)
    }
  }
  const kept = first.words.map((word) => replaced.get(word) ?? word)
  return ocrResultOf([...kept, ...added])
}

/** The better of two readings of one word: the first, unless the second is more confident or saw more marks. */
function agreed(first: SeenWord, second: SeenWord, areAlike: boolean): SeenWord {
  const surer = second.confidence > first.confidence + surerBy ? second : first
  if (first.text === second.text) return surer
  const accented = areAlike ? withAccents(first.text, second.text) : null
  if (accented !== null) return { ...surer, text: accented }
  const other = surer === first ? second : first
  if (other.confidence >= confidenceOfAdded && hasMoreMarks(other.text, surer.text))
    return { ...surer, text: other.text }
  return surer
}

/** A word with the accents of either reading, preferring the first; null when they differ in more than accents. */
function withAccents(first: string, second: string): string | null {
  const [one, other] = [[...first.normalize('NFC')], [...second.normalize('NFC')]]
  if (one.length !== other.length || !one.every((letter, at) => bare(letter) === bare(other[at] ?? ''))) return null
  // A single capital is more likely a symbol of an account or column than a word.
  if (one.length === 1 && /\p{Lu}/u.test(first) && one[0] !== other[0]) return bare(first)
  return one.map((letter, at) => (letter === bare(letter) ? (other[at] ?? letter) : letter)).join('')
}

const bare = (letter: string): string => letter.normalize('NFD').replace(/\p{M}/gu, '')

/** True when a number equals another one but has more marks between its digits: OCR misses marks but does not invent them. */
function hasMoreMarks(text: string, other: string): boolean {
  const plain = (of: string): string => of.replace(/(?<=\d)[.,/:-](?=\d)/g, '')
  return text.length > other.length && plain(text) === plain(other)
}

/** The share of letters, as positions in page fractions, that no word covers; 0 without letters. */
export function missedShare(places: readonly { x: number; y: number }[], words: readonly SeenWord[]): number {
  return places.length === 0 ? 0 : unreadPlaces(places, words).length / places.length
}

/** The positions, in page fractions, that no word covers. */
export function unreadPlaces<Place extends { readonly x: number; readonly y: number }>(
  places: readonly Place[],
  words: readonly SeenWord[],
): Place[] {
  const rows = new Rows(words)
  return places.filter((place) => !rows.holds(place))
}

/** The known words, plus the seen words that overlap none of them. */
export function addUnseen(known: readonly SeenWord[], seen: readonly SeenWord[]): SeenWord[] {
  if (known.length === 0) return [...seen]
  const rows = new Rows(known)
  return [...known, ...seen.filter((word) => rows.overlapping(word).length === 0)]
}

/** Words as a reading, with its value and confidence. */
export function ocrResultOf(words: readonly SeenWord[]): OcrResult {
  let worth = 0
  let characters = 0
  for (const word of words) {
    const length = word.text.replace(/[^\p{L}\p{N}]/gu, '').length
    worth += length * word.confidence
    characters += length
  }
  return { words, worth, confidence: characters > 0 ? worth / characters : 0 }
}

function isWord({ text, confidence, left, top, right, bottom }: RecognisedWord): boolean {
  return text.trim() !== '' && confidence >= confidenceMin * 100 && right > left && bottom > top
}

/** True when two overlapping words have nearly the same width, so that neither is a part of the other. */
function sameSize(one: SeenWord, other: SeenWord): boolean {
  const ratio = one.box[2] / other.box[2]
  return ratio > 0.75 && ratio < 1.33
}

/** Words indexed by height on the page, to find overlapping ones. */
class Rows {
  readonly #cells = new Map<number, SeenWord[]>()
  static readonly #rows = 200

  constructor(words: readonly SeenWord[]) {
    for (const word of words) {
      for (const row of Rows.#rowsOf(word)) {
        const cell = this.#cells.get(row)
        if (cell === undefined) this.#cells.set(row, [word])
        else cell.push(word)
      }
    }
  }

  overlapping(word: SeenWord): SeenWord[] {
    const found = new Set<SeenWord>()
    for (const row of Rows.#rowsOf(word)) {
      for (const other of this.#cells.get(row) ?? []) if (overlap(word.box, other.box) > 0.3) found.add(other)
    }
    return [...found]
  }

  holds({ x, y }: { x: number; y: number }): boolean {
    const there = this.#cells.get(Math.floor(y * Rows.#rows)) ?? []
    return there.some(({ box: [left, top, w, h] }) => x >= left && x <= left + w && y >= top && y <= top + h)
  }

  static *#rowsOf({ box: [, y, , h] }: SeenWord): Generator<number> {
    for (let row = Math.floor(y * Rows.#rows); row <= Math.floor((y + h) * Rows.#rows); row += 1) yield row
  }
}

/** The common area of two boxes as a share of the smaller one. */
function overlap([ax, ay, aw, ah]: Box, [bx, by, bw, bh]: Box): number {
  const w = Math.min(ax + aw, bx + bw) - Math.max(ax, bx)
  const h = Math.min(ay + ah, by + bh) - Math.max(ay, by)
  return w > 0 && h > 0 ? (w * h) / Math.min(aw * ah, bw * bh) : 0
}
