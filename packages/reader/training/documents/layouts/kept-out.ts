import { drawPairs } from '../blocks/pairs.ts'
import { drawParty } from '../blocks/parties.ts'
import { isoOf } from '../dates.ts'
import type { InvoiceFacts } from '../facts/invoice.ts'
import type { OrderFacts } from '../facts/order.ts'
import type { ReceiptFacts } from '../facts/receipt.ts'
import type { StatementFacts } from '../facts/statement.ts'
import { makeRoom, write } from '../ink.ts'
import type { Layout } from './layout.ts'
import * as page from './page.ts'
import {
  charges,
  creditsFirst,
  half,
  severalOnly,
  unpaid,
  withDiscounts,
  withoutBalances,
  withoutPrices,
  withoutValueDays,
} from './revisions.ts'
import * as roll from './roll.ts'
import { invoiceSheet, orderSheet, statementSheet } from './sheet.ts'

/** Layouts and blocks that no document of the train part has. Do not read this file when you tune the reader. */
const invoice = page.pageOf(invoiceSheet)
const order = page.pageOf(orderSheet)
const statement = page.pageOf(statementSheet)

/** Invented labels for data that no schema asks for, with random values. */
const madeUp =
  (key: string, patterns: readonly string[]): page.Block =>
  ({ canvas }, at) => {
    const pairs = canvas
      .printed(key)
      .map((label, n) => ({ key, label, value: canvas.random.fill(patterns[n] ?? '##') }))
    return drawPairs(canvas, { ...at, pairs, look: 'columns' })
  }

/** Parties as lines of a message, each address line below its label. */
const messageParties: page.Block = ({ canvas, ...sheet }, at) => {
  let { y } = at
  for (const entry of [sheet.to, sheet.from, sheet.shipTo])
    if (entry !== null) {
      y = write(canvas, `${entry.title}:`, { ...at, y: y + 6 })
      y = drawParty(canvas, { ...entry, x: at.x + 18, y, width: at.width - 18, look: {} })
    }
  return y
}

/** The balance at the end of each day, in three columns. */
const dailyBalances: page.Block = ({ canvas, statement }, at) => {
  if (statement === null) return at.y
  let cents = statement.openingCents
  const days = new Map<string, string>()
  for (const { day, amountCents } of statement.movements.toSorted((a, b) => isoOf(a.day).localeCompare(isoOf(b.day)))) {
    cents += amountCents
    days.set(canvas.day(day), canvas.money(cents))
  }
  const third = at.width / 3
  let y = write(canvas, canvas.printed('daily')[0] ?? '', { ...at, y: makeRoom(canvas, at.y, 60), face: 'bold' }) + 3
  for (const [n, [day, balance]] of [...days].entries()) {
    if (n > 0 && n % 3 === 0) y = makeRoom(canvas, y + 14, 30)
    const x = at.x + (n % 3) * third
    write(canvas, day, { x, y })
    write(canvas, balance, { x, y, width: third - 20, align: 'right' })
  }
  return y + 14
}

