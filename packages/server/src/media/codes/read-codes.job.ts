import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { DecodedCode } from '@skillrun/reader/fields/image-codes.ts'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { openImageOrPage } from '../edit/open-image.ts'

const codesMax = 100
const charactersMax = 10_000
/** Larger images are scaled down: a code that this loses could not be scanned anyway. */
const sideMax = 3_000

let prepared: Promise<unknown> | undefined

/** Loads the decoder with its own wasm file; by default it would download it. */
function prepare(): Promise<unknown> {
  prepared ??= (async () => {
    const place = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'))
    const wasmBinary = (await readFile(place)).buffer as ArrayBuffer
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  })()
  return prepared
}

export default async function readCodes({ path, page }: { path: string; page: number }): Promise<DecodedCode[]> {
  const opened = await openImageOrPage(path, page)
  const { data, info } = await opened
    .flatten({ background: '#ffffff' })
    .resize({ width: sideMax, height: sideMax, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  await prepare()
  const image = { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: 'srgb' }
  const found = await readBarcodes(image, {
    tryHarder: true,
    maxNumberOfSymbols: codesMax,
  })
  return found.flatMap(({ format, text, position, isValid }) => {
    if (!isValid) return []
    const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
    const left = Math.min(...corners.map(({ x }) => x))
    const top = Math.min(...corners.map(({ y }) => y))
    const right = Math.max(...corners.map(({ x }) => x))
    const bottom = Math.max(...corners.map(({ y }) => y))
    const share = (value: number, whole: number): number =>
      Math.round(Math.min(1, Math.max(0, value / whole)) * 10_000) / 10_000
    const box = [
      share(left, info.width),
      share(top, info.height),
      share(right - left, info.width),
      share(bottom - top, info.height),
    ] as const
    return [{ format, text: text.toWellFormed().slice(0, charactersMax), box }]
  })
}
