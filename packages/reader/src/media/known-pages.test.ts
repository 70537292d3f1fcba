import { beforeAll, expect, test } from 'vitest'
import type { Page, ReadDocument } from './document.ts'
import { readDocument } from './read-document.ts'
import { packDocument, unpackDocument } from './reading.ts'
import { madePdf, picturedPdf } from './trials/made.ts'

/** A scanned page that says one word, and a page of text between them. */
async function version(words: readonly string[]): Promise<Buffer> {
  const scans = await Promise.all(
    words.map(async (word) => {
      const page = await madePdf((pdf) => pdf.fontSize(40).text(word, 60, 60, { lineBreak: false }))
      return (await picturedPdf(page, 72)).png().toBuffer()
    }),
  )
  return madePdf((pdf) => {
    scans.forEach((scan, index) => {
      if (index > 0) pdf.addPage()
      pdf.image(scan, 0, 0, { width: 595 })
      // A stamp, whose words are added to those of the scan.
      pdf.fontSize(8).text('Received', 400, 700, { lineBreak: false })
    })
  })
}

let first: ReadDocument
beforeAll(async () => {
  first = await readDocument({ bytes: await version(['Apple', 'Banana', 'Cherry']) })
})

const textOf = ({ words }: Page): string => words.map(({ text }) => text).join(' ')
/** The document as if OCR had read something else on each page: such words can only come from there. */
const marked = (document: ReadDocument): ReadDocument => ({
  ...document,
  pages: document.pages.map((page) => ({ ...page, words: page.words.map((word) => ({ ...word, text: 'known' })) })),
})

test('a new version with changed, moved, added and removed pages reads as without the earlier one', async () => {
  const bytes = await version(['Cherry', 'Damson', 'Apple'])
  const full = await readDocument({ bytes })
  expect(full.pages.map(textOf)).toEqual(['Received Cherry', 'Received Damson', 'Received Apple'])
  expect(await readDocument({ bytes, earlier: first })).toEqual(full)
})

test('only pages whose images changed are recognised again', async () => {
  const bytes = await version(['Cherry', 'Damson', 'Apple'])
  const read = await readDocument({ bytes, earlier: unpackDocument(packDocument(marked(first)).packed) })
  expect(read.pages.map(textOf)).toEqual(['known known', 'Received Damson', 'known known'])
})

test('another limit of OCR reads all pages again', async () => {
  const bytes = await version(['Apple'])
  const read = await readDocument({ bytes, earlier: marked(first), limits: { ocrPagePixels: 1_000_000 } })
  expect(read.pages.map(textOf)).toEqual(['Received Apple'])
})

test('a page of text is read from its text layer, and needs no earlier version', async () => {
  const bytes = await madePdf((pdf) => pdf.fontSize(12).text('A page with enough text to need no recognition', 60, 60))
  const read = await readDocument({ bytes })
  expect(read.pages[0]).not.toHaveProperty('lookedAt')
  expect(await readDocument({ bytes, earlier: marked(read) })).toEqual(read)
})
