import { reachLines } from '../blocks/parties.ts'
import { drawTable } from '../blocks/table.ts'
import type { Canvas } from '../canvas.ts'
import { two } from '../dates.ts'
import type { ReceiptFacts, ReceiptItem } from '../facts/receipt.ts'
import { drawBox, drawLogo, drawRule, lineHeight, type TextLook, textWidth, write } from '../ink.ts'
import type { Layout } from './layout.ts'
import { taxClasses } from './revisions.ts'

/** A receipt roll that lines are printed on from top to bottom. */
export interface Roll {
  readonly canvas: Canvas
  readonly facts: ReceiptFacts
  readonly x: number
  readonly width: number
  y: number
}

/**
 * The building blocks of receipts: a layout is a list of strips, printed one below the other. Anything that a
 * declaration leaves open is chosen at random per document.
 */
export type Strip = (roll: Roll) => void

export const rollOf = (
  name: string,
  strips: readonly Strip[],
  options: Partial<Pick<Layout<ReceiptFacts>, 'revise' | 'weight'>> = {},
): Layout<ReceiptFacts> => ({
  name,
  ...options,
  draw(canvas, facts) {
    const { margin } = canvas.style
    const roll: Roll = { canvas, facts, x: margin, width: canvas.doc.page.width - 2 * margin, y: margin + 4 }
    for (const strip of [...strips, end]) strip(roll)
    canvas.roll.cutY = roll.y
  },
})

type LineLook = TextLook & {
  /** Indentation in character widths. */
  readonly indent?: number
  readonly scale?: number
}

function printLine(roll: Roll, text: string, look: LineLook = {}): void {
  const size = roll.canvas.style.size * (look.scale ?? 1)
  const indent = (look.indent ?? 0) * size * 0.6
  roll.y = write(roll.canvas, text, { ...look, x: roll.x + indent, y: roll.y, width: roll.width - indent, size })
}

/** Text at the left and a value at the right edge of a line. */
function printSpread(roll: Roll, left: string, right: string, look: LineLook = {}): void {
  const { canvas, x, y, width } = roll
  const text = { ...look, size: canvas.style.size * (look.scale ?? 1) }
  const rightWidth = textWidth(canvas, right, text)
  const indent = (look.indent ?? 0) * text.size * 0.6
  roll.y = write(canvas, left, { ...text, x: x + indent, y, width: width - rightWidth - 6 - indent })
  write(canvas, right, { ...text, x: x + width - rightWidth, y })
}

function printLeaders(roll: Roll, left: string, right: string): void {
  const { canvas, width, x, y } = roll
  const from = textWidth(canvas, left) + 4
  const dots = Math.floor((width - from - textWidth(canvas, right) - 4) / textWidth(canvas, '.'))
  if (dots > 3) write(canvas, '.'.repeat(dots), { x: x + from, y, colour: canvas.style.grey })
  printSpread(roll, left, right)
}

type CellOfRow = readonly [text: string, from: number, to: number, align: 'left' | 'right']

/** Cells at given fractions of the width. */
function printCells(roll: Roll, cells: readonly CellOfRow[], face: TextLook['face'] = 'regular'): void {
  const { canvas, x, width, y } = roll
  const ends = cells.map(([text, from, to, align]) =>
    text === '' ? y : write(canvas, text, { x: x + width * from, y, width: width * (to - from), align, face }),
  )
  roll.y = Math.max(...ends)
}

type RuleLook = 'dashes' | 'stars' | 'line' | 'gap'

export const rule =
  (...looks: readonly RuleLook[]): Strip =>
  (roll) => {
    const { canvas, x, width } = roll
    const look = canvas.random.pick(looks.length > 0 ? looks : (['dashes', 'stars', 'line', 'gap'] as const))
    if (look === 'line') drawRule(canvas, { x, y: roll.y + 2, width, thickness: 0.6 })
    if (look === 'dashes' || look === 'stars') {
      const mark = look === 'stars' ? '*' : '-'
      write(canvas, mark.repeat(Math.floor(width / textWidth(canvas, mark))), { x, y: roll.y })
      roll.y += lineHeight(canvas)
    } else roll.y += 6
  }

