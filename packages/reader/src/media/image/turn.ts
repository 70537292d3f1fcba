import type { Box } from '../document.ts'

/** How an image was turned upright: clockwise quarter turns, then degrees clockwise. */
export interface Turn {
  readonly quarters: 0 | 1 | 2 | 3
  readonly leanDegrees: number
}

/** A position in pixels. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** Rotates a point around a centre, clockwise with y growing downwards. */
export function turnAbout({ x, y }: Place, centre: Place, degrees: number): Place {
  const radians = (degrees * Math.PI) / 180
  const cos = Math.cos(radians)
  const sin = Math.sin(radians)
  const dx = x - centre.x
  const dy = y - centre.y
  return { x: centre.x + dx * cos - dy * sin, y: centre.y + dx * sin + dy * cos }
}

/** Maps a point of an image after quarter turns back to the original of `width` × `height` pixels. */
export function unturn({ x, y }: Place, quarters: Turn['quarters'], size: { width: number; height: number }): Place {
  switch (quarters) {
    case 0:
      return { x, y }
    case 1:
      return { x: y, y: size.height - x }
    case 2:
      return { x: size.width - x, y: size.height - y }
    default:
      return { x: size.width - y, y: x }
  }
}

/** A box around a centre, in fractions of the page, clipped to it. */
export function boxAbout(
  centre: Place,
  { width, height }: { width: number; height: number },
  page: { width: number; height: number },
): Box {
  const left = clamp((centre.x - width / 2) / page.width)
  const top = clamp((centre.y - height / 2) / page.height)
  const right = clamp((centre.x + width / 2) / page.width)
  const bottom = clamp((centre.y + height / 2) / page.height)
  return [left, top, right - left, bottom - top]
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}