export const keptOutInvoices: readonly Layout<InvoiceFacts>[] = [
  invoice('customs-boxes', [
    page.title({ scale: 1.2, align: ['right'] }),
    page.beside(page.framed(page.party('from', { title: 'small' })), page.framed(page.party('to', { title: 'small' }))),
    page.about(['numbered']),
    page.items({
      cells: ['quantity', 'unit', 'sku', 'amount', 'price', 'description'],
      table: { lines: 'verticals', header: 'two-rules' },
    }),
    page.sums({ at: ['full'], look: ['strip'] }),
    page.bank(['numbered']),
    page.remarks(),
  ]),
  invoice('reckoning', [
    page.split(
      0.3,
      page.stack(page.gap(70), page.party('from', { align: 'right', scale: 0.85 })),
      page.stack(
        page.party('to'),
        page.title({ scale: 1.25 }),
        page.about(['axis']),
        page.itemList('reckoned'),
        page.rule({ dash: true }),
        page.sums({ share: 1, look: ['right', 'axis'] }),
        page.bank(['dash']),
        page.remarks(),
      ),
    ),
  ]),
  invoice(
    'utility-bill',
    [
      page.split(
        0.52,
        page.stack(page.party('from', { logo: true, name: 1.4 }), page.gap(12), page.party('to')),
        page.stack(page.title({ scale: 1.3 }), page.about(['spread']), page.dueNote('box')),
      ),
      page.printedLine('billCharges', { face: 'bold' }),
      page.rule({ accent: true }),
      page.itemList('amounts'),
      page.rule(),
      page.sums({ at: ['full'], look: ['spread'] }),
      page.remarks(),
      page.slip,
    ],
    { revise: charges },
  ),
  invoice(
    'web-service',
    [
      page.title({ scale: 2, logo: 'right' }),
      page.part(0.6, page.about(['columns'])),
      page.beside(page.party('from'), page.party('to', { title: 'bold' }), page.party('shipTo', { title: 'bold' })),
      page.dueNote('sentence'),
      page.items({
        cells: ['description', 'sku', 'quantity', 'price', 'amount'],
        money: 'amount',
        table: { lines: 'none', header: 'rule' },
      }),
      page.sums({ share: 0.5, look: ['ruled', 'ruled-sums'] }),
      page.remarks({ bank: ['columns'], share: 0.7 }),
    ],
    { revise: half(unpaid) },
  ),
  invoice('workshop', [
    page.beside(
      page.stack(page.gap(40), page.party('to')),
      page.party('from', { align: 'right', name: 1.5, scale: 0.9 }),
    ),
    page.title({ scale: 1.5, with: 'number' }),
    page.beside(
      page.about(['columns'], { without: ['invoiceNumber'] }),
      madeUp('vehicle', ['@@ ### @@', '1## ###', '@@@##@@########']),
    ),
    page.itemHalves(['labour', 'parts'], { table: { lines: 'rules', header: 'tint' } }),
    page.sums({ look: ['boxed'] }),
    page.remarks({ bank: ['inline'] }),
  ]),
  invoice('enterprise', [
    page.gap(30),
    page.split(
      0.55,
      page.party('to', 'window'),
      page.stack(page.title({ scale: 1.25 }), page.about(['above'], { scale: 0.95 })),
    ),
    page.items({
      text: 'under',
      cells: ['position', 'sku', 'quantity+unit', 'price', 'amount'],
      numbering: 'tens',
      money: 'none',
      table: { lines: 'none', header: 'rule' },
    }),
    page.sums({ share: 0.58, look: ['spread'] }),
    page.remarks({ bank: ['inline'] }),
    page.footLine,
  ]),
]

export const keptOutOrders: readonly Layout<OrderFacts>[] = [
  order('message', [
    page.title({ scale: 1.2 }),
    page.about(['equals']),
    messageParties,
    page.itemList('dashes'),
    page.sums({ at: ['full'], look: ['equals'] }),
    page.remarks(),
  ]),
  order('corners', [
    page.title({ scale: 1.5, align: ['center'] }),
    page.beside(page.party('from', { title: 'small' }), page.party('to', { title: 'small', align: 'right' })),
    page.party('shipTo', { title: 'small' }),
    page.about(['axis']),
    page.items({
      cells: ['amount', 'price', 'quantity', 'unit', 'description', 'sku'],
      table: { lines: 'dashes', header: 'bare' },
    }),
    page.sums({ at: ['left'], look: ['value-first'] }),
    page.remarks(),
  ]),
  order('filled-form', [
    page.split(
      0.55,
      page.party('from', { name: 1.6 }),
      page.stack(
        page.title({ scale: 2, upper: true, align: ['right'], accent: true }),
        page.about(['grid'], { only: ['orderNumber', 'orderDate', 'reference', 'currency'] }),
      ),
    ),
    page.beside(page.party('to', { title: 'band' }), page.party('shipTo', { title: 'band' })),
    page.about(['boxes'], { only: ['shippingTerms', 'terms', 'deliveryDate', 'contact'] }),
    page.items({
      blanks: 8,
      cells: ['sku', 'description', 'quantity', 'price', 'amount'],
      money: 'none',
      table: { lines: 'grid', header: 'band' },
    }),
    page.split(
      0.58,
      page.framed(page.stack(page.printedLine('remarks', { face: 'bold' }), page.remarks())),
      page.sums({ share: 1, look: ['plain'] }),
    ),
    page.printedLine('questions', { align: 'center' }),
  ]),
  order(
    'letter-with-discounts',
    [
      page.split(0.6, page.stack(page.gap(50), page.party('to')), page.party('from', { scale: 0.92 })),
      page.gap(10),
      page.title({ scale: 1.15, with: 'number' }),
      page.about(['inline'], { only: ['orderNumber', 'orderDate'] }),
      page.printedLine('please'),
      page.items({
        cells: ['position', 'quantity', 'description', 'price', 'discount', 'amount'],
        table: { lines: 'none', header: 'bare' },
      }),
      page.sums({ share: 0.55, look: ['spread'] }),
      page.about(['inline'], { without: ['orderNumber', 'orderDate'] }),
      page.party('shipTo', { title: 'colon', joined: true }),
      page.remarks(),
      page.printedLine('confirm'),
    ],
    { revise: half(withDiscounts) },
  ),
]

