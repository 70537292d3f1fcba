import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Json, JsonObject, JsonSchema } from '../../packages/core/src/json.ts'
import { packDocument } from '../../packages/reader/src/media/packed-document.ts'
import { createRandom } from '../../packages/reader/training/documents/random.ts'
import { sameValue } from '../../packages/server/src/agent/same-value.ts'
import type { SourceParts } from '../../packages/server/src/features/programs/run-source.ts'
import { readLines, truthOf } from '../accuracy/receipts.ts'
import { servedSet } from './served.ts'

const receiptSchema: JsonSchema = {
  type: 'object',
  properties: {
    date: { type: ['string', 'null'], format: 'date', description: 'Date of the receipt' },
    total: { type: ['number', 'null'], description: 'Total amount' },
  },
  required: ['date', 'total'],
}
export const receiptFields = ['date', 'total'] as const

export interface Receipt {
  readonly name: string
  readonly documents: readonly {
    readonly input: string
    readonly packed: Uint8Array
    readonly mediaType: string
    readonly pageCount: number
  }[]
  readonly values: Readonly<Record<string, Json>>
  readonly answer: JsonObject
  /** The given text lines, for the plain regular expression. */
  readonly lines: readonly string[]
  /** The same joined into rows. */
  readonly rows: readonly string[]
}

/** The receipts of a folder that have a picture: the given text lines with their boxes as words, and the correct answer of each. */
export async function loadReceipts(folder: string): Promise<Receipt[]> {
  const names = (await readdir(join(folder, 'img'))).map((file) => file.replace(/\.jpg$/, '')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const { date, total } = truthOf(JSON.parse(await readFile(join(folder, 'key', `${name}.json`), 'utf8')))
      const box = join(folder, 'box', `${name}.csv`)
      const document = await readLines(box, join(folder, 'img', `${name}.jpg`))
      const { packed, mediaType, pageCount } = packDocument(document)
      const cells = (await readFile(box, 'latin1'))
        .split(/\r?\n/)
        .filter((line) => line !== '')
        .map((line) => line.split(','))
      const placed = cells.map((cell) => ({
        text: cell.slice(8).join(','),
        x: Number(cell[0]),
        y: (Number(cell[1]) + Number(cell[5])) / 2,
        h: Number(cell[5]) - Number(cell[1]),
      }))
      return {
        name,
        documents: [{ input: 'receipt', packed, mediaType, pageCount }],
        values: {},
        answer: { date, total },
        lines: placed.map(({ text }) => text),
        rows: rowsOf(placed),
      }
    }),
  )
}

/** Lines whose centres are less than half a line height apart, from left to right. */
function rowsOf(placed: readonly { text: string; x: number; y: number; h: number }[]): string[] {
  const rows: { text: string; x: number; y: number; h: number }[][] = []
  for (const one of placed.toSorted((a, b) => a.y - b.y)) {
    const row = rows.at(-1)
    if (row?.[0] && Math.abs(row[0].y - one.y) < row[0].h / 2) row.push(one)
    else rows.push([one])
  }
  return rows.map((row) =>
    row
      .toSorted((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join(' '),
  )
}

/** The results for one field on the receipts that were not learned from. */
export type Counts = { right: number; wrong: number; none: number }

interface WrongValue {
  readonly name: string
  readonly field: string
  readonly truth: Json
  readonly value: Json
}

export interface ReceiptRound {
  readonly ready: boolean
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly message: string }[]
  readonly learned: readonly {
    readonly pointer: string
    readonly by: string
    readonly right: number
    readonly wrong: number
    readonly none: number
  }[]
  /** What the program answered; `none` is left to an agent. */
  readonly served: Readonly<Record<(typeof receiptFields)[number], Counts>>
  /** Fields that the program leaves to an agent in every run. */
  readonly left: readonly string[]
  /** Documents of which it served every field, and some. */
  readonly documents: { readonly whole: number; readonly partly: number }
  readonly wrong: readonly WrongValue[]
  readonly regularExpression: Readonly<Record<'date' | 'total' | 'total in rows', Counts>>
  readonly declined: Readonly<Record<string, number>>
  readonly msPerDocument: readonly number[]
  readonly source: string
}

/** One round: a program from `count` receipts, selected by `seed` (0: the first by name), applied to the others. */
export async function receiptRound(
  parts: SourceParts,
  receipts: readonly Receipt[],
  { count, seed }: { count: number; seed: number },
): Promise<ReceiptRound> {
  const random = createRandom(String(seed))
  const order =
    seed === 0
      ? [...receipts]
      : receipts
          .map((one) => ({ one, at: random.next() }))
          .toSorted((a, b) => a.at - b.at)
          .map(({ one }) => one)
  const [known, others] = [order.slice(0, count), order.slice(count)]
  const { source, fields, report, passed, answers } = await servedSet(parts, { schema: receiptSchema, known, others })
  const none = (): Counts => ({ right: 0, wrong: 0, none: 0 })
  const served = { date: none(), total: none() }
  const regularExpression = { date: none(), total: none(), 'total in rows': none() }
  const declined: Record<string, number> = {}
  const documents = { whole: 0, partly: 0 }
  const wrong: WrongValue[] = []
  for (const [n, { response, because }] of answers.entries()) {
    const receipt = others[n]
    if (!receipt) continue
    if (because) declined[because] = (declined[because] ?? 0) + 1
    if (response) documents[because ? 'partly' : 'whole'] += 1
    for (const field of receiptFields) {
      const [truth, value] = [receipt.answer[field] ?? null, response?.[field] ?? null]
      if (count1(served[field], truth, value) === 'wrong') wrong.push({ name: receipt.name, field, truth, value })
    }
    count1(regularExpression.date, receipt.answer['date'] ?? null, plainDate(receipt.lines))
    count1(regularExpression.total, receipt.answer['total'] ?? null, plainTotal(receipt.lines))
    count1(regularExpression['total in rows'], receipt.answer['total'] ?? null, plainTotal(receipt.rows))
  }
  const msPerDocument = answers.map(({ ms }) => ms)
  return {
    ready: passed,
    checks: report.checks,
    learned: fields,
    left: report.left ?? [],
    served,
    documents,
    wrong,
    regularExpression,
    declined,
    msPerDocument,
    source,
  }
}

function count1(counts: Counts, truth: Json, said: Json): keyof Counts {
  const verdict = said === null ? 'none' : sameValue(truth, said) ? 'right' : 'wrong'
  counts[verdict] += 1
  return verdict
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The first text that looks like a date, day first. */
function plainDate(lines: readonly string[]): string | null {
  const match = /(\d{1,2})[-/. ](\d{1,2}|[a-z]{3})[a-z]*[-/. ,]+(\d{4}|\d{2})(?!\d)/i.exec(lines.join('\n'))
  if (!match) return null
  const [, day = '', middle = '', year = ''] = match
  const named = monthNames.indexOf(middle.toLowerCase()) + 1
  const month = named > 0 ? String(named) : middle
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** The last amount with cents on a line that says total. */
function plainTotal(lines: readonly string[]): number | null {
  const found = lines
    .filter((line) => /total/i.test(line))
    .flatMap((line) => line.match(/\d+(?:,\d{3})*\.\d{2}/g) ?? [])
  const last = found.at(-1)
  return last === undefined ? null : Number(last.replaceAll(',', ''))
}
