import { type Pair, pairsOf } from '../blocks/pairs.ts'
import { addressLinesOf, bankPairs, groupIban } from '../blocks/parties.ts'
import type { Canvas } from '../canvas.ts'
import type { InvoiceFacts } from '../facts/invoice.ts'
import type { LineItem, Totals } from '../facts/items.ts'
import type { OrderFacts } from '../facts/order.ts'
import { nameAndAddress, type Party } from '../facts/parties.ts'
import type { StatementFacts } from '../facts/statement.ts'

/** A party with its label. */
export interface TitledParty {
  readonly title: string
  readonly party: Party
}

/** The content of a page in common terms for all kinds of documents, so that they can share blocks. */
export interface Sheet {
  readonly canvas: Canvas
  /** The document's title and number. */
  readonly title: string
  readonly number: Pair | null
  /** The sender, the addressee, and the delivery address. */
  readonly from: TitledParty
  readonly to: TitledParty
  readonly shipTo: TitledParty | null
  /** Numbers, dates and terms. */
  readonly about: readonly Pair[]
  /** Subtotal to total, or the balances and sums of an account. */
  readonly sums: readonly Pair[]
  readonly bank: readonly Pair[]
  /** The amount due and its date. */
  readonly due: { readonly amount: Pair; readonly day: string | null } | null
  readonly notes: readonly string[]
  /** The opening sentence, as a key of the printed words. */
  readonly opening: string
  readonly items: readonly LineItem[]
  readonly statement: StatementFacts | null
}

export const wholeAddress = (party: Party) => [party.name, ...addressLinesOf(party)].join(', ')

const titled = ({ label }: Canvas, key: string, party: Party): TitledParty => ({ title: label(key), party })

/** A pair whose label and amount are only written when printed, because they may name the currency. */
const amountPair = ({ label, money }: Canvas, key: string, cents: number): Pair => ({
  key,
  get label() {
    return label(key)
  },
  get value() {
    return money(cents)
  },
})

/** Usually number and date first; the rest in the usual or a random order. */
function shuffled({ random }: Canvas, head: readonly Pair[], rest: readonly Pair[]): Pair[] {
  return random.chance(0.6) ? [...head, ...rest] : [...head.toReversed(), ...random.sample(rest, rest.length)]
}

function sumPairs(canvas: Canvas, totals: Totals, lastKey: 'total' | 'orderTotal', items: readonly LineItem[]): Pair[] {
  const { label, money, bare, quantity, random } = canvas
  const shown = (cents: number | null) => (cents === null ? null : money(cents))
  const { taxRate, discountCents, paidCents } = totals
  const pair = (key: string, value: string | null, text = label(key)): Pair[] =>
    value === null ? [] : [{ key, label: text, value }]
  const rateText = (rate: number | null) =>
    rate === null
      ? label('tax')
      : random.pick([
          `${label('tax')} ${quantity(rate)}%`,
          `${label('tax')} (${quantity(rate)} %)`,
          `${quantity(rate)}% ${label('tax')}`,
          `${label('tax')} @ ${quantity(rate)}%`,
        ])
  const rates = ratesOf(items)
  const form = random.int(0, 2)
  const byRate = rates.length < 2 || random.chance(0.4) ? [] : rates
  const taxes = byRate.flatMap(({ rate, baseCents, taxCents }) => {
    const base = [`${label('tax')} ${quantity(rate)} %`, `${quantity(rate)}% ${label('tax')} (${bare(baseCents)})`]
    return pair('tax', money(taxCents), base[form] ?? `${label('tax')} ${quantity(rate)} % / ${bare(baseCents)}`)
  })
  return [
    ...pair('subtotal', shown(totals.subtotalCents)),
    ...pair('discount', discountCents === null ? null : money(random.chance(0.8) ? -discountCents : discountCents)),
    ...pair('shipping', shown(totals.shippingCents)),
    ...taxes,
    ...pair('tax', shown(totals.taxCents), rateText(rates.length < 2 ? taxRate : null)),
    ...pair('total', money(totals.totalCents), paidCents === null ? label(lastKey) : canvas.plainLabel(lastKey)),
    ...pair('paid', paidCents === null ? null : money(-paidCents)),
    ...pair('balanceDue', paidCents === null ? null : money(totals.totalCents - paidCents)),
  ]
}

