import { damaged, tooLarge } from '../faults.ts'
import { loadFlatPage, type OpenPdf } from './open-pdf.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

const bytesPerPixel = 4
const bitmapBgra = 4
const white = 0xff
const renderAnnotations = 0x01
const reverseByteOrder = 0x10

/** A page in colour: four bytes per pixel (red, green, blue, alpha), rows from the top. */
export interface Colour {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Renders page `page` with a width of `width` pixels, reduced to at most `areaMax` pixels in total. */
export function renderColour(pdf: OpenPdf, request: { page: number; width: number }, areaMax: number): Colour {
  const { pdfium } = pdf
  const page = loadFlatPage(pdf, request.page)
  if (page === 0) throw damaged('This page of the PDF is damaged.')
  try {
    const ratio = pdfium._FPDF_GetPageHeight(page) / Math.max(1e-3, pdfium._FPDF_GetPageWidth(page))
    const width = Math.max(1, Math.round(Math.min(request.width, Math.sqrt(areaMax / Math.max(1e-3, ratio)))))
    const height = Math.max(1, Math.min(Math.round(width * ratio), Math.floor(areaMax / width)))
    const whole = { left: 0, top: 0, width, height }
    return withDrawing(pdfium, page, { whole, part: whole }, (drawn) => ({ ...drawn, pixels: drawn.pixels.slice() }))
  } finally {
    pdfium._FPDF_ClosePage(page)
  }
}

/** Pixels of a drawn page. */
export interface Area {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/**
 * Draws part of a loaded page for `look`, as it is in a drawing of the whole page. The pixels are those in PDFium's memory, so take them
 * anew after any other call of PDFium.
 */
export function withDrawing<Result>(
  pdfium: Pdfium,
  page: Pointer,
  { whole, part: { left, top, width, height } }: { readonly whole: Area; readonly part: Area },
  look: (drawn: Colour) => Result,
): Result {
  const stride = width * bytesPerPixel
  const data = pdfium.wasmExports.malloc(stride * height)
  if (data === 0) throw tooLarge('A page of the PDF is too large to be drawn.')
  try {
    pdfium.HEAPU8.fill(white, data, data + stride * height)
    const bitmap = pdfium._FPDFBitmap_CreateEx(width, height, bitmapBgra, data, stride)
    const flags = renderAnnotations | reverseByteOrder
    pdfium._FPDF_RenderPageBitmap(bitmap, page, -left, -top, whole.width, whole.height, 0, flags)
    pdfium._FPDFBitmap_Destroy(bitmap)
    return look({
      width,
      height,
      get pixels() {
        return pdfium.HEAPU8.subarray(data, data + stride * height)
      },
    })
  } finally {
    pdfium.wasmExports.free(data)
  }
}
