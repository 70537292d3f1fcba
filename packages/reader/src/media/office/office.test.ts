import {
  childProcessPoolDefaults,
  createChildProcessPool,
} from '@skillrun/server/adapters/process-pool/child/child-process-pool.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { zipEntries } from '../archive/zip-entries.ts'
import type { ReadDocument } from '../document.ts'
import { readDocumentJob, unpackDocument } from '../packed-document.ts'
import { readDocument } from '../read-document.ts'
import { madeFolder } from '../testing/made.ts'
import { madeExcel, madeOpenDocument, madePowerPoint, madeWord, madeZip } from '../testing/made-office.ts'

let files: Awaited<ReturnType<typeof madeFolder>>
beforeAll(async () => {
  files = await madeFolder()
})
afterAll(() => files.close())

const read = async (content: Uint8Array, pageIndices?: readonly number[]): Promise<ReadDocument> =>
  readDocument({ path: await files.write('input', content), ...(pageIndices ? { pageIndices } : {}) })
const textOf = (document: ReadDocument, page = 0): string =>
  document.pages[page]?.words.map((word) => word.text).join(' ') ?? ''

test('Word: paragraphs in order, table cells side by side, words without a span', async () => {
  const document = await read(
    await madeWord(
      ['Invoice INV-7', 'Tea &amp; biscuits'],
      [
        ['Description', 'Amount'],
        ['Teapot', '48.00'],
      ],
    ),
  )
  expect([document.mediaType, document.pageCount]).toEqual([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    1,
  ])
  expect(textOf(document)).toBe('Invoice INV-7 Tea & biscuits Description Amount Teapot 48.00')
  const place = (text: string) => document.pages[0]?.words.find((word) => word.text === text)
  expect(place('Teapot')?.box[1]).toBe(place('48.00')?.box[1])
  expect(place('Description')?.box[0]).toBe(place('Teapot')?.box[0])
  expect(document.pages[0]?.words.some((word) => word.span !== undefined)).toBe(false)
})

test('Excel: one page per sheet under its name, columns below their headers; a single sheet by its index', async () => {
  const workbook = await madeExcel({
    Items: [
      ['Item', 'Price'],
      ['Teapot', 48],
    ],
    Notes: [['Paid']],
  })
  const document = await read(workbook)
  expect(document.pageCount).toBe(2)
  expect([textOf(document), textOf(document, 1)]).toEqual(['Items Item Price Teapot 48', 'Notes Paid'])
  const price = document.pages[0]?.words.find((word) => word.text === 'Price')
  expect(document.pages[0]?.words.find((word) => word.text === '48')?.box[0]).toBe(price?.box[0])
  const second = await read(workbook, [1])
  expect([second.pages.length, second.pages[0]?.index, textOf(second)]).toEqual([1, 1, 'Notes Paid'])
  await expect(read(workbook, [2])).rejects.toMatchObject({ code: 'unknown_page' })
})

const sheetOf = async (cells: string): Promise<Buffer> => {
  const book = await madeExcel({ Items: [['cells']] })
  const parts = await zipEntries(book, { bytesMax: 1_000_000, isWanted: () => true })
  const sheet =
    parts
      .get('xl/worksheets/sheet1.xml')
      ?.toString()
      .replace(/<row .*<\/row>/, cells) ?? ''
  return madeZip(
    Object.fromEntries([...parts].map(([name, part]) => [name, /sheet1/.test(name) ? sheet : String(part)])),
  )
}

test.each([
  [
    'column',
    '<row r="1"><c r="UNDEFINED1"><v>1</v></c></row>',
    'unreadable_document',
    'no sheet has a cell "UNDEFINED1"',
  ],
  [
    'column',
    '<row r="1"><x:c s=">" r="XFE1"><v>1</v></x:c></row>',
    'unreadable_document',
    'no sheet has a cell "XFE1"',
  ],
  ['row', '<row r="99999999"></row>', 'unreadable_document', 'no sheet has a row "99999999"'],
  ['row', '<row r="1"><c r="A1048577"><v>1</v></c></row>', 'unreadable_document', 'no sheet has a cell'],
  [
    'distance',
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="9999"><c r="XFD9999"><v>1</v></c></row>',
    'input_too_costly',
    '9999 rows and 16384 columns',
  ],
  [
    'distance, beside an attribute that looks like its place,',
    `<row x=" r='1'" r="1"><c r="A1"><v>1</v></c></row><row x=" r='2'" r="9999"><c x=" r='A2'" r="XFD9999"><v>1</v></c></row>`,
    'input_too_costly',
    '9999 rows and 16384 columns',
  ],
])(
  'Excel: a cell in an impossible %s is refused before the cells up to it are made',
  async (_what, cells, code, says) => {
    const bytes = await sheetOf(cells)
    const before = process.memoryUsage().rss
    await expect(read(bytes)).rejects.toMatchObject({ code, message: expect.stringContaining(says) })
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
  },
)

test('Excel: a cell without content, however far away, refuses nothing', async () => {
  const far = '<row r="9999"><c r="XFD9999" s="0"/></row>'
  expect(textOf(await read(await sheetOf(`<row r="1"><c r="B1"><v>7</v></c></row>${far}`)))).toBe('Items 7')
})

