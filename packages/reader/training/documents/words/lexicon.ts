import type { Months } from '../dates.ts'
import type { Random } from '../random.ts'

/**
 * The train part tunes; the kept-out part has layouts, wordings, fonts and places of its own and only judges. The released
 * part was kept out before: its documents are the same as then, and what they are made of is in the train part too. `kept-out-4`
 * are the layouts of the fourth round, in common fonts and places.
 */
export const splits = ['train', 'released', 'kept-out', 'kept-out-4'] as const
export type Split = (typeof splits)[number]

/** A thing that is sold: what it is called, its price range in whole currency units, and what it is counted in. */
export type Product = readonly [name: string, low: number, high: number, unit?: string]

/**
 * Label wordings of one language. Wordings are separated by `|`; those after `~` were released
 * later: the released part takes them more often.
 */
export type Labels = Readonly<Record<LabelKey, string>>

/** All words of one language. Lists of strings are written as one string separated by `|` where that is shorter. */
export interface Lexicon {
  readonly months: Months
  readonly labels: Labels
  readonly firstNames: string
  readonly lastNames: string
  readonly goods: readonly Product[]
  readonly services: readonly Product[]
  readonly groceries: readonly Product[]
  /** What may stand in a second line below an item. */
  readonly itemNotes: string
  /** Incoming and outgoing bank movements; `{name}` a person, `{firm}` a company, `{ref}` a number. */
  readonly movementsIn: string
  readonly movementsOut: string
  readonly terms: readonly (readonly [text: string, days: number])[]
  readonly thanks: string
  readonly notes: string
  readonly shippingTerms: string
}

export type LabelKey =
  // titles
  | 'invoice'
  | 'receipt'
  | 'order'
  | 'statement'
  // documents' own data
  | 'invoiceNumber'
  | 'invoiceDate'
  | 'dueDate'
  | 'purchaseOrder'
  | 'customerNumber'
  | 'currency'
  | 'terms'
  | 'reference'
  | 'deliveryNote'
  // parties
  | 'billTo'
  | 'shipTo'
  | 'from'
  | 'attention'
  | 'vatId'
  | 'phone'
  | 'fax'
  | 'email'
  | 'website'
  | 'contact'
  // item tables
  | 'position'
  | 'sku'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'unitPrice'
  | 'amount'
  | 'movementAmount'
  | 'taxColumn'
  // totals
  | 'subtotal'
  | 'discount'
  | 'shipping'
  | 'tax'
  | 'total'
  | 'orderTotal'
  | 'paid'
  | 'balanceDue'
  | 'carried'
  // bank
  | 'bank'
  | 'accountNumber'
  | 'iban'
  | 'bic'
  // orders
  | 'orderNumber'
  | 'orderDate'
  | 'deliveryDate'
  | 'buyer'
  | 'supplier'
  | 'shippingTerms'
  | 'signature'
  // receipts
  | 'receiptNumber'
  | 'cashier'
  | 'till'
  | 'date'
  | 'time'
  | 'receiptItem'
  | 'receiptQuantity'
  | 'receiptPrice'
  | 'receiptAmount'
  | 'receiptSubtotal'
  | 'receiptTotal'
  | 'includedTax'
  | 'cash'
  | 'change'
  | 'card'
  | 'rounding'
  | 'itemCount'
  // statements
  | 'statementNumber'
  | 'statementDate'
  | 'period'
  | 'holder'
  | 'opening'
  | 'closing'
  | 'credits'
  | 'debits'
  | 'valueDate'
  | 'details'
  | 'balance'
  | 'moneyOut'
  | 'moneyIn'
  // everywhere
  | 'page'
  | 'of'
  | 'to'

export function pickWord(random: Random, list: string): string {
  return random.pick(list.split('|'))
}

/** The plainest wording of a label, for documents that have a second thing of a like name. */
export function plainLabel(labels: Labels, key: LabelKey): string {
  return labels[key].split(/\||~/)[0]?.trim() ?? ''
}

/** One of the wordings, half of the time one of those after `~` where there are some. */
export function pickLabel(random: Random, wordings: string): string {
  const [first = '', last] = wordings.split(' ~ ')
  return pickWord(random, last !== undefined && random.chance(0.5) ? last : first)
}

/** All wordings of a label that the train part has seen. */
export const seenWordings = (wordings: string, more: string | undefined): string[] => [
  ...new Set([...wordings.replace(' ~ ', '|').split('|'), ...(more?.split('|') ?? [])]),
]
