import { mkdir, writeFile } from 'node:fs/promises'
import PDFDocument from 'pdfkit'
import type { Json } from '../packages/core/src/json.ts'

/**
 * Writes the documents and cases of the skill table-extraction: `node scripts/make-evals.ts && npm run format`. Those
 * of the other skills are generated documents (packages/reader/training) that were written once and are kept.
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

/** A page for each list of tables, one below the other. */
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

await makeTables()
