import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePdf } from '../../../../test/support/documents.ts'
import drawPage from './draw-page.job.ts'
import { drawnPixelsMax } from './draw-page.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-draw-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function kept(name: string, bytes: Uint8Array): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

const sizeOf = async (png: Uint8Array) => {
  const { width, height, format } = await sharp(png).metadata()
  return { width, height, format }
}

describe('a drawn page', () => {
  test('has the requested width and the proportions of the page', async () => {
    const path = await kept('a4.pdf', await makePdf([['Total 5.00']]))
    expect(await sizeOf(await drawPage({ path, page: 0, width: 600 }))).toEqual({
      width: 600,
      height: 849,
      format: 'png',
    })
  })

  test('shows the requested page in colour', async () => {
    const path = await kept('two.pdf', await makePdf([[], ['MMMMMMMM']]))
    const darkest = async (page: number) => {
      const { channels } = await sharp(await drawPage({ path, page, width: 600 })).stats()
      return channels.map((channel) => channel.min)
    }
    expect(await darkest(0)).toEqual([255, 255, 255])
    expect(Math.max(...(await darkest(1)))).toBeLessThan(64)
  })

  test('of an image keeps its colours, follows its EXIF orientation, and is never larger than the image', async () => {
    const red = sharp({ create: { width: 300, height: 100, channels: 3, background: '#c00000' } })
    const path = await kept('red.jpg', await red.withMetadata({ orientation: 6 }).jpeg().toBuffer())
    const png = await drawPage({ path, page: 0, width: 1000 })
    expect(await sizeOf(png)).toEqual({ width: 100, height: 300, format: 'png' })
    const [r, g, b] = (await sharp(png).stats()).channels.map((channel) => Math.round(channel.mean / 16))
    expect([r, g, b]).toEqual([12, 0, 0])
  })

  test('stays within the pixel limit however long the page', async () => {
    const path = await kept('long.pdf', await makePdf([['x']], { size: [100, 14_000] }))
    const { width, height } = await sizeOf(await drawPage({ path, page: 0, width: 2_000 }))
    expect(width * height).toBeLessThanOrEqual(drawnPixelsMax)
    expect(Math.round(height / width)).toBe(140)
  })

  test.each([
    ['a page that is not there', () => makePdf([['x']]), 3, 'unknown_page'],
    ['a text', async () => Buffer.from('Total: 5.00'), 0, 'undrawable_input'],
    ['a PDF cut short', async () => (await makePdf([['x']])).subarray(0, 300), 0, 'unreadable_document'],
    ['nothing', async () => Buffer.alloc(0), 0, 'unreadable_document'],
  ])('of %s is refused with a clear message', async (name, make, page, code) => {
    const path = await kept(name, await make())
    await expect(drawPage({ path, page, width: 100 })).rejects.toMatchObject({ name: 'Fault', code })
  })
})
