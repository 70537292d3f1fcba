import { deflateSync } from 'node:zlib'
import drawPage from '@skillrun/reader/media/draw-page.job.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { madeFolder } from '@skillrun/reader/media/testing/made.ts'
import { expect, test } from 'vitest'
import { openImageOrPage } from './open-image.ts'

/** A TIFF of one white strip per page, compressed with Deflate (TIFF 6.0; Adobe Photoshop TIFF Technical Note 3). */
function tiffOf(pages: readonly { width: number; height: number }[]): Buffer {
  const header = Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])
  const parts = [header]
  let at = header.length
  let linkAt: { buffer: Buffer; offset: number } = { buffer: header, offset: 4 }
  for (const { width, height } of pages) {
    const strip = deflateSync(Buffer.alloc(Math.ceil(width / 8) * height, 0xff), { level: 9 })
    const padded = Buffer.concat([strip, Buffer.alloc(strip.length % 2)])
    const entries: [tag: number, value: number][] = [
      [256, width],
      [257, height],
      [258, 1],
      [259, 8],
      [262, 1],
      [273, at],
      [277, 1],
      [278, height],
      [279, strip.length],
    ]
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [index, [tag, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + index * 12)
      directory.writeUInt16LE(4, 4 + index * 12)
      directory.writeUInt32LE(1, 6 + index * 12)
      directory.writeUInt32LE(value, 10 + index * 12)
    }
    linkAt.buffer.writeUInt32LE(at + padded.length, linkAt.offset)
    linkAt = { buffer: directory, offset: directory.length - 4 }
    parts.push(padded, directory)
    at += padded.length + directory.length
  }
  return Buffer.concat(parts)
}

const small = { width: 100, height: 100 }
const huge = { width: 30_000, height: 30_000 }

test('a later page of an image has the same pixel limit as the first', async () => {
  const bytes = tiffOf([small, huge])
  expect(bytes.length).toBeLessThan(1_000_000)
  const tooMany = { code: 'input_too_costly', message: expect.stringContaining('pixels') }
  await expect(readDocument({ bytes, pageIndices: [1] })).rejects.toMatchObject(tooMany)
  await expect(drawPage({ bytes, page: 1, width: 100 })).rejects.toMatchObject(tooMany)
  const files = await madeFolder()
  await expect(openImageOrPage(await files.write('a.tiff', bytes), 1)).rejects.toMatchObject(tooMany)
  await files.close()
  await expect(readDocument({ bytes: tiffOf([small, small]), pageIndices: [1] })).resolves.toMatchObject({
    pageCount: 2,
  })
})
