import { type Pair, pairsOf } from '../blocks.ts'
import { addDays } from '../dates.ts'
import { drawRule, write } from '../ink.ts'
import type { LineItem } from '../items.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import { pickWord } from '../words/lexicon.ts'
import type { Locale } from '../words/locale.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import { totalsAgain, totalsByRate } from './wide-items.ts'

/** Data of an order without its number, day or contact where they stand elsewhere. */
export function widePairs(
  press: Press,
  facts: OrderFacts,
  without: readonly ('number' | 'date' | 'contact')[] = [],
): Pair[] {
  const { label, day, random } = press
  const leaves = (key: 'number' | 'date' | 'contact') => without.includes(key)
  const head = pairsOf([
    [label('orderNumber'), leaves('number') ? null : facts.number],
    [label('orderDate'), leaves('date') ? null : day(facts.date)],
  ])
  const rest = pairsOf([
    [label('deliveryDate'), facts.deliveryDate && day(facts.deliveryDate)],
    [label('contact'), leaves('contact') ? null : facts.contact],
    [label('terms'), facts.terms],
    [label('shippingTerms'), facts.shippingTerms],
    [label('reference'), facts.reference],
    [label('currency'), press.currencyLine],
  ])
  return random.pick([
    [...head, ...rest],
    [...head.toReversed(), ...rest],
    [...head, ...random.sample(rest, rest.length)],
  ])
}

/** Each line is wanted on a day of its own; the order as a whole has none. */
export function reviseWantedDays(facts: OrderFacts, random: Random): OrderFacts {
  const first = random.int(4, 30)
  const items = facts.items.map(
    (item): LineItem => ({ ...item, wantedDay: addDays(facts.date, first + 7 * random.int(0, 4)) }),
  )
  return { ...facts, items, deliveryDate: null }
}

export function reviseOrderDiscounts(facts: OrderFacts, random: Random, locale: Locale): OrderFacts {
  const items = facts.items.map((item): LineItem => {
    const discountPercent = random.pick([0, 0, 3, 5, 10, 12.5])
    if (item.quantity === null || item.unitCents === null) return item
    const amountCents = Math.round((item.unitCents * item.quantity * (100 - discountPercent)) / 100)
    return { ...item, discountPercent, amountCents }
  })
  const rate = facts.totals.taxRate ?? random.pick(locale.taxRates)
  return { ...facts, items, totals: totalsAgain(items, facts.totals, rate) }
}

export function reviseOrderRates(facts: OrderFacts, random: Random, locale: Locale): OrderFacts {
  const rates = random.sample([...new Set([...locale.taxRates, 0])], 2)
  const items = facts.items.map((item): LineItem => ({ ...item, taxRate: random.pick(rates) }))
  return { ...facts, items, totals: totalsByRate(items) }
}

/** No tax and nothing else between the lines and the total. */
export function reviseNetOnly(facts: OrderFacts): OrderFacts {
  const totalCents = facts.items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const none = { discountCents: null, shippingCents: null, taxRate: null, taxCents: null, paidCents: null }
  return { ...facts, totals: { ...none, subtotalCents: null, totalCents } }
}

/** The order has a number of its version, as forms that were changed have. */
export function writeRevision(press: Press): string {
  const { random } = press
  return `${pickWord(random, wideWordsOf(press.locale).revision)} ${random.pick(['0', '1', '2', 'A', 'B', '02'])}`
}

export function drawOrderNotes(
  press: Press,
  facts: OrderFacts,
  at: { x: number; y: number; width: number; signers: 0 | 1 | 2 },
): void {
  const { label, style } = press
  let { y } = at
  if (facts.note !== null) y = write(press, facts.note, { ...at, size: style.size * 0.9 })
  for (let n = 0; n < at.signers; n += 1) {
    const x = at.x + n * 190
    drawRule(press, { x, y: y + 34, width: 160, thickness: 0.5 })
    write(press, n === 0 ? label('signature') : label('date'), {
      x,
      y: y + 37,
      size: style.size * 0.8,
      colour: style.grey,
    })
  }
}
