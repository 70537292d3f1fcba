import sharp, { type Sharp } from 'sharp'
import type { Box } from '../document.ts'
import { invertBands } from './bands.ts'
import { evenContrast } from './contrast.ts'
import { greyOf } from './decode.ts'
import type { Grey } from './grey.ts'
import { type Blob, blobsOf, inkThreshold, lettersOf } from './ink.ts'
import { eraseRules } from './rules.ts'
import { eraseSeparators } from './separators.ts'
import { areLying, leanOf, skewOf } from './skew.ts'
import { boxAbout, type Turn, turnAbout, unturn } from './turn.ts'

/** Letter heights in pixels for the first and the high-resolution pass; 18 to 36 were measured on receipts. */
export const letterHeights = { first: 22, closer: 30 } as const
/** Scale factors closer to 1 than this are skipped. */
const scaleIgnored = 0.1
const scaleMin = 0.25
const scaleMax = 4
/** The maximum number of pixels of a prepared image. */
const preparedPixelsMax = 12_000_000
/** Skew below this many degrees is left: Tesseract and the rule detection tolerate it. */
const leanIgnored = 0.3
/** The standard deviation of the blur in pixels, for a second pass. */
const softness = 1.0
/** Margin around the outermost letters, in letter heights. */
const margin = 3
/** A faint rule is darker than this share of the way from the ink threshold to white. */
const faintShare = 0.5
/** With fewer letters, the image is neither cropped nor turned. */
const lettersMin = 12

/** The letters found in an image. */
export interface Survey {
  /** The image with even contrast. */
  readonly even: Grey
  readonly letters: readonly Blob[]
  /** The usual letter height in pixels; 0 when there are none. */
  readonly letterHeight: number
  /** True when its lines are vertical. */
  readonly lying: boolean
}

/** A rectangle in pixels; right and bottom exclusive. */
export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** An image prepared for OCR, with the mapping back to the original. */
export interface Prepared {
  readonly picture: Grey
  readonly turn: Turn
  /** Converts pixels of the prepared image to a box in the original. */
  readonly boxOf: (pixels: Bounds) => Box
  /** Converts a box in the original to pixels of the prepared image. */
  readonly pixelsOf: (box: Box) => Bounds
}

/** Finds the letters of an image. */
export function survey(picture: Grey): Survey {
  const even = evenContrast(picture)
  const { letters, letterHeight } = lettersOf(blobsOf(even, inkThreshold(even)), even)
  const lying = areLying(letters, letterHeight)
  return { even, letters, letterHeight, lying }
}

/** An image whose lines lean more than usual, turned so that they do not; `boxOf` maps boxes back. Undefined: they do not lean. */
export async function straightened({
  even,
  letters,
  letterHeight,
  lying,
}: Survey): Promise<{ surveyed: Survey; degrees: number; boxOf: (box: Box) => Box } | undefined> {
  const lean = leanOf(lying ? letters.map((blob) => turnBlob(blob, 1, even)) : letters, letterHeight)
  if (lean === 0) return undefined
  const straight = await greyOf(sharpOf(even).rotate(-lean, { background: '#ffffff' }))
  const middle = { x: straight.width / 2, y: straight.height / 2 }
  return {
    surveyed: survey(straight),
    degrees: -lean,
    boxOf: ([x, y, w, h]) => {
      const size = { width: w * straight.width, height: h * straight.height }
      const centre = { x: x * straight.width + size.width / 2, y: y * straight.height + size.height / 2 }
      const at = turnAbout(centre, middle, lean)
      const given = { x: at.x - middle.x + even.width / 2, y: at.y - middle.y + even.height / 2 }
      return boxAbout(given, size, even)
    },
  }
}

/** The target of a preparation: `quarters` turns clockwise, letters `letterHeightWanted` pixels high. */
export interface Wanted {
  readonly quarters: Turn['quarters']
  readonly letterHeightWanted: number
}

