import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'

/** The correct answer for the schema of a document's kind. Values that are not printed are null. */
export type Truth = JsonObject

/**
 * Alternative values that are also correct, by the path of the field (`line_items/3/description`): a description with
 * its second line, an address without its country.
 */
export type Accepts = Readonly<Record<string, readonly string[]>>

const text = (description: string) => ({ type: ['string', 'null'], description })
const number = (description: string) => ({ type: ['number', 'null'], description })
const date = (description: string) => ({ type: ['string', 'null'], format: 'date', description })
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const list = (description: string, items: JsonSchema): JsonSchema => ({ type: 'array', description, items })
const currency = text('ISO 4217 code of the currency')

const lineItems = list(
  'All lines of the item table in their order',
  object({
    description: text('What was sold'),
    sku: text('Article number'),
    quantity: number('How many'),
    unit_price: number('Price of one'),
    amount: number('Total of the line'),
  }),
)

const sums = {
  subtotal: number('Sum of the lines before discount, shipping and tax'),
  discount: number('Discount as a positive amount'),
  shipping: number('Cost of delivery'),
  tax_rate: number('Tax rate in percent'),
  tax: number('Amount of tax'),
  total: number('Total amount including tax'),
}

export const invoiceSchema: JsonSchema = object({
  invoice_number: text('Number of the invoice'),
  invoice_date: date('Date of issue'),
  due_date: date('Date by which it is to be paid'),
  purchase_order_number: text("Number of the customer's purchase order"),
  vendor: object({
    name: text('Name of the seller'),
    address: text('Full postal address of the seller'),
    email: text('Email of the seller'),
    phone: text('Phone number of the seller'),
    vat_id: text('VAT or tax identification number of the seller'),
  }),
  customer: object({ name: text('Name of the buyer'), address: text('Full postal address of the buyer') }),
  currency,
  payment_terms: text('Payment terms as printed'),
  iban: text('IBAN to pay to'),
  line_items: lineItems,
  ...sums,
})

export const purchaseOrderSchema: JsonSchema = object({
  po_number: text('Number of the purchase order'),
  order_date: date('Date of the order'),
  delivery_date: date('Date by which to deliver'),
  buyer_name: text('Company that orders'),
  buyer_address: text('Postal address of the buyer'),
  supplier_name: text('Company that supplies'),
  supplier_address: text('Postal address of the supplier'),
  ship_to_address: text('Address to deliver to, where it is given apart'),
  contact_name: text('Person in charge at the buyer'),
  currency,
  payment_terms: text('Payment terms as printed'),
  shipping_terms: text('Delivery terms as printed'),
  line_items: lineItems,
  ...sums,
})

export const receiptSchema: JsonSchema = object({
  merchant_name: text('Name of the shop'),
  merchant_address: text('Address of the shop'),
  merchant_phone: text('Phone number of the shop'),
  receipt_number: text('Number of the receipt or transaction'),
  date: date('Date of the purchase'),
  time: { type: ['string', 'null'], description: 'Time of the purchase, HH:MM in 24 hours' },
  currency,
  items: list(
    'Items bought',
    object({
      description: text('Name of the item'),
      quantity: number('How many'),
      unit_price: number('Price of one'),
      amount: number('Price of the line'),
    }),
  ),
  subtotal: number('Sum of the items before added tax and rounding, where it is printed'),
  tax: number('Total amount of tax'),
  rounding: number('Rounding of the total, with its sign'),
  total: number('Total to pay'),
  payment_method: { type: ['string', 'null'], enum: ['cash', 'card', null], description: 'How it was paid' },
  cash_given: number('Cash handed over'),
  change: number('Change given back'),
})

export const statementSchema: JsonSchema = object({
  bank_name: text('Bank or company that issued the statement'),
  account_holder: text('Holder of the account'),
  account_holder_address: text('Address of the holder'),
  account_number: text('Account number'),
  iban: text('IBAN of the account'),
  statement_number: text('Number of the statement'),
  statement_date: date('Date of the statement'),
  period_start: date('First day of the period'),
  period_end: date('Last day of the period'),
  currency,
  opening_balance: number('Balance at the start'),
  closing_balance: number('Balance at the end'),
  total_credits: number('Sum of all credits, positive'),
  total_debits: number('Sum of all debits, positive'),
  transactions: list(
    'All movements in their order',
    object({
      date: date('Booking date'),
      description: text('What the movement was for'),
      amount: number('Positive for credits, negative for debits'),
      balance: number('Balance after the movement'),
    }),
  ),
})
