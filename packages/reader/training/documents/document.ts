import { assert } from '@skillrun/core/assert.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import PDFDocument from 'pdfkit'
import { type InvoiceFacts, invoiceAccepts, invoiceTruth, makeInvoiceFacts } from './invoice-facts.ts'
import { invoiceLayouts } from './layouts/invoices.ts'
import type { Layout } from './layouts/layout.ts'
import { orderLayouts } from './layouts/orders.ts'
import { receiptLayouts } from './layouts/receipts.ts'
import { statementLayouts } from './layouts/statements.ts'
import type { MoneyForm } from './money.ts'
import { makeOrderFacts, type OrderFacts, orderAccepts, orderTruth } from './order-facts.ts'
import { createPress, type Press, pickStyle } from './press.ts'
import { createRandom, type Random } from './random.ts'
import { makeReceiptFacts, type ReceiptFacts, receiptTruth } from './receipt-facts.ts'
import { invoiceSchema, purchaseOrderSchema, receiptSchema, statementSchema } from './schemas.ts'
import { makeStatementFacts, type StatementFacts, statementAccepts, statementTruth } from './statement-facts.ts'
import type { Accepts, Truth } from './truth.ts'
import type { Split } from './words/lexicon.ts'
import type { Locale } from './words/locale.ts'
import { pickLocale, pickSecondLocale } from './words/locales.ts'

export const kinds = ['invoice', 'receipt', 'order', 'statement'] as const
export type Kind = (typeof kinds)[number]

/** A made document with its right answer. */
export interface MadeDocument {
  readonly name: string
  readonly kind: Kind
  readonly split: Split
  readonly pdf: Buffer
  readonly schema: JsonSchema
  readonly truth: Truth
  readonly accepts: Accepts
  readonly layout: string
  /** Locale, and a second one where labels are bilingual: `de-DE` or `de-DE+en-GB`. */
  readonly language: string
}

/** What a kind of document is made of. */
interface Maker<Facts> {
  readonly schema: JsonSchema
  readonly layouts: readonly Layout<Facts>[]
  readonly use: 'page' | 'till'
  makeFacts(random: Random, locale: Locale, split: Split): Facts
  truthOf(facts: Facts, currency: string | null): Truth
  acceptsOf(facts: Facts): Accepts
}

const invoices: Maker<InvoiceFacts> = {
  schema: invoiceSchema,
  layouts: invoiceLayouts,
  use: 'page',
  makeFacts: makeInvoiceFacts,
  truthOf: invoiceTruth,
  acceptsOf: invoiceAccepts,
}

const receipts: Maker<ReceiptFacts> = {
  schema: receiptSchema,
  layouts: receiptLayouts,
  use: 'till',
  makeFacts: makeReceiptFacts,
  truthOf: receiptTruth,
  acceptsOf: () => ({}),
}

const orders: Maker<OrderFacts> = {
  schema: purchaseOrderSchema,
  layouts: orderLayouts,
  use: 'page',
  makeFacts: makeOrderFacts,
  truthOf: orderTruth,
  acceptsOf: orderAccepts,
}

const statements: Maker<StatementFacts> = {
  schema: statementSchema,
  layouts: statementLayouts,
  use: 'page',
  makeFacts: makeStatementFacts,
  truthOf: statementTruth,
  acceptsOf: statementAccepts,
}

/** Which document is made. `layout` names one of the part's; without it the seed chooses. */
export interface DocumentChoice {
  readonly kind: Kind
  readonly seed: number
  readonly split: Split
  readonly layout?: string
}

/**
 * Makes one document, the same for the same kind, seed and split. The splits draw from different seeds, so no document of
 * one is in another; the kept-out one also has layouts, wordings, places and fonts of its own.
 */
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

/** What the seeds of a part begin with. A released part keeps that under which it was kept out, so its documents stay. */
const sources: Readonly<Record<Split, string>> = {
  train: 'train',
  released: 'kept-out-2',
  'kept-out': 'kept-out-3',
  'kept-out-4': 'kept-out-4',
}

