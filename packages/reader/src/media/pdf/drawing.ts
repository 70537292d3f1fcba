import { apply, type GlyphPage } from './glyphs.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

/** Graphics on a page besides text. */
export interface Drawing {
  /** The number of lines, shapes, images and groups. */
  readonly objects: number
  /** The area of images in square points; overlaps count repeatedly. */
  readonly imageArea: number
}

/** The maximum number of objects counted per page: a scan has few, a map has a million. */
const countedMax = 2_000
/** The maximum number of objects examined for what lies over text. */
const placedMax = 100_000
const typeText = 1
const typeImage = 3
const floatBytes = 4

/** Counts the graphics on a loaded page. */
export function drawingOf(pdfium: Pdfium, page: Pointer): Drawing {
  const scratch = pdfium.wasmExports.malloc(4 * floatBytes)
  try {
    const count = Math.min(pdfium._FPDFPage_CountObjects(page), countedMax)
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

/** Something drawn on a page, where it is displayed. */
export interface PlacedObject {
  readonly object: Pointer
  /** Later objects are drawn over earlier ones. */
  readonly order: number
  readonly kind: 'text' | 'image' | 'shape' | 'group'
  /** Displayed points, y downwards. */
  readonly bounds: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number }
  /** The colour that a shape is filled with. */
  readonly fill?: readonly [red: number, green: number, blue: number]
}

const typePath = 2
/** By PDFium's number of the type. */
const kinds: readonly (PlacedObject['kind'] | undefined)[] = [undefined, 'text', 'shape', 'image', 'shape', 'group']
/** Smaller shapes, in square points, cover no word; lines are not filled. */
const coverAreaMin = 8

/** The text objects of a page, and what may lie over or under text: images, shadings and filled shapes. */
export function drawingBounds(
  pdfium: Pdfium,
  page: Pointer,
  { toDisplay }: Pick<GlyphPage, 'toDisplay'>,
): PlacedObject[] {
  const scratch = pdfium.wasmExports.malloc(4 * floatBytes)
  const numbers = (): DataView => new DataView(pdfium.HEAPU8.buffer, scratch, 4 * floatBytes)
  try {
    const count = Math.min(pdfium._FPDFPage_CountObjects(page), placedMax)
    const found: PlacedObject[] = []
    for (let order = 0; order < count; order += 1) {
      const object = pdfium._FPDFPage_GetObject(page, order)
      const type = pdfium._FPDFPageObj_GetType(object)
      const kind = kinds[type]
      if (kind === undefined) continue
      if (type === typePath) {
        if (pdfium._FPDFPath_GetDrawMode(object, scratch, scratch + 4) !== 1 || numbers().getInt32(0, true) === 0)
          continue
      }
      if (!pdfium._FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12)) continue
      const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => numbers().getFloat32(at, true))
      const [x0, y0] = apply(toDisplay, left, bottom)
      const [x1, y1] = apply(toDisplay, right, top)
      const bounds = {
        left: Math.min(x0, x1),
        top: Math.min(y0, y1),
        right: Math.max(x0, x1),
        bottom: Math.max(y0, y1),
      }
      if (kind !== 'text' && (bounds.right - bounds.left) * (bounds.bottom - bounds.top) < coverAreaMin) continue
      const isFilled =
        type === typePath &&
        pdfium._FPDFPageObj_GetFillColor(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 1
      const [red = 0, green = 0, blue = 0] = [0, 4, 8].map((at) => numbers().getUint32(at, true))
      found.push({ object, order, kind, bounds, ...(isFilled && { fill: [red, green, blue] as const }) })
    }
    return found
  } finally {
    pdfium.wasmExports.free(scratch)
  }
}