/** Base and tax by rate, for items with their own rates. */
export function ratesOf(items: readonly LineItem[]): { rate: number; baseCents: number; taxCents: number }[] {
  const rates = new Set(items.flatMap(({ taxRate }) => (taxRate === undefined ? [] : [taxRate])))
  return [...rates]
    .toSorted((a, b) => b - a)
    .map((rate) => {
      const baseCents = items.reduce((sum, item) => sum + (item.taxRate === rate ? item.amountCents : 0), 0)
      return { rate, baseCents, taxCents: Math.round((baseCents * rate) / 100) }
    })
}

export function invoiceSheet(canvas: Canvas, facts: InvoiceFacts): Sheet {
  const { label, day } = canvas
  const head = pairsOf(canvas, { invoiceNumber: facts.number, invoiceDate: day(facts.date) })
  const rest = pairsOf(canvas, {
    dueDate: facts.dueDate && day(facts.dueDate),
    purchaseOrder: facts.purchaseOrder,
    customerNumber: facts.customerNumber,
    reference: facts.reference,
    deliveryNote: facts.deliveryNote,
    deliveryDate: facts.deliveryDay && day(facts.deliveryDay),
    terms: facts.terms,
    currency: canvas.currencyLine,
  })
  const { totals } = facts
  const dueKey = totals.paidCents === null ? 'total' : 'balanceDue'
  const due = amountPair(canvas, dueKey, totals.totalCents - (totals.paidCents ?? 0))
  return {
    canvas,
    title: label('invoice'),
    number: head[0] ?? null,
    from: titled(canvas, 'from', facts.vendor),
    to: titled(canvas, 'billTo', facts.customer),
    shipTo: facts.shipTo && titled(canvas, 'shipTo', nameAndAddress(facts.shipTo)),
    about: shuffled(canvas, head, rest),
    sums: sumPairs(canvas, totals, 'total', facts.items),
    bank: bankPairs(canvas, facts.account),
    due: { amount: due, day: facts.dueDate && day(facts.dueDate) },
    notes: [facts.note, facts.thanks].filter((line) => line !== null),
    opening: 'invoiceOpening',
    items: facts.items,
    statement: null,
  }
}

export function orderSheet(canvas: Canvas, facts: OrderFacts): Sheet {
  const { label, day } = canvas
  const head = pairsOf(canvas, { orderNumber: facts.number, orderDate: day(facts.date) })
  const rest = pairsOf(canvas, {
    deliveryDate: facts.deliveryDate && day(facts.deliveryDate),
    contact: facts.contact,
    reference: facts.reference,
    terms: facts.terms,
    shippingTerms: facts.shippingTerms,
    currency: canvas.currencyLine,
  })
  return {
    canvas,
    title: label('order'),
    number: head[0] ?? null,
    from: titled(canvas, 'buyer', facts.buyer),
    to: titled(canvas, 'supplier', facts.supplier),
    shipTo: facts.shipTo && titled(canvas, 'shipTo', nameAndAddress(facts.shipTo)),
    about: shuffled(canvas, head, rest),
    sums: sumPairs(canvas, facts.totals, 'orderTotal', facts.items),
    bank: [],
    due: null,
    notes: facts.note === null ? [] : [facts.note],
    opening: 'orderOpening',
    items: facts.items,
    statement: null,
  }
}

export function statementSheet(canvas: Canvas, facts: StatementFacts): Sheet {
  const { label, day } = canvas
  return {
    canvas,
    title: label('statement'),
    number: null,
    from: titled(canvas, 'bank', facts.bank),
    to: titled(canvas, 'holder', nameAndAddress(facts.holder)),
    shipTo: null,
    about: pairsOf(canvas, {
      holder: facts.holder.name,
      accountNumber: facts.accountNumber,
      iban: facts.iban === null ? null : groupIban(facts.iban),
      bic: facts.bic,
      statementNumber: facts.number,
      statementDate: facts.date && day(facts.date),
      period: `${day(facts.start)} ${label('to')} ${day(facts.end)}`,
      currency: canvas.currencyLine,
    }),
    sums: Object.entries({
      opening: facts.openingCents,
      credits: facts.creditsCents,
      debits: facts.debitsCents,
      closing: facts.closingCents,
    }).flatMap(([key, cents]) => (cents === null ? [] : [amountPair(canvas, key, cents)])),
    bank: [],
    due: null,
    notes: facts.note === null ? [] : [facts.note],
    opening: 'movements',
    items: [],
    statement: facts,
  }
}
