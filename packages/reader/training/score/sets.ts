import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import sharp from 'sharp'
import type { Page, ReadDocument, Word } from '../../src/media/document.ts'
import { readDocument } from '../../src/media/read-document.ts'
import type { LabelledDocument } from './labelled.ts'

/** The set whose documents another one shows as photos or scans. */
export const familyOf = (set: string): string => (set === 'photos' ? 'receipts' : set.replace(/^scanned-/, ''))

/** Sets of documents that are alike, which are left out of training together. */
const kinds: readonly (readonly [name: string, sets: RegExp])[] = [
  ['agreements', /^(?:contracts|ndas|made-agreements)$/],
  ['invoices', /^(?:e-)?invoices$/],
  ['made papers', /^made-(?:invoice|order)$/],
  ['made slips', /^made-(?:receipt|statement)$/],
  ['made forms', /^made-forms-[12]$/],
  ['more made forms', /^made-forms-[34]$/],
]

export function kindOf(set: string): string {
  const family = familyOf(set)
  return kinds.find(([, sets]) => sets.test(family))?.[0] ?? family
}

type Answered = Pick<LabelledDocument, 'id' | 'document' | 'truth'>

/** Where documents are, where what was read of them is kept, and which are wanted, by name. */
interface Source {
  readonly folder: string
  readonly cache: string | undefined
  readonly takes: (id: string) => boolean
}

/** A set of labelled documents: what is asked of each, and where they come from. */
interface DocumentSet {
  readonly name: string
  readonly schema: JsonSchema
  load(from: Source): AsyncGenerator<Answered>
}

const text = (description: string): JsonObject => ({ type: ['string', 'null'], description })
const date = (description: string): JsonObject => ({ type: ['string', 'null'], format: 'date', description })
const number = (description: string): JsonObject => ({ type: ['number', 'null'], description })
const object = (properties: JsonObject): JsonSchema => ({ type: 'object', properties })

/** Every document of the sets in a folder that the folder has. */
export async function* realDocuments(from: Source, only: readonly string[]): AsyncGenerator<LabelledDocument> {
  for (const { name, schema, load } of documentSets) {
    if (!only.includes(name)) continue
    if (!existsSync(join(from.folder, familyOf(name)))) continue
    for await (const answered of load(from))
      yield { set: name, schema, accepts: {}, recognised: name !== familyOf(name), ...answered }
  }
}

/** Recognising a photo takes seconds. */
const photosMax = 63

const receiptSchema = object({
  company: text('Name of the company that issued the receipt'),
  date: date('Date of the receipt'),
  address: text('Address of the company'),
  total: number('Total amount'),
})

async function receiptTruth(base: string, id: string) {
  const key = await readJson(join(base, 'key', `${id}.json`))
  return {
    company: key['company'] ?? null,
    date: typeof key['date'] === 'string' ? isoOf(key['date']) : null,
    address: key['address'] ?? null,
    total: typeof key['total'] === 'string' ? Number(key['total'].replace(/[^0-9.]/g, '')) : null,
  }
}

