import fc from 'fast-check'

/** An invoice as plain text, with the values that a careful person would read in it. */
export interface InvoiceText {
  readonly text: string
  readonly language: Language
  /** The printed value of each field; null when absent. Money in cents. */
  readonly truth: Readonly<Record<SumField, number | null>>
  /** Null when the invoice has no table. */
  readonly items: readonly ItemTruth[] | null
  readonly number: string
}

export interface ItemTruth {
  readonly description: string
  readonly quantity: number
  readonly unit_price: number
  readonly amount: number
}

export const sumFields = ['subtotal', 'discount', 'shipping', 'tax_rate', 'tax', 'rounding', 'total'] as const
export type SumField = (typeof sumFields)[number]

type Label = 'title' | 'credit' | 'number' | 'net' | Exclude<SumField, 'tax_rate' | 'subtotal'> | 'subtotal' | 'columns'
type Words = Readonly<Record<Label, readonly string[]>>

const languages = {
  en: {
    title: ['Invoice', 'INVOICE'],
    credit: ['Credit note', 'CREDIT NOTE'],
    number: ['Invoice No', 'Invoice number'],
    subtotal: ['Subtotal', 'Sub-total', 'Net amount', 'Net total'],
    net: ['Net after discount', 'Taxable amount'],
    discount: ['Discount', 'Less discount'],
    shipping: ['Shipping', 'Delivery', 'Carriage'],
    tax: ['VAT', 'Tax', 'Sales tax'],
    rounding: ['Rounding'],
    total: ['Total', 'Invoice total', 'Grand total', 'Total amount'],
    columns: ['Description', 'Qty', 'Unit price', 'Amount'],
  },
  de: {
    title: ['Rechnung', 'RECHNUNG'],
    credit: ['Gutschrift', 'Rechnungskorrektur'],
    number: ['Rechnungsnummer', 'Rechnung Nr.'],
    subtotal: ['Zwischensumme', 'Nettobetrag', 'Summe netto'],
    net: ['Netto nach Rabatt', 'Bemessungsgrundlage'],
    discount: ['Rabatt', 'Nachlass'],
    shipping: ['Versand', 'Versandkosten'],
    tax: ['MwSt', 'USt', 'Umsatzsteuer', 'Mehrwertsteuer'],
    rounding: ['Rundung'],
    total: ['Gesamtbetrag', 'Rechnungsbetrag', 'Gesamtsumme', 'Summe brutto'],
    columns: ['Bezeichnung', 'Menge', 'Einzelpreis', 'Betrag'],
  },
  fr: {
    title: ['Facture', 'FACTURE'],
    credit: ['Avoir', 'AVOIR'],
    number: ['Facture n°', 'Numéro de facture'],
    subtotal: ['Sous-total', 'Total HT', 'Montant HT'],
    net: ['Net commercial', 'Base imposable'],
    discount: ['Remise', 'Rabais'],
    shipping: ['Frais de port', 'Livraison'],
    tax: ['TVA', 'Montant TVA'],
    rounding: ['Arrondi'],
    total: ['Total TTC', 'Montant TTC', 'Total à payer'],
    columns: ['Désignation', 'Quantité', 'Prix unitaire', 'Montant'],
  },
  es: {
    title: ['Factura', 'FACTURA'],
    credit: ['Factura rectificativa', 'Nota de crédito'],
    number: ['Número de factura', 'Factura nº'],
    subtotal: ['Subtotal', 'Base imponible'],
    net: ['Importe neto', 'Neto'],
    discount: ['Descuento', 'Dto.'],
    shipping: ['Gastos de envío', 'Envío'],
    tax: ['IVA', 'Cuota IVA'],
    rounding: ['Redondeo'],
    total: ['Total', 'Total factura', 'Importe total'],
    columns: ['Descripción', 'Cantidad', 'Precio unitario', 'Importe'],
  },
  it: {
    title: ['Fattura', 'FATTURA'],
    credit: ['Nota di credito', 'NOTA DI CREDITO'],
    number: ['Fattura n.', 'Numero fattura'],
    subtotal: ['Subtotale', 'Imponibile', 'Totale imponibile'],
    net: ['Netto merce', 'Totale netto'],
    discount: ['Sconto', 'Abbuono'],
    shipping: ['Spese di spedizione', 'Spedizione'],
    tax: ['IVA', 'Imposta'],
    rounding: ['Arrotondamento'],
    total: ['Totale', 'Totale fattura', 'Totale da pagare'],
    columns: ['Descrizione', 'Quantità', 'Prezzo unitario', 'Importo'],
  },
  nl: {
    title: ['Factuur', 'FACTUUR'],
    credit: ['Creditfactuur', 'Creditnota'],
    number: ['Factuurnummer', 'Factuur nr.'],
    subtotal: ['Subtotaal', 'Bedrag excl. btw', 'Totaal excl. btw'],
    net: ['Netto bedrag', 'Netto'],
    discount: ['Korting', 'Totaal korting'],
    shipping: ['Verzendkosten', 'Transport'],
    tax: ['BTW', 'Btw-bedrag'],
    rounding: ['Afronding'],
    total: ['Totaal', 'Totaal incl. btw', 'Te betalen'],
    columns: ['Omschrijving', 'Aantal', 'Prijs', 'Bedrag'],
  },
  pt: {
    title: ['Fatura', 'FATURA'],
    credit: ['Nota de crédito', 'NOTA DE CRÉDITO'],
    number: ['Fatura n.º', 'Número da fatura'],
    subtotal: ['Subtotal', 'Total ilíquido', 'Valor líquido'],
    net: ['Incidência', 'Líquido'],
    discount: ['Desconto', 'Descontos'],
    shipping: ['Portes', 'Portes de envio'],
    tax: ['IVA', 'Total IVA'],
    rounding: ['Arredondamento'],
    total: ['Total', 'Total a pagar', 'Total da fatura'],
    columns: ['Descrição', 'Quantidade', 'Preço unitário', 'Valor'],
  },
} as const satisfies Readonly<Record<string, Words>>

