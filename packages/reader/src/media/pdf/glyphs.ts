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
const floatBytes = 4
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
    const glyphs: Glyph[] = []
    for (let index = 0; index < count; index += 1) {
      const glyph = readGlyph(pdfium, { textPage, scratch, toDisplay }, index)
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

function readGlyph(pdfium: Pdfium, source: GlyphSource, index: number): Glyph | undefined {
  const { textPage, scratch, toDisplay } = source
  const text = characterOf(pdfium._FPDFText_GetUnicode(textPage, index))
  if (text === undefined) return undefined
  const guessed = pdfium._FPDFText_IsGenerated(textPage, index) === 1
  const blank = /^\s$/u.test(text) ? (guessed ? 'guessed' : 'written') : 'none'

  pdfium._FPDFText_GetCharBox(textPage, index, scratch, scratch + 8, scratch + 16, scratch + 24)
  pdfium._FPDFText_GetCharOrigin(textPage, index, scratch + 32, scratch + 40)
  const doubles = new DataView(pdfium.HEAPU8.buffer, scratch, 6 * doubleBytes)
  const numberAt = (at: number): number => doubles.getFloat64(at * doubleBytes, true)
  const [left, right, bottom, top] = [numberAt(0), numberAt(1), numberAt(2), numberAt(3)]
  const [originX, originY] = [numberAt(4), numberAt(5)]
  const [x0, y0] = apply(toDisplay, left, bottom)
  const [x1, y1] = apply(toDisplay, right, top)
  const [baseX, baseY] = apply(toDisplay, originX, originY)

  const [ma, mb, mc, md] = matrixOf(pdfium, { textPage, scratch }, index)
  const runX = toDisplay.a * ma + toDisplay.c * mb
  const runY = toDisplay.b * ma + toDisplay.d * mb
  const run = Math.hypot(runX, runY)
  const upright = Math.hypot(toDisplay.a * mc + toDisplay.c * md, toDisplay.b * mc + toDisplay.d * md)
  const box = { left: Math.min(x0, x1), top: Math.min(y0, y1), right: Math.max(x0, x1), bottom: Math.max(y0, y1) }
  return {
    text,
    ...box,
    advance: advanceOf(pdfium, { ...source, isAcross: Math.abs(runX) >= Math.abs(runY) }, index),
    originX: baseX,
    originY: baseY,
    runX: run > 0 ? runX / run : 1,
    runY: run > 0 ? runY / run : 0,
    size: pdfium._FPDFText_GetFontSize(textPage, index) * upright,
    blank,
    unmapped: !guessed && pdfium._FPDFText_HasUnicodeMapError(textPage, index) === 1,
    object: guessed ? 0 : pdfium._FPDFText_GetTextObject(textPage, index),
  }
}

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

/** The linear part of the matrix from font space to page space. */
function matrixOf(
  pdfium: Pdfium,
  { textPage, scratch }: Pick<GlyphSource, 'textPage' | 'scratch'>,
  index: number,
): readonly [number, number, number, number] {
  if (pdfium._FPDFText_GetMatrix(textPage, index, scratch) !== 1) return [1, 0, 0, 1]
  const view = new DataView(pdfium.HEAPU8.buffer, scratch, 4 * floatBytes)
  return [view.getFloat32(0, true), view.getFloat32(4, true), view.getFloat32(8, true), view.getFloat32(12, true)]
}

/** The advance width by the font, in displayed points; 0 when unknown. */
function advanceOf(
  pdfium: Pdfium,
  { textPage, scratch, toDisplay, isAcross }: GlyphSource & { isAcross: boolean },
  index: number,
): number {
  if (pdfium._FPDFText_GetLooseCharBox(textPage, index, scratch) !== 1) return 0
  const view = new DataView(pdfium.HEAPU8.buffer, scratch, 4 * floatBytes)
  const [x0, y0] = apply(toDisplay, view.getFloat32(0, true), view.getFloat32(4, true))
  const [x1, y1] = apply(toDisplay, view.getFloat32(8, true), view.getFloat32(12, true))
  return isAcross ? Math.abs(x1 - x0) : Math.abs(y1 - y0)
}

export function apply(matrix: Matrix, x: number, y: number): readonly [number, number] {
  return [matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f]
}

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
