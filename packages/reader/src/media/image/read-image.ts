import { assert } from '@skillrun/core/assert.ts'
import { languageOf, type PageLanguage } from '../../languages/page-language.ts'
import type { Page, UnreadPages, Word } from '../document.ts'
import { unknownPage } from '../faults.ts'
import { hashOfLook, type KnownPages, type RecognisedPage } from '../known-pages.ts'
import type { ReadLimits } from '../limits.ts'
import { decodeImage, openImage } from './decode.ts'
import { correctDigits } from './digits.ts'
import type { Grey } from './grey.ts'
import { modelsFor, spelled } from './language.ts'
import { placesOf, readMissed } from './missed.ts'
import { addUnseen, mergeOcrResults, missedShare, type OcrResult, readPrepared } from './ocr-result.ts'
import { letterHeights, type Prepared, prepare, type Survey, soften, straightened, survey } from './prepare.ts'
import { loadRecogniser, type MeteredRecogniser, metered, pageModes } from './tesseract.ts'
import type { Turn } from './turn.ts'

/** Pixels of the first pass: A4 at about 225 dpi, where 10-point type is 22 pixels high. */
const pageArea = 5_000_000
/** Pixels of the high-resolution pass, for letters that were too small in the first. */
const closeArea = 16_000_000
/** The images of a page that may be looked at, in order. */
const areas = [pageArea, closeArea]
/** Lower letters in a reduced image require the high-resolution pass. */
const letterHeightMin = 12
/**
 * With less than the first confidence a page may be upside down, with less than the second it may be rotated by a
 * quarter. Tables of figures read with up to 0.53 upside down; of 63 upright photographs of receipts one had less than 0.65.
 */
const doubtOfTurn = 0.65
const doubtOfAxis = 0.35
/** A reading with less confidence, or that misses more than this share of the letters, is repeated in other ways. */
const doubtOfWords = 0.9
const missedMax = 0.015

/** The result of reading an image file. */
export interface ImageReading {
  readonly pageCount: number
  readonly pages: readonly Page[]
  readonly unread: readonly UnreadPages[]
}

/**
 * Reads the words of an image file, page by page. Boxes refer to the image as displayed, after its EXIF orientation.
 * Throws Fault `unsupported_input`, `unreadable_document`, `unknown_page`, `input_too_costly`.
 */
export async function readImage(
  file: { bytes: Uint8Array; mediaType: string },
  { pageIndices, limits, known }: { pageIndices?: readonly number[]; limits: ReadLimits; known?: KnownPages },
): Promise<ImageReading> {
  const image = await openImage(file, limits.pixelsMax)
  const { width, height, pageCount } = image
  const wanted = pageIndices ?? Array.from({ length: pageCount }, (_, index) => index)
  const missing = wanted.find((index) => index < 0 || index >= pageCount)
  if (missing !== undefined) throw unknownPage(missing, pageCount)
  const pages: Page[] = []
  for (const index of wanted.slice(0, limits.ocrPagesMax)) {
    const look = (areaMax: number): Promise<Grey> => decodeImage(image, { page: index, areaMax })
    pages.push({ index, width, height, source: 'ocr', ...(await readPageImage(look, { limits, known })) })
  }
  const later = wanted.slice(limits.ocrPagesMax)
  const reason = `more than ${limits.ocrPagesMax} pages are images`
  return { pageCount, pages, unread: later.length > 0 ? [{ indices: later, reason }] : [] }
}

/** What reading an image may use besides it. */
interface ReadingHelp {
  readonly limits: Pick<ReadLimits, 'ocrPagePixels'>
  /** Pages that need not be read again. */
  readonly known?: KnownPages | undefined
  /** Words of a text layer, to which those of the image are added. */
  readonly words?: readonly Word[]
}

