import type { Pair } from '../blocks.ts'
import type { LineItem, Totals } from '../items.ts'
import type { Press } from '../press.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import type { WideColumn, WideRow } from './wide-table.ts'

export type ItemCell =
  | 'position'
  | 'sku'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'quantityUnit'
  | 'price'
  | 'discount'
  | 'rate'
  | 'amount'
  | 'gross'
  | 'wanted'

export interface ItemSpec {
  readonly cells: readonly ItemCell[]
  /** Which amounts carry the currency. */
  readonly money: 'none' | 'all' | 'amount'
  /** The description in its own column, or in a line over or under the figures. */
  readonly text: 'cell' | 'over' | 'under'
  /** Headings and sums of sections between the items. */
  readonly sections?: boolean
  readonly numbering?: 'plain' | 'tens' | 'zeros' | 'dots'
}

export interface ItemRows {
  readonly columns: readonly WideColumn[]
  readonly rows: readonly WideRow[]
}

interface Kind {
  readonly title: string
  readonly align: 'left' | 'right' | 'center'
  readonly of: (item: LineItem, n: number) => string
}

function numberOf(n: number, look: ItemSpec['numbering']): string {
  if (look === 'tens') return String((n + 1) * 10)
  if (look === 'zeros') return String(n + 1).padStart(3, '0')
  return look === 'dots' ? `${n + 1}.` : String(n + 1)
}

const shown = (value: number | null | undefined, form: (value: number) => string) =>
  value === null || value === undefined ? '' : form(value)

function kindsOf(press: Press, spec: ItemSpec): Record<Exclude<ItemCell, 'description'>, Kind> {
  const { label, quantity, bare, day, random } = press
  const words = wideWordsOf(press.locale)
  const price = spec.money === 'all' ? press.money : bare
  const amount = spec.money === 'none' ? bare : press.money
  const percent = random.pick(['%', ' %', ''])
  return {
    position: { title: label('position'), align: 'left', of: (_, n) => numberOf(n, spec.numbering) },
    sku: { title: label('sku'), align: 'left', of: (item) => item.sku ?? '' },
    quantity: {
      title: label('quantity'),
      align: random.pick(['right', 'center']),
      of: (item) => shown(item.quantity, quantity),
    },
    unit: { title: label('unit'), align: 'left', of: (item) => item.unit ?? '' },
    quantityUnit: {
      title: label('quantity'),
      align: 'right',
      of: (item) => `${shown(item.quantity, quantity)} ${item.unit ?? ''}`.trim(),
    },
    price: { title: label('unitPrice'), align: 'right', of: (item) => shown(item.unitCents, price) },
    discount: {
      title: pickWord(random, words.discountShort),
      align: 'right',
      of: (item) => shown(item.discountPercent, (value) => (value === 0 ? '' : `${quantity(value)}${percent}`)),
    },
    rate: {
      title: label('taxColumn'),
      align: 'right',
      of: (item) => shown(item.taxRate, (value) => `${quantity(value)}${percent}`),
    },
    amount: { title: label('amount'), align: 'right', of: (item) => amount(item.amountCents) },
    gross: { title: pickWord(random, words.gross), align: 'right', of: (item) => shown(item.grossCents, amount) },
    wanted: {
      title: label('deliveryDate'),
      align: 'left',
      of: (item) => (item.wantedDay === undefined ? '' : day(item.wantedDay)),
    },
  }
}

/** Columns and rows of the items; what no item has gets no column, and an article number without one stands by the text. */
export function itemRows(press: Press, items: readonly LineItem[], spec: ItemSpec): ItemRows {
  const kinds = kindsOf(press, spec)
  const isFilled = (cell: ItemCell) =>
    cell === 'description' ? spec.text === 'cell' : items.some((item, n) => kinds[cell].of(item, n) !== '')
  const cells = spec.cells.filter(isFilled)
  const textOf = (item: LineItem) =>
    [
      item.description,
      ...(item.sku === null || cells.includes('sku') ? [] : [`${press.label('sku')}${press.style.suffix} ${item.sku}`]),
      ...(item.note === null ? [] : [item.note]),
    ].join('\n')
  let sum = 0
  const rows = items.map((item, n): WideRow => {
    sum += item.amountCents
    return {
      cells: cells.map((cell) => (cell === 'description' ? textOf(item) : kinds[cell].of(item, n))),
      ...(spec.text === 'over' ? { over: textOf(item) } : spec.text === 'under' ? { under: textOf(item) } : {}),
      carried: press.bare(sum),
    }
  })
  const columns = cells.map((cell): WideColumn => {
    if (cell === 'description') return { title: press.label('description'), align: 'left', grows: true }
    return kinds[cell]
  })
  return { columns, rows: spec.sections ? withSections(press, items, { columns, rows }) : rows }
}

