import type { Canvas } from '../canvas.ts'
import type { LineItem } from '../facts/items.ts'
import { drawBox, makeRoom, type Place, type TextLook, textWidth, write } from '../ink.ts'
import type { Random } from '../random.ts'
import type { Pair } from './pairs.ts'
import { type Column, drawTable, type Row, type TableLook } from './table.ts'

export type ItemCell =
  | 'position'
  | 'sku'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'quantity+unit'
  | 'price'
  | 'discount'
  | 'rate'
  | 'amount'
  | 'gross'
  | 'wanted'

/** The look of an item table. Omitted properties are drawn at random per document. */
export interface ItemsLook {
  readonly cells?: readonly ItemCell[]
  /** Which amounts have the currency. */
  readonly money?: 'none' | 'all' | 'amount'
  /** The description in its own column, or on a line above or below the numbers. */
  readonly text?: 'cell' | 'over' | 'under'
  /** Section headings and subtotals between the items. */
  readonly sections?: boolean
  readonly numbering?: 'plain' | 'tens' | 'zeros' | 'dots'
  readonly table?: Partial<TableLook>
  /** The sum so far at page breaks. */
  readonly carries?: boolean
  /** The number of empty rows of a form. */
  readonly blanks?: number
}

export interface ItemsPlace extends Place {
  readonly items: readonly LineItem[]
  readonly look: ItemsLook
  /** Sums as the last rows of the table. */
  readonly sums?: readonly Pair[]
  readonly newPage: () => number
}

export function pickTableLook({ random }: Canvas, fixed: Partial<TableLook> = {}): TableLook {
  return {
    lines: random.pick(['none', 'none', 'rules', 'rules', 'grid', 'verticals', 'dashes', 'heavy', 'zebra', 'outline']),
    header: random.pick(['bare', 'rule', 'rule', 'two-rules', 'band', 'tint']),
    padding: random.pick([1.5, 2.5, 3, 4, 5]),
    smallNotes: random.chance(0.5),
    ...fixed,
  }
}

/** Columns in random order: words to the left of numbers, the amount last. */
function anyCells(random: Random): ItemCell[] {
  const words: ItemCell[] = random.chance(0.3) ? ['description', 'sku'] : ['sku', 'description']
  const counts: ItemCell[] = random.weighted(
    [3, ['quantity+unit']],
    [2, ['unit', 'quantity']],
    [5, ['quantity', 'unit']],
  )
  const figures: ItemCell[] = random.chance(0.2) ? ['price', ...counts] : [...counts, 'price']
  const order: ItemCell[] = random.chance(0.25) ? [...counts, ...words, 'price'] : [...words, ...figures]
  return [...(random.chance(0.4) ? ['position' as const] : []), ...order, 'discount', 'rate', 'amount', 'gross']
}

const shown = <T>(value: T | null | undefined, form: (value: T) => string) =>
  value === null || value === undefined ? '' : form(value)

interface Kind {
  readonly title: string
  readonly align: Column['align']
  readonly of: (item: LineItem, n: number) => string
}

