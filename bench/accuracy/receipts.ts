import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonSchema } from '../../packages/core/src/json.ts'
import type { ReadDocument } from '../../packages/reader/src/media/document.ts'
import { readTextLines } from '../../packages/reader/training/score/sets.ts'
import { type Mark, score } from './score.ts'
import { extractFrom, readAndExtract } from './subjects.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    company: { type: ['string', 'null'], description: 'Name of the company that issued the receipt' },
    date: { type: ['string', 'null'], format: 'date', description: 'Date of the receipt' },
    address: { type: ['string', 'null'], description: 'Address of the company' },
    total: { type: ['number', 'null'], description: 'Total amount' },
  },
  required: ['company', 'date', 'address', 'total'],
}

export interface ReceiptMarks {
  /** From the given text lines. */
  readonly lines: readonly Mark[]
  /** From the photographs, by the product's own reader; empty unless requested. */
  readonly photographs: readonly Mark[]
  readonly count: number
  readonly seconds: number
}

/**
 * Scores a folder of real receipts: `img/*.jpg`, `key/*.json` (company, date, address, total as printed) and
 * `box/*.csv` (text lines as x1,y1,…,x4,y4,text in pixels).
 */
export async function scoreReceipts(
  folder: string,
  options: { count: number; photographs: boolean },
): Promise<ReceiptMarks> {
  const names = (await readdir(join(folder, 'key'))).map((file) => file.replace(/\.json$/, '')).toSorted()
  const lines: Mark[] = []
  const photographs: Mark[] = []
  const chosen = names.slice(0, options.count)
  const started = performance.now()
  for (const name of chosen) {
    const truth = truthOf(JSON.parse(await readFile(join(folder, 'key', `${name}.json`), 'utf8')))
    const picture = join(folder, 'img', `${name}.jpg`)
    const given = extractFrom(await readLines(join(folder, 'box', `${name}.csv`), picture), schema)
    lines.push(...score({ truth, accepts: {}, answer: given.answer, recognised: false }))
    if (!options.photographs) continue
    const read = await readAndExtract(await readFile(picture), schema)
    photographs.push(...score({ truth, accepts: {}, answer: read.answer, recognised: true }))
  }
  return { lines, photographs, count: chosen.length, seconds: (performance.now() - started) / 1000 }
}

interface Key {
  readonly company?: string
  readonly date?: string
  readonly address?: string
  readonly total?: string
}

export function truthOf(key: Key) {
  return {
    company: key.company ?? null,
    date: key.date === undefined ? null : isoOf(key.date),
    address: key.address ?? null,
    total: key.total === undefined ? null : Number(key.total.replace(/[^0-9.]/g, '')),
  }
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** The receipts are Malaysian: the day comes first, unless the year does. */
function isoOf(printed: string): string {
  const parts = printed
    .toUpperCase()
    .split(/[^0-9A-Z]+/)
    .filter(Boolean)
  const [a = '', b = '', c = ''] = parts
  const month = months.includes(b.slice(0, 3)) ? String(months.indexOf(b.slice(0, 3)) + 1) : b
  const [year, day] = a.length === 4 ? [a, c] : [c.length === 2 ? `20${c}` : c, a]
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The given text lines as if they were recognised on the picture. */
export async function readLines(path: string, picture: string): Promise<ReadDocument> {
  const read = await readTextLines(path, picture)
  return { ...read, mediaType: 'image/jpeg', pages: read.pages.map((page) => ({ ...page, source: 'ocr' })) }
}
