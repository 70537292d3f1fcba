import { pairsOf, reachLines } from '../blocks.ts'
import { drawBox, textWidth, write } from '../ink.ts'
import { fillName } from '../parties.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import { drawTable } from '../table.ts'
import {
  openRoll,
  pickTimeLook,
  printLine,
  printPayment,
  printRule,
  printSpread,
  printSums,
  type Roll,
  writeTime,
} from '../till.ts'
import { pickWord } from '../words/lexicon.ts'
import type { Locale } from '../words/locale.ts'
import { releasedWordsOf } from '../words/locales-released.ts'
import type { Layout } from './layout.ts'
import { printHead, receiptPairs } from './receipt-parts.ts'
import { printed } from './released-parts.ts'

function closeRoll(roll: Roll, facts: ReceiptFacts): void {
  const { press } = roll
  if (press.currencyLine !== null) printLine(roll, `${press.label('currency')}: ${press.currencyLine}`)
  if (facts.note !== null) printLine(roll, facts.note, { scale: 0.85 })
  if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
  press.roll.cutY = roll.y
}

/** One thing was paid, whose price holds the tax. */
function reviseParking(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  const [description] = releasedWordsOf(locale).printed.parking
  const amountCents = random.int(3, 60) * 50
  const rate = facts.taxIncluded && random.chance(0.7) ? random.pick(locale.taxRates) : null
  const cash = Math.ceil(amountCents / 500) * 500
  return {
    ...facts,
    merchant: {
      ...facts.merchant,
      name: fillName(random, 'Parking {word}', locale, 'released'),
      email: null,
      website: null,
    },
    till: null,
    items: [{ description, quantity: null, unitCents: null, amountCents }],
    subtotalCents: null,
    roundingCents: null,
    totalCents: amountCents,
    taxRate: rate,
    taxCents: rate === null ? null : amountCents - Math.round(amountCents / (1 + rate / 100)),
    time: facts.time ?? { hour: random.int(10, 21), minute: random.int(0, 59), second: random.int(0, 59) },
    cashCents: facts.method === 'cash' ? cash : null,
    changeCents: facts.method === 'cash' ? cash - amountCents : null,
    cashier: null,
  }
}

/** A car park's: when the car came and when it was paid for, one thing, the sum in large type. */
const parking: Layout<ReceiptFacts> = {
  name: 'parking',
  keptOut: false,
  released: 2,
  revise: reviseParking,
  draw(press, facts) {
    const { label, money, day, random } = press
    const roll = openRoll(press)
    const [, entry, , paidAt] = printed(press).parking
    printLine(roll, 'P', { bold: true, scale: 3, align: 'center' })
    printHead(roll, facts, 'center')
    printRule(roll, 'line')
    const { time } = facts
    const early =
      time === null ? null : { ...time, hour: Math.max(0, time.hour - random.int(1, 6)), minute: random.int(0, 59) }
    const look = pickTimeLook(press)
    printSpread(roll, entry, `${day(facts.date)}  ${writeTime({ ...facts, time: early }, look) ?? ''}`)
    printSpread(roll, paidAt, `${day(facts.date)}  ${writeTime(facts, look) ?? ''}`)
    if (facts.number !== null) printSpread(roll, label('receiptNumber'), facts.number)
    printRule(roll, 'gap')
    for (const item of facts.items) printSpread(roll, item.description, press.bare(item.amountCents))
    printRule(roll, 'line')
    printLine(roll, label('receiptTotal'), { align: 'center' })
    printLine(roll, money(facts.totalCents), { align: 'center', bold: true, scale: 2 })
    const rate = facts.taxRate === null ? '' : ` ${press.quantity(facts.taxRate)} %`
    if (facts.taxCents !== null)
      printLine(roll, `${label('includedTax')}${rate}: ${money(facts.taxCents)}`, { align: 'center' })
    printRule(roll, 'line')
    printPayment(roll, facts)
    closeRoll(roll, facts)
  },
}

