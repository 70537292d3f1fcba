import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'
import { drawPairs } from '../packages/reader/training/documents/blocks/pairs.ts'
import { drawTable } from '../packages/reader/training/documents/blocks/table.ts'
import { type Canvas, createCanvas } from '../packages/reader/training/documents/canvas.ts'
import { packaged } from '../packages/reader/training/documents/fonts.ts'
import { drawBox, drawRule, textWidth, write } from '../packages/reader/training/documents/ink.ts'
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { localesOf } from '../packages/reader/training/documents/words.ts'

/** Writes `samples/invoice.pdf`, the document that the guides begin with: `node samples/make-invoice.ts`. */

interface Item {
  readonly code: string
  readonly name: string
  readonly note: string
  readonly quantity: string
  readonly cents: number
  readonly amountCents: number
}

const items: readonly Item[] = [
  {
    code: 'KR-ESP-1K',
    name: 'Dockside espresso blend, 1 kg',
    note: 'Whole bean, roasted to order',
    quantity: '24',
    cents: 1750,
    amountCents: 42000,
  },
  {
    code: 'KR-FLT-1K',
    name: 'Guji filter coffee, 1 kg',
    note: 'Single origin, Ethiopia, washed',
    quantity: '12',
    cents: 2180,
    amountCents: 26160,
  },
  {
    code: 'KR-DEC-1K',
    name: 'Huila decaf, 1 kg',
    note: 'Single origin, Colombia',
    quantity: '6',
    cents: 1990,
    amountCents: 11940,
  },
  { code: 'AC-FIL-500', name: 'Paper filters, pack of 500', note: '', quantity: '8', cents: 675, amountCents: 5400 },
  {
    code: 'SV-GRD',
    name: 'Grinder service, per hour',
    note: 'On site, burrs replaced',
    quantity: '1.5',
    cents: 6400,
    amountCents: 9600,
  },
  {
    code: 'SV-TRN',
    name: 'Barista training, half day',
    note: 'For up to four people',
    quantity: '1',
    cents: 18000,
    amountCents: 18000,
  },
]
const discountCents = 5655
const deliveryCents = 1250

const left = 52
const right = 543
const wide = right - left

function openCanvas(): Canvas {
  const locale = localesOf('train').find(({ id }) => id === 'en-GB')
  if (locale === undefined) throw new Error('the generator has lost its British English')
  return createCanvas({
    doc: new PDFDocument({
      size: 'A4',
      margin: 0,
      info: {
        Title: 'Invoice KR-2026-0318',
        Author: 'Kestrel Coffee Roasters Ltd',
        CreationDate: new Date(Date.UTC(2026, 2, 3)),
      },
    }),
    random: createRandom('sample'),
    locale,
    second: null,
    style: {
      family: packaged('lato'),
      size: 9.5,
      margin: left,
      accent: '#7a3b1d',
      ink: '#23201d',
      grey: '#7b736b',
      suffix: '',
      caps: false,
      lineGap: 2.5,
    },
    moneyForm: { group: ',', decimal: '.', place: 'before', code: 'GBP', symbol: '£' },
    dateForm: 'D MMMM YYYY',
    currencyNote: null,
  })
}

const toPair = ([label, value]: readonly [string, string]) => ({ key: label, label, value })

function drawHead(canvas: Canvas): number {
  const { doc, style } = canvas
  doc.rect(0, 0, doc.page.width, 8).fill(style.accent)
  doc.circle(left + 19, 59, 19).fill(style.accent)
  doc
    .save()
    .translate(left + 19, 59)
    .rotate(-30)
    .ellipse(0, 0, 8, 11.5)
    .fill('#f6efe8')
    .restore()
  doc
    .save()
    .translate(left + 19, 59)
    .rotate(-30)
    .lineWidth(1.6)
    .strokeColor(style.accent)
  doc.moveTo(0, -11.5).bezierCurveTo(-6, -4, 6, 4, 0, 11.5).stroke().restore()
  let y = write(canvas, 'Kestrel Coffee Roasters Ltd', { x: left + 50, y: 42, size: 14, face: 'bold' })
  for (const line of [
    'Unit 7, Albion Dockside, Hanover Place',
    'Bristol BS1 6UT, United Kingdom',
    'Tel 0117 496 0312',
    'accounts@kestrelroasters.example',
    'VAT No. GB 384 2915 06',
  ])
    y = write(canvas, line, { x: left + 50, y, size: 9, colour: style.grey, gap: 1.5 })
  write(canvas, 'Invoice', { x: left, y: 40, width: wide, align: 'right', size: 27, colour: style.accent })
  return y
}