/** Strips below a rule. */
export const ruled =
  (looks: RuleLook | readonly RuleLook[], ...strips: readonly Strip[]): Strip =>
  (roll) => {
    for (const strip of [rule(...[looks].flat()), ...strips]) strip(roll)
  }

export const maybe =
  (probability: number, ...strips: readonly Strip[]): Strip =>
  (roll) => {
    if (roll.canvas.random.chance(probability)) for (const strip of strips) strip(roll)
  }

/** The strips in two columns side by side. */
export const sides =
  (left: readonly Strip[], right: readonly Strip[]): Strip =>
  (roll) => {
    const halves = [
      { ...roll, width: roll.width * 0.52 },
      { ...roll, x: roll.x + roll.width * 0.55, width: roll.width * 0.45 },
    ]
    for (const [n, half] of halves.entries()) for (const strip of n === 0 ? left : right) strip(half)
    roll.y = Math.max(...halves.map(({ y }) => y)) + 4
  }

export const boxed =
  (...strips: readonly Strip[]): Strip =>
  (roll) => {
    const { canvas, x, width } = roll
    const top = roll.y + 2
    const inner = { ...roll, x: x + 5, width: width - 10, y: top + 4 }
    for (const strip of strips) strip(inner)
    drawBox(canvas, {
      x,
      y: top,
      width,
      height: inner.y - top + 2,
      stroke: '#333333',
      radius: canvas.random.pick([0, 4]),
    })
    roll.y = inner.y + 8
  }

export const logo: Strip = (roll) => {
  const x = roll.x + roll.canvas.random.pick([0, roll.width / 2 - 14])
  drawLogo(roll.canvas, { x, y: roll.y, size: 26, colour: '#222222' })
  roll.y += 34
}

type Align = NonNullable<TextLook['align']>

interface ShopLook {
  readonly align?: readonly Align[]
  readonly scale?: readonly number[]
  readonly name?: 'hidden' | 'only'
}

/** Name, address and contact data of the shop. */
export const shop =
  (look: ShopLook = {}): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const { random } = canvas
    const align = random.pick<Align>(look.align ?? ['center'])
    const { name, addressLines } = facts.merchant
    if (look.name !== 'hidden')
      printLine(roll, random.chance(0.4) ? name.toUpperCase() : name, {
        face: 'bold',
        scale: random.pick(look.scale ?? [1, 1.2, 1.5]),
        align,
      })
    if (look.name === 'only') return
    for (const line of random.chance(0.3) ? [addressLines.join(', ')] : addressLines) printLine(roll, line, { align })
    for (const line of reachLines(canvas, facts.merchant)) printLine(roll, line, { align })
  }

type TimeLook = '24' | '24-seconds' | '12'

function writeTime({ time }: Pick<ReceiptFacts, 'time'>, look: TimeLook): string | null {
  if (time === null) return null
  const { hour, minute, second } = time
  if (look === '12') return `${hour % 12 === 0 ? 12 : hour % 12}:${two(minute)} ${hour < 12 ? 'AM' : 'PM'}`
  return `${two(hour)}:${two(minute)}${look === '24-seconds' ? `:${two(second)}` : ''}`
}

const pickTimeLook = ({ random, locale }: Canvas): TimeLook =>
  random.pick<TimeLook>(locale.id.startsWith('en') ? ['24', '12', '24-seconds', '12'] : ['24', '24-seconds'])

type WhenLook = 'ends' | 'labelled' | 'joined' | 'middle' | 'bar'

