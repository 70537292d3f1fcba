import type { Box } from '../document.ts'
import { apply, type GlyphPage, type Matrix } from './glyphs.ts'
import type { Pdfium, Pointer } from './pdfium.ts'

/** The maximum number of objects and of parts of lines examined per page: a drawing or a map has more, and no table. */
const objectsMax = 4_000
const partsMax = 12_000
const typePath = 2
/** A rule is thinner than this many points and longer than the second figure. */
const thickMax = 3
const lengthMin = 6
/** The minimum number of rules in each direction: fewer enclose no two rows of two cells. */
const rulesMin = 3
const moveTo = 2
const lineTo = 0

const rounded = (share: number): number => Math.round(share * 1e5) / 1e5

interface Point {
  readonly x: number
  readonly y: number
}

/** The horizontal and vertical rules of a page as boxes without width or height; empty where they cannot make a table. */
export function rulesOn(pdfium: Pdfium, page: Pointer, { toDisplay, width, height }: GlyphPage): Box[] {
  const count = pdfium._FPDFPage_CountObjects(page)
  if (count > objectsMax) return []
  const rules: Box[] = []
  let parts = 0
  const add = (a: Point, b: Point): void => {
    const [w, h] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)]
    if (Math.min(w, h) > thickMax / 2 || Math.max(w, h) < lengthMin) return
    const isLevel = w > h
    const [x, y] = isLevel ? [Math.min(a.x, b.x), (a.y + b.y) / 2] : [(a.x + b.x) / 2, Math.min(a.y, b.y)]
    rules.push([
      rounded(x / width),
      rounded(y / height),
      isLevel ? rounded(w / width) : 0,
      isLevel ? 0 : rounded(h / height),
    ])
  }
  const scratch = pdfium.wasmExports.malloc(24)
  try {
    for (let at = 0; at < count; at += 1) {
      const object = pdfium._FPDFPage_GetObject(page, at)
      if (pdfium._FPDFPageObj_GetType(object) !== typePath) continue
      if (pdfium._FPDFPath_GetDrawMode(object, scratch, scratch + 4) !== 1) continue
      const view = new DataView(pdfium.HEAPU8.buffer, scratch, 8)
      const [isFilled, isStroked] = [view.getInt32(0, true) !== 0, view.getInt32(4, true) !== 0]
      if (!isFilled && !isStroked) continue
      parts += pdfium._FPDFPath_CountSegments(object)
      if (parts > partsMax) return []
      for (const outline of outlinesOf(pdfium, object, { scratch, toDisplay })) {
        const long = longSides(outline)
        // A thin filled shape is a rule; the edges of a stroked one are rules themselves.
        if (long) add(...long)
        else if (isStroked)
          for (const [index, to] of outline.entries()) if (index > 0) add(outline[index - 1] ?? to, to)
      }
    }
  } finally {
    pdfium.wasmExports.free(scratch)
  }
  const level = rules.filter(([, , , h]) => h === 0).length
  return level >= rulesMin && rules.length - level >= rulesMin ? rules : []
}

/** The middle line of a thin shape; undefined for others. */
function longSides(outline: readonly Point[]): [Point, Point] | undefined {
  const [xs, ys] = [outline.map(({ x }) => x), outline.map(({ y }) => y)]
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  if (y1 - y0 <= thickMax && x1 - x0 > y1 - y0)
    return [
      { x: x0, y: (y0 + y1) / 2 },
      { x: x1, y: (y0 + y1) / 2 },
    ]
  if (x1 - x0 <= thickMax)
    return [
      { x: (x0 + x1) / 2, y: y0 },
      { x: (x0 + x1) / 2, y: y1 },
    ]
  return undefined
}

/** The outlines of a path in displayed points, closed ones with their first point again. Curves end an outline. */
function outlinesOf(
  pdfium: Pdfium,
  path: Pointer,
  { scratch, toDisplay }: { scratch: Pointer; toDisplay: Matrix },
): Point[][] {
  const floats = (count: number): number[] => {
    const view = new DataView(pdfium.HEAPU8.buffer, scratch, count * 4)
    return Array.from({ length: count }, (_, at) => view.getFloat32(at * 4, true))
  }
  if (pdfium._FPDFPageObj_GetMatrix(path, scratch) !== 1) return []
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = floats(6)
  const outlines: Point[][] = []
  let current: Point[] = []
  const count = pdfium._FPDFPath_CountSegments(path)
  for (let at = 0; at < count; at += 1) {
    const segment = pdfium._FPDFPath_GetPathSegment(path, at)
    if (pdfium._FPDFPathSegment_GetPoint(segment, scratch, scratch + 4) !== 1) continue
    const [px = 0, py = 0] = floats(2)
    const type = pdfium._FPDFPathSegment_GetType(segment)
    if (type !== lineTo) {
      current = []
      outlines.push(current)
    }
    if (type === lineTo || type === moveTo) {
      const [x, y] = apply(toDisplay, a * px + c * py + e, b * px + d * py + f)
      current.push({ x, y })
    }
    const [first] = current
    if (first && pdfium._FPDFPathSegment_GetClose(segment) === 1) current.push(first)
  }
  return outlines.filter((outline) => outline.length > 1)
}