export type Language = keyof typeof languages

const ratesOf: Readonly<Record<Language, readonly number[]>> = {
  en: [20, 5],
  de: [19, 7],
  fr: [20, 5.5],
  es: [21, 10],
  it: [22, 10],
  nl: [21, 9],
  pt: [23, 6],
}
/** Thousands separator and decimal mark, by language. */
const marksOf: Readonly<Record<Language, readonly (readonly [string, string])[]>> = {
  en: [
    [',', '.'],
    ['', '.'],
  ],
  de: [
    ['.', ','],
    ['', ','],
    ["'", '.'],
  ],
  fr: [
    [' ', ','],
    ['\u202f', ','],
    ['', ','],
  ],
  es: [
    ['.', ','],
    ['', ','],
  ],
  it: [
    ['.', ','],
    ['', ','],
  ],
  nl: [
    ['.', ','],
    ['', ','],
  ],
  pt: [
    ['.', ','],
    [' ', ','],
  ],
}

type Print = (cents: number) => string

const currencies: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['€', ''],
  ['€ ', ''],
  ['', ' €'],
  ['EUR ', ''],
  ['', ' EUR'],
]

const negatives: readonly ((digits: string, before: string, after: string) => string)[] = [
  (digits, before, after) => `-${before}${digits}${after}`,
  (digits, before, after) => `${before}-${digits}${after}`,
  (digits, before, after) => `\u2212${before}${digits}${after}`,
  (digits, before, after) => `(${before}${digits}${after})`,
  (digits, before, after) => `${before}${digits}-${after}`,
]

function printer(thousands: string, decimal: string, currency: readonly [string, string], negative: number): Print {
  return (cents) => {
    const size = Math.abs(cents)
    const units = String(Math.trunc(size / 100)).replace(/\B(?=(\d{3})+$)/g, thousands)
    const digits = `${units}${decimal}${String(size % 100).padStart(2, '0')}`
    const [before, after] = currency
    return cents < 0 ? ((negatives[negative] ?? negatives[0])?.(digits, before, after) ?? '') : before + digits + after
  }
}

const goods = ['Hammer', 'Oak shelf', 'Steel bolts', 'Consulting', 'Paper A4', 'Desk lamp', 'Kabel', 'Service']

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length] as T