/** Date and time, separate or on one line, with or without labels. */
export const when =
  (...looks: readonly WhenLook[]): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const { label, style, random } = canvas
    const day = canvas.day(facts.date)
    const time = writeTime(facts, pickTimeLook(canvas))
    const look = random.pick(looks.length > 0 ? looks : (['ends', 'labelled', 'joined', 'middle'] as const))
    const both = (joiner: string) => (time === null ? day : `${day}${joiner}${time}`)
    if (look === 'ends') printSpread(roll, day, time ?? '')
    else if (look === 'labelled')
      printSpread(
        roll,
        `${label('date')}${style.suffix} ${day}`,
        time === null ? '' : `${label('time')}${style.suffix} ${time}`,
      )
    else if (look === 'joined') printLine(roll, both(' '))
    else printLine(roll, both(look === 'bar' ? ' | ' : '  -  '), { align: 'center' })
  }

type DataLook = 'lines' | 'run-on' | 'spread' | 'two' | 'slashes' | 'titled'
type DataKey = 'receiptNumber' | 'date' | 'time' | 'till' | 'cashier'

/** Number, register, cashier and other data, each with its label. */
export const data =
  (looks: readonly DataLook[], keys: readonly DataKey[] = ['receiptNumber', 'till', 'cashier']): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const { label, style, random, day } = canvas
    const values: Record<DataKey, string | null> = {
      receiptNumber: facts.number,
      date: day(facts.date),
      time: keys.includes('time') ? writeTime(facts, pickTimeLook(canvas)) : null,
      till: facts.till,
      cashier: facts.cashier,
    }
    const known = keys.flatMap((key) => (values[key] === null ? [] : [[label(key), values[key]] as const]))
    const look = random.pick(looks)
    const parts = known.map(([name, value]) => `${name}${style.suffix} ${value}`)
    const line = parts.join(look === 'slashes' ? ' / ' : '  ')
    if (look === 'slashes' || (look === 'run-on' && textWidth(canvas, line) <= roll.width)) {
      if (line !== '') printLine(roll, line, { scale: 0.9 })
    } else if (look === 'two')
      for (let n = 0; n < parts.length; n += 2) printSpread(roll, parts[n] ?? '', parts[n + 1] ?? '')
    else if (look === 'spread') for (const [name, value] of known) printSpread(roll, name + style.suffix, value)
    else if (look === 'titled')
      for (const [name, value] of known) {
        printLine(roll, name, { scale: 0.8 })
        printLine(roll, value)
      }
    else for (const part of parts) printLine(roll, part)
  }

export const EVERYTHING: readonly DataKey[] = ['receiptNumber', 'date', 'time', 'till', 'cashier']

export const receiptTitle =
  (look: LineLook = { align: 'center', face: 'bold' }): Strip =>
  (roll) =>
    printLine(roll, roll.canvas.label('receipt'), look)

/** A word or sentence that no schema asks for. */
export const words =
  (key: string, look: LineLook = { align: 'center' }): Strip =>
  (roll) =>
    printLine(roll, roll.canvas.random.pick(roll.canvas.printed(key)), look)

/** A label that no schema asks for, with an invented value. */
export const made =
  (key: string, pattern: string, look?: LineLook): Strip =>
  (roll) => {
    const { random, printed } = roll.canvas
    const text = random.pick(printed(key))
    const value = random.fill(pattern)
    if (look === undefined) printSpread(roll, text, value)
    else printLine(roll, `${text} ${value}`, look)
  }

export type ItemLook =
  | 'one-line'
  | 'price-below'
  | 'price-above'
  | 'quantity-first'
  | 'times'
  | 'brackets'
  | 'at'
  | 'right'
  | 'numbered'
  | 'equals'
  | 'leaders'
  | 'coded'
  | 'labelled'
  | 'amount-left'

/** Items on separate lines. `letters` adds the letter of the tax rate to each amount. */
export const items =
  (looks: readonly ItemLook[], { letters = false } = {}): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const look = canvas.random.pick(looks)
    const code = canvas.random.pick(['40########71', '#######', '0000####', 'PLU ####', '@@####'])
    const sole = canvas.random.pick([' A', ' B', '*', ' T'])
    const classes = taxClasses(facts.items)
    for (const [n, item] of facts.items.entries()) {
      const own = classes.find(({ rate }) => rate === (item.taxRate ?? 0))?.letter ?? 'A'
      const letter = letters ? (classes.length > 1 ? ` ${own}` : sole) : ''
      printItem(roll, item, { look, n, amount: canvas.bare(item.amountCents) + letter, code })
    }
  }

