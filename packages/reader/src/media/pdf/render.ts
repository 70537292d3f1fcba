import { tooLarge } from '../faults.ts'
import type { Grey } from '../image/grey.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

/** Tesseract's models were trained near 300 dpi. */
const dotsPerInch = 300
const pointsPerInch = 72
const bitmapGrey = 1
const white = 0xff
const renderAnnotations = 0x01
const renderGreyscale = 0x08

/** Renders a loaded page of `width` × `height` points in grey at 300 dpi, reduced to at most `areaMax` pixels. */
export function renderGrey(
  pdfium: Pdfium,
  { page, width, height }: { page: Pointer; width: number; height: number },
  areaMax: number,
): Grey {
  const wanted = dotsPerInch / pointsPerInch
  const scale = Math.min(wanted, Math.sqrt(areaMax / Math.max(1, width * height)))
  const columns = Math.max(1, Math.round(width * scale))
  const rows = Math.max(1, Math.round(height * scale))
  const data = pdfium.wasmExports.malloc(columns * rows)
  if (data === 0) throw tooLarge('A page of the PDF is too large to be drawn.')
  try {
    pdfium.HEAPU8.fill(white, data, data + columns * rows)
    const bitmap = pdfium._FPDFBitmap_CreateEx(columns, rows, bitmapGrey, data, columns)
    pdfium._FPDF_RenderPageBitmap(bitmap, page, 0, 0, columns, rows, 0, renderAnnotations | renderGreyscale)
    pdfium._FPDFBitmap_Destroy(bitmap)
    return { width: columns, height: rows, pixels: pdfium.HEAPU8.slice(data, data + columns * rows) }
  } finally {
    pdfium.wasmExports.free(data)
  }
}
