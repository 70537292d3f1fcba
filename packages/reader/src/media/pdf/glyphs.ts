import type { Pdfium, Pointer } from './pdfium.ts'

/** A character of a text layer on the page as displayed: points, origin top left, y downwards. */
export interface Glyph {
  readonly text: string
  /** The bounding box of its ink; zero-sized for white space. */
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
  /** The distance along the line from its origin to that of the next character, in points. */
  readonly advance: number
  /** The origin of the character on its baseline. */
  readonly originX: number
  readonly originY: number
  /** Unit vector of the writing direction; (1, 0) for upright text. */
  readonly runX: number
  readonly runY: number
  /** The type size in points; 0 when the font has no useful value. */
  readonly size: number
  /** A space or line end from the file (`written`), or one that PDFium inferred from a gap (`guessed`). */
  readonly blank: 'none' | 'written' | 'guessed'
  /** True when the font does not map this glyph to a character: the text is a guess. */
  readonly unmapped: boolean
  /** The text object that draws it; 0 for what PDFium added. */
  readonly object: Pointer
}

/** How a text object is painted. */
export interface TextPaint {
  readonly mode: 'invisible' | 'drawn'
  readonly fill: readonly [red: number, green: number, blue: number]
  /** 0 (clear) to 255 (opaque). */
  readonly alpha: number
  /** True for optional content, which may be switched off. */
  readonly isOptional: boolean
}

/** The glyphs of a page in file order, and the page's displayed size in points. */
export interface GlyphPage {
  readonly width: number
  readonly height: number
  readonly glyphs: readonly Glyph[]
  /** By text object. */
  readonly paints: ReadonlyMap<Pointer, TextPaint>
  /** From the page's own space to displayed points. */
  readonly toDisplay: Matrix
}

const doubleBytes = 8
/** PDFium maps to whole device pixels; a device of this size keeps seven digits. */
const deviceSize = 1_000_000

const ligatures: Readonly<Record<number, string>> = {
  64256: 'ff',
  64257: 'fi',
  64258: 'fl',
  64259: 'ffi',
  64260: 'ffl',
  64261: 'st',
  64262: 'st',
}

/** The characters of one loaded page with their boxes, at most `glyphsMax`. */
export function readGlyphs(pdfium: Pdfium, page: Pointer, glyphsMax: number): GlyphPage {
  const width = pdfium._FPDF_GetPageWidth(page)
  const height = pdfium._FPDF_GetPageHeight(page)
  const scratch = pdfium.wasmExports.malloc(8 * doubleBytes)
  const textPage = pdfium._FPDFText_LoadPage(page)
  try {
    const toDisplay = displayMatrix(pdfium, { page, scratch, width, height })
    const paints = new Map<Pointer, TextPaint>()
    if (textPage === 0) return { width, height, glyphs: [], paints, toDisplay }
    const count = Math.min(pdfium._FPDFText_CountChars(textPage), glyphsMax)
    const reader = new GlyphReader(pdfium, { textPage, scratch, toDisplay }, count)
    const glyphs: Glyph[] = []
    for (let index = 0; index < count; index += 1) {
      const glyph = reader.read(index)
      if (glyph === undefined) continue
      glyphs.push(glyph)
      if (glyph.object !== 0 && !paints.has(glyph.object))
        paints.set(glyph.object, paintOf(pdfium, { textPage, scratch }, { index, object: glyph.object }))
    }
    return { width, height, glyphs, paints, toDisplay }
  } finally {
    if (textPage !== 0) pdfium._FPDFText_ClosePage(textPage)
    pdfium.wasmExports.free(scratch)
  }
}

/** x' = a·x + c·y + e, y' = b·x + d·y + f. */
export interface Matrix {
  readonly a: number
  readonly b: number
  readonly c: number
  readonly d: number
  readonly e: number
  readonly f: number
}

interface GlyphSource {
  readonly textPage: Pointer
  readonly scratch: Pointer
  readonly toDisplay: Matrix
}

/** Maps the page's own space (origin at the bottom, any rotation) to displayed points, including crop box and /Rotate. */
function displayMatrix(
  pdfium: Pdfium,
  { page, scratch, width, height }: { page: Pointer; scratch: Pointer; width: number; height: number },
): Matrix {
  const step = 1000
  const at = (x: number, y: number): readonly [number, number] => {
    pdfium._FPDF_PageToDevice(page, 0, 0, deviceSize, deviceSize, 0, x, y, scratch, scratch + 4)
    const view = new DataView(pdfium.HEAPU8.buffer, scratch, 8)
    return [(view.getInt32(0, true) / deviceSize) * width, (view.getInt32(4, true) / deviceSize) * height]
  }
  const [e, f] = at(0, 0)
  const [ax, bx] = at(step, 0)
  const [cx, dx] = at(0, step)
  return { a: (ax - e) / step, b: (bx - f) / step, c: (cx - e) / step, d: (dx - f) / step, e, f }
}