/** Invoices and credit notes in seven languages, with many combinations of sums. */
export const invoiceTexts: fc.Arbitrary<InvoiceText> = fc
  .record({
    language: fc.constantFrom(...(Object.keys(languages) as Language[])),
    wording: fc.nat({ max: 11 }),
    marks: fc.nat({ max: 5 }),
    currency: fc.constantFrom(...currencies),
    negative: fc.nat({ max: negatives.length - 1 }),
    layout: fc.constantFrom('colon', 'column', 'spaced', 'tab'),
    isCredit: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
    items: fc.array(
      fc.record({
        name: fc.nat(),
        quantity: fc.integer({ min: 1, max: 12 }),
        price: fc.integer({ min: 100, max: 150_000 }),
      }),
      { minLength: 2, maxLength: 5 },
    ),
    hasItems: fc.boolean(),
    hasNegativeLine: fc.integer({ min: 0, max: 4 }).map((value) => value === 0),
    discount: fc.constantFrom(0, 0, 5, 10, 15),
    isDiscountSigned: fc.boolean(),
    saysNet: fc.boolean(),
    shipping: fc.constantFrom(0, 0, 490, 1250, 2500),
    taxes: fc.constantFrom(1, 1, 1, 2),
    saysRate: fc.boolean(),
    hasRounding: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
    number: fc.integer({ min: 1, max: 99_999 }),
  })
  .map((made) => {
    const { language, wording, layout } = made
    const words: Words = languages[language]
    const label = (name: Label): string => pick(words[name], wording)
    const [thousands, decimal] = pick(marksOf[language], made.marks)
    const print = printer(thousands, decimal, made.currency, made.negative)
    const bare = printer(thousands, decimal, ['', ''], made.negative)
    const direction = made.isCredit ? -1 : 1
    const items = made.items.map(({ name, quantity, price }, at) => {
      const isReturn = made.hasNegativeLine && at === 1
      const own = isReturn ? -Math.min(price, 900) : price
      const count = isReturn ? 1 : quantity
      return { description: pick(goods, name + at), quantity: count, unit_price: own, amount: count * own * direction }
    })
    const subtotal = items.reduce((sum, { amount }) => sum + amount, 0)
    const discount = Math.round((subtotal * made.discount) / 100)
    const shipping = made.shipping * direction
    const base = subtotal - discount + shipping
    const rates = ratesOf[language].slice(0, made.taxes)
    const parts = rates.map((rate, at) => {
      const share = rates.length === 1 ? base : at === 0 ? Math.round(base * 0.6) : base - Math.round(base * 0.6)
      return { rate, tax: Math.round((share * rate) / 100) }
    })
    const tax = parts.reduce((sum, part) => sum + part.tax, 0)
    const exact = base + tax
    const rounded = Math.round(exact / 5) * 5
    const rounding = made.hasRounding && rounded !== exact ? rounded - exact : 0
    const rows: (readonly [string, string])[] = [[label('subtotal'), print(subtotal)]]
    if (discount !== 0)
      rows.push([
        made.wording % 2 === 0
          ? label('discount')
          : `${label('discount')} ${made.discount}${language === 'en' ? '' : ' '}%`,
        print(made.isDiscountSigned ? -discount : discount),
      ])
    if (discount !== 0 && made.saysNet) rows.push([label('net'), print(subtotal - discount)])
    if (shipping !== 0) rows.push([label('shipping'), print(shipping)])
    const saysRate = made.saysRate || parts.length > 1
    for (const { rate, tax: part } of parts)
      rows.push([
        saysRate
          ? `${label('tax')} ${String(rate).replace('.', decimal)}${language === 'en' ? '' : ' '}%`
          : label('tax'),
        print(part),
      ])
    if (rounding !== 0) rows.push([label('rounding'), print(rounding)])
    rows.push([label('total'), print(exact + rounding)])
    const table = made.hasItems
      ? [
          words.columns,
          ...items.map((item) => [item.description, String(item.quantity), bare(item.unit_price), bare(item.amount)]),
        ].map(([first = '', ...others]) => first.padEnd(24) + others.map((cell) => cell.padStart(16)).join(''))
      : []
    const labelWidth = 2 + Math.max(...rows.map(([name]) => name.length))
    const line = ([name, amount]: readonly [string, string]): string =>
      layout === 'colon'
        ? `${name}: ${amount}`
        : layout === 'tab'
          ? `${name}\t${amount}`
          : layout === 'spaced'
            ? `${name.padEnd(labelWidth)}  ${amount}`
            : name.padEnd(40) + amount.padStart(32)
    const number = `R${2026}-${made.number}`
    return {
      language,
      number,
      text: [
        'Kestrel Handels GmbH',
        label(made.isCredit ? 'credit' : 'title'),
        `${label('number')}: ${number}`,
        '',
        ...table,
        ...(table.length > 0 ? [''] : []),
        ...rows.map(line),
      ].join('\n'),
      truth: {
        subtotal,
        discount: discount === 0 ? null : discount,
        shipping: shipping === 0 ? null : shipping,
        tax_rate: parts.length === 1 && saysRate ? (parts[0]?.rate ?? null) : null,
        tax,
        rounding: rounding === 0 ? null : rounding,
        total: exact + rounding,
      },
      items: made.hasItems
        ? items.map((item) => ({ ...item, unit_price: item.unit_price / 100, amount: item.amount / 100 }))
        : null,
    }
  })
