import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Page, ReadDocument } from './document.ts'
import { packDocument } from './packed-document.ts'
import { hashOfPage, movedPage, openPages, packPages, wordCount } from './packed-pages.ts'

const pageOf = (index: number, text: string, more: Partial<Page> = {}): Page => ({
  ...{ index, width: 600, height: 800, source: 'text-layer', turnedDegrees: 0 },
  words: text.split(' ').map((word, at) => ({ text: word, box: [0.1 * at, 0.1, 0.09, 0.02], confidence: 1 })),
  ...more,
})
const document: ReadDocument = {
  mediaType: 'application/pdf',
  pageCount: 3,
  pages: [
    pageOf(0, 'Grüße aus Köln', { print: 'p0', rules: [[0, 0, 1, 0]] }),
    pageOf(1, '', { source: 'ocr', lookedAt: ['a', 'b'], turnedDegrees: 90 }),
    pageOf(2, 'The end', { atSeconds: 2 }),
  ],
  warnings: [{ code: 'odd', message: 'It is odd.' }],
}
const open = (packed: Uint8Array): ReadDocument => openPages(packed) ?? expect.fail('its pages are not listed')

test('the packed form is gzip of the JSON', () => {
  expect(JSON.parse(gunzipSync(packPages(document)).toString('utf8'))).toEqual(document)
  expect(open(packPages({ ...document, pages: [] }))).toEqual({ ...document, pages: [] })
})

test('opened pages are the pages, with their number of words and a hash that does not depend on their place', () => {
  const { pages } = open(packPages(document))
  expect(pages.map(wordCount)).toEqual(document.pages.map(({ words }) => words.length))
  expect(pages.map(hashOfPage)).toEqual(document.pages.map(hashOfPage))
  expect(pages.map((page) => hashOfPage(movedPage(page, 7)))).toEqual(pages.map(hashOfPage))
  expect(new Set(pages.map(hashOfPage)).size).toBe(3)
  expect(open(packPages(document))).toEqual(document)
})

test('pages of an opened document are packed again as they are, in another order and among others', () => {
  const { pages } = open(packPages(document))
  const [first, second, third] = pages as [Page, Page, Page]
  const other = pageOf(1, 'A new page')
  const again = packPages({
    ...document,
    pages: [movedPage(third, 0), other, movedPage(first, 2), movedPage(second, 3)],
  })
  const plain = document.pages as [Page, Page, Page]
  const expected = [{ ...plain[2], index: 0 }, other, { ...plain[0], index: 2 }, { ...plain[1], index: 3 }]
  expect(JSON.parse(gunzipSync(again).toString('utf8'))).toEqual({ ...document, pages: expected })
  expect(open(again).pages).toEqual(expected)
  expect(packPages(open(packPages(document)))).toEqual(packPages(document))
})

test('a page is unpacked only when its words are read', () => {
  const broken = Buffer.from(packPages(document))
  // Within what the last page says.
  broken.fill(0xff, broken.length - 60, broken.length - 40)
  const { pages } = open(broken)
  expect(pages.map(wordCount)).toEqual([3, 1, 2])
  expect(pages[0]?.words).toHaveLength(3)
  expect(
    packDocument({ ...document, pages: Array.from({ length: 8 }, (_, at) => movedPage(pages[2] as Page, at)) }),
  ).toMatchObject({
    words: 16,
    atSeconds: [2, 2, 2, 2, 2, 2, 2, 2],
  })
  expect(() => pages[2]?.words).toThrow()
})