/** The sets of a development folder; see its README for their sources and licences. */
const documentSets: readonly DocumentSet[] = [
  {
    name: 'receipts',
    schema: receiptSchema,
    async *load({ folder, takes }) {
      const base = join(folder, 'receipts')
      for (const id of (await names(join(base, 'key'), '.json')).toSorted()) {
        if (!takes(id)) continue
        const document = await readTextLines(join(base, 'box', `${id}.csv`), join(base, 'img', `${id}.jpg`))
        const truth = await receiptTruth(base, id)
        yield { id, document, truth }
      }
    },
  },
  {
    name: 'photos',
    schema: receiptSchema,
    async *load({ folder, cache, takes }) {
      const base = join(folder, 'receipts')
      for (const id of (await names(join(base, 'img'), '.jpg')).toSorted().slice(0, photosMax)) {
        if (!takes(id)) continue
        const document = await readOnce(join(base, 'img', `${id}.jpg`), cache)
        const truth = await receiptTruth(base, id)
        yield { id, document, truth }
      }
    },
  },
  pdfSet('ad-invoices', {
    contract_num: text('Number of the contract or order'),
    advertiser: text('Name of the advertiser'),
    gross_amount: number('Total gross amount'),
    flight_from: date('First day of the flight'),
    flight_to: date('Last day of the flight'),
  }),
  pdfSet('ndas', {
    effective_date: date('Date on which the agreement takes effect'),
    jurisdiction: text('State or country whose law governs the agreement'),
    term: text('How long the agreement lasts'),
  }),
  // Long ones: half of them are read.
  pdfSet(
    'contracts',
    {
      document_name: text('Title of the contract'),
      agreement_date: date('Date of the agreement'),
      effective_date: date('Date on which it takes effect'),
      expiration_date: date('Date on which it ends'),
      governing_law: text('State or country whose law governs it'),
    },
    20,
  ),
  pdfSet('invoices', {
    invoice_number: text('Number of the invoice'),
    date: date('Date of the invoice'),
    amount: number('Total amount with tax'),
    amount_untaxed: number('Amount without tax'),
    amount_tax: number('Amount of tax'),
    currency: text('Currency, as its ISO code'),
    partner_name: text('Name of the company that issued the invoice'),
  }),
  {
    name: 'e-invoices',
    schema: object({
      invoice_number: text('Number of the invoice'),
      invoice_date: date('Date of the invoice'),
      seller_name: text('Name of the seller'),
      buyer_name: text('Name of the buyer'),
      currency: text('Currency, as its ISO code'),
      total_without_tax: number('Total without tax'),
      tax_total: number('Total of tax'),
      grand_total: number('Total with tax'),
      amount_due: number('Amount to pay'),
    }),
    async *load({ folder, cache, takes }) {
      const base = join(folder, 'e-invoices')
      for (const id of (await names(base, '.pdf')).toSorted()) {
        if (!takes(id)) continue
        const xml = await readFile(join(base, `${id}.cii.xml`), 'utf8')
        // The only escape that these files use.
        const truth = truthOfCii(xml.replaceAll('&amp;', '&'))
        yield { id, document: await readOnce(join(base, `${id}.pdf`), cache), truth }
      }
    },
  },
]

function pdfSet(name: string, properties: JsonObject, documentsMax?: number): DocumentSet {
  return {
    name,
    schema: object(properties),
    async *load({ folder, cache, takes }) {
      const base = join(folder, name)
      for (const id of (await names(base, '.pdf')).toSorted().slice(0, documentsMax)) {
        if (!takes(id)) continue
        const file = await readJson(join(base, `${id}.json`))
        const answers = (Array.isArray(file) ? file[0] : file) as JsonObject
        const truth = Object.fromEntries(
          Object.keys(properties).flatMap((key): [string, Json][] => {
            const value = answers[key]
            return value === undefined || value === '' ? [] : [[key, value]]
          }),
        )
        yield { id, document: await readOnce(join(base, `${id}.pdf`), cache), truth }
      }
    },
  }
}

const names = async (folder: string, ending: string) =>
  (await readdir(folder)).filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length))

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as JsonObject