/** Headings before and sums after two or three parts of the items. */
function withSections(press: Press, items: readonly LineItem[], table: ItemRows): WideRow[] {
  const { random } = press
  const { columns } = table
  const isNumbered = random.chance(0.4)
  const names = random.sample(wideWordsOf(press.locale).sections.split('|'), items.length > 6 ? 3 : 2)
  const size = Math.ceil(items.length / names.length)
  const grow = Math.max(
    0,
    columns.findIndex(({ grows }) => grows),
  )
  return names.flatMap((name, n): WideRow[] => {
    const part = items.slice(n * size, (n + 1) * size)
    if (part.length === 0) return []
    const cents = part.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const title = isNumbered ? `${n + 1}. ${name}` : name
    const cells = columns.map((_, i) =>
      i === columns.length - 1 ? press.bare(cents) : i === grow ? `${press.plainLabel('subtotal')} ${name}` : '',
    )
    return [{ cells: [title], tone: 'heading' }, ...table.rows.slice(n * size, (n + 1) * size), { cells, tone: 'sum' }]
  })
}

/** The sums as last rows of the table, each under the column of amounts. */
export function totalRows(columns: readonly WideColumn[], pairs: readonly Pair[]): WideRow[] {
  const grow = Math.max(
    0,
    columns.findIndex(({ grows }) => grows),
  )
  return pairs.map(([label, value], n) => ({
    cells: columns.map((_, i) => (i === columns.length - 1 ? value : i === grow ? label : '')),
    ...(n === pairs.length - 1 ? { tone: 'total' as const } : {}),
  }))
}

/** The sums of items with rates of their own, by rate: what is taxed and the tax on it. */
export function ratesOf(items: readonly LineItem[]): { rate: number; baseCents: number; taxCents: number }[] {
  const rates = [...new Set(items.map(({ taxRate }) => taxRate ?? 0))].toSorted((a, b) => b - a)
  return rates.map((rate) => {
    const baseCents = items.reduce((sum, item) => sum + ((item.taxRate ?? 0) === rate ? item.amountCents : 0), 0)
    return { rate, baseCents, taxCents: Math.round((baseCents * rate) / 100) }
  })
}

/** Sums of items that are taxed line by line: no discount and no delivery, the tax of all rates together. */
export function totalsByRate(items: readonly LineItem[]): Totals {
  const subtotal = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const rates = ratesOf(items)
  const tax = rates.reduce((sum, { taxCents }) => sum + taxCents, 0)
  return {
    subtotalCents: subtotal,
    discountCents: null,
    shippingCents: null,
    taxRate: rates.length === 1 ? (rates[0]?.rate ?? null) : null,
    taxCents: tax,
    totalCents: subtotal + tax,
    paidCents: null,
  }
}

/** The same sums for other amounts of the lines: rate, delivery and what is printed stay. */
export function totalsAgain(items: readonly LineItem[], totals: Totals, rate: number): Totals {
  const subtotal = items.reduce((sum, { amountCents }) => sum + amountCents, 0)
  const taxable = subtotal + (totals.shippingCents ?? 0)
  const tax = totals.taxCents === null ? 0 : Math.round((taxable * rate) / 100)
  return {
    ...totals,
    subtotalCents: subtotal,
    discountCents: null,
    taxRate: totals.taxCents === null ? null : rate,
    taxCents: totals.taxCents === null ? null : tax,
    totalCents: taxable + tax,
    paidCents: null,
  }
}