function kindsOf(canvas: Canvas, look: ItemsLook): (cell: Exclude<ItemCell, 'description'>) => Kind {
  const { label, quantity, bare, day, random, printed } = canvas
  const form = look.money ?? random.pick(['none', 'none', 'all', 'amount'])
  const amount = form === 'none' ? bare : canvas.money
  const price = form === 'all' ? canvas.money : bare
  const numbering = look.numbering ?? random.pick(['plain', 'plain', 'tens', 'zeros', 'dots'])
  const percent = random.pick(['%', ' %', ''])
  const centred = random.pick(['right', 'center'] as const)
  const numberOf = (n: number) =>
    ({ plain: `${n + 1}`, tens: `${(n + 1) * 10}`, zeros: `${n + 1}`.padStart(3, '0'), dots: `${n + 1}.` })[numbering]
  const names: Partial<Record<ItemCell, string>> = {
    'quantity+unit': label('quantity'),
    price: label('unitPrice'),
    rate: label('taxColumn'),
    wanted: label('deliveryDate'),
    discount: random.pick(printed('discountShort')),
    gross: random.pick(printed('gross')),
  }
  const values: Record<Exclude<ItemCell, 'description'>, Kind['of']> = {
    position: (_, n) => numberOf(n),
    sku: (item) => item.sku ?? '',
    unit: (item) => item.unit ?? '',
    quantity: (item) => shown(item.quantity, quantity),
    'quantity+unit': (item) => `${shown(item.quantity, quantity)} ${item.unit ?? ''}`.trim(),
    price: (item) => shown(item.unitCents, price),
    discount: (item) => shown(item.discountPercent || null, (value) => `${quantity(value)}${percent}`),
    rate: (item) => shown(item.taxRate, (value) => `${quantity(value)}${percent}`),
    amount: (item) => amount(item.amountCents),
    gross: (item) => shown(item.grossCents, amount),
    wanted: (item) => shown(item.wantedDay, day),
  }
  return (cell) => ({
    title: names[cell] ?? label(cell),
    align: cell === 'quantity' ? centred : ['position', 'sku', 'unit', 'wanted'].includes(cell) ? 'left' : 'right',
    of: values[cell],
  })
}

/** The description, plus one paragraph per value without a column. */
const textOf = ({ label, style }: Canvas, item: LineItem, hasSku: boolean) =>
  [
    item.description,
    ...(item.sku === null || hasSku ? [] : [`${label('sku')}${style.suffix} ${item.sku}`]),
    ...(item.note === null ? [] : [item.note]),
  ].join('\n')

/** Draws items as a table, without columns that no item fills. */
export function drawItems(canvas: Canvas, at: ItemsPlace): number {
  const { random, label } = canvas
  const { items, look } = at
  const kindOf = kindsOf(canvas, look)
  const text = look.text ?? 'cell'
  const cells = (look.cells ?? anyCells(random)).filter((cell) =>
    cell === 'description' ? text === 'cell' : items.some((item, n) => kindOf(cell).of(item, n) !== ''),
  )
  const columns = cells.map((cell): Column => {
    if (cell === 'description') return { title: label('description'), align: 'left', grows: true }
    return kindOf(cell)
  })
  let sum = 0
  const rows = items.map((item, n): Row => {
    sum += item.amountCents
    const words = textOf(canvas, item, cells.includes('sku'))
    return {
      cells: cells.map((cell) => (cell === 'description' ? words : kindOf(cell).of(item, n))),
      ...(text === 'over' ? { over: words } : text === 'under' ? { under: words } : {}),
      carried: canvas.bare(sum),
    }
  })
  const blanks = Array.from({ length: Math.max(0, (look.blanks ?? 0) - items.length) }, () => ({
    cells: columns.map((_, n) => (n === columns.length - 1 ? '-' : '')),
  }))
  const body = look.sections && items.length > 3 ? withSections(canvas, items, { columns, rows }) : rows
  const sums = (at.sums ?? []).map((pair, n, all) => sumRow(columns, pair, n === all.length - 1))
  return drawTable(canvas, {
    ...at,
    columns,
    rows: [...body, ...blanks, ...sums],
    look: pickTableLook(canvas, look.table),
    ...(look.carries ? { carry: [label('carried'), random.pick(canvas.printed('broughtForward'))] } : {}),
  })
}

const sumRow = (columns: readonly Column[], pair: Pick<Pair, 'label' | 'value'>, isTotal: boolean): Row => {
  const words = Math.max(
    0,
    columns.findIndex(({ grows }) => grows),
  )
  const cells = columns.map((_, n) => (n === columns.length - 1 ? pair.value : n === words ? pair.label : ''))
  return isTotal ? { cells, tone: 'total' } : { cells }
}

