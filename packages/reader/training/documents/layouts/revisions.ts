import { addDays, isoOf } from '../dates.ts'
import type { InvoiceFacts } from '../facts/invoice.ts'
import type { LineItem, Totals } from '../facts/items.ts'
import type { OrderFacts } from '../facts/order.ts'
import { fillName, makeName, makeParty } from '../facts/parties.ts'
import { makeCardSlip, type ReceiptFacts, type ReceiptItem } from '../facts/receipt.ts'
import type { Movement, StatementFacts } from '../facts/statement.ts'
import type { Random } from '../random.ts'
import type { Locale } from '../words.ts'
import { ratesOf } from './sheet.ts'

/** Adapts a document's facts to a layout, and updates the sums. */
type Revise<Facts> = (facts: Facts, random: Random, locale: Locale) => Facts
type Trade = InvoiceFacts | OrderFacts

/** Applies the revision to half of the documents. */
export const half =
  <Facts>(revise: Revise<Facts>): Revise<Facts> =>
  (facts, random, locale) =>
    random.chance(0.5) ? revise(facts, random, locale) : facts

const sumOf = (items: readonly { readonly amountCents: number }[]) =>
  items.reduce((sum, { amountCents }) => sum + amountCents, 0)

const NOTHING_BETWEEN = { discountCents: null, shippingCents: null, paidCents: null }

/** The sums of lines with different tax rates. */
function totalsByRate(items: readonly LineItem[]): Totals {
  const subtotalCents = sumOf(items)
  const rates = ratesOf(items)
  const taxCents = rates.reduce((sum, rate) => sum + rate.taxCents, 0)
  const taxRate = rates.length === 1 ? (rates[0]?.rate ?? null) : null
  return { ...NOTHING_BETWEEN, subtotalCents, taxRate, taxCents, totalCents: subtotalCents + taxCents }
}

/** Distributes two tax rates over the lines. */
export function byRates<Facts extends Trade>(facts: Facts, random: Random, locale: Locale): Facts {
  const rates = random.sample([...new Set([...locale.taxRates, 0])], 2)
  const items = facts.items.map((item) => ({ ...item, taxRate: random.pick(rates) }))
  return { ...facts, items, totals: totalsByRate(items) }
}

/** Adds the gross amount to each line. */
export function withGross<Facts extends Trade>(facts: Facts, random: Random, locale: Locale): Facts {
  const rates = random.sample([...new Set(locale.taxRates)], random.int(1, 2))
  const items = facts.items.map((item) => {
    const taxRate = random.pick(rates)
    return { ...item, taxRate, grossCents: item.amountCents + Math.round((item.amountCents * taxRate) / 100) }
  })
  return { ...facts, items, totals: totalsByRate(items) }
}

/** Discounts some lines. */
export function withDiscounts<Facts extends Trade>(facts: Facts, random: Random, locale: Locale): Facts {
  const items = facts.items.map((item): LineItem => {
    const discountPercent = random.pick([0, 0, 3, 5, 10, 12.5, 20])
    if (item.quantity === null || item.unitCents === null) return item
    const amountCents = Math.round((item.unitCents * item.quantity * (100 - discountPercent)) / 100)
    return { ...item, discountPercent, amountCents }
  })
  const { totals } = facts
  const subtotalCents = sumOf(items)
  const taxable = subtotalCents + (totals.shippingCents ?? 0)
  const taxRate = totals.taxCents === null ? null : (totals.taxRate ?? random.pick(locale.taxRates))
  const taxCents = taxRate === null ? null : Math.round((taxable * taxRate) / 100)
  const sums = { subtotalCents, discountCents: null, taxRate, taxCents, paidCents: null }
  return { ...facts, items, totals: { ...totals, ...sums, totalCents: taxable + (taxCents ?? 0) } }
}

/** Adds an earlier payment. */
export const partPaid: Revise<InvoiceFacts> = (facts, random) => {
  const paidCents = Math.round((facts.totals.totalCents * random.pick([10, 20, 25, 30, 40, 50])) / 100)
  return { ...facts, totals: { ...facts.totals, paidCents } }
}

export const unpaid: Revise<InvoiceFacts> = (facts) => ({ ...facts, totals: { ...facts.totals, paidCents: null } })

/** At most twelve charges with amounts only. */
export const charges: Revise<InvoiceFacts> = (facts) => {
  const kept = facts.items.slice(0, 12)
  const items = kept.map((item) => ({ ...item, quantity: null, unitCents: null, unit: null, sku: null }))
  const none = { ...NOTHING_BETWEEN, taxRate: null, taxCents: null }
  const sum = { ...none, subtotalCents: sumOf(items), totalCents: sumOf(items) }
  return { ...facts, items, totals: items.length < facts.items.length ? sum : { ...facts.totals, paidCents: null } }
}