interface ItemLine {
  readonly look: ItemLook
  readonly n: number
  readonly amount: string
  readonly code: string
}

function printItem(roll: Roll, item: ReceiptItem, { look, n, amount, code }: ItemLine): void {
  const { bare, quantity, random, label } = roll.canvas
  const name = item.description
  const unit = item.unit === undefined ? '' : ` ${item.unit}`
  const count = item.quantity === null ? null : `${quantity(item.quantity)}${unit}`
  const price =
    item.unitCents === null ? null : `${bare(item.unitCents)}${item.unit === undefined ? '' : `/${item.unit}`}`
  const both = count === null || price === null ? null : `${count} x ${price}`
  const lead = count === null ? '' : `${count} `
  const below = (text: string | null, indent = 3) => {
    if (text !== null) printLine(roll, text, { indent, scale: 0.95 })
  }
  const spread = (left: string, indent = 0) => printSpread(roll, left, amount, { indent })
  /** The name includes the quantity when there is no price to print it with. */
  const named = both === null ? lead + name : name
  const printers: Record<ItemLook, () => void> = {
    'one-line': () => spread(both === null ? named : `${count} x ${name} ${price}`),
    brackets: () => spread(`${lead}${name}${price === null ? '' : ` (${price})`}`),
    at: () => spread(`${lead}${name}${price === null ? '' : ` @${price}`}`),
    leaders: () => printLeaders(roll, both === null ? named : `${count} × ${price}  ${name}`, amount),
    'price-below'() {
      if (both !== null) printLine(roll, name)
      spread(both ?? named, both === null ? 0 : 2)
    },
    'price-above'() {
      if (both !== null) printLine(roll, `${count} @ ${price}`)
      spread(named, 2)
    },
    'quantity-first'() {
      spread(lead + name)
      below(price === null ? null : `@ ${price}`)
    },
    times() {
      spread(named)
      below(both?.replace(' x ', ' X ') ?? null)
    },
    right() {
      spread(named)
      if (both !== null) printLine(roll, both.replace(' x ', ' × '), { align: 'right', scale: 0.9, indent: 8 })
    },
    numbered() {
      spread(`${n + 1}. ${named}`)
      below(both, 4)
    },
    equals() {
      if (both !== null) printLine(roll, `${n + 1}) ${name}`)
      spread(both === null ? `${n + 1}) ${named}` : `${count} × ${price} =`, both === null ? 0 : 3)
    },
    coded() {
      printLine(roll, random.fill(code))
      spread(named, 1)
      below(both)
    },
    labelled() {
      printLine(roll, `* ${named}`)
      if (both !== null) printSpread(roll, label('receiptQuantity'), count ?? '', { indent: 1 })
      if (both !== null) printSpread(roll, label('receiptPrice'), price ?? '', { indent: 1 })
      spread(label('receiptAmount'), 1)
    },
    'amount-left': () =>
      printCells(roll, [
        [amount, 0, 0.26, 'right'],
        [both === null ? named : `${name} (${count} × ${price})`, 0.3, 1, 'left'],
      ]),
  }
  printers[look]()
}

