import { type Day, isoOf, randomDay, two } from '../dates.ts'
import type { Random } from '../random.ts'
import type { Truth } from '../schemas.ts'
import type { Locale } from '../words.ts'
import { amountOf } from './invoice.ts'
import { priceCents } from './items.ts'
import { addressOf, makeName, makeParty, type Party } from './parties.ts'

export interface ReceiptItem {
  readonly description: string
  /** Null, as is the price, when only the amount is printed. */
  readonly quantity: number | null
  readonly unitCents: number | null
  readonly amountCents: number
  /** Percent, when letters mark goods with different rates. */
  readonly taxRate?: number
  /** The unit of the quantity of weighed goods. */
  readonly unit?: string
}

/** All facts of a receipt; null is not printed. */
export interface ReceiptFacts {
  readonly merchant: Party
  readonly number: string | null
  readonly date: Day
  readonly time: { readonly hour: number; readonly minute: number; readonly second: number } | null
  readonly cashier: string | null
  readonly till: string | null
  readonly items: readonly ReceiptItem[]
  readonly subtotalCents: number | null
  /** Percent; null when the rate is not printed. */
  readonly taxRate: number | null
  readonly taxCents: number | null
  /** True when prices include the tax. */
  readonly taxIncluded: boolean
  readonly roundingCents: number | null
  readonly totalCents: number
  readonly method: 'cash' | 'card' | null
  readonly cashCents: number | null
  readonly changeCents: number | null
  /** Lines of the card terminal: masked number, terminal and authorisation. */
  readonly cardSlip: readonly string[] | null
  readonly thanks: string | null
  readonly note: string | null
}

export function makeReceiptFacts(random: Random, locale: Locale): ReceiptFacts {
  const shop = makeParty(random.fork('shop'), locale, makeName(random, locale, 'shops'))
  const items = makeReceiptItems(random.fork('items'), locale)
  const sums = makeReceiptSums(random.fork('sums'), locale, items)
  const method = random.weighted([5, 'cash' as const], [4, 'card' as const], [1, null])
  const showsCash = method === 'cash' && random.chance(0.85)
  const step = random.pick([100, 500, 1000, 2000])
  const cash = random.chance(0.2) ? sums.totalCents : Math.ceil(sums.totalCents / step) * step
  return {
    merchant: { ...shop, contact: null, country: null, website: random.chance(0.2) ? shop.website : null },
    number: random.chance(0.75)
      ? random.fill(random.pick(['######', '####', '0#-######', '@###/####', '####-##-####']))
      : null,
    date: randomDay(random),
    time: random.chance(0.75)
      ? { hour: random.int(7, 22), minute: random.int(0, 59), second: random.int(0, 59) }
      : null,
    cashier: random.chance(0.5) ? locale.pick(random, 'firstNames') : null,
    till: random.chance(0.4) ? String(random.int(1, 24)) : null,
    ...sums,
    items,
    method: method === 'cash' && !showsCash ? null : method,
    cashCents: showsCash ? cash : null,
    changeCents: showsCash && (cash > sums.totalCents || random.chance(0.5)) ? cash - sums.totalCents : null,
    cardSlip: random.fork('slip').chance(0.4) ? makeCardSlip(random.fork('slip-lines')) : null,
    thanks: random.chance(0.75) ? locale.pick(random, 'thanks') : null,
    note: random.chance(0.25) ? locale.pick(random, 'notes') : null,
  }
}

const SLIP =
  '************####|TID: ########|AID: A0000000031010|AUTH ######|PAN SEQ 01|APPROVED|MID ***#####|TRACE ######'

/** Lines of a card terminal: masked number, terminal and authorisation. */
export const makeCardSlip = (random: Random): string[] =>
  random.sample(SLIP.split('|'), random.int(2, 4)).map((line) => random.fill(line))

function makeReceiptItems(random: Random, locale: Locale): ReceiptItem[] {
  const count = random.weighted([4, random.int(1, 4)], [5, random.int(3, 10)], [1, random.int(11, 22)])
  const withQuantities = random.chance(0.7)
  return random.sample(locale.groceries, count).map((product) => {
    const unitCents = Math.max(5, Math.round(priceCents(random, product)))
    const quantity = random.weighted([7, 1], [3, random.int(2, 6)])
    return {
      description: product[0],
      quantity: withQuantities ? quantity : null,
      unitCents: withQuantities ? unitCents : null,
      amountCents: unitCents * quantity,
    }
  })
}

function makeReceiptSums(random: Random, locale: Locale, items: readonly ReceiptItem[]) {
  const sum = items.reduce((total, item) => total + item.amountCents, 0)
  const taxIncluded = !/^(en-US|en-CA|fr-CA)$/.test(locale.id)
  const hasTax = random.chance(0.75)
  const rate = random.pick(locale.taxRates)
  const tax = taxIncluded ? sum - Math.round(sum / (1 + rate / 100)) : Math.round((sum * rate) / 100)
  const due = hasTax && !taxIncluded ? sum + tax : sum
  const step = locale.cashStepCents
  const rounded = step !== null && random.chance(0.6) ? Math.round(due / step) * step : due
  return {
    subtotalCents: (hasTax && !taxIncluded) || rounded !== due || random.chance(0.3) ? sum : null,
    taxRate: hasTax && random.chance(0.7) ? rate : null,
    taxCents: hasTax ? tax : null,
    taxIncluded,
    roundingCents: rounded === due ? null : rounded - due,
    totalCents: rounded,
  }
}

/** The correct answer for `receiptSchema`. */
export function receiptTruth(facts: ReceiptFacts, currency: string | null): Truth {
  const { merchant, time } = facts
  return {
    merchant_name: merchant.name,
    merchant_address: addressOf(merchant),
    merchant_phone: merchant.phone,
    receipt_number: facts.number,
    date: isoOf(facts.date),
    time: time && `${two(time.hour)}:${two(time.minute)}`,
    currency,
    items: facts.items.map((item) => ({
      description: item.description,
      quantity: item.quantity,
      unit_price: amountOf(item.unitCents),
      amount: amountOf(item.amountCents),
    })),
    subtotal: amountOf(facts.subtotalCents),
    tax: amountOf(facts.taxCents),
    rounding: amountOf(facts.roundingCents),
    total: amountOf(facts.totalCents),
    payment_method: facts.method,
    cash_given: amountOf(facts.cashCents),
    change: amountOf(facts.changeCents),
  }
}
