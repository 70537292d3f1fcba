import { addDays, type Day, isoOf, randomDay } from '../dates.ts'
import type { Random } from '../random.ts'
import type { Accepts, Truth } from '../schemas.ts'
import type { Locale } from '../words.ts'
import { acceptedDescriptions, itemTruth, totalsTruth } from './invoice.ts'
import { type LineItem, makeItems, makeTotals, pickItemPlan, type Totals } from './items.ts'
import { acceptedAddress, addressOf, makeParty, makePersonName, type Party } from './parties.ts'

/** All facts of a purchase order; null is not printed. */
export interface OrderFacts {
  readonly number: string
  readonly date: Day
  readonly deliveryDate: Day | null
  readonly buyer: Party
  readonly supplier: Party
  readonly shipTo: Party | null
  readonly contact: string | null
  readonly reference: string | null
  readonly terms: string | null
  readonly shippingTerms: string | null
  readonly items: readonly LineItem[]
  readonly totals: Totals
  readonly note: string | null
}

const NUMBER_FORMS = 'PO-#####|45########|PO20##-###|######|B-20##-####|@@-#####|P#######|####/2#'.split('|')

export function makeOrderFacts(random: Random, locale: Locale): OrderFacts {
  const date = randomDay(random)
  const plan = pickItemPlan(random.fork('plan'))
  const items = makeItems(random.fork('items'), locale, { ...plan, amountsOnly: false, withSku: random.chance(0.65) })
  const buyer = { ...makeParty(random.fork('buyer'), locale), contact: null }
  return {
    number: random.fill(random.pick(NUMBER_FORMS)).replace(/^0/, '6'),
    date,
    deliveryDate: random.chance(0.65) ? addDays(date, random.int(3, 60)) : null,
    buyer,
    supplier: makeParty(random.fork('supplier'), locale),
    shipTo: random.chance(0.4) ? makeParty(random.fork('ship'), locale, buyer.name) : null,
    contact: random.chance(0.45) ? makePersonName(random, locale) : null,
    reference: random.chance(0.3) ? random.fill(random.pick(['Q-#####', '######', 'RFQ ####', 'PRJ-##-###'])) : null,
    terms: random.chance(0.5) ? random.pick(locale.terms)[0] : null,
    shippingTerms: random.chance(0.4) ? locale.pick(random, 'shippingTerms') : null,
    items,
    totals: makeTotals(random.fork('totals'), locale, items),
    note: random.chance(0.4) ? locale.pick(random, 'notes') : null,
  }
}

/** The correct answer for `purchaseOrderSchema`. */
export function orderTruth(facts: OrderFacts, currency: string | null): Truth {
  return {
    po_number: facts.number,
    order_date: isoOf(facts.date),
    delivery_date: facts.deliveryDate && isoOf(facts.deliveryDate),
    buyer_name: facts.buyer.name,
    buyer_address: addressOf(facts.buyer),
    supplier_name: facts.supplier.name,
    supplier_address: addressOf(facts.supplier),
    ship_to_address: facts.shipTo && addressOf(facts.shipTo),
    contact_name: facts.contact,
    currency,
    payment_terms: facts.terms,
    shipping_terms: facts.shippingTerms,
    line_items: facts.items.map(itemTruth),
    ...totalsTruth(facts.totals),
  }
}

export function orderAccepts(facts: OrderFacts): Accepts {
  return {
    ...acceptedDescriptions(facts.items),
    ...acceptedAddress('buyer_address', facts.buyer),
    ...acceptedAddress('supplier_address', facts.supplier),
    ...acceptedAddress('ship_to_address', facts.shipTo),
  }
}