async function produce<Facts>(
  maker: Maker<Facts>,
  { kind, seed, split, layout: wanted }: DocumentChoice,
): Promise<MadeDocument> {
  const random = createRandom(`${sources[split]}/${kind}/${seed}`)
  const locale = pickLocale(random, split)
  const second = maker.use === 'till' ? null : pickSecondLocale(random.fork('second'), locale, split)
  const made = maker.makeFacts(random.fork('facts'), locale, split)
  const own = layoutsOf(maker.layouts, split)
  const drawn = random.pick(own)
  const layout = wanted === undefined ? drawn : own.find(({ name }) => name === wanted)
  assert(layout !== undefined, `${wanted} is no layout of a ${kind} in ${split}`)
  const facts = layout.revise?.(made, random.fork('revision'), locale) ?? made
  const open = (size: PageSize) => openPress(random, { locale, second }, { split, use: maker.use, size })
  let opened = open(maker.use === 'till' ? [rollWidth(random), 2400] : pageSizeOf(locale, layout.sideways === true))
  layout.draw(opened.press, facts)
  const { cutY } = opened.press.roll
  if (cutY !== null) {
    // The roll's length is known only now: the same draws again give the same print on paper that fits.
    opened.press.doc.end()
    opened = open([rollWidth(random), cutY + 24])
    layout.draw(opened.press, facts)
  }
  const { press, finished } = opened
  const currency = press.currency.isShown ? locale.currency.code : null
  press.doc.end()
  return {
    name: `${kind}-${split}-${seed}`,
    kind,
    split,
    pdf: await finished,
    schema: maker.schema,
    truth: maker.truthOf(facts, currency),
    accepts: maker.acceptsOf(facts),
    layout: layout.name,
    language: second === null ? locale.id : `${locale.id}+${second.id}`,
  }
}

type PageSize = string | [width: number, height: number]

function pageSizeOf(locale: Locale, sideways: boolean): PageSize {
  const isLetter = /^(en-US|en-CA|fr-CA|es-MX)$/.test(locale.id)
  if (!sideways) return isLetter ? 'LETTER' : 'A4'
  return isLetter ? [792, 612] : [841.89, 595.28]
}

/** Points of a 58 or 80 mm roll, or of a wider slip. */
const rollWidth = (random: Random) => random.fork('roll').pick([180, 215, 227, 227, 250, 280])

/** The layouts that a part's documents of one kind may have, each once. */
export function layoutNames(kind: Kind, split: Split): string[] {
  const { layouts } = { invoice: invoices, receipt: receipts, order: orders, statement: statements }[kind]
  return [...new Set(layoutsOf<(typeof layouts)[number]>(layouts, split).map(({ name }) => name))]
}

function layoutsOf<L extends Pick<Layout<never>, 'keptOut' | 'released' | 'round'>>(
  layouts: readonly L[],
  split: Split,
): L[] {
  switch (split) {
    case 'train':
      return layouts.filter(({ keptOut }) => !keptOut)
    case 'released':
      return layouts.filter(({ released }) => released === 2)
    case 'kept-out':
      return layouts.filter(({ keptOut, round }) => keptOut && round === undefined)
    case 'kept-out-4':
      return layouts.filter(({ round }) => round === 4)
  }
}

/** A press on a new PDF. */
function openPress(
  random: Random,
  { locale, second }: { locale: Locale; second: Locale | null },
  { split, use, size }: { split: Split; use: 'page' | 'till'; size: PageSize },
): { press: Press; finished: Promise<Buffer> } {
  const doc = new PDFDocument({
    size,
    margin: 0,
    bufferPages: true,
    // A fixed day, so that the same seed gives the same bytes.
    info: { CreationDate: new Date(Date.UTC(2025, 0, 1)) },
  })
  const look = random.fork('look')
  const { code, symbol, places } = locale.currency
  const place = look.pick(places)
  const note = place === 'none' ? look.pick(['line', 'column', 'total', null] as const) : null
  const moneyForm: MoneyForm = { ...look.pick(locale.numberForms), place, code, symbol }
  const press = createPress({
    doc,
    random,
    locale,
    second,
    split,
    style: pickStyle(look, use, split),
    moneyForm,
    dateForm: look.pick(locale.dateForms),
    currencyNote: note,
  })
  return { press, finished: collect(doc) }
}

function collect(doc: InstanceType<typeof PDFDocument>): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}
