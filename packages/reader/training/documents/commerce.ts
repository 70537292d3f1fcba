import { bankPairs, drawPairs, type Pair, type PairsLook, type Place, pairsOf } from './blocks.ts'
import { drawBox, drawRule, lineHeight, textWidth, wrap, write } from './ink.ts'
import type { InvoiceFacts } from './invoice-facts.ts'
import type { LineItem, Totals } from './items.ts'
import type { Press } from './press.ts'
import type { Column, TableLook, TableRow } from './table.ts'

/** What an invoice says about itself, in the order of `order` or as it comes. */
export function invoicePairs(press: Press, facts: InvoiceFacts): Pair[] {
  const { label, day, random } = press
  const head = pairsOf([
    [label('invoiceNumber'), facts.number],
    [label('invoiceDate'), day(facts.date)],
  ])
  const rest = pairsOf([
    [label('dueDate'), facts.dueDate && day(facts.dueDate)],
    [label('purchaseOrder'), facts.purchaseOrder],
    [label('customerNumber'), facts.customerNumber],
    [label('reference'), facts.reference],
    [label('deliveryNote'), facts.deliveryNote],
    [label('deliveryDate'), facts.deliveryDay && day(facts.deliveryDay)],
    [label('terms'), facts.terms],
    [label('currency'), press.currencyLine],
  ])
  return random.chance(0.6) ? [...head, ...rest] : [...head.toReversed(), ...random.sample(rest, rest.length)]
}

export interface ItemColumns {
  readonly columns: readonly Column[]
  readonly rows: readonly TableRow[]
}

export interface ItemTableOptions {
  /** Where the quantity stands. */
  readonly order: 'description-first' | 'quantity-first' | 'price-first'
  readonly positions: boolean
  /** The article number in its own column, or as a small line under the description. */
  readonly skuUnder: boolean
  /** A column with the tax rate of each line. */
  readonly taxRate: number | null
  readonly withCurrency: boolean
  readonly centredQuantity: boolean
}

export function pickItemTableOptions(press: Press, totals: Totals): ItemTableOptions {
  const { random } = press
  return {
    order: random.weighted([
      [6, 'description-first'],
      [3, 'quantity-first'],
      [1, 'price-first'],
    ]),
    positions: random.chance(0.3),
    skuUnder: random.chance(0.25),
    taxRate: random.chance(0.15) ? totals.taxRate : null,
    withCurrency: random.chance(0.35),
    centredQuantity: random.chance(0.4),
  }
}

/** Titles and cells of an item table; columns that no item fills are left out. */
export function itemColumns(press: Press, items: readonly LineItem[], options: ItemTableOptions): ItemColumns {
  const { label, quantity } = press
  const money = options.withCurrency ? press.money : press.bare
  const has = (key: keyof LineItem) => items.some((item) => item[key] !== null)
  type Drawn = Column & { readonly cell: (item: LineItem, n: number) => string }
  const quantityColumn: Drawn = {
    title: label('quantity'),
    align: options.centredQuantity ? 'center' : 'right',
    cell: (item) => (item.quantity === null ? '' : quantity(item.quantity)),
  }
  const unitColumn: Drawn = { title: label('unit'), align: 'left', cell: (item) => item.unit ?? '' }
  const skuColumn: Drawn = { title: label('sku'), align: 'left', cell: (item) => item.sku ?? '' }
  const descriptionColumn: Drawn = {
    title: label('description'),
    align: 'left',
    grows: true,
    cell: (item) =>
      [
        item.description,
        ...(options.skuUnder && item.sku !== null ? [`${label('sku')}${press.style.suffix} ${item.sku}`] : []),
        ...(item.note === null ? [] : [item.note]),
      ].join('\n'),
  }
  const priceColumn: Drawn = {
    title: label('unitPrice'),
    align: 'right',
    cell: (item) => (item.unitCents === null ? '' : money(item.unitCents)),
  }
  const rate = options.taxRate
  const middle: Drawn[] = [...(has('quantity') ? [quantityColumn] : []), ...(has('unit') ? [unitColumn] : [])]
  const price: Drawn[] = has('unitCents') ? [priceColumn] : []
  const text: Drawn[] = [...(has('sku') && !options.skuUnder ? [skuColumn] : []), descriptionColumn]
  const ordered = {
    'description-first': [...text, ...middle, ...price],
    'quantity-first': [...middle, ...text, ...price],
    'price-first': [...text, ...price, ...middle],
  }[options.order]
  const drawn: Drawn[] = [
    ...(options.positions
      ? [{ title: label('position'), align: 'left' as const, cell: (_: LineItem, n: number) => String(n + 1) }]
      : []),
    ...ordered,
    ...(rate === null
      ? []
      : [{ title: label('taxColumn'), align: 'right' as const, cell: () => `${quantity(rate)}%` }]),
    { title: label('amount'), align: 'right', cell: (item) => money(item.amountCents) },
  ]
  return { columns: drawn, rows: items.map((item, n) => drawn.map((column) => column.cell(item, n))) }
}

