import { systemClock } from '../../kit/clock.ts'
import type { Page, UnreadPages } from '../document.ts'
import { unknownPage } from '../faults.ts'
import type { ReadLimits } from '../limits.ts'
import { decodeImage, openImage } from './decode.ts'
import type { Grey } from './grey.ts'
import { prepare, type Survey, soften, survey } from './prepare.ts'
import { mergeReadings, type Reading, readPrepared } from './reading.ts'
import { loadRecogniser, pageModes, type Recogniser } from './tesseract.ts'
import type { Turn } from './turn.ts'

/** Pixels at which a page is looked at first: A4 at about 225 dpi, where 10-point type is 22 pixels high. */
export const pageArea = 5_000_000
/** Pixels of a second look where letters were too small in the first. */
const closeArea = 16_000_000
/** Letters below this height in a shrunken picture call for the closer look. */
const letterHeightMin = 12
/** A reading below this confidence may be upside down. */
const doubtOfTurn = 0.5
/** A reading below this confidence is read again in another way. */
const doubtOfWords = 0.88

type PageReading = Pick<Page, 'words' | 'turnedDegrees'>

/** What an image file gave. */
export interface ImageReading {
  readonly pageCount: number
  readonly pages: readonly Page[]
  readonly unread: readonly UnreadPages[]
}

/**
 * Reads the words of an image file, page by page where it has pages. Boxes are those of the picture as it is shown, turned as
 * its EXIF says. Throws Fault `unsupported_input`, `unreadable_document`, `unknown_page`, `input_too_costly`.
 */
export async function readImage(
  file: { bytes: Uint8Array; mediaType: string },
  { pageIndices, limits }: { pageIndices?: readonly number[]; limits: ReadLimits },
): Promise<ImageReading> {
  const image = await openImage(file, limits.pixelsMax)
  const { width, height, pageCount } = image
  const wanted = pageIndices ?? Array.from({ length: pageCount }, (_, index) => index)
  const missing = wanted.find((index) => index < 0 || index >= pageCount)
  if (missing !== undefined) throw unknownPage(missing, pageCount)
  const pages: Page[] = []
  for (const index of wanted.slice(0, limits.ocrPagesMax)) {
    const look = (areaMax: number): Promise<Grey> => decodeImage(image, { page: index, areaMax })
    pages.push({ index, width, height, source: 'ocr', ...(await readPicture(look, limits)) })
  }
  const later = wanted.slice(limits.ocrPagesMax)
  const reason = `more than ${limits.ocrPagesMax} pages are pictures`
  return { pageCount, pages, unread: later.length > 0 ? [{ indices: later, reason }] : [] }
}

/** Reads the words of one page; `look` gives its picture with at most so many pixels. */
export async function readPicture(
  look: (areaMax: number) => Promise<Grey>,
  { ocrPageMs }: ReadLimits,
): Promise<PageReading> {
  const until = systemClock.monotonicMs() + ocrPageMs
  const recogniser = await loadRecogniser()
  const first = await look(pageArea)
  let surveyed = survey(first)
  const shrunk = first.width * first.height > pageArea * 0.9
  if (shrunk && surveyed.letterHeight > 0 && surveyed.letterHeight < letterHeightMin) {
    surveyed = survey(await look(closeArea))
  }
  let best = await readTurned(recogniser, surveyed, surveyed.lying ? 1 : 0)
  if (best.reading.confidence < doubtOfTurn && systemClock.monotonicMs() < until) {
    const other = await readTurned(recogniser, surveyed, surveyed.lying ? 3 : 2)
    if (other.reading.worth > best.reading.worth) best = other
  }
  let { reading } = best
  if (reading.confidence < doubtOfWords && systemClock.monotonicMs() < until) {
    const soft = { ...best.prepared, picture: await soften(best.prepared.picture) }
    reading = mergeReadings(reading, readPrepared(recogniser, soft, pageModes.block))
  }
  const { quarters, leanDegrees } = best.prepared.turn
  return { words: reading.words, turnedDegrees: quarters * 90 + leanDegrees }
}

async function readTurned(
  recogniser: Recogniser,
  surveyed: Survey,
  quarters: Turn['quarters'],
): Promise<{ prepared: Awaited<ReturnType<typeof prepare>>; reading: Reading }> {
  const prepared = await prepare(surveyed, quarters)
  return { prepared, reading: readPrepared(recogniser, prepared, pageModes.column) }
}
