import { addDays, type Day, isoOf, randomDay } from '../dates.ts'
import type { Random } from '../random.ts'
import type { Accepts, Truth } from '../schemas.ts'
import type { Locale } from '../words.ts'
import { type LineItem, makeItems, makeTotals, pickItemPlan, type Totals } from './items.ts'
import { acceptedAddress, addressOf, type BankAccount, makeBankAccount, makeParty, type Party } from './parties.ts'

/** All facts of an invoice; null is not printed. */
export interface InvoiceFacts {
  readonly number: string
  readonly date: Day
  readonly dueDate: Day | null
  readonly purchaseOrder: string | null
  readonly customerNumber: string | null
  /** Numbers and dates that no schema asks for, printed among those that are. */
  readonly reference: string | null
  readonly deliveryNote: string | null
  readonly deliveryDay: Day | null
  readonly vendor: Party
  readonly customer: Party
  /** The delivery address, when it differs from the customer's address. */
  readonly shipTo: Party | null
  readonly terms: string | null
  readonly account: BankAccount | null
  readonly items: readonly LineItem[]
  readonly totals: Totals
  readonly note: string | null
  readonly thanks: string | null
}

const NUMBER_FORMS = 'INV-#####|20##-####|INV/20##/###|######|R-####|@@#####|RE20##-###|#####|F##-####|2#/####'.split(
  '|',
)

export function makeInvoiceFacts(random: Random, locale: Locale): InvoiceFacts {
  const date = randomDay(random)
  const [terms, days] = random.pick(locale.terms)
  const items = makeItems(random.fork('items'), locale, pickItemPlan(random.fork('plan')))
  const customer = makeParty(random.fork('customer'), locale)
  const extras = random.fork('extras')
  const totals = makeTotals(random.fork('totals'), locale, items)
  const isPartPaid = extras.chance(0.08)
  const paidCents = Math.round((totals.totalCents * extras.pick([10, 25, 30, 50])) / 100)
  return {
    reference: extras.chance(0.25) ? extras.fill(extras.pick(['@@/###', '####', 'P-20##-##', '@@@'])) : null,
    deliveryNote: extras.chance(0.2) ? extras.fill(extras.pick(['######', 'LS-#####', '8#######', 'DN####'])) : null,
    deliveryDay: extras.chance(0.2) ? addDays(date, -extras.int(1, 12)) : null,
    number: random.fill(random.pick(NUMBER_FORMS)).replace(/^0/, '7'),
    date,
    dueDate: random.chance(0.65) ? addDays(date, days) : null,
    purchaseOrder: random.chance(0.4)
      ? random.fill(random.pick(['PO-#####', '45########', 'B-####', 'PO#####', '#####/@']))
      : null,
    customerNumber: random.chance(0.4) ? random.fill(random.pick(['#####', 'C-####', 'K#####', 'CUST-###'])) : null,
    vendor: makeParty(random.fork('vendor'), locale),
    customer: {
      ...customer,
      email: null,
      phone: null,
      fax: null,
      website: null,
      vatId: random.chance(0.2) ? customer.vatId : null,
    },
    shipTo: random.chance(0.15) ? makeParty(random.fork('ship'), locale, customer.name) : null,
    terms: random.chance(0.5) ? terms : null,
    account: random.chance(0.6) ? makeBankAccount(random.fork('bank'), locale) : null,
    items,
    totals: isPartPaid ? { ...totals, paidCents } : totals,
    note: random.chance(0.5) ? locale.pick(random, 'notes') : null,
    thanks: random.chance(0.5) ? locale.pick(random, 'thanks') : null,
  }
}

/** The correct answer for `invoiceSchema`. */
export function invoiceTruth(facts: InvoiceFacts, currency: string | null): Truth {
  const { vendor, customer, totals } = facts
  return {
    invoice_number: facts.number,
    invoice_date: isoOf(facts.date),
    due_date: facts.dueDate && isoOf(facts.dueDate),
    purchase_order_number: facts.purchaseOrder,
    vendor: {
      name: vendor.name,
      address: addressOf(vendor),
      email: vendor.email,
      phone: vendor.phone,
      vat_id: vendor.vatId,
    },
    customer: { name: customer.name, address: addressOf(customer) },
    currency,
    payment_terms: facts.terms,
    iban: facts.account?.iban ?? null,
    line_items: facts.items.map(itemTruth),
    ...totalsTruth(totals),
  }
}

export function itemTruth(item: LineItem): Truth {
  return {
    description: item.description,
    sku: item.sku,
    quantity: item.quantity,
    unit_price: amountOf(item.unitCents),
    amount: amountOf(item.amountCents),
  }
}

/** The description including its second line is also accepted, as is the gross amount where both are printed. */
export function acceptedDescriptions(items: readonly LineItem[]): Accepts {
  return Object.fromEntries(
    items.flatMap(({ description, note, grossCents }, n) => [
      ...(note === null ? [] : [[`line_items/${n}/description`, [`${description} ${note}`]] as const]),
      ...(grossCents === undefined ? [] : [[`line_items/${n}/amount`, [String(grossCents / 100)]] as const]),
    ]),
  )
}

export function invoiceAccepts(facts: InvoiceFacts): Accepts {
  return {
    ...acceptedDescriptions(facts.items),
    ...acceptedAddress('vendor/address', facts.vendor),
    ...acceptedAddress('customer/address', facts.customer),
  }
}

export function totalsTruth(totals: Totals): Truth {
  return {
    subtotal: amountOf(totals.subtotalCents),
    discount: amountOf(totals.discountCents),
    shipping: amountOf(totals.shippingCents),
    tax_rate: totals.taxRate,
    tax: amountOf(totals.taxCents),
    total: amountOf(totals.totalCents),
  }
}

export const amountOf = (cents: number | null): number | null => (cents === null ? null : cents / 100)