/** A hotel folio: nights at one price, with extras between them. */
export const stay: Revise<InvoiceFacts> = (facts, random, locale) => {
  const [night = '', ...extras] = locale.printed['charges'] ?? []
  const nightCents = random.int(68, 240) * 100
  const items = Array.from({ length: random.int(2, 14) }, (_, n): LineItem => {
    const none = { note: null, sku: null, quantity: null, unit: null, unitCents: null }
    const isNight = n % 2 === 0
    return {
      ...none,
      description: isNight ? night : random.pick(extras),
      amountCents: isNight ? nightCents : random.int(4, 90) * 50,
    }
  })
  const subtotalCents = sumOf(items)
  const taxRate = random.pick(locale.taxRates)
  const taxCents = Math.round((subtotalCents * taxRate) / 100)
  const name = fillName(random, random.pick(locale.printed['hotel'] ?? []), locale)
  return {
    ...facts,
    vendor: { ...facts.vendor, name, email: null, website: null },
    items,
    totals: { ...NOTHING_BETWEEN, subtotalCents, taxRate, taxCents, totalCents: subtotalCents + taxCents },
    account: null,
    terms: null,
    dueDate: null,
  }
}

/** Gives each line of an order its own delivery date, and the order none. */
export const wantedDays: Revise<OrderFacts> = (facts, random) => {
  const first = random.int(4, 30)
  const items = facts.items.map((item) => ({ ...item, wantedDay: addDays(facts.date, first + 7 * random.int(0, 4)) }))
  return { ...facts, items, deliveryDate: null }
}

/** Removes tax and everything else between the lines and the total. */
export const netOnly: Revise<OrderFacts> = (facts) => {
  const none = { ...NOTHING_BETWEEN, subtotalCents: null, taxRate: null, taxCents: null }
  return { ...facts, totals: { ...none, totalCents: sumOf(facts.items) } }
}

/** Shows balances only in the last row of a day. */
export const dayEnds: Revise<StatementFacts> = (facts) => {
  const movements = facts.movements.map((movement, n): Movement => {
    const next = facts.movements[n + 1]
    return next !== undefined && isoOf(next.day) === isoOf(movement.day)
      ? { ...movement, hidesBalance: true }
      : movement
  })
  return { ...facts, movements, withBalances: true }
}

/** Adds a reference number on a second line to some movements. */
export const references: Revise<StatementFacts> = (facts, random) => {
  const form = random.pick(['REF ########', '####-######', 'MREF @@####', '########/###', 'E2E-#######'])
  const movements = facts.movements.map((movement) =>
    random.chance(0.5) ? { ...movement, reference: random.fill(form) } : movement,
  )
  return { ...facts, movements }
}

/** Credits first, then debits, without balances. */
export const creditsFirst: Revise<StatementFacts> = (facts) => {
  const isIn = ({ amountCents }: Movement) => amountCents >= 0
  const lists = [facts.movements.filter(isIn), facts.movements.filter((one) => !isIn(one))]
  return withMovements({ ...facts, withBalances: false, withValueDays: false }, facts.openingCents, lists.flat())
}

export const withoutBalances: Revise<StatementFacts> = (facts) => ({ ...facts, withBalances: false })
export const withEverything: Revise<StatementFacts> = (facts) => ({ ...facts, withBalances: true, withValueDays: true })
export const withoutValueDays: Revise<StatementFacts> = (facts) => ({ ...facts, withValueDays: false })

/** Replaces the movements and updates balances and sums. */
function withMovements(facts: StatementFacts, openingCents: number, movements: readonly Movement[]): StatementFacts {
  let balanceCents = openingCents
  const counted = movements.map((movement) => {
    balanceCents += movement.amountCents
    return { ...movement, balanceCents }
  })
  const total = (sign: 1 | -1) => counted.reduce((sum, { amountCents }) => sum + Math.max(0, sign * amountCents), 0)
  const sums = facts.creditsCents === null ? {} : { creditsCents: total(1), debitsCents: total(-1) }
  return { ...facts, ...sums, openingCents, closingCents: balanceCents, movements: counted }
}

/** A credit card: the balance owed is negative, purchases are debits, with occasional payments. */
export const cardAccount: Revise<StatementFacts> = (facts, random, locale) => {
  const opening = -random.int(4_000, 260_000)
  const movements = facts.movements.map((movement): Movement => {
    if (random.chance(0.12))
      return { ...movement, description: locale.printed['cardPayment']?.[0] ?? '', amountCents: -opening }
    const description = random
      .pick(locale.printed['cardPurchases'] ?? [])
      .replace('{firm}', () => makeName(random, locale, 'firms'))
      .replace('{ref}', () => random.digits(5))
    return { ...movement, description, amountCents: -Math.abs(movement.amountCents) }
  })
  const shown = { ...facts, creditsCents: 0, debitsCents: 0, withBalances: false }
  return withMovements(shown, opening, movements)
}