/** So many numbers of each character lie together: those that `PageGlyph` gives. */
const numbersOfGlyph = 7

/** What the characters of a text object share. */
interface Run {
  readonly runX: number
  readonly runY: number
  readonly size: number
  readonly isAcross: boolean
}

/** A character whose numbers lie among those of its page: as properties they would take four times the memory. */
class PageGlyph implements Glyph {
  readonly text: string
  readonly blank: Glyph['blank']
  readonly unmapped: boolean
  readonly object: Pointer
  private readonly run: Run
  private readonly numbers: Float64Array
  private readonly at: number

  constructor(
    { text, blank, unmapped, object }: Pick<Glyph, 'text' | 'blank' | 'unmapped' | 'object'>,
    run: Run,
    numbers: Float64Array,
    at: number,
  ) {
    this.text = text
    this.blank = blank
    this.unmapped = unmapped
    this.object = object
    this.run = run
    this.numbers = numbers
    this.at = at
  }

  get left(): number {
    return this.numbers[this.at] as number
  }
  get top(): number {
    return this.numbers[this.at + 1] as number
  }
  get right(): number {
    return this.numbers[this.at + 2] as number
  }
  get bottom(): number {
    return this.numbers[this.at + 3] as number
  }
  get originX(): number {
    return this.numbers[this.at + 4] as number
  }
  get originY(): number {
    return this.numbers[this.at + 5] as number
  }
  get advance(): number {
    return this.numbers[this.at + 6] as number
  }
  get runX(): number {
    return this.run.runX
  }
  get runY(): number {
    return this.run.runY
  }
  get size(): number {
    return this.run.size
  }
}

/** Reads the characters of one page. */
class GlyphReader {
  readonly #pdfium: Pdfium
  readonly #source: GlyphSource
  readonly #numbers: Float64Array
  #doubles: Float64Array = new Float64Array(0)
  #floats: Float32Array = new Float32Array(0)
  /** The text object of the character before, and what its characters share. */
  #object: Pointer = 0
  #run: Run | undefined

  constructor(pdfium: Pdfium, source: GlyphSource, count: number) {
    this.#pdfium = pdfium
    this.#source = source
    this.#numbers = new Float64Array(count * numbersOfGlyph)
  }

  read(index: number): Glyph | undefined {
    const pdfium = this.#pdfium
    const { textPage, scratch, toDisplay } = this.#source
    const text = characterOf(pdfium._FPDFText_GetUnicode(textPage, index))
    if (text === undefined) return undefined
    const guessed = pdfium._FPDFText_IsGenerated(textPage, index) === 1
    const blank = isBlank(text) ? (guessed ? 'guessed' : 'written') : 'none'
    const object = guessed ? 0 : pdfium._FPDFText_GetTextObject(textPage, index)
    const run = this.#runOf(index, object)

    pdfium._FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)
    pdfium._FPDFText_GetCharOrigin(textPage, index, scratch + 32, scratch + 40)
    this.#lookAtMemory()
    const doubles = this.#doubles
    // One by one: lists of them would be made anew for each character.
    const left = numberIn(doubles, 0)
    const right = numberIn(doubles, 1)
    const bottom = numberIn(doubles, 2)
    const top = numberIn(doubles, 3)
    const originX = numberIn(doubles, 4)
    const originY = numberIn(doubles, 5)
    const x0 = xOf(toDisplay, left, bottom)
    const y0 = yOf(toDisplay, left, bottom)
    const x1 = xOf(toDisplay, right, top)
    const y1 = yOf(toDisplay, right, top)
    const at = index * numbersOfGlyph
    const numbers = this.#numbers
    numbers[at] = Math.min(x0, x1)
    numbers[at + 1] = Math.min(y0, y1)
    numbers[at + 2] = Math.max(x0, x1)
    numbers[at + 3] = Math.max(y0, y1)
    numbers[at + 4] = xOf(toDisplay, originX, originY)
    numbers[at + 5] = yOf(toDisplay, originX, originY)
    numbers[at + 6] = this.#advanceOf(index, run)
    const unmapped = !guessed && pdfium._FPDFText_HasUnicodeMapError(textPage, index) === 1
    return new PageGlyph({ text, blank, unmapped, object }, run, numbers, at)
  }

  /** What PDFium wrote to the scratch memory is seen through new arrays when its memory grew. */
  #lookAtMemory(): void {
    const { buffer } = this.#pdfium.HEAPU8
    if (this.#doubles.buffer === buffer) return
    this.#doubles = new Float64Array(buffer, this.#source.scratch, 8)
    this.#floats = new Float32Array(buffer, this.#source.scratch, 4)
  }

  #runOf(index: number, object: Pointer): Run {
    if (this.#run !== undefined && object !== 0 && object === this.#object) return this.#run
    const { textPage, scratch, toDisplay } = this.#source
    const isKnown = this.#pdfium._FPDFText_GetMatrix(textPage, index, scratch) === 1
    this.#lookAtMemory()
    // The linear part of the matrix from font space to page space.
    const [ma, mb, mc, md] = isKnown ? this.#floats : [1, 0, 0, 1]
    const [alongX, alongY] = turn(toDisplay, ma, mb)
    const length = Math.hypot(alongX, alongY)
    const upright = Math.hypot(...turn(toDisplay, mc, md))
    this.#object = object
    this.#run = {
      runX: length > 0 ? alongX / length : 1,
      runY: length > 0 ? alongY / length : 0,
      size: this.#pdfium._FPDFText_GetFontSize(textPage, index) * upright,
      isAcross: Math.abs(alongX) >= Math.abs(alongY),
    }
    return this.#run
  }

  /** The advance width by the font, in displayed points; 0 when unknown. */
  #advanceOf(index: number, { isAcross }: Run): number {
    const { textPage, scratch, toDisplay } = this.#source
    if (this.#pdfium._FPDFText_GetLooseCharBox(textPage, index, scratch) !== 1) return 0
    this.#lookAtMemory()
    const floats = this.#floats
    const x0 = numberIn(floats, 0)
    const y0 = numberIn(floats, 1)
    const x1 = numberIn(floats, 2)
    const y1 = numberIn(floats, 3)
    return isAcross
      ? Math.abs(xOf(toDisplay, x1, y1) - xOf(toDisplay, x0, y0))
      : Math.abs(yOf(toDisplay, x1, y1) - yOf(toDisplay, x0, y0))
  }
}

