import { assert } from '@skillrun/core/assert.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import PDFDocument from 'pdfkit'
import { type Canvas, createCanvas, pickStyle } from './canvas.ts'
import { type InvoiceFacts, invoiceAccepts, invoiceTruth, makeInvoiceFacts } from './facts/invoice.ts'
import { makeOrderFacts, type OrderFacts, orderAccepts, orderTruth } from './facts/order.ts'
import { makeReceiptFacts, type ReceiptFacts, receiptTruth } from './facts/receipt.ts'
import { makeStatementFacts, type StatementFacts, statementAccepts, statementTruth } from './facts/statement.ts'
import { invoiceLayouts } from './layouts/invoices.ts'
import { keptOutInvoices, keptOutOrders, keptOutReceipts, keptOutStatements } from './layouts/kept-out.ts'
import type { Layout } from './layouts/layout.ts'
import { orderLayouts } from './layouts/orders.ts'
import { receiptLayouts } from './layouts/receipts.ts'
import { statementLayouts } from './layouts/statements.ts'
import { createRandom, type Random } from './random.ts'
import {
  type Accepts,
  invoiceSchema,
  purchaseOrderSchema,
  receiptSchema,
  statementSchema,
  type Truth,
} from './schemas.ts'
import { type Locale, pickLocales, type Split } from './words.ts'

export const kinds = ['invoice', 'receipt', 'order', 'statement'] as const
export type Kind = (typeof kinds)[number]

/** A generated document with its correct answer. */
export interface MadeDocument {
  readonly name: string
  readonly kind: Kind
  readonly split: Split
  readonly pdf: Buffer
  readonly schema: JsonSchema
  readonly truth: Truth
  readonly accepts: Accepts
  readonly layout: string
  /** The locale, with a second one for bilingual labels: `de-DE` or `de-DE+en-GB`. */
  readonly language: string
}

/** The functions and schema that generate one kind of document. */
interface Maker<Facts> {
  readonly schema: JsonSchema
  readonly layouts: Readonly<Record<Split, readonly Layout<Facts>[]>>
  readonly paper: 'page' | 'roll'
  makeFacts(random: Random, locale: Locale): Facts
  truthOf(facts: Facts, currency: string | null): Truth
  acceptsOf(facts: Facts): Accepts
}

const invoices: Maker<InvoiceFacts> = {
  schema: invoiceSchema,
  layouts: { train: invoiceLayouts, 'kept-out': keptOutInvoices },
  paper: 'page',
  makeFacts: makeInvoiceFacts,
  truthOf: invoiceTruth,
  acceptsOf: invoiceAccepts,
}

const receipts: Maker<ReceiptFacts> = {
  schema: receiptSchema,
  layouts: { train: receiptLayouts, 'kept-out': keptOutReceipts },
  paper: 'roll',
  makeFacts: makeReceiptFacts,
  truthOf: receiptTruth,
  acceptsOf: () => ({}),
}

const orders: Maker<OrderFacts> = {
  schema: purchaseOrderSchema,
  layouts: { train: orderLayouts, 'kept-out': keptOutOrders },
  paper: 'page',
  makeFacts: makeOrderFacts,
  truthOf: orderTruth,
  acceptsOf: orderAccepts,
}

const statements: Maker<StatementFacts> = {
  schema: statementSchema,
  layouts: { train: statementLayouts, 'kept-out': keptOutStatements },
  paper: 'page',
  makeFacts: makeStatementFacts,
  truthOf: statementTruth,
  acceptsOf: statementAccepts,
}

/** Selects a document. `layout` names one of the split's layouts; without it the seed chooses. */
export interface DocumentChoice {
  readonly kind: Kind
  readonly seed: number
  readonly split: Split
  readonly layout?: string
}

/** Generates a document; deterministic for kind, seed and split. */
export function makeDocument(options: DocumentChoice): Promise<MadeDocument> {
  switch (options.kind) {
    case 'invoice':
      return produce(invoices, options)
    case 'receipt':
      return produce(receipts, options)
    case 'order':
      return produce(orders, options)
    case 'statement':
      return produce(statements, options)
  }
}

