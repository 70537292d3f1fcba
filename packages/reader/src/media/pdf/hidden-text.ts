import type { DocumentWarning } from '../document.ts'
import { drawingBounds, type PlacedObject } from './drawing.ts'
import type { Glyph, GlyphPage, TextPaint } from './glyphs.ts'
import type { Pdfium, Pointer } from './pdfium.ts'
import { type Area, type Colour, withDrawing } from './render-colour.ts'

/** Why people do not see some text on a page. */
export type HiddenReason = 'outside' | 'tiny' | 'invisible' | 'covered' | 'background'

/** Invisible text of a page. */
export interface HiddenText {
  readonly text: string
  readonly reason: HiddenReason
}

/** The visible and the invisible text of a page. */
export interface SeenText {
  readonly glyphs: GlyphPage
  readonly hidden: readonly HiddenText[]
  /** True where invisible text lies over writing of an image, and may say something else. */
  readonly isLayer: boolean
}

/** Smaller type, in points, is illegible on paper; its capitals are lower than the second figure. */
const tinySize = 3
const tinyInk = 2.2
/** The longer side of A4: on a smaller page, type may be smaller. */
const paperLength = 842
/** Resolution of the compared renderings, and pixels of one. */
const dotsPerPoint = 2
const drawnPixelsMax = 4_000_000
/** A smaller difference, of 255, is invisible to people. */
const seenDifference = 20
/** An image with less contrast below a word has no writing there. */
const writingContrast = 40
/** Lighter text than this may be white on white. */
const lightFrom = 0.7
const opaqueFrom = 32
/** A shape in nearly the colour of the text, by the largest difference of a channel. */
const sameColour = 40
/** An image over this share of a page is a scan, and text behind it is its text layer. */
const scanShare = 0.6
const overlapShare = 0.5
/** The text layer of a scan overlaps rendered text by less than this share. */
const sharedMax = 0.3

/** Characters of one text object without blanks. */
interface Piece extends Bounds {
  readonly glyphs: Glyph[]
}

/**
 * Removes invisible text from a loaded page: outside the page, too small, invisible without a scan beneath, covered, or in the colour of
 * its background. Suspicious text is rendered with and without itself: if the two renderings are equal, it is invisible. Modifies the page:
 * load it again for rendering.
 */
export function withoutHidden(pdfium: Pdfium, page: Pointer, glyphs: GlyphPage): SeenText {
  const pieces = piecesOf(glyphs)
  const reasons = new Map<Piece, HiddenReason>()
  for (const piece of pieces) {
    const reason = isOutside(piece, glyphs) ? 'outside' : isTiny(piece, glyphs) ? 'tiny' : undefined
    if (reason !== undefined) reasons.set(piece, reason)
  }
  const placed = pieces.filter((piece) => !reasons.has(piece))
  const { unseen, isLayer } = unseenOn(pdfium, { page, glyphs, pieces: placed })
  for (const [piece, reason] of unseen) reasons.set(piece, reason)
  if (reasons.size === 0) return { glyphs, hidden: [], isLayer }
  const gone = new Set([...reasons.keys()].flatMap((piece) => piece.glyphs))
  const seen = pieces.filter((piece) => !reasons.has(piece))
  const isHarmless = (piece: Piece, reason: HiddenReason): boolean =>
    !isWorded(textOf(piece)) ||
    // Text layers of scans extend slightly beyond the edge.
    (reason === 'outside' && isInvisible(paintOf(piece, glyphs))) ||
    // Rendered twice, the second time to be visible.
    seen.some((other) => isOver(other, piece) && lettersOf(other).includes(lettersOf(piece)))
  const harmful = [...reasons].filter(([piece, reason]) => !isHarmless(piece, reason))
  return {
    glyphs: { ...glyphs, glyphs: glyphs.glyphs.filter((glyph) => !gone.has(glyph)) },
    hidden: harmful.map(([piece, reason]) => ({ text: textOf(piece), reason })),
    isLayer,
  }
}

const paintOf = ({ glyphs: [first] }: Piece, { paints }: GlyphPage): TextPaint | undefined =>
  paints.get(first?.object ?? 0)

const lettersOf = (piece: Piece): string => textOf(piece).replace(/[^\p{L}\p{N}]/gu, '')

const textOf = ({ glyphs }: Piece): string => glyphs.map(({ text }) => text).join('')

const isWorded = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

function piecesOf({ glyphs }: GlyphPage): Piece[] {
  const pieces: Piece[] = []
  let current: Glyph[] = []
  const end = (): void => {
    if (current.length > 0) pieces.push({ glyphs: current, ...boundsOf(current) })
    current = []
  }
  for (const glyph of glyphs) {
    if (glyph.blank !== 'none' || glyph.object !== current[0]?.object) end()
    if (glyph.blank === 'none') current.push(glyph)
  }
  end()
  return pieces
}