/** Turns, deskews, crops and scales a surveyed image for OCR. */
export async function prepare(
  { even, letters, letterHeight }: Survey,
  { quarters, letterHeightWanted }: Wanted,
): Promise<Prepared> {
  const turned = quarters % 2 === 1 ? { width: even.height, height: even.width } : even
  const turnedLetters = letters.map((blob) => turnBlob(blob, quarters, even))
  const cut = cutOf(turnedLetters, letterHeight, turned)
  const lean = skewOf(turnedLetters, letterHeight)
  const leanDegrees = Math.abs(lean) < leanIgnored ? 0 : -lean
  const scale = letterHeight === 0 ? 1 : scaleOf(letterHeightWanted / letterHeight, cut)

  let image = sharp(even.pixels, { raw: { width: even.width, height: even.height, channels: 1 } })
  if (quarters !== 0) image = sharpOf(await greyOf(image.rotate(quarters * 90)))
  image = image.extract(cut)
  if (leanDegrees !== 0) image = image.rotate(leanDegrees, { background: '#ffffff' })
  const straight = cleaned(await greyOf(image), letterHeight)
  const picture = scale === 1 ? straight : await scaled(straight, scale)

  const middle = { x: picture.width / 2, y: picture.height / 2 }
  const cutMiddle = { x: cut.left + cut.width / 2, y: cut.top + cut.height / 2 }
  return {
    picture,
    turn: { quarters, leanDegrees },
    boxOf: ({ left, top, right, bottom }) => {
      const centre = turnAbout({ x: (left + right) / 2, y: (top + bottom) / 2 }, middle, -leanDegrees)
      const inTurned = {
        x: (centre.x - middle.x) / scale + cutMiddle.x,
        y: (centre.y - middle.y) / scale + cutMiddle.y,
      }
      const size = { width: (right - left) / scale, height: (bottom - top) / scale }
      const given = quarters % 2 === 1 ? { width: size.height, height: size.width } : size
      return boxAbout(unturn(inTurned, quarters, even), given, even)
    },
    pixelsOf: ([x, y, w, h]) => {
      const given = { x: (x + w / 2) * even.width, y: (y + h / 2) * even.height }
      const inTurned = unturn(given, quarters === 1 ? 3 : quarters === 3 ? 1 : quarters, turned)
      const centre = {
        x: (inTurned.x - cutMiddle.x) * scale + middle.x,
        y: (inTurned.y - cutMiddle.y) * scale + middle.y,
      }
      const at = turnAbout(centre, middle, leanDegrees)
      const [wide, high] = [w * even.width * scale, h * even.height * scale]
      const [width, height] = quarters % 2 === 1 ? [high, wide] : [wide, high]
      return { left: at.x - width / 2, top: at.y - height / 2, right: at.x + width / 2, bottom: at.y + height / 2 }
    },
  }
}

/** Removes separators and rules, dark and faint, from a straight image, and inverts its dark bands. */
function cleaned(straight: Grey, letterHeight: number): Grey {
  if (letterHeight === 0) return straight
  const threshold = inkThreshold(straight)
  const unruled = eraseRules(straight, { letterHeight, threshold })
  const light = invertBands(unruled, { letterHeight, threshold })
  const plain = eraseSeparators(light, { letterHeight, threshold })
  return eraseRules(plain, { letterHeight, threshold: threshold + (255 - threshold) * faintShare })
}

function sharpOf({ width, height, pixels }: Grey): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } })
}

async function scaled(picture: Grey, scale: number): Promise<Grey> {
  const width = Math.max(1, Math.round(picture.width * scale))
  const height = Math.max(1, Math.round(picture.height * scale))
  return await greyOf(sharpOf(picture).resize({ width, height, fit: 'fill', kernel: 'cubic' }))
}

function scaleOf(wanted: number, cut: { width: number; height: number }): number {
  const bounded = Math.min(scaleMax, Math.max(scaleMin, wanted))
  const scale = Math.min(bounded, Math.sqrt(preparedPixelsMax / (cut.width * cut.height)))
  return Math.abs(scale - 1) < scaleIgnored ? 1 : scale
}

/** The part of an image that contains its letters, with a margin. */
function cutOf(
  letters: readonly Blob[],
  letterHeight: number,
  { width, height }: { width: number; height: number },
): { left: number; top: number; width: number; height: number } {
  if (letters.length < lettersMin) return { left: 0, top: 0, width, height }
  const space = Math.ceil(letterHeight * margin)
  let [left, top, right, bottom] = [width, height, 0, 0]
  for (const blob of letters) {
    left = Math.min(left, blob.left)
    top = Math.min(top, blob.top)
    right = Math.max(right, blob.right)
    bottom = Math.max(bottom, blob.bottom)
  }
  left = Math.max(0, left - space)
  top = Math.max(0, top - space)
  return { left, top, width: Math.min(width, right + space) - left, height: Math.min(height, bottom + space) - top }
}

function turnBlob(blob: Blob, quarters: Turn['quarters'], { width, height }: Grey): Blob {
  const { left, top, right, bottom, area } = blob
  switch (quarters) {
    case 0:
      return blob
    case 1:
      return { left: height - bottom, top: left, right: height - top, bottom: right, area }
    case 2:
      return { left: width - right, top: height - bottom, right: width - left, bottom: height - top, area }
    default:
      return { left: top, top: width - right, right: bottom, bottom: width - left, area }
  }
}

/** A slightly blurred copy of a prepared image: dot-matrix print connects, and edges are read differently. */
export async function soften(prepared: Prepared): Promise<Prepared> {
  return { ...prepared, picture: await greyOf(sharpOf(prepared.picture).blur(softness)) }
}
