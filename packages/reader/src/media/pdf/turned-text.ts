import type { Word } from '../document.ts'
import { boxAbout, turnAbout } from '../image/turn.ts'
import type { Glyph, GlyphPage } from './glyphs.ts'
import { wordsOfGlyphs } from './text-layer.ts'

/** A page is turned by the direction of more than this share of its characters. */
const shareMin = 0.5
/** Directions are counted in steps of this many degrees; less than half a step is upright. */
const step = 1
/** Of type at an angle only the baseline is exact: ascent and advance as shares of the type size. */
const ascent = 0.7
const usualAdvance = 0.5

/**
 * The words of a text layer with boxes on the page as displayed, and the clockwise degrees that turn its lines upright. On a turned page
 * each box has the size of the word on the upright page, around its middle, as the boxes of a turned image.
 */
export function turnedWords(page: GlyphPage): { readonly words: Word[]; readonly turnedDegrees: number } {
  const degrees = directionOf(page.glyphs)
  if (degrees === 0) return { words: wordsOfGlyphs(page), turnedDegrees: 0 }
  const upright = uprightGlyphs(page, degrees)
  const isLying = liesOnItsSide(degrees)
  const centre = { x: page.width / 2, y: page.height / 2 }
  const words = wordsOfGlyphs(upright).map((word): Word => {
    const [x, y, w, h] = word.box
    const size = { width: w * upright.width, height: h * upright.height }
    const middle = {
      x: x * upright.width + size.width / 2 - upright.width / 2 + centre.x,
      y: y * upright.height + size.height / 2 - upright.height / 2 + centre.y,
    }
    const boxSize = isLying ? { width: size.height, height: size.width } : size
    return { ...word, box: boxAbout(turnAbout(middle, centre, degrees), boxSize, page) }
  })
  return { words, turnedDegrees: (360 - degrees) % 360 }
}

/** The clockwise degrees from upright, 0 to 360, of the direction that most characters of a page have; 0 without such a direction. */
function directionOf(glyphs: readonly Glyph[]): number {
  const counts = new Map<number, { count: number; sum: number }>()
  let all = 0
  let upright = 0
  for (const { blank, runX, runY } of glyphs) {
    if (blank !== 'none') continue
    all += 1
    if (runX === 1 && runY === 0) {
      upright += 1
      continue
    }
    const degrees = ((Math.atan2(runY, runX) * 180) / Math.PI + 360) % 360
    const place = Math.round(degrees / step) % (360 / step)
    const found = counts.get(place) ?? { count: 0, sum: 0 }
    // 359.9 and 0.1 are neighbours.
    counts.set(place, { count: found.count + 1, sum: found.sum + (degrees > 359 ? degrees - 360 : degrees) })
  }
  if (upright > shareMin * all) return 0
  for (const [place, { count, sum }] of counts) if (count > shareMin * all) return place === 0 ? 0 : sum / count
  return 0
}

const liesOnItsSide = (degrees: number): boolean => Math.abs(Math.sin((degrees * Math.PI) / 180)) > Math.SQRT1_2

/** A page turned back by `degrees` around its middle; width and height change places if it lay on its side. */
function uprightGlyphs(page: GlyphPage, degrees: number): GlyphPage {
  const { width, height } = page
  const size = liesOnItsSide(degrees) ? { width: height, height: width } : { width, height }
  const isQuarter = Math.abs(degrees / 90 - Math.round(degrees / 90)) < 1e-3
  const centre = { x: width / 2, y: height / 2 }
  const uprightPoint = (x: number, y: number): { x: number; y: number } => {
    const turned = turnAbout({ x, y }, centre, -degrees)
    return { x: turned.x - centre.x + size.width / 2, y: turned.y - centre.y + size.height / 2 }
  }
  const glyphs = page.glyphs.map((glyph, index): Glyph => {
    const origin = uprightPoint(glyph.originX, glyph.originY)
    const run = turnAbout({ x: glyph.runX, y: glyph.runY }, { x: 0, y: 0 }, -degrees)
    const corner = uprightPoint(glyph.left, glyph.top)
    const opposite = uprightPoint(glyph.right, glyph.bottom)
    const next = page.glyphs[index + 1]
    const nextOrigin =
      next === undefined || next.object !== glyph.object ? undefined : uprightPoint(next.originX, next.originY)
    const advance = isQuarter ? glyph.advance : advanceTo(nextOrigin, origin, glyph.size)
    const box = isQuarter
      ? {
          left: Math.min(corner.x, opposite.x),
          top: Math.min(corner.y, opposite.y),
          right: Math.max(corner.x, opposite.x),
          bottom: Math.max(corner.y, opposite.y),
        }
      : { left: origin.x, top: origin.y - ascent * glyph.size, right: origin.x + advance, bottom: origin.y }
    const { text, blank, unmapped, object, size: typeSize } = glyph
    const place = { ...box, advance, originX: origin.x, originY: origin.y, runX: run.x, runY: run.y }
    return { text, blank, unmapped, object, size: typeSize, ...place }
  })
  return { ...page, ...size, glyphs }
}

/** The distance from one character to the next of its text object; the usual width if the next is on another line. */
function advanceTo(next: { x: number; y: number } | undefined, from: { x: number; y: number }, size: number): number {
  const distance = next && Math.abs(next.y - from.y) < size / 10 ? next.x - from.x : 0
  return distance > 0 && distance < 2 * size ? distance : usualAdvance * size
}
