import { describe, expect, test } from 'vitest'
import type { Page, Word } from '../media/document.ts'
import { layoutPage, lineText } from './layout.ts'

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