/** A snack bar's: the number that is called in large type, wishes under the things, prices of one after an @. */
const takeaway: Layout<ReceiptFacts> = {
  name: 'takeaway',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { bare, quantity, random } = press
    const { callNumber, eating, extras } = printed(press)
    const roll = openRoll(press)
    if (facts.number !== null) {
      printLine(roll, `${callNumber} ${random.int(11, 99)}`, { bold: true, scale: 2.2, align: 'center' })
      printLine(roll, pickWord(random, eating), { align: 'center' })
      printRule(roll, 'gap')
    }
    printHead(roll, facts, 'center')
    printLine(
      roll,
      receiptPairs(press, facts)
        .map(([name, value]) => `${name} ${value}`)
        .join('   '),
      { scale: 0.9 },
    )
    printRule(roll, 'dashes')
    for (const item of facts.items) {
      const price = item.quantity === null || item.unitCents === null ? '' : ` @${bare(item.unitCents)}`
      const count = item.quantity === null ? '' : `${quantity(item.quantity)} `
      printSpread(roll, `${count}${item.description}${price}`, bare(item.amountCents))
      if (random.chance(0.25)) printLine(roll, `- ${pickWord(random, extras)}`, { indent: 4, scale: 0.9 })
    }
    printRule(roll, 'dashes')
    printSums(roll, facts)
    printRule(roll, 'gap')
    printPayment(roll, facts)
    closeRoll(roll, facts)
  },
}

/** Paid by card: the terminal's lines come first, then what was bought. */
const terminalFirst: Layout<ReceiptFacts> = {
  name: 'terminal-first',
  keptOut: false,
  released: 2,
  revise: (facts) => ({ ...facts, method: 'card', cashCents: null, changeCents: null, cardSlip: null }),
  draw(press, facts) {
    const { label, money, bare, quantity, day, random } = press
    const [sale, approved, keep] = printed(press).terminal
    const roll = openRoll(press)
    printHead(roll, facts, 'center')
    printRule(roll, 'stars')
    printLine(roll, sale, { bold: true, align: 'center' })
    printSpread(roll, label('card'), random.fill('**** ####'))
    printSpread(roll, 'AID', 'A0000000041010')
    printSpread(roll, 'TID', random.fill('########'))
    printLine(roll, money(facts.totalCents), { bold: true, scale: 1.4, align: 'center' })
    printLine(roll, approved, { align: 'center' })
    printLine(roll, keep, { align: 'center', scale: 0.85 })
    printRule(roll, 'stars')
    printSpread(roll, day(facts.date), writeTime(facts, pickTimeLook(press)) ?? '')
    const data = pairsOf([
      [label('receiptNumber'), facts.number],
      [label('cashier'), facts.cashier],
      [label('till'), facts.till],
    ])
    for (const [name, value] of data) printSpread(roll, name, value)
    printRule(roll, 'gap')
    for (const item of facts.items) {
      printSpread(roll, item.description, bare(item.amountCents))
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${quantity(item.quantity)} × ${bare(item.unitCents)}`, {
          align: 'right',
          scale: 0.9,
          indent: 8,
        })
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    closeRoll(roll, facts)
  },
}

/** Text at the left and a value at the right with dots between them. */
function printLeaders(roll: Roll, left: string, right: string): void {
  const { press, width } = roll
  const room = width - textWidth(press, left) - textWidth(press, right) - 8
  const dots = Math.floor(room / textWidth(press, '.'))
  if (dots > 3)
    write(press, '.'.repeat(dots), { x: roll.x + textWidth(press, left) + 4, y: roll.y, colour: press.style.grey })
  printSpread(roll, left, right)
}

/** A restaurant's: dots between names and amounts, the sum between bars, data as one line under the house's name. */
const leaders: Layout<ReceiptFacts> = {
  name: 'leaders',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { label, money, bare, quantity, day, random } = press
    const { merchant } = facts
    const roll = openRoll(press)
    printLine(roll, `~ ${merchant.name} ~`, { bold: true, scale: 1.4, align: 'center' })
    const time = writeTime(facts, pickTimeLook(press))
    printLine(roll, `${day(facts.date)}${time === null ? '' : ` | ${time}`}`, { align: 'center' })
    const data = pairsOf([
      [label('till'), facts.till],
      [label('cashier'), facts.cashier],
      [label('receiptNumber'), facts.number],
    ])
    if (data.length > 0)
      printLine(roll, data.map(([name, value]) => `${name} ${value}`).join(' | '), { align: 'center' })
    printRule(roll, 'gap')
    for (const item of facts.items) {
      const isPriced = item.quantity !== null && item.unitCents !== null
      const count = isPriced ? `${quantity(item.quantity)} × ${bare(item.unitCents)}  ` : ''
      printLeaders(roll, `${count}${item.description}`, bare(item.amountCents))
    }
    printRule(roll, 'gap')
    const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`
    if (facts.subtotalCents !== null) printLeaders(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    if (facts.taxCents !== null)
      printLeaders(roll, label(facts.taxIncluded ? 'includedTax' : 'tax') + rate, bare(facts.taxCents))
    if (facts.roundingCents !== null) printLeaders(roll, label('rounding'), bare(facts.roundingCents))
    printRule(roll, 'line')
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: random.pick([1.2, 1.4]) })
    printRule(roll, 'line')
    printPayment(roll, facts)
    printRule(roll, 'gap')
    for (const line of [merchant.addressLines.join(', '), ...reachLines(press, merchant)])
      printLine(roll, line, { align: 'center', scale: 0.9 })
    closeRoll(roll, facts)
  },
}