async function produce<Facts>(
  maker: Maker<Facts>,
  { kind, seed, split, layout: wanted }: DocumentChoice,
): Promise<MadeDocument> {
  const { paper } = maker
  const random = createRandom(`${split}/${kind}/${seed}`)
  const { locale, second } = pickLocales(random, split)
  const made = maker.makeFacts(random.fork('facts'), locale)
  const own = maker.layouts[split]
  const drawn = random.weighted(...own.map((layout) => [layout.weight ?? 1, layout] as const))
  const layout = wanted === undefined ? drawn : own.find(({ name }) => name === wanted)
  assert(layout !== undefined, `${wanted} is no layout of a ${kind} in ${split}`)
  const facts = layout.revise?.(made, random.fork('revision'), locale) ?? made
  // A receipt is too narrow for a second language.
  const labels = { locale, second: paper === 'roll' ? null : second }
  const open = (size: PageSize) => openCanvas(random, labels, { split, paper, size })
  let opened = open(paper === 'roll' ? [rollWidth(random), 2400] : pageSizeOf(locale, layout.sideways === true))
  layout.draw(opened.canvas, facts)
  const { cutY } = opened.canvas.roll
  if (cutY !== null) {
    // The length of a receipt is only known now: the same random draws print the same content again on a page that
    // fits.
    opened.canvas.doc.end()
    opened = open([rollWidth(random), cutY + 24])
    layout.draw(opened.canvas, facts)
  }
  const { canvas, finished } = opened
  const currency = canvas.currency.isShown ? locale.currency.code : null
  canvas.doc.end()
  return {
    name: `${kind}-${split}-${seed}`,
    kind,
    split,
    pdf: await finished,
    schema: maker.schema,
    truth: maker.truthOf(facts, currency),
    accepts: maker.acceptsOf(facts),
    layout: layout.name,
    language: labels.second === null ? locale.id : `${locale.id}+${labels.second.id}`,
  }
}

type PageSize = string | [width: number, height: number]

function pageSizeOf(locale: Locale, sideways: boolean): PageSize {
  const isLetter = /^(en-US|en-CA|fr-CA|es-MX)$/.test(locale.id)
  if (!sideways) return isLetter ? 'LETTER' : 'A4'
  return isLetter ? [792, 612] : [841.89, 595.28]
}

/** Widths in points of a 58 or 80 mm roll, or of a wider slip. */
const rollWidth = (random: Random) => random.fork('roll').pick([180, 215, 227, 227, 250, 280])

/** The names of a split's layouts for one kind of document. */
export function layoutNames(kind: Kind, split: Split): string[] {
  const { layouts } = { invoice: invoices, receipt: receipts, order: orders, statement: statements }[kind]
  return layouts[split].map(({ name }) => name)
}

/** A canvas on a new PDF. */
function openCanvas(
  random: Random,
  { locale, second }: { locale: Locale; second: Locale | null },
  { split, paper, size }: { split: Split; paper: 'page' | 'roll'; size: PageSize },
): { canvas: Canvas; finished: Promise<Buffer> } {
  const doc = new PDFDocument({
    size,
    margin: 0,
    bufferPages: true,
    // A fixed date, so that the same seed gives the same bytes.
    info: { CreationDate: new Date(Date.UTC(2025, 0, 1)) },
  })
  const look = random.fork('look')
  const { code, symbol, places } = locale.currency
  const place = look.pick(places)
  const canvas = createCanvas({
    doc,
    random,
    locale,
    second,
    style: pickStyle(look, paper, split),
    moneyForm: { ...look.pick(locale.numberForms), place, code, symbol },
    dateForm: look.pick(locale.dateForms),
    currencyNote: place === 'none' ? look.pick(['line', 'column', 'total', null]) : null,
  })
  return { canvas, finished: collect(doc) }
}

function collect(doc: InstanceType<typeof PDFDocument>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
