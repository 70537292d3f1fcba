import type { Box } from '../document.ts'
import type { Grey } from '../image/grey.ts'
import { loadRecogniser, pageModes, type Recogniser } from '../image/tesseract.ts'
import { loadFlatPage, type OpenPdf, withPdf } from './open-pdf.ts'
import { renderGrey } from './render.ts'

/** A text of a text layer, and where it stands. */
export interface PlacedText {
  readonly page: number
  readonly box: Box
  readonly text: string
}

/** Pixels of a drawn page: A3 at 300 dpi. */
const pagePixelsMax = 18_000_000
/** White around a cut-out, and how much of the page around the text is cut out with it, in heights of the text. */
const whiteAround = 0.6
const besideText = 0.35
const aboveText = 0.2
/** The width of a character is about half of its height; a text whose box is much narrower has several lines. */
const lineWidthMin = 0.2
/** Recognised twice, with models that fail differently: only what both see is believed. */
const models = ['eng', 'deu'] as const
const confidenceMin = 70
/** Texts without digits differ where more than this share of the letters does. */
const lettersDifferMin = 0.4
/** Fewer characters than this share of the text is no reading of it. */
const lengthMin = 0.5

/** For each place what the page as drawn says there, where that clearly differs from the text layer; else null. Places on pages that do not exist are null. */
export async function drawnOtherwise(
  bytes: Uint8Array,
  places: readonly PlacedText[],
): Promise<readonly (string | null)[]> {
  const recogniser = await loadRecogniser()
  return withPdf(bytes, async (pdf) => {
    const found: (string | null)[] = places.map(() => null)
    for (const page of new Set(places.map((place) => place.page))) {
      const drawn = page < pdf.pageCount ? drawPage(pdf, page) : undefined
      if (drawn === undefined) continue
      for (const [at, place] of places.entries())
        if (place.page === page) found[at] = await otherwise(recogniser, drawn, place)
    }
    return found
  })
}

function drawPage(pdf: OpenPdf, index: number): Grey | undefined {
  const { pdfium } = pdf
  const page = loadFlatPage(pdf, index)
  if (page === 0) return undefined
  try {
    const size = { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) }
    return renderGrey(pdfium, { page, ...size }, pagePixelsMax)
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

async function otherwise(recogniser: Recogniser, page: Grey, place: PlacedText): Promise<string | null> {
  const said = plain(place.text)
  const picture = cutOut(page, place.box)
  if (said === '' || picture === undefined) return null
  const [, , w, h] = place.box
  const isLine = w * page.width > h * page.height * place.text.length * lineWidthMin
  const seen: { text: string; piece: string; differing: number }[] = []
  for (const language of models) {
    const words = await recogniser.recognise({ picture, mode: isLine ? pageModes.line : pageModes.block, language })
    const text = words
      .map((word) => word.text)
      .join(' ')
      .trim()
    const nearest = nearestPart(plain(text), said)
    if (nearest.differing === 0 || nearest.piece.length < said.length * lengthMin) return null
    if (words.some(({ confidence }) => confidence < confidenceMin)) return null
    seen.push({ text, ...nearest })
  }
  const [first, second] = seen
  if (first === undefined || second === undefined) return null
  const isOther = /\d/.test(place.text)
    ? first.piece === second.piece
    : seen.every(({ differing }) => differing > said.length * lettersDifferMin)
  return isOther ? first.text : null
}

/** A part of a page on white. */
function cutOut({ width, height, pixels }: Grey, [x, y, w, h]: Box): Grey | undefined {
  const high = h * height
  const left = Math.max(0, Math.floor(x * width - besideText * high))
  const right = Math.min(width, Math.ceil((x + w) * width + besideText * high))
  const top = Math.max(0, Math.floor(y * height - aboveText * high))
  const bottom = Math.min(height, Math.ceil((y + h) * height + aboveText * high))
  if (right <= left || bottom <= top) return undefined
  const space = Math.ceil(whiteAround * high)
  const size = { width: right - left + 2 * space, height: bottom - top + 2 * space }
  const cut = new Uint8Array(size.width * size.height).fill(255)
  for (let row = top; row < bottom; row += 1)
    cut.set(pixels.subarray(row * width + left, row * width + right), (row - top + space) * size.width + space)
  return { ...size, pixels: cut }
}

/** Characters that OCR takes for each other count as the same. */
const alike: Readonly<Record<string, string>> = {
  o: '0',
  q: '0',
  d: '0',
  i: '1',
  l: '1',
  s: '5',
  b: '8',
  z: '2',
  g: '6',
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[|!]/g, '1')
    .replace(/€/g, 'e')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[oqdilsbzg]/g, (letter) => alike[letter] ?? letter)

/** The part of `text` that is most like `wanted`, and the number of characters to change, add or remove between them. */
function nearestPart(text: string, wanted: string): { readonly piece: string; readonly differing: number } {
  // Sellers, "The theory and computation of evolutionary distances", 1980: an alignment may start and end anywhere in the text.
  let row = Array.from({ length: text.length + 1 }, (_, at) => ({ cost: 0, from: at }))
  for (const [index, letter] of [...wanted].entries()) {
    const next = [{ cost: index + 1, from: 0 }]
    for (let at = 1; at <= text.length; at += 1) {
      const [diagonal, above, before] = [row[at - 1], row[at], next[at - 1]]
      const options = [
        { cost: (diagonal?.cost ?? 0) + (text[at - 1] === letter ? 0 : 1), from: diagonal?.from ?? 0 },
        { cost: (above?.cost ?? 0) + 1, from: above?.from ?? 0 },
        { cost: (before?.cost ?? 0) + 1, from: before?.from ?? 0 },
      ]
      next.push(options.reduce((best, option) => (option.cost < best.cost ? option : best)))
    }
    row = next
  }
  let end = 0
  for (const [at, { cost }] of row.entries()) if (cost < (row[end]?.cost ?? 0)) end = at
  return { piece: text.slice(row[end]?.from ?? 0, end), differing: row[end]?.cost ?? 0 }
}
