import sharp from 'sharp'
import type { Page } from '../document.ts'
import type { Grey } from './grey.ts'
import { loadRecogniser, pageModes } from './tesseract.ts'

/** Reads the words of one picture of a page. */
export async function readGrey(picture: Grey): Promise<Pick<Page, 'words' | 'turnedDegrees'>> {
  const recogniser = await loadRecogniser()
  const scale = Math.min(3, Math.max(1, 1600 / Math.max(picture.width, 1)))
  const enlarged = scale > 1 ? await enlarge(picture, scale) : picture
  const words = recogniser.recognise(enlarged, pageModes.column)
  return {
    turnedDegrees: 0,
    words: words
      .filter((word) => word.text.trim() !== '' && word.right > word.left && word.bottom > word.top)
      .map((word) => ({
        text: word.text,
        confidence: word.confidence / 100,
        box: [
          word.left / enlarged.width,
          word.top / enlarged.height,
          (word.right - word.left) / enlarged.width,
          (word.bottom - word.top) / enlarged.height,
        ],
      })),
  }
}

async function enlarge(picture: Grey, scale: number): Promise<Grey> {
  const width = Math.round(picture.width * scale)
  const { data, info } = await sharp(picture.pixels, {
    raw: { width: picture.width, height: picture.height, channels: 1 },
  })
    .resize({ width, kernel: 'cubic' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}

/** Decodes a picture to greyscale, turned as its EXIF says, on white. */
export async function decodeGrey(bytes: Uint8Array, pixelsMax: number): Promise<Grey> {
  const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'none' })
    .rotate()
    .flatten({ background: '#ffffff' })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, pixels: data }
}