/** Adds headings before and subtotals after two or three groups of items. */
function withSections(
  { random, printed, bare, plainLabel }: Canvas,
  items: readonly LineItem[],
  { columns, rows }: { columns: readonly Column[]; rows: readonly Row[] },
): Row[] {
  const isNumbered = random.chance(0.4)
  const names = random.sample(printed('sections'), items.length > 6 ? 3 : 2)
  const size = Math.ceil(items.length / names.length)
  return names.flatMap((name, n): Row[] => {
    const part = items.slice(n * size, (n + 1) * size)
    if (part.length === 0) return []
    const cents = part.reduce((sum, { amountCents }) => sum + amountCents, 0)
    const sum = sumRow(columns, { label: `${plainLabel('subtotal')} ${name}`, value: bare(cents) }, false)
    const heading: Row = { cells: [isNumbered ? `${n + 1}. ${name}` : name], tone: 'heading' }
    return [heading, ...rows.slice(n * size, (n + 1) * size), { ...sum, tone: 'sum' }]
  })
}

/** Ways to list items without a table. */
export type ItemListLook = 'cards' | 'reckoned' | 'amounts' | 'dashes'

/** Draws each item on its own lines: in a box with labelled numbers, above its calculation, or as name and amount. */
export function drawItemList(canvas: Canvas, at: Place & { items: readonly LineItem[]; look: ItemListLook }): number {
  let { y } = at
  for (const item of at.items) {
    y = makeRoom(canvas, y, 60)
    y = at.look === 'cards' ? drawCard(canvas, item, { ...at, y }) : drawListed(canvas, item, { ...at, y })
  }
  return y
}

function drawListed(canvas: Canvas, item: LineItem, at: Place & { look: ItemListLook }): number {
  const { label, money, bare, quantity, style } = canvas
  const { x, y, width, look } = at
  const amount = money(item.amountCents)
  const unit = item.unit === null ? '' : ` ${item.unit}`
  const hasFactors = item.quantity !== null && item.unitCents !== null
  if (look === 'dashes') {
    const sku = item.sku === null ? '' : ` (${label('sku')} ${item.sku})`
    const end = write(canvas, `- ${item.description}${sku}`, { x, y, width })
    const factors = hasFactors ? `${quantity(item.quantity)}${unit} @ ${bare(item.unitCents)} ` : ''
    return write(canvas, `${factors}= ${amount}`, { x: x + 18, y: end, width: width - 18 }) + 2
  }
  write(canvas, amount, { x, y, width, align: 'right' })
  const room = width - textWidth(canvas, amount) - 14
  let end = write(canvas, item.description, { x, y, width: room })
  const small: TextLook = { size: style.size * 0.85, colour: style.grey, width: room }
  const factors = hasFactors ? [`${quantity(item.quantity)}${unit} × ${bare(item.unitCents)}`] : []
  const below = [...(item.sku === null ? [] : [`[${item.sku}]`]), ...factors].join('   ')
  if (below !== '') end = write(canvas, below, { ...small, x: x + 10, y: end })
  if (item.note !== null) end = write(canvas, item.note, { ...small, x: x + 8, y: end })
  return end + 3
}

function drawCard(canvas: Canvas, item: LineItem, at: Place): number {
  const { label, money, quantity, style } = canvas
  const figures = [
    item.sku === null ? null : `${label('sku')}: ${item.sku}`,
    item.quantity === null ? null : `${label('quantity')}: ${quantity(item.quantity)} ${item.unit ?? ''}`.trim(),
    item.unitCents === null ? null : `${label('unitPrice')}: ${money(item.unitCents)}`,
  ].filter((part) => part !== null)
  const inner = { x: at.x + 10, width: at.width - 130 }
  let y = write(canvas, item.description, { ...inner, y: at.y + 7, face: 'bold' })
  if (item.note !== null) y = write(canvas, item.note, { ...inner, y, size: style.size * 0.85, colour: style.grey })
  if (figures.length > 0) y = write(canvas, figures.join('    '), { ...inner, y, size: style.size * 0.9 })
  const right = { x: at.x + at.width - 115, width: 105, align: 'right' } as const
  const top = write(canvas, label('amount'), { ...right, y: at.y + 7, size: style.size * 0.75, colour: style.grey })
  const end = Math.max(y, write(canvas, money(item.amountCents), { ...right, y: top, face: 'bold' })) + 4
  drawBox(canvas, { ...at, height: end - at.y, stroke: '#bbbbbb', radius: 5 })
  return end + 5
}