export const keptOutStatements: readonly Layout<StatementFacts>[] = [
  statement(
    'month-blocks',
    [
      page.title({ scale: 1.7, face: 'italic' }),
      page.beside(page.party('to', { title: 'bold' }), page.party('from', { align: 'right' })),
      page.about(['dash'], { without: ['holder'] }),
      page.sums({ at: ['full'], look: ['dash'] }),
      page.movements({
        cells: ['date', 'amount', 'balance', 'details'],
        days: 'months',
        sign: ['spaced'],
        short: true,
        ends: false,
        table: { lines: 'none' },
      }),
    ],
    { revise: withoutValueDays },
  ),
  statement(
    'headless-ledger',
    [
      page.party('from', { align: 'center', name: 1.3, joined: true, scale: 0.9 }),
      page.title({ scale: 1.2, align: ['center'] }),
      page.beside(page.about(['value-over'], { without: ['holder'] }), page.party('to', { title: 'band' })),
      page.rule(),
      page.movements({
        cells: ['details', 'amount', 'balance', 'date'],
        titles: 'none',
        sign: ['minus'],
        days: 'each',
        short: false,
        ends: false,
        room: 110,
        table: { lines: 'rules' },
      }),
      page.sums({ at: ['full'], look: ['spread'] }),
      page.remarks(),
    ],
    { revise: withoutValueDays },
  ),
  statement(
    'checking',
    [
      page.split(0.6, page.title({ scale: 1.4 }), page.party('from', { align: 'right', scale: 0.85 })),
      page.beside(page.party('to'), page.about(['inline'], { without: ['holder'] })),
      page.sums({ at: ['left'], look: ['spread'], share: 0.62 }),
      page.twoLists(['deposits', 'withdrawals'], {
        cells: ['date', 'details', 'amount'],
        sign: ['minus'],
        days: 'each',
        short: false,
        ends: false,
      }),
      dailyBalances,
    ],
    { revise: creditsFirst },
  ),
  statement(
    'by-day',
    [
      page.title({ scale: 2, logo: 'right' }),
      page.beside(page.party('to'), page.about(['above'], { without: ['holder'] })),
      page.sums({ at: ['full'], look: ['headed-row'] }),
      page.movementList('by-day'),
      page.footLine,
    ],
    { revise: withoutBalances },
  ),
]

const { data, items: rolled, rollOf, shop, when } = roll
const paid = [roll.sums(), roll.payment]

export const keptOutReceipts: readonly Layout<ReceiptFacts>[] = [
  rollOf('numbered-slip', [
    shop({ align: ['left'] }),
    roll.ruled('line', rolled(['equals'])),
    roll.ruled('line', ...paid),
    roll.ruled('dashes', data(['slashes'], roll.EVERYTHING)),
  ]),
  rollOf('amounts-left', [
    roll.receiptTitle({ align: 'right', scale: 0.9 }),
    shop(),
    when('ends'),
    data(['lines']),
    roll.boxed(roll.bigTotal({ labelled: true })),
    rolled(['amount-left']),
    roll.ruled('line', roll.sums({ total: 'elsewhere' }), roll.payment),
  ]),
  rollOf(
    'restaurant-check',
    [
      shop(),
      roll.made('diners', '#'),
      roll.made('table', '##'),
      data(['spread']),
      when('ends'),
      roll.ruled('dashes', rolled(['one-line'])),
      roll.ruled('dashes', ...paid, roll.maybe(0.5, roll.words('tip'))),
    ],
    { revise: withoutPrices },
  ),
  rollOf(
    'supermarket-slip',
    [
      shop(),
      rolled(['times'], { letters: true }),
      roll.ruled('line', roll.sums({ tax: 'classes' }), roll.payment, roll.taxTable),
      roll.ruled('gap', data(['run-on', 'slashes'], roll.EVERYTHING)),
    ],
    { revise: severalOnly },
  ),
  rollOf('mailed-receipt', [
    roll.logo,
    roll.words('thankYou', { face: 'bold', scale: 1.3 }),
    data(['titled'], roll.EVERYTHING),
    roll.ruled('line', rolled(['times', 'right'])),
    roll.ruled('line', ...paid),
    roll.ruled('gap', shop({ align: ['left'], scale: [1] })),
  ]),
]
