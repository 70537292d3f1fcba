import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import PDFDocument from 'pdfkit'
import type { Json, JsonObject } from '../packages/core/src/json.ts'
import { makeDocument } from '../packages/reader/training/documents/document.ts'

/**
 * Writes the documents and known answers of the skills in `skills/`: `node scripts/make-evals.ts && npm run format`. Invoices and receipts are made
 * with their truth by `bench/documents`, tables are drawn here.
 */

const skills = new URL('../skills/', import.meta.url)

interface Made {
  readonly file: string
  readonly response: Json
}

async function writeEvals(skill: string, made: readonly Made[]): Promise<void> {
  const evals = made.map(({ file, response }) => ({ inputs: { file }, response }))
  const text = `${JSON.stringify({ skill_name: skill, evals }, null, 2)}\n`
  await writeFile(new URL(`${skill}/evals/evals.json`, skills), text)
}

async function folderOf(skill: string): Promise<URL> {
  const folder = new URL(`${skill}/evals/`, skills)
  await mkdir(folder, { recursive: true })
  return folder
}

async function makeInvoices(): Promise<void> {
  const folder = await folderOf('invoice-extraction')
  await copyFile(new URL('../samples/invoice.pdf', import.meta.url), new URL('coffee-roaster.pdf', folder))
  const made: Made[] = [{ file: 'coffee-roaster.pdf', response: coffeeRoaster }]
  for (const [seed, name] of [
    [3, 'canada'],
    [6, 'netherlands'],
    [5, 'france'],
  ] as const) {
    const { pdf, truth } = await makeDocument({ kind: 'invoice', seed, split: 'train' })
    await writeFile(new URL(`${name}.pdf`, folder), pdf)
    const { purchase_order_number, ...rest } = truth as unknown as JsonObject
    made.push({ file: `${name}.pdf`, response: { purchase_order: purchase_order_number ?? null, ...rest } })
  }
  await writeEvals('invoice-extraction', made)
}

const line = (sku: string, description: string, [quantity, unit_price, amount]: readonly [number, number, number]) => ({
  sku,
  description,
  quantity,
  unit_price,
  amount,
})

/** What `samples/invoice.pdf` says. */
const coffeeRoaster = {
  invoice_number: 'KR-2026-0318',
  invoice_date: '2026-03-03',
  due_date: '2026-04-02',
  purchase_order: 'CS-2291',
  payment_terms: '30 days net',
  vendor: {
    name: 'Kestrel Coffee Roasters Ltd',
    address: 'Unit 7, Albion Dockside, Hanover Place, Bristol BS1 6UT, United Kingdom',
    email: 'accounts@kestrelroasters.example',
    phone: '0117 496 0312',
    vat_id: 'GB 384 2915 06',
  },
  customer: {
    name: 'The Corner Shelf Bookshop & Café',
    address: '24 Walcot Street, Bath, BA1 5BG, United Kingdom',
  },
  line_items: [
    line('KR-ESP-1K', 'Dockside espresso blend, 1 kg', [24, 17.5, 420]),
    line('KR-FLT-1K', 'Guji filter coffee, 1 kg', [12, 21.8, 261.6]),
    line('KR-DEC-1K', 'Huila decaf, 1 kg', [6, 19.9, 119.4]),
    line('AC-FIL-500', 'Paper filters, pack of 500', [8, 6.75, 54]),
    line('SV-GRD', 'Grinder service, per hour', [1.5, 64, 96]),
    line('SV-TRN', 'Barista training, half day', [1, 180, 180]),
  ],
  currency: 'GBP',
  subtotal: 1131,
  discount: 56.55,
  shipping: 12.5,
  tax_rate: 20,
  tax: 217.39,
  total: 1304.34,
  iban: 'GB29NWBK60161331926819',
}

async function makeReceipts(): Promise<void> {
  const folder = await folderOf('receipt-extraction')
  const made: Made[] = []
  for (const [seed, name] of [
    [3, 'sheffield'],
    [7, 'florence'],
    [2, 'coimbra'],
  ] as const) {
    const { pdf, truth } = await makeDocument({ kind: 'receipt', seed, split: 'train' })
    await writeFile(new URL(`${name}.pdf`, folder), pdf)
    made.push({ file: `${name}.pdf`, response: truth as unknown as Json })
  }
  await writeEvals('receipt-extraction', made)
}

interface Drawn {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

const sales: Drawn = {
  title: 'Sales by region',
  columns: ['Region', 'Q1', 'Q2', 'Q3', 'Q4'],
  rows: [
    ['North', '1,204', '1,310', '1,118', '1,502'],
    ['South', '980', '1,022', '1,240', '1,377'],
    ['East', '455', '512', null, '601'],
    ['West', '2,310', '2,004', '2,190', '2,415'],
  ],
}
const staff: Drawn = {
  title: 'Duty roster, week 12',
  columns: ['Name', 'Role', 'Shift', 'Hours'],
  rows: [
    ['M. Keller', 'Pharmacist', 'Early', '38'],
    ['J. Okafor', 'Assistant', 'Late', '40'],
    ['S. Lindqvist', 'Trainee', 'Early', '20'],
  ],
}
const parts: Drawn = {
  title: 'Spare parts',
  columns: ['Part', 'Material', 'Weight', 'In stock'],
  rows: [
    ['Impeller K4', 'Bronze', '2.4 kg', '17'],
    ['Shaft seal 22', 'Graphite', '0.1 kg', '230'],
    ['Gasket DN50', 'NBR', '0.02 kg', '1,100'],
    ['Bearing 6204', 'Steel', '0.11 kg', '64'],
    ['Coupling M8', 'Steel', '0.4 kg', '5'],
  ],
}

/** A page for each list of tables, one under the other. */
async function drawTables(pages: readonly (readonly Drawn[])[]): Promise<Buffer> {
  const document = new PDFDocument({
    size: 'A4',
    margin: 56,
    autoFirstPage: false,
    info: { CreationDate: new Date(0) },
  })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise<void>((resolve) => document.on('end', resolve))
  for (const tables of pages) {
    document.addPage()
    let y = 70
    for (const { title, columns, rows } of tables) {
      document.font('Helvetica-Bold').fontSize(13).text(title, 56, y, { lineBreak: false })
      y += 28
      const step = 480 / columns.length
      const write = (texts: readonly (string | null)[], face: string) => {
        document.font(face).fontSize(10)
        for (const [at, text] of texts.entries())
          if (text !== null) document.text(text, 56 + at * step, y, { lineBreak: false })
        y += 20
      }
      write(columns, 'Helvetica-Bold')
      document
        .moveTo(56, y - 5)
        .lineTo(536, y - 5)
        .stroke()
      for (const row of rows) write(row, 'Helvetica')
      y += 30
    }
  }
  document.end()
  await ended
  return Buffer.concat(pieces)
}

async function makeTables(): Promise<void> {
  const folder = await folderOf('table-extraction')
  const made: Made[] = []
  for (const [name, pages] of [
    ['sales', [[sales]]],
    ['two-tables', [[staff, parts]]],
    ['two-pages', [[parts], [sales]]],
  ] as const) {
    await writeFile(new URL(`${name}.pdf`, folder), await drawTables(pages))
    const tables = pages.flatMap((drawn, page) => drawn.map((one) => ({ page, ...one })))
    made.push({ file: `${name}.pdf`, response: { tables } })
  }
  await writeEvals('table-extraction', made)
}

await makeInvoices()
await makeReceipts()
await makeTables()
