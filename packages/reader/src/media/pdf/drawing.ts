import type { Pdfium, Pointer } from './pdfium.ts'

/** Graphics on a page besides text. */
export interface Drawing {
  /** The number of lines, shapes, images and groups. */
  readonly objects: number
  /** The area of images in square points; overlaps count repeatedly. */
  readonly imageArea: number
}

/** The maximum number of objects examined per page: a scan has few, a map has a million. */
const objectsMax = 2_000
const typeText = 1
const typeImage = 3
const floatBytes = 4

/** Counts the graphics on a loaded page. */
export function drawingOf(pdfium: Pdfium, page: Pointer): Drawing {
  const scratch = pdfium.wasmExports.malloc(4 * floatBytes)
  try {
    const count = Math.min(pdfium._FPDFPage_CountObjects(page), objectsMax)
    let objects = 0
    let imageArea = 0
    for (let index = 0; index < count; index += 1) {
      const object = pdfium._FPDFPage_GetObject(page, index)
      const type = pdfium._FPDFPageObj_GetType(object)
      if (type !== typeText) objects += 1
      if (
        type === typeImage &&
        pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)
      ) {
        const view = new DataView(pdfium.HEAPU8.buffer, scratch, 4 * floatBytes)
        const [left, bottom, right, top] = [0, 4, 8, 12].map((at) => view.getFloat32(at, true))
        imageArea += Math.abs(((right ?? 0) - (left ?? 0)) * ((top ?? 0) - (bottom ?? 0)))
      }
    }
    return { objects, imageArea }
  } finally {
    pdfium.wasmExports.free(scratch)
  }
}