/** Reads the words of one page; `look` returns its image with at most the given number of pixels. */
export async function readPageImage(
  look: (areaMax: number) => Promise<Grey>,
  { limits: { ocrPagePixels }, known, words: layer = [] }: ReadingHelp,
): Promise<RecognisedPage> {
  const images: Grey[] = []
  const lookedAt: string[] = []
  const lookAt = async (number: number): Promise<Grey> => {
    const image = images[number] ?? (await look(areas[number] ?? closeArea))
    images[number] = image
    lookedAt[number] ??= hashOfLook(image, { known: layer, ocrPagePixels })
    return image
  }
  const same = await known?.find(async (number) => {
    await lookAt(number)
    return lookedAt[number] ?? ''
  })
  if (same !== undefined) return same
  const given = await surveyPage(lookAt)
  if (given.letters.length === 0) return { words: layer, turnedDegrees: 0, lookedAt }
  const straight = await straightened(given)
  const surveyed = straight?.surveyed ?? given
  const recogniser = metered(await loadRecogniser(), ocrPagePixels)
  const turned = await readTurned(recogniser, surveyed)
  const { words: read } = await readAgain(recogniser, { surveyed, ...turned })
  const seen = correctDigits(read, turned.prepared)
  const placed = straight ? seen.map((word) => ({ ...word, box: straight.boxOf(word.box) })) : seen
  const { quarters, leanDegrees } = turned.prepared.turn
  const turnedDegrees = quarters * 90 + leanDegrees + (straight?.degrees ?? 0)
  return { words: addUnseen(layer, placed), turnedDegrees, lookedAt }
}

async function surveyPage(look: (number: number) => Promise<Grey>): Promise<Survey> {
  const first = await look(0)
  const surveyed = survey(first)
  const isShrunk = first.width * first.height > pageArea * 0.9
  const isSmall = surveyed.letterHeight > 0 && surveyed.letterHeight < letterHeightMin
  return isShrunk && isSmall ? survey(await look(1)) : surveyed
}

interface TurnedReading {
  readonly prepared: Prepared
  readonly reading: OcrResult
}

/** The first reading, in the rotation that reads best; other rotations are tried only when the original reads badly. */
async function readTurned(recogniser: MeteredRecogniser, surveyed: Survey): Promise<TurnedReading> {
  const turns: readonly Turn['quarters'][] = surveyed.lying ? [1, 3, 0, 2] : [0, 2, 1, 3]
  let best: TurnedReading | undefined
  for (const [tried, quarters] of turns.entries()) {
    const doubt = tried < 2 ? doubtOfTurn : doubtOfAxis
    if (best !== undefined && (best.reading.confidence >= doubt || !recogniser.hasPixelsLeft())) break
    const prepared = await prepare(surveyed, { quarters, letterHeightWanted: letterHeights.first })
    const reading = await readPrepared(recogniser, prepared, { mode: pageModes.automatic, language: 'eng' })
    if (best === undefined || reading.worth > best.reading.worth) best = { prepared, reading }
  }
  assert(best !== undefined, 'a page is read in one turn at least')
  return best
}

const spelledReading = (reading: OcrResult, page: PageLanguage): OcrResult => ({
  ...reading,
  words: reading.words.map((word) => ({ ...word, text: spelled(word.text, page) })),
})

/**
 * Repeats an unsure reading in other ways and merges the results, in this order: in the page's language if it is not
 * English; letters outside all words, part by part; blurred and in high resolution, as one block, with another language
 * model, which reads the digits of poor print differently; then sparse text with a third model. On receipts and
 * invoices, each step found words that no other step found.
 */
async function readAgain(
  recogniser: MeteredRecogniser,
  { surveyed, prepared, reading }: TurnedReading & { surveyed: Survey },
): Promise<OcrResult> {
  const seen = placesOf(prepared)
  const isUnsure = ({ confidence, words }: OcrResult): boolean =>
    (confidence < doubtOfWords || missedShare(seen.places, words) > missedMax) && recogniser.hasPixelsLeft()
  const page = languageOf(reading.words)
  let best = reading
  for (const eyes of modelsFor[page]) {
    const own = await readPrepared(recogniser, prepared, { mode: pageModes.automatic, language: eyes })
    best = mergeOcrResults(spelledReading(own, page), best, { areAlike: true })
  }
  const language = modelsFor[page][0] ?? 'eng'
  if (missedShare(seen.places, best.words) > 0 && recogniser.hasPixelsLeft()) {
    best = mergeOcrResults(best, await readMissed(recogniser, { prepared, reading: best, seen, language }))
  }
  if (isUnsure(best)) {
    const { quarters } = prepared.turn
    const closer = await soften(await prepare(surveyed, { quarters, letterHeightWanted: letterHeights.closer }))
    const other = language === 'eng' ? 'deu' : language
    best = mergeOcrResults(best, await readPrepared(recogniser, closer, { mode: pageModes.block, language: other }))
  }
  if (isUnsure(best)) {
    const other = language === 'fra' ? 'deu' : 'fra'
    best = mergeOcrResults(best, await readPrepared(recogniser, prepared, { mode: pageModes.sparse, language: other }))
  }
  return best
}