/** Reads a document by the product's reader, once: the words are kept in `cache` by the hash of its bytes. */
async function readOnce(path: string, cache: string | undefined): Promise<ReadDocument> {
  if (cache === undefined) return await readDocument({ path })
  const bytes = await readFile(path)
  const place = join(cache, `${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}.json.gz`)
  if (existsSync(place)) return JSON.parse(gunzipSync(await readFile(place)).toString('utf8')) as ReadDocument
  const document = await readDocument({ path })
  await mkdir(cache, { recursive: true })
  await writeFile(place, gzipSync(JSON.stringify(document)))
  return document
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** The receipts are Malaysian: the day comes first, unless the year does, or what is said is no day otherwise. */
function isoOf(printed: string): string {
  const parts = printed.toUpperCase().match(/\d+|[A-Z]{3,}/g) ?? []
  const [only = ''] = parts
  const [a = '', b = '', c = ''] = parts.length === 1 ? splitDate(only) : parts
  const monthOf = (part: string): number => months.indexOf(part.slice(0, 3)) + 1 || Number(part)
  const orders =
    a.length === 4
      ? [[a, b, c]]
      : [
          [c, b, a],
          [c, a, b],
        ]
  const read = orders.map(([year = '', month = '', day = '']) => ({
    year: year.length === 2 ? `20${year}` : year,
    month: monthOf(month),
    day: Number(day),
  }))
  const found = read.find(({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= 31)
  if (found === undefined) return printed
  const { year, month, day } = found
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Eight figures without marks between them. */
const splitDate = (figures: string): string[] =>
  /^(?:19|20)/.test(figures)
    ? [figures.slice(0, 4), figures.slice(4, 6), figures.slice(6)]
    : [figures.slice(0, 2), figures.slice(2, 4), figures.slice(4)]

/** Text lines with their corners as a page of words; a line's box is shared out by the length of its words. */
export async function readTextLines(path: string, picture: string): Promise<ReadDocument> {
  const lines = (await readFile(path, 'latin1'))
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split(',')
      return { corners: cells.slice(0, 8).map(Number), text: cells.slice(8).join(',') }
    })
  const xs = lines.flatMap(({ corners }) => corners.filter((_, n) => n % 2 === 0))
  const ys = lines.flatMap(({ corners }) => corners.filter((_, n) => n % 2 === 1))
  const size = existsSync(picture)
    ? await sharp(picture).metadata()
    : { width: Math.max(...xs) * 1.1, height: Math.max(...ys) * 1.05 }
  const words = lines.flatMap((line): Word[] => {
    const at = (odd: number) => line.corners.filter((_, n) => n % 2 === odd)
    const [left, right] = [Math.min(...at(0)), Math.max(...at(0))]
    const [top, bottom] = [Math.min(...at(1)), Math.max(...at(1))]
    const character = (right - left) / Math.max(1, line.text.length)
    return [...line.text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      text: word,
      box: [
        (left + index * character) / size.width,
        top / size.height,
        (word.length * character) / size.width,
        (bottom - top) / size.height,
      ],
      confidence: 1,
    }))
  })
  const page: Page = { index: 0, width: size.width, height: size.height, source: 'text-layer', words, turnedDegrees: 0 }
  return { mediaType: 'application/pdf', pageCount: 1, pages: [page] }
}

/** The answers of a cross-industry invoice (UN/CEFACT CII XML). */
function truthOfCii(xml: string): JsonObject {
  const first = (pattern: RegExp) => pattern.exec(xml)?.[1]?.trim() ?? null
  const within = (outer: string, pattern: RegExp) => {
    const part = new RegExp(`<ram:${outer}>([\\s\\S]*?)</ram:${outer}>`).exec(xml)?.[1] ?? ''
    return pattern.exec(part)?.[1]?.trim() ?? null
  }
  const amount = (name: string) => {
    const part =
      /<ram:SpecifiedTradeSettlementHeaderMonetarySummation>([\s\S]*?)<\/ram:SpecifiedTradeSettlementHeader/.exec(
        xml,
      )?.[1]
    const found = new RegExp(`<ram:${name}[^>]*>([^<]+)<`).exec(part ?? '')?.[1]
    return found === undefined ? null : Number(found)
  }
  const day = /<ram:IssueDateTime>\s*<udt:DateTimeString[^>]*>(\d{4})(\d{2})(\d{2})/.exec(xml)
  return {
    invoice_number: within0(/<rsm:ExchangedDocument>[\s\S]*?<ram:ID>([^<]+)</, xml),
    invoice_date: day === null ? null : `${day[1]}-${day[2]}-${day[3]}`,
    seller_name: within('SellerTradeParty', /<ram:Name>([^<]+)</),
    buyer_name: within('BuyerTradeParty', /<ram:Name>([^<]+)</),
    currency: first(/<ram:InvoiceCurrencyCode>([^<]+)</),
    total_without_tax: amount('TaxBasisTotalAmount'),
    tax_total: amount('TaxTotalAmount'),
    grand_total: amount('GrandTotalAmount'),
    amount_due: amount('DuePayableAmount'),
  }
}

const within0 = (pattern: RegExp, xml: string): string | null => pattern.exec(xml)?.[1]?.trim() ?? null