function drawData(canvas: Canvas, top: number): number {
  const { style } = canvas
  drawRule(canvas, { x: left, y: top, width: wide, colour: '#d9cfc5' })
  const y = top + 14
  let customerEnd = write(canvas, 'Bill to', { x: left, y, size: 8, colour: style.grey })
  customerEnd = write(canvas, 'The Corner Shelf Bookshop & Café', { x: left, y: customerEnd, face: 'bold' })
  for (const line of ['24 Walcot Street', 'Bath', 'BA1 5BG', 'United Kingdom'])
    customerEnd = write(canvas, line, { x: left, y: customerEnd })
  const pairs = [
    ['Invoice number', 'KR-2026-0318'],
    ['Invoice date', '3 March 2026'],
    ['Due date', '2 April 2026'],
    ['Purchase order', 'CS-2291'],
    ['Payment terms', '30 days net'],
  ] as const
  return (
    Math.max(
      customerEnd,
      drawPairs(canvas, { x: 335, y, width: right - 335, pairs: pairs.map(toPair), look: 'spread' }),
    ) + 22
  )
}

function drawItems(canvas: Canvas, y: number): number {
  return drawTable(canvas, {
    columns: [
      { title: 'Code', align: 'left' },
      { title: 'Description', align: 'left', grows: true },
      { title: 'Quantity', align: 'right' },
      { title: 'Unit price', align: 'right' },
      { title: 'Amount', align: 'right' },
    ],
    rows: items.map((item) => ({
      cells: [
        item.code,
        item.note === '' ? item.name : `${item.name}\n${item.note}`,
        item.quantity,
        canvas.money(item.cents),
        canvas.money(item.amountCents),
      ],
    })),
    x: left,
    y,
    width: wide,
    look: { lines: 'rules', header: 'band', padding: 5.5, smallNotes: true },
    bottom: 700,
    newPage: () => y,
  })
}

function drawSums(canvas: Canvas, top: number): number {
  const { style, money } = canvas
  const subtotal = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const taxable = subtotal - discountCents + deliveryCents
  const tax = Math.round(taxable * 0.2)
  const x = 335
  const pairs = [
    ['Subtotal', money(subtotal)],
    ['Discount (5 %)', money(-discountCents)],
    ['Delivery', money(deliveryCents)],
    ['VAT (20 %)', money(tax)],
  ] as const
  const y = drawPairs(canvas, { x, y: top + 12, width: right - x - 6, pairs: pairs.map(toPair), look: 'spread' }) + 4
  drawBox(canvas, { x: x - 8, y, width: right - x + 8, height: 25, fill: '#f6efe8', radius: 3 })
  write(canvas, 'Total due', { x, y: y + 6, size: 12, face: 'bold', colour: style.accent })
  const total = money(taxable + tax)
  write(canvas, total, {
    x: right - 6 - textWidth(canvas, total, { size: 12, face: 'bold' }),
    y: y + 6,
    size: 12,
    face: 'bold',
    colour: style.accent,
  })
  return y + 30
}

function drawFoot(canvas: Canvas): void {
  const { style } = canvas
  const y = 738
  drawRule(canvas, { x: left, y: y - 10, width: wide, colour: '#d9cfc5' })
  const columns = [
    ['Payment', 'Bank  Severn & Avon Bank plc', 'IBAN  GB29 NWBK 6016 1331 9268 19', 'BIC  NWBKGB2L'],
    ['Questions?', 'Ask for Priya Whitaker', '0117 496 0312', 'kestrelroasters.example'],
    [
      'Thank you',
      'Coffee is best within eight weeks',
      'of roasting. Empty bags are',
      'collected with your next delivery.',
    ],
  ]
  for (const [n, [title = '', ...lines]] of columns.entries()) {
    const x = left + (n * wide) / 3
    let lineY = write(canvas, title, { x, y, size: 8.5, face: 'bold', colour: style.accent })
    for (const line of lines) lineY = write(canvas, line, { x, y: lineY, size: 8, colour: style.grey, gap: 1.5 })
  }
  write(canvas, 'Page 1 of 1', { x: left, y: 808, width: wide, align: 'right', size: 7.5, colour: style.grey })
}

async function make(): Promise<void> {
  const canvas = openCanvas()
  const chunks: Buffer[] = []
  const finished = new Promise<void>((resolve) => canvas.doc.on('end', resolve))
  canvas.doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const headEnd = drawHead(canvas)
  const dataEnd = drawData(canvas, headEnd + 12)
  drawSums(canvas, drawItems(canvas, dataEnd))
  drawFoot(canvas)
  canvas.doc.end()
  await finished
  await writeFile(fileURLToPath(new URL('./invoice.pdf', import.meta.url)), Buffer.concat(chunks))
}

await make()