/** Items in columns: with or without titles, or in a ruled table. */
export const itemColumns =
  (...looks: readonly ('quantity-first' | 'name-first' | 'grid' | 'untitled')[]): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const { label, bare, quantity, random } = canvas
    const look = random.pick(looks)
    const shown = (value: number | null, form: (value: number) => string) => (value === null ? '' : form(value))
    const texts: Readonly<Record<string, (item: ReceiptItem) => string>> = {
      receiptQuantity: (item) => shown(item.quantity, quantity),
      receiptItem: (item) => item.description,
      receiptPrice: (item) => shown(item.unitCents, bare),
      receiptAmount: (item) => bare(item.amountCents),
    }
    const [first, second] =
      look === 'quantity-first' || look === 'untitled' ? ['Quantity', 'Item'] : ['Item', 'Quantity']
    const keys = [first, second, 'Price', 'Amount'].map((name) => `receipt${name}`)
    const filled = keys.filter((key) => facts.items.some((item) => texts[key]?.(item) !== ''))
    const isGrid = look === 'grid'
    const end = drawTable(canvas, {
      ...roll,
      columns: filled.map((key, n) => ({
        title: label(key),
        align: key === 'receiptItem' || (n === 0 && !isGrid) ? 'left' : 'right',
        grows: key === 'receiptItem',
      })),
      rows: facts.items.map((item) => ({ cells: filled.map((key) => texts[key]?.(item) ?? '') })),
      look: {
        lines: isGrid ? 'grid' : 'none',
        header: isGrid ? 'tint' : look === 'untitled' ? 'none' : 'bare',
        padding: isGrid ? 1.5 : 1,
        smallNotes: false,
      },
      growingMin: roll.width * 0.36,
      bottom: Number.POSITIVE_INFINITY,
      newPage: () => roll.y,
    })
    roll.y = end + (isGrid ? 6 : 2)
  }

interface SumsLook {
  readonly leaders?: boolean
  /** The total in white on a bar, centred, or printed elsewhere. */
  readonly total?: 'bar' | 'middle' | 'elsewhere'
  readonly tax?: 'classes'
}