const isOutside = ({ left, top, right, bottom }: Piece, { width, height }: GlyphPage): boolean =>
  right <= 0 || bottom <= 0 || left >= width || top >= height

function isTiny({ glyphs }: Piece, { width, height }: GlyphPage): boolean {
  const scale = Math.min(1, Math.max(width, height) / paperLength)
  const isSmall = ({ size, left, right, top, bottom }: Glyph): boolean =>
    size < tinySize * scale &&
    Math.min(right - left, bottom - top) < tinyInk * scale &&
    bottom - top < 2 * tinyInk * scale
  return glyphs.every((glyph) => isSmall(glyph) || !isWorded(glyph.text)) && glyphs.some(({ text }) => isWorded(text))
}

interface Suspects {
  readonly page: Pointer
  readonly glyphs: GlyphPage
  readonly pieces: readonly Piece[]
}

/** The pieces that renderings show to be invisible, and whether others are the text layer of a scan. */
function unseenOn(
  pdfium: Pdfium,
  { page, glyphs, pieces }: Suspects,
): { readonly unseen: ReadonlyMap<Piece, HiddenReason>; readonly isLayer: boolean } {
  const { width, height } = glyphs
  const objects = drawingBounds(pdfium, page, glyphs)
  const around: Surroundings = {
    glyphs,
    covering: objects.filter(({ kind }) => kind !== 'group' && kind !== 'text'),
    orders: new Map(objects.map(({ object, order }) => [object, order])),
  }
  const suspicious = pieces.filter((piece) => isSuspicious(piece, around))
  const unseen = new Map<Piece, HiddenReason>()
  let isLayer = false
  if (suspicious.length === 0) return { unseen, isLayer }
  const scale = Math.min(dotsPerPoint, Math.sqrt(drawnPixelsMax / Math.max(1, width * height)))
  const whole: Area = {
    left: 0,
    top: 0,
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
  const isDrawn = (piece: Piece): boolean => !isInvisible(paintOf(piece, glyphs))
  const isScan = objects.some(({ kind, bounds }) => kind === 'image' && areaIn(bounds) > scanShare * width * height)
  // The text layer of a scan is not aligned exactly with its image.
  const marginOf = ({ top, bottom }: Piece): number => (isScan ? bottom - top : 0)
  const { left, top, right, bottom } = boundsOf(
    suspicious.map((piece) => pixelsOf(piece, { scale, within: whole, margin: marginOf(piece) })),
  )
  const part: Area = { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) }
  const known = new Set(suspicious)
  const seen = pieces.filter((piece) => !known.has(piece))
  const judge = (without: Colour, withText?: Colour): void => {
    for (const piece of suspicious) {
      if (withText && isDrawn(piece) && differ(withText, without, pixelsOf(piece, { scale, within: part }))) {
        seen.push(piece)
        continue
      }
      const place = pixelsOf(piece, { scale, within: part, margin: marginOf(piece) })
      const hasWriting = contrastIn(without, place) >= writingContrast
      const cover = isDrawn(piece) ? coversOf(piece, around) : []
      const isOfScan =
        hasWriting &&
        (isDrawn(piece)
          ? cover.some(({ kind, bounds }) => kind === 'image' && areaIn(bounds) > scanShare * width * height)
          : objects.some((other) => mayShow(other) && isWithin(piece, other)) && overlapOf(piece, seen) < sharedMax)
      if (isOfScan) isLayer = true
      else unseen.set(piece, !isDrawn(piece) ? 'invisible' : cover.length > 0 ? 'covered' : 'background')
    }
  }
  const compare = (withText?: Colour): void => {
    for (const object of new Set(suspicious.map((piece) => piece.glyphs[0]?.object ?? 0)))
      if (object !== 0) pdfium._FPDFPageObj_SetIsActive(object, 0)
    withDrawing(pdfium, page, { whole, part }, (without) => judge(without, withText))
  }
  if (suspicious.some(isDrawn)) withDrawing(pdfium, page, { whole, part }, compare)
  else compare()
  return { unseen, isLayer }
}

const isInvisible = (paint: TextPaint | undefined): boolean =>
  paint !== undefined && (paint.mode === 'invisible' || paint.alpha < opaqueFrom)

interface Surroundings {
  readonly glyphs: GlyphPage
  /** What may lie over or under text; the content of a group is unknown. */
  readonly covering: readonly PlacedObject[]
  /** The drawing order of the objects. */
  readonly orders: ReadonlyMap<Pointer, number>
}

/** Whether a piece may be invisible: a cheap test that spares pages without such pieces the rendering. */
function isSuspicious(piece: Piece, { glyphs, covering, orders }: Surroundings): boolean {
  const object = piece.glyphs[0]?.object ?? 0
  const paint = paintOf(piece, glyphs)
  if (paint === undefined) return false
  if (isInvisible(paint) || paint.isOptional || lightness(paint.fill) >= lightFrom) return true
  const at = orders.get(object) ?? -1
  return covering.some(
    (other) =>
      isWithin(piece, other) &&
      (other.order > at || other.kind === 'image' || (other.fill !== undefined && isNear(other.fill, paint.fill))),
  )
}