/** A customer account with a company: invoices as debits, payments as credits. */
export const supplierAccount: Revise<StatementFacts> = (facts, random, locale) => {
  const invoice = locale.labels['invoice']?.[0] ?? ''
  const payment = locale.printed['cardPayment']?.[0] ?? ''
  const movements = facts.movements.map(
    (movement): Movement => ({ ...movement, description: movement.amountCents < 0 ? invoice : payment }),
  )
  return {
    ...withMovements(facts, -random.int(0, 480_000), movements),
    bank: { ...makeParty(random, locale), contact: null },
    iban: null,
    bic: null,
    accountNumber: random.digits(6),
    withValueDays: false,
    withBalances: true,
  }
}

/** Updates the sums of a receipt after its items changed. */
function sumsAgain(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  const sum = sumOf(facts.items)
  const rate = facts.taxRate ?? random.pick(locale.taxRates)
  const tax = facts.taxIncluded ? sum - Math.round(sum / (1 + rate / 100)) : Math.round((sum * rate) / 100)
  const totalCents = facts.taxCents === null || facts.taxIncluded ? sum : sum + tax
  const cashCents = facts.cashCents === null ? null : Math.ceil(totalCents / 500) * 500
  return {
    ...facts,
    subtotalCents: facts.subtotalCents === null ? null : sum,
    taxCents: facts.taxCents === null ? null : tax,
    taxRate: facts.taxCents === null || facts.taxRate === null ? null : rate,
    roundingCents: null,
    totalCents,
    cashCents,
    changeCents: cashCents === null || facts.changeCents === null ? null : cashCents - totalCents,
  }
}

/** Makes some goods weighed: quantities in kilograms with three decimals. */
export const weighed: Revise<ReceiptFacts> = (facts, random, locale) => {
  const items = facts.items.map((item): ReceiptItem => {
    const unitCents = random.int(99, 2490)
    const quantity = random.int(80, 2400) / 1000
    if (random.chance(0.5))
      return { ...item, quantity: item.quantity ?? 1, unitCents: item.unitCents ?? item.amountCents }
    return { ...item, quantity, unitCents, unit: 'kg', amountCents: Math.round(quantity * unitCents) }
  })
  return sumsAgain({ ...facts, items }, random, locale)
}

/** A fuel purchase. */
export const fuel: Revise<ReceiptFacts> = (facts, random, locale) => {
  const quantity = random.int(800, 6800) / 100
  const unitCents = random.int(128, 219)
  const description = random.pick(locale.printed['fuels'] ?? [])
  const item = { description, quantity, unitCents, unit: 'l', amountCents: Math.round(quantity * unitCents) }
  return sumsAgain({ ...facts, items: [item, ...facts.items.slice(0, random.pick([0, 0, 1, 2]))] }, random, locale)
}

/** Marks goods of two tax rates with letters; prices include tax. */
export const taxLetters: Revise<ReceiptFacts> = (facts, random, locale) => {
  if (!facts.taxIncluded) return facts
  const rates = random.sample([...new Set(locale.taxRates)], 2)
  const items = facts.items.map((item): ReceiptItem => ({ ...item, taxRate: random.pick(rates) }))
  const taxCents = taxClasses(items).reduce((sum, tax) => sum + tax.taxCents, 0)
  return { ...facts, items, taxCents, taxRate: null }
}

/** The tax included in the prices, by rate; letters in the order of the rates. */
export function taxClasses(items: readonly ReceiptItem[]) {
  const rates = [...new Set(items.map(({ taxRate }) => taxRate ?? 0))].toSorted((a, b) => b - a)
  return rates.map((rate, n) => {
    const grossCents = sumOf(items.filter((item) => (item.taxRate ?? 0) === rate))
    const netCents = Math.round(grossCents / (1 + rate / 100))
    return { letter: 'ABCD'[n] ?? 'E', rate, netCents, taxCents: grossCents - netCents, grossCents }
  })
}

/** A card payment with the lines of the terminal. */
export const cardPaid: Revise<ReceiptFacts> = (facts, random) => ({
  ...facts,
  method: 'card',
  totalCents: facts.totalCents - (facts.roundingCents ?? 0),
  roundingCents: null,
  cashCents: null,
  changeCents: null,
  cardSlip: makeCardSlip(random),
})

/** A parking ticket: one item whose price includes tax. */
export const parking: Revise<ReceiptFacts> = (facts, random, locale) => {
  const description = locale.printed['parking']?.[0] ?? ''
  const items = [{ description, quantity: null, unitCents: null, amountCents: random.int(3, 60) * 50 }]
  const time = { hour: random.int(10, 21), minute: random.int(0, 59), second: random.int(0, 59) }
  const bare = { till: null, cashier: null, subtotalCents: null, time: facts.time ?? time, items }
  return sumsAgain({ ...facts, ...bare, taxIncluded: true }, random, locale)
}

export const withoutPrices: Revise<ReceiptFacts> = (facts) => ({
  ...facts,
  items: facts.items.map((item) => ({ ...item, unitCents: null })),
})

/** Keeps quantities only for items with more than one. */
export const severalOnly: Revise<ReceiptFacts> = (facts) => ({
  ...facts,
  items: facts.items.map((item) => (item.quantity === 1 ? { ...item, quantity: null, unitCents: null } : item)),
})