export function totalsPairs(press: Press, totals: Totals, lastLabel: 'total' | 'orderTotal' = 'total'): Pair[] {
  const { label, money, quantity, random } = press
  const shown = (cents: number | null) => (cents === null ? null : money(cents))
  const { taxRate, discountCents } = totals
  const taxLabel =
    taxRate === null
      ? label('tax')
      : random.pick([
          `${label('tax')} ${quantity(taxRate)}%`,
          `${label('tax')} (${quantity(taxRate)} %)`,
          `${quantity(taxRate)}% ${label('tax')}`,
          `${label('tax')} @ ${quantity(taxRate)}%`,
        ])
  return pairsOf([
    [label('subtotal'), shown(totals.subtotalCents)],
    [label('discount'), discountCents === null ? null : money(random.chance(0.8) ? -discountCents : discountCents)],
    [label('shipping'), shown(totals.shippingCents)],
    [taxLabel, shown(totals.taxCents)],
    [totals.paidCents === null ? label(lastLabel) : press.plainLabel(lastLabel), money(totals.totalCents)],
    [label('paid'), totals.paidCents === null ? null : money(-totals.paidCents)],
    [label('balanceDue'), totals.paidCents === null ? null : money(totals.totalCents - totals.paidCents)],
  ])
}

export type TotalsLook = 'plain' | 'ruled' | 'boxed' | 'band-last' | 'grid'

/** Draws the sums with the last one stressed; amounts stand at the right edge. */
export function drawTotals(press: Press, at: Place & { pairs: readonly Pair[]; look: TotalsLook }): number {
  const { style } = press
  const { x, width, pairs, look } = at
  const pad = look === 'boxed' || look === 'grid' ? 5 : 2
  let { y } = at
  for (const [n, [label, value]] of pairs.entries()) {
    const isLast = n === pairs.length - 1
    const size = isLast && look !== 'grid' ? style.size * 1.15 : style.size
    const face = isLast ? 'bold' : 'regular'
    const labelWidth = width - pad * 2 - textWidth(press, value, { size, face }) - 6
    const lines = wrap(press, label + style.suffix, { size, face, width: labelWidth }).length
    const height = lines * lineHeight(press, { size }) + 2
    const colour = isLast && look === 'band-last' ? '#ffffff' : style.ink
    if (isLast && look === 'band-last') drawBox(press, { x, y, width, height: height + 2, fill: style.accent })
    if (isLast && look === 'ruled') drawRule(press, { x, y: y - 1, width, thickness: 1 })
    if (look === 'grid') drawBox(press, { x, y, width, height: height + 2, stroke: style.grey })
    write(press, label + style.suffix, { x: x + pad, y: y + 3, size, face, colour, width: labelWidth })
    write(press, value, { x, y: y + 3, width: width - pad, align: 'right', size, face, colour })
    y += height + 2
  }
  if (look === 'boxed') drawBox(press, { ...at, height: y - at.y, stroke: style.ink })
  if (look === 'ruled') drawRule(press, { x, y, width, thickness: 1 })
  return y + 4
}

/** Bank data and remarks under the totals. */
export function drawRemarks(
  press: Press,
  facts: InvoiceFacts,
  at: Place & { look: PairsLook; withBank: boolean },
): number {
  let { y } = at
  if (at.withBank && facts.account !== null)
    y = drawPairs(press, { ...at, y, pairs: bankPairs(press, facts.account) }) + 6
  if (facts.note !== null) y = write(press, facts.note, { x: at.x, y, width: at.width, size: press.style.size * 0.9 })
  if (facts.thanks !== null) y = write(press, facts.thanks, { x: at.x, y, width: at.width, face: 'italic' })
  return y
}

/** A look for item tables; any may be combined with any layout. */
export function pickTableLook(press: Press): TableLook {
  const { random } = press
  return {
    lines: random.pick(['grid', 'rules', 'zebra', 'outline', 'columns', 'none', 'rules']),
    header: random.pick(['band', 'bold', 'underlined', 'tinted', 'underlined']),
    padding: random.pick([2.5, 3, 4, 5, 6]),
    size: press.style.size * random.pick([0.9, 1, 1]),
  }
}
