import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withPdf } from './pdf/open-pdf.ts'
import { readDocument } from './read-document.ts'
import { madePdf } from './testing/made.ts'

/** Fonts that no file brings along: PDFium replaces them all by one face, whose weight and width it changes to draw. */
const [plain, bold, condensed] = ['Gill-Sans', 'Gill-Bold', 'Gill-Cond'] as const
type Write = (pdf: PDFKit.PDFDocument) => void

/** Pages of text in such a font. */
async function inFont(font: string, ...pages: readonly Write[]): Promise<Buffer> {
  const pdf = await madePdf((made) => {
    for (const [at, write] of pages.entries()) write(at === 0 ? made : made.addPage())
  })
  return Buffer.from(pdf.toString('latin1').replaceAll('/BaseFont /Helvetica', `/BaseFont /${font}`), 'latin1')
}

const write: Write = (pdf) => pdf.fontSize(20).text('DUPLICATE of the invoice WM-2044, Mill Lane', 60, 60)
/** Light text may be hidden, so the reader draws its page. */
const writeLight: Write = (pdf) =>
  pdf
    .rect(50, 50, 500, 80)
    .fill('#000000')
    .fillColor('#ffffff')
    .fontSize(20)
    .text('Willow Mill, 2044, by the weir of Mill Lane', 60, 60)

const wordsOf = async (bytes: Buffer, request: { readonly pageIndices?: readonly number[] } = {}) =>
  (await readDocument({ bytes, ...request })).pages.map(({ words }) => words)

test('a document is read alike whatever was read before it', async () => {
  const document = await inFont(plain, write)
  await wordsOf(await inFont(bold, writeLight))
  const afterBold = await wordsOf(document)
  await wordsOf(await inFont(condensed, writeLight))
  expect(await wordsOf(document)).toEqual(afterBold)
  expect(afterBold.flat().map(({ text }) => text)).toContain('DUPLICATE')
})

test('a page is read alike with and without the pages before it', async () => {
  const document = await inFont(bold, writeLight, write)
  const [, second] = await wordsOf(document)
  expect(await wordsOf(document, { pageIndices: [1] })).toEqual([second])
})

test('a document that is read beside others is closed before the next one opens', async () => {
  const events: string[] = []
  const document = await inFont(plain, write)
  await Promise.all(
    ['first', 'second'].map((name) =>
      withPdf(document, async () => {
        events.push(`${name} opened`)
        await setImmediate()
        events.push(`${name} done`)
      }),
    ),
  )
  expect(events).toEqual(['first opened', 'first done', 'second opened', 'second done'])
})

test('a document after one whose reading failed is read', async () => {
  const document = await inFont(plain, write)
  const failing = withPdf(document, () => Promise.reject(new Error('broken')))
  const after = wordsOf(document)
  await expect(failing).rejects.toThrow('broken')
  expect((await after).flat().length).toBeGreaterThan(0)
})