test.each([
  ['percent', 0.0425, '0.00%', '4.25%'],
  ['percent with a space, which keeps its digits', 0.0425, '0" "%', '4.25 %'],
  ['a negative percentage', -0.03, '0.0%', '-3%'],
  ['a duration', 1.0625, '[h]:mm', '25:30'],
  ['a duration, which keeps its seconds', 1.0625 + 5 / 86_400, '[h]:mm', '25:30:05'],
  ['a time', 0.322916666666667, 'hh:mm', '07:45'],
  ['a time of the afternoon', 0.6, 'h:mm AM/PM', '14:24'],
  ['a date', 45_783, 'm/d/yy', '2025-05-06'],
  ['leading zeros', 417, '00000', '00417'],
  ['leading zeros of a number with more digits', 123_456, '0000', '123456'],
  ['groups of digits', 5_550_100, '000-0000', '555-0100'],
  ['a currency as text, without a sign between thousands', 98_500, '#,##0.00 "EUR"', '98500 EUR'],
  ['a currency of a locale, with all digits', 1234.567, '#,##0.00 [$€-407]', '1234.567 €'],
  ['a negative amount in brackets', -1250.5, '#,##0.00 [$CHF];(#,##0.00 [$CHF])', '-1250.5 CHF'],
  ['a unit', 12.5, 'General" kg"', '12.5 kg'],
  ['a number that is only rounded', 0.123456, '0.00', '0.123456'],
  ['a number with thousands', 1234, '#,##0', '1234'],
  ['a number shown in millions', 8_230_000, '0.0,,"M"', '8230000'],
  ['a format that no one knows', 7, '[[bad', '7'],
])('Excel: the format of a cell says what it shows: %s', async (_what, number, format, says) => {
  expect(textOf(await read(await madeExcel({ A: [[{ number, format }]] })))).toBe(`A ${says}`)
})

test('Excel: hidden sheets are not read, and a warning names them', async () => {
  const parts = await zipEntries(await madeExcel({ Spent: [['Vendor', 'Old Inn']], Archive: [['Vendor', 'Old Co']] }), {
    bytesMax: 1e6,
    isWanted: () => true,
  })
  const workbook = 'xl/workbook.xml'
  const named = parts.get(workbook)?.toString('utf8') ?? ''
  const hidden = named.replace('name="Archive"', 'name="Archive" state="hidden"')
  const { pages, warnings } = await read(await madeZip({ ...Object.fromEntries(parts), [workbook]: hidden }))
  expect(pages.map(({ words }) => words.map(({ text }) => text).join(' '))).toEqual(['Spent Vendor Old Inn'])
  expect(warnings).toEqual([
    { code: 'hidden_text', message: 'The workbook has hidden sheets, which were not read: "Archive".' },
  ])
})

test('PowerPoint: one page per slide, in the order of their numbers, without hidden content', async () => {
  const slides = Array.from({ length: 11 }, (_, index) => [`Slide ${index + 1}`])
  const document = await read(await madePowerPoint(slides))
  expect(document.pages.map((_page, index) => textOf(document, index))).toEqual(slides.map(([text]) => text))
})

test('OpenDocument: text as one page, each sheet as a page, repeated cells limited', async () => {
  const text = await read(
    await madeOpenDocument('text', '<text:h>Report</text:h><text:p>All<text:tab/>is well</text:p>'),
  )
  expect(textOf(text)).toBe('Report All is well')
  const cell = (value: string) => `<table:table-cell><text:p>${value}</text:p></table:table-cell>`
  const rows = `<table:table-row>${cell('Item')}${cell('Price')}<table:table-cell table:number-columns-repeated="16382"/></table:table-row><table:table-row>${cell('Teapot')}${cell('48')}</table:table-row>`
  const sheet = await read(
    await madeOpenDocument(
      'spreadsheet',
      `<table:table table:name="A">${rows}</table:table><table:table table:name="B"/>`,
    ),
  )
  expect([sheet.pageCount, textOf(sheet)]).toEqual([2, 'A Item Price Teapot 48'])
  expect(sheet.pages[0]?.width).toBeLessThan(300)
})

test('EPUB: chapters in the order of the spine', async () => {
  const chapter = (text: string) => `<html><head><title>no</title></head><body><p>${text}</p></body></html>`
  const book = await madeZip({
    mimetype: 'application/epub+zip',
    'book.opf':
      '<package><manifest><item id="b" href="2.xhtml"/><item id="a" href="1.xhtml"/></manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>',
    '2.xhtml': chapter('Second'),
    '1.xhtml': chapter('First'),
  })
  const document = await read(book)
  expect([textOf(document), textOf(document, 1)]).toEqual(['First', 'Second'])
})

test('a damaged file is reported as damaged, and one that unpacks to gigabytes ends its child process, not the server', async () => {
  const word = await madeWord(['Hello'])
  await expect(read(word.subarray(0, word.length - 200))).rejects.toMatchObject({
    kind: expect.stringMatching(/invalid|unsupported/),
  })
  const processPool = createChildProcessPool({
    ...childProcessPoolDefaults,
    childrenMax: 1,
    inputFolder: files.folder,
    bubblewrap: undefined,
  })
  try {
    const huge = await madeOpenDocument('text', `<text:p>${'a '.repeat(150_000_000)}</text:p>`)
    const path = await files.write('bomb', huge)
    expect(huge.length).toBeLessThan(2_000_000)
    const terms = { wallMs: 300_000, memoryMb: 512, signal: AbortSignal.timeout(60_000) }
    await expect(processPool.run(readDocumentJob, { path }, terms)).rejects.toMatchObject({ code: 'input_too_costly' })
    const good = await files.write('good', word)
    const reading = await processPool.run(readDocumentJob, { path: good }, { ...terms, memoryMb: 2_048 })
    expect(textOf(unpackDocument(reading.packed))).toBe('Hello')
  } finally {
    await processPool.close()
  }
})