/** The objects drawn over a piece. */
function coversOf(piece: Piece, { covering, orders }: Surroundings): PlacedObject[] {
  const at = orders.get(piece.glyphs[0]?.object ?? 0) ?? -1
  return covering.filter((other) => other.order > at && isWithin(piece, other))
}

function isWithin({ left, top, right, bottom }: Piece, { bounds }: PlacedObject): boolean {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  return x > bounds.left && x < bounds.right && y > bounds.top && y < bounds.bottom
}

type Rgb = readonly [red: number, green: number, blue: number]

const lightness = ([red, green, blue]: Rgb): number => (0.3 * red + 0.59 * green + 0.11 * blue) / 255

const isNear = (one: Rgb, other: Rgb): boolean =>
  one.every((channel, at) => Math.abs(channel - (other[at] ?? 0)) < sameColour)

interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What encloses all of these. */
function boundsOf(all: readonly Bounds[]): Bounds {
  let [left, top, right, bottom] = [
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]
  for (const one of all) {
    left = Math.min(left, one.left)
    top = Math.min(top, one.top)
    right = Math.max(right, one.right)
    bottom = Math.max(bottom, one.bottom)
  }
  return { left, top, right, bottom }
}

const areaIn = ({ left, top, right, bottom }: Bounds): number => Math.max(0, right - left) * Math.max(0, bottom - top)

const sharedArea = (one: Bounds, other: Bounds): number =>
  areaIn({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  })

const isOver = (one: Bounds, other: Bounds): boolean => sharedArea(one, other) > overlapShare * areaIn(other)

/** The share of a piece's area that others cover too. */
const overlapOf = (piece: Piece, others: readonly Piece[]): number =>
  others.reduce((sum, other) => sum + sharedArea(other, piece), 0) / Math.max(areaIn(piece), 1e-9)

/** Images, and groups that may contain some. */
const mayShow = ({ kind }: PlacedObject): boolean => kind === 'image' || kind === 'group'

/** The pixels of a piece within a part of the drawn page. */
function pixelsOf(
  piece: Piece,
  { scale, within, margin = 0 }: { readonly scale: number; readonly within: Area; readonly margin?: number },
): Bounds {
  return {
    left: Math.max(0, Math.floor((piece.left - margin) * scale) - within.left),
    top: Math.max(0, Math.floor((piece.top - margin) * scale) - within.top),
    right: Math.min(within.width, Math.ceil((piece.right + margin) * scale) + 1 - within.left),
    bottom: Math.min(within.height, Math.ceil((piece.bottom + margin) * scale) + 1 - within.top),
  }
}

function differ(one: Colour, other: Colour, { left, top, right, bottom }: Bounds): boolean {
  const { width, pixels } = one
  const { pixels: others } = other
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 1)
      if (Math.abs((pixels[at] ?? 0) - (others[at] ?? 0)) >= seenDifference) return true
  return false
}

function contrastIn({ width, pixels }: Colour, { left, top, right, bottom }: Bounds): number {
  let least = 255
  let most = 0
  for (let y = top; y < bottom; y += 1)
    for (let at = (y * width + left) * 4; at < (y * width + right) * 4; at += 4) {
      const light = 0.3 * (pixels[at] ?? 0) + 0.59 * (pixels[at + 1] ?? 0) + 0.11 * (pixels[at + 2] ?? 0)
      least = Math.min(least, light)
      most = Math.max(most, light)
    }
  return most - least
}

const reasonWords: Readonly<Record<HiddenReason, string>> = {
  outside: 'outside the page',
  tiny: 'too small to read',
  invisible: 'invisible',
  covered: 'covered',
  background: 'in the colour of the background',
}

const pagesTold = 10
const charactersTold = 80

/** One warning for the hidden text of a document, by page. */
export function hiddenWarnings(hidden: ReadonlyMap<number, readonly HiddenText[]>): DocumentWarning[] {
  const all = [...hidden.values()].flat()
  if (all.length === 0) return []
  const pages = [...hidden.keys()].map((index) => index + 1)
  const more = pages.length > pagesTold ? ` and ${pages.length - pagesTold} more` : ''
  const reasons = [...new Set(all.map(({ reason }) => reasonWords[reason]))].join(', ')
  const quoted = all.map(({ text }) => text).join(' ')
  const quote = quoted.length > charactersTold ? `${quoted.slice(0, charactersTold)}…` : quoted
  const message = `Page ${pages.slice(0, pagesTold).join(', ')}${more}: hidden text (${reasons}) was left out: ${JSON.stringify(quote)}`
  return [{ code: 'hidden_text', message }]
}