/** Two labelled values in a line; items in a ruled table; the sum in white on a bar. */
const ruledTable: Layout<ReceiptFacts> = {
  name: 'ruled-table',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { label, money, bare, quantity, style } = press
    const roll = openRoll(press)
    printLine(roll, label('receipt'), { bold: true, scale: 1.2 })
    printHead(roll, facts, 'left')
    printRule(roll, 'gap')
    const data = receiptPairs(press, facts).map(([name, value]) => `${name}: ${value}`)
    for (let n = 0; n < data.length; n += 2) printSpread(roll, data[n] ?? '', data[n + 1] ?? '')
    printRule(roll, 'gap')
    drawGrid(press, roll, facts)
    const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    if (facts.taxCents !== null && !facts.taxIncluded) printSpread(roll, label('tax') + rate, bare(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), bare(facts.roundingCents))
    const size = style.size * 1.15
    const bar = { x: roll.x, width: roll.width, height: size * 1.9 }
    drawBox(press, { ...bar, y: roll.y + 2, fill: '#222222' })
    const white = { y: roll.y + 6, colour: '#ffffff', size, face: 'bold' } as const
    write(press, label('receiptTotal'), { x: roll.x + 4, ...white })
    write(press, money(facts.totalCents), { x: roll.x, width: roll.width - 4, align: 'right', ...white })
    roll.y += bar.height + 6
    if (facts.taxCents !== null && facts.taxIncluded)
      printSpread(roll, label('includedTax') + rate, bare(facts.taxCents))
    printPayment(roll, facts)
    closeRoll(roll, facts)
  },
}

function drawGrid(press: Press, roll: Roll, facts: ReceiptFacts): void {
  const { label, bare, quantity } = press
  const isPriced = facts.items.some((item) => item.quantity !== null)
  const columns = [
    { title: label('receiptItem'), align: 'left', grows: true },
    ...(isPriced
      ? ([
          { title: label('receiptQuantity'), align: 'right' },
          { title: label('receiptPrice'), align: 'right' },
        ] as const)
      : []),
    { title: label('receiptAmount'), align: 'right' },
  ] as const
  const rows = facts.items.map((item) => [
    item.description,
    ...(item.quantity === null || item.unitCents === null ? [] : [quantity(item.quantity), bare(item.unitCents)]),
    bare(item.amountCents),
  ])
  const look = {
    lines: 'grid',
    header: 'tinted',
    padding: 1.5,
    size: roll.width < 210 ? 6 : press.style.size * 0.85,
  } as const
  const place = { x: roll.x, y: roll.y, width: roll.width, bottom: Number.POSITIVE_INFINITY, newPage: () => roll.y }
  roll.y = drawTable(press, { columns, rows, look, ...place }) + 6
}

export const releasedReceiptsTwo: readonly Layout<ReceiptFacts>[] = [
  parking,
  takeaway,
  terminalFirst,
  leaders,
  ruledTable,
]