const numberIn = (numbers: Float64Array | Float32Array, at: number): number => numbers[at] as number

/** A direction of the page's own space on the page as displayed. */
const turn = ({ a, b, c, d }: Matrix, x = 0, y = 0): readonly [number, number] => [a * x + c * y, b * x + d * y]

const isBlank = (text: string): boolean => text === ' ' || (text > '~' && /^\s$/u.test(text))

/** Text render modes of PDF 1.7, section 9.3.6: neither filled nor stroked. */
const unpaintedModes = [3, 7]
/** Strokes its outlines without filling them. */
const strokeModes = [1, 5]

function paintOf(
  pdfium: Pdfium,
  { textPage, scratch }: Pick<GlyphSource, 'textPage' | 'scratch'>,
  { index, object }: { readonly index: number; readonly object: Pointer },
): TextPaint {
  const mode = pdfium._FPDFTextObj_GetTextRenderMode(object)
  const colourOf = strokeModes.includes(mode) ? pdfium._FPDFText_GetStrokeColor : pdfium._FPDFText_GetFillColor
  const isKnown = colourOf(textPage, index, scratch, scratch + 4, scratch + 8, scratch + 12) === 1
  const view = new DataView(pdfium.HEAPU8.buffer, scratch, 16)
  const [red, green, blue, alpha] = isKnown
    ? [view.getUint32(0, true), view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)]
    : [0, 0, 0, 255]
  return {
    mode: unpaintedModes.includes(mode) ? 'invisible' : 'drawn',
    fill: [red, green, blue],
    alpha,
    isOptional: isOptional(pdfium, object, scratch),
  }
}

/** The tag of optional content, PDF 1.7, section 8.11.3.2, in UTF-16 with its closing zero. */
const optionalTag = 'OC\0'
const marksMax = 16

function isOptional(pdfium: Pdfium, object: Pointer, scratch: Pointer): boolean {
  const count = Math.min(pdfium._FPDFPageObj_CountMarks(object), marksMax)
  const bytes = optionalTag.length * 2
  for (let index = 0; index < count; index += 1) {
    const mark = pdfium._FPDFPageObj_GetMark(object, index)
    // A longer tag is not written.
    pdfium.HEAPU8.fill(0, scratch, scratch + bytes)
    if (pdfium._FPDFPageObjMark_GetName(mark, scratch, bytes, scratch + bytes) !== 1) continue
    const tag = Buffer.from(pdfium.HEAPU8.slice(scratch, scratch + bytes)).toString('utf16le')
    if (tag === optionalTag) return true
  }
  return false
}

const xOf = (matrix: Matrix, x: number, y: number): number => matrix.a * x + matrix.c * y + matrix.e
const yOf = (matrix: Matrix, x: number, y: number): number => matrix.b * x + matrix.d * y + matrix.f

export const apply = (matrix: Matrix, x: number, y: number): readonly [number, number] => [
  xOf(matrix, x, y),
  yOf(matrix, x, y),
]

/** The text of a PDFium code point; undefined when it is no character. */
function characterOf(code: number): string | undefined {
  // PDFium returns a hyphen at the end of a line as STX; a soft hyphen in the file is a printed one.
  if (code === 0x02 || code === 0xfffe || code === 0xad) return '-'
  if (code === 0x09 || code === 0x0a || code === 0x0d || code === 0xa0) return ' '
  if (code === 0x200b || code === 0xfeff) return undefined
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return undefined
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  return ligatures[code] ?? String.fromCodePoint(code)
}
