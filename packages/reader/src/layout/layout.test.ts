import { describe, expect, test } from 'vitest'
import type { Page, Word } from '../media/document.ts'
import { turnAbout } from '../media/image/turn.ts'
import { readDocument } from '../media/read-document.ts'
import { madePdf } from '../media/testing/made.ts'
import { layoutDocument, layoutPage, lineText } from './layout.ts'

const size = 1000

/** Lines of words 10 high with letters 8 wide, `space` between words and 90 between cells. */
function recognised(lines: readonly (readonly string[])[], space: number): Page {
  const words = lines.flatMap((parts, row) => {
    let x = 20
    return parts.flatMap((part) => {
      const own = part.split(' ').map((text): Word => {
        const box = [x / size, (20 + row * 20) / size, (text.length * 8) / size, 10 / size] as const
        x += text.length * 8 + space
        return { text, box, confidence: 0.9 }
      })
      x += 90 - space
      return own
    })
  })
  return { index: 0, width: size, height: size, source: 'ocr', words, turnedDegrees: 0 }
}

const cells = (page: Page): string[] => layoutPage(page, 0).lines.map(lineText)

describe('cells of an OCR page', () => {
  const lines = [
    ['Ballpoint pen blue', '3.30'],
    ['2 x 1.65'],
    ['Whole milk 2L', '1.75'],
    ['1 x 1.75'],
    ['Sum of items', '5.05'],
  ]

  test('keep words together when spaces are as wide as letters', () => {
    expect(cells(recognised(lines, 13))).toEqual([
      'Ballpoint pen blue  3.30',
      '2 x 1.65',
      'Whole milk 2L  1.75',
      '1 x 1.75',
      'Sum of items  5.05',
    ])
  })

  test('end at a gap of that width when spaces are narrow', () => {
    const page = recognised(lines, 3)
    const beside: Word = { text: 'T', box: [0.02 + 0.064 + 0.013, 0.12, 0.008, 0.01], confidence: 0.9 }
    const code: Word = { text: 'Discount', box: [0.02, 0.12, 0.064, 0.01], confidence: 0.9 }
    expect(cells({ ...page, words: [...page.words, code, beside] }).at(-1)).toBe('Discount  T')
  })
})

test.each([
  ['accounts @acme.com VAT', 'accounts@acme.com VAT'],
  ['office @ acme.co.uk', 'office@acme.co.uk'],
  ['info@acme ie www.acme.ie', 'info@acme.ie www.acme.ie'],
  ['billing@acme.co uk United', 'billing@acme.co.uk United'],
  ['2 @ 4.50 each', '2 @ 4.50 each'],
  ['mail@acme.com or call', 'mail@acme.com or call'],
])('joins an e-mail address that OCR split: %s', (torn, whole) => {
  expect(cells(recognised([[torn]], 3))).toEqual([whole])
})

test.each([
  ['1X1,56', '1 X 1,56'],
  ['2x 1.65', '2x 1.65'],
  ['3e1.18', '3 @ 1.18'],
  ['a4.77', '@ 4.77'],
  ['a 4.77', '@ 4.77'],
  ['3 = 60.00', '3 x 60.00'],
  ['1 =2.57', '1 x 2.57'],
  ['Sum = 60.00', 'Sum = 60.00'],
  ['Half a 4.77', 'Half a 4.77'],
  ['4X40 PK50', '4X40 PK50'],
  ['1080x1920 A4', '1080x1920 A4'],
])('splits a quantity and a price that OCR joined: %s', (joined, apart) => {
  expect(cells(recognised([[joined]], 3))).toEqual([apart])
})

test.each([7, 33, 45, 90, 135, 180, 270])(
  'a text layer written at %d degrees has lines and columns, and boxes on the page as displayed',
  async (angle) => {
    const pdf = await madePdf((document) => {
      document
        .rotate(angle, { origin: [297, 421] })
        .font('Helvetica')
        .fontSize(11)
      document.text('Invoice number', 170, 400, { lineBreak: false }).text('R-118', 330, 400, { lineBreak: false })
      document.text('Total', 170, 430, { lineBreak: false }).text('621.00', 330, 430, { lineBreak: false })
    })
    const document = await readDocument({ bytes: pdf })
    const [page] = document.pages
    expect(page?.turnedDegrees).toBeCloseTo(360 - angle, 1)
    const lines = layoutDocument(document, 0).flatMap((layout) => layout.lines)
    expect(lines.map((line) => line.cells.map(({ text }) => text))).toEqual([
      ['Invoice number', 'R-118'],
      ['Total', '621.00'],
    ])
    const [x = 0, y = 0, w = 0, h = 0] = page?.words.find(({ text }) => text === '621.00')?.box ?? []
    const middle = turnAbout({ x: 347, y: 434 }, { x: 297, y: 421 }, angle)
    expect(Math.abs((x + w / 2) * 595 - middle.x)).toBeLessThan(4)
    expect(Math.abs((y + h / 2) * 842 - middle.y)).toBeLessThan(4)
  },
)

test('on a square page that lies on its side, boxes are as wide and high as the words are displayed', async () => {
  const pdf = await madePdf((document) => {
    document
      .addPage({ size: [400, 400] })
      .rotate(90, { origin: [200, 200] })
      .font('Helvetica')
      .fontSize(11)
    document.text('Internationalisation', 100, 200, { lineBreak: false })
  })
  const [, page] = (await readDocument({ bytes: pdf })).pages
  const [, , width = 0, height = 0] = page?.words[0]?.box ?? []
  expect(height).toBeGreaterThan(3 * width)
})

test('numbers a space apart are not one number, whatever mark is between them', () => {
  const lines = [['Am Gleis 3, 24576 Ahrweide'], ['Rooms 12, 14 and 16'], ['Total of all the rooms']]
  const page = { ...recognised(lines, 3), source: 'text-layer' as const }
  expect(cells(page)).toEqual(lines.flat())
  // A mark that a wide typeface sets apart belongs to its number.
  const apart = [['4 . 50 for a cup of tea with milk'], ['and of the same kind another one']]
  const narrow = recognised(apart, 5)
  const moved = narrow.words.map((word, at) => {
    if (at !== 1 && at !== 2) return word
    const [x, y, w, h] = word.box
    return { ...word, box: [x - at * 0.003, y, w, h] as const }
  })
  expect(cells({ ...narrow, words: moved })[0]).toBe('4.50  for a cup of tea with milk')
})