/** Subtotal, tax, rounding and total. */
export const sums =
  (look: SumsLook = {}): Strip =>
  (roll) => {
    const { canvas, facts } = roll
    const { label, random, quantity } = canvas
    const money = random.pick([canvas.money, canvas.money, canvas.bare])
    const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`
    const line = (key: string, cents: number | null, suffix = '') => {
      if (cents !== null) (look.leaders ? printLeaders : printSpread)(roll, label(key) + suffix, money(cents))
    }
    line('receiptSubtotal', facts.subtotalCents)
    if (!facts.taxIncluded) line('tax', facts.taxCents, rate)
    line('rounding', facts.roundingCents)
    if (look.total === 'middle') {
      rule('stars')(roll)
      const text = `${label('receiptTotal')}${canvas.style.suffix} ${canvas.money(facts.totalCents)}`
      printLine(roll, text, { face: 'bold', scale: 1.3, align: 'center' })
      rule('stars')(roll)
    } else if (look.total === 'bar') {
      const { style } = canvas
      const white = { y: roll.y + 6, colour: '#ffffff', size: style.size * 1.15, face: 'bold' } as const
      drawBox(canvas, { x: roll.x, y: roll.y + 2, width: roll.width, height: style.size * 2.2, fill: '#222222' })
      write(canvas, label('receiptTotal'), { x: roll.x + 4, ...white })
      write(canvas, canvas.money(facts.totalCents), { x: roll.x, width: roll.width - 4, align: 'right', ...white })
      roll.y += style.size * 2.2 + 6
    } else if (look.total === undefined)
      printSpread(roll, label('receiptTotal'), canvas.money(facts.totalCents), {
        face: 'bold',
        scale: random.pick([1, 1.2, 1.35]),
      })
    if (facts.taxIncluded && look.tax === undefined) line('includedTax', facts.taxCents, rate)
  }

/** The total in large type, with or without its label above. */
export const bigTotal =
  (look: { labelled: boolean }): Strip =>
  (roll) => {
    const { label, money } = roll.canvas
    if (look.labelled) printLine(roll, label('receiptTotal'), { align: 'center', scale: 0.9 })
    printLine(roll, money(roll.facts.totalCents), { align: 'center', face: 'bold', scale: 1.8 })
  }

/** The tax by rate, with an optional line of titles. */
export const taxTable: Strip = (roll) => {
  const { canvas, facts } = roll
  const { bare, quantity, random, label } = canvas
  if (!facts.taxIncluded || facts.taxCents === null) return
  const isTable = random.chance(0.5)
  for (const { letter, rate, netCents, taxCents, grossCents } of taxClasses(facts.items)) {
    const isKnown = facts.items.some(({ taxRate }) => taxRate !== undefined)
    if (!isKnown) break
    if (isTable)
      printCells(roll, [
        [letter, 0, 0.08, 'left'],
        [`${quantity(rate)}%`, 0.08, 0.27, 'left'],
        [bare(netCents), 0.27, 0.52, 'right'],
        [bare(taxCents), 0.52, 0.75, 'right'],
        [bare(grossCents), 0.75, 1, 'right'],
      ])
    else printSpread(roll, `${letter} ${quantity(rate)}% ${bare(netCents)}`, bare(taxCents))
  }
  printSpread(roll, label('includedTax'), bare(facts.taxCents))
}

export const payment: Strip = (roll) => {
  const { canvas, facts } = roll
  const { label, money } = canvas
  if (facts.method === 'cash') printSpread(roll, label('cash'), money(facts.cashCents ?? facts.totalCents))
  if (facts.method === 'card') {
    printSpread(roll, label('card'), money(facts.totalCents))
    for (const line of facts.cardSlip ?? []) printLine(roll, line, { scale: 0.9 })
  }
  if (facts.changeCents !== null) printSpread(roll, label('change'), money(facts.changeCents))
}

/** The card terminal's slip: kind, card, amount, approval. */
export const terminal: Strip = (roll) => {
  const { canvas, facts } = roll
  const { label, money, printed, random } = canvas
  const [sale = '', approved = '', keep = ''] = printed('terminal')
  printLine(roll, sale, { face: 'bold', align: 'center' })
  printSpread(roll, label('card'), random.fill('**** ####'))
  printSpread(roll, 'TID', random.fill('########'))
  printLine(roll, money(facts.totalCents), { face: 'bold', scale: 1.4, align: 'center' })
  printLine(roll, `${approved}\n${keep}`, { align: 'center' })
}

/** The times of entry and payment of a car. */
export const entryAndExit: Strip = (roll) => {
  const { canvas, facts } = roll
  const { printed, random, day } = canvas
  const [, entry = '', , paidAt = ''] = printed('parking')
  const look = pickTimeLook(canvas)
  const { time } = facts
  const early = time && { ...time, hour: Math.max(0, time.hour - random.int(1, 6)), minute: random.int(0, 59) }
  printSpread(roll, entry, `${day(facts.date)}  ${writeTime({ time: early }, look) ?? ''}`)
  printSpread(roll, paidAt, `${day(facts.date)}  ${writeTime(facts, look) ?? ''}`)
}

export const itemCount: Strip = (roll) =>
  printSpread(roll, roll.canvas.label('itemCount'), String(roll.facts.items.length))

/** A barcode without text. */
export const bars: Strip = (roll) => {
  const { canvas } = roll
  const random = canvas.random.fork('bars')
  const width = Math.min(130, roll.width * 0.8)
  let x = roll.x + (roll.width - width) / 2
  const last = x + width - 3
  while (x < last) {
    const bar = random.pick([0.8, 0.8, 1.4, 2])
    canvas.doc.rect(x, roll.y + 3, bar, 24).fill('#000000')
    x += bar + random.pick([0.9, 1.5, 2.2])
  }
  roll.y += 34
}

/** Currency and thanks at the end of each receipt. */
const end: Strip = (roll) => {
  const { canvas, facts } = roll
  const { currencyLine, label, style, random } = canvas
  const align = random.pick(['center', 'center', 'left'] as const)
  if (currencyLine !== null) printLine(roll, `${label('currency')}${style.suffix} ${currencyLine}`, { align })
  if (facts.thanks !== null) printLine(roll, facts.thanks, { align })
  if (facts.note !== null) printLine(roll, facts.note, { align, scale: 0.85 })
}
