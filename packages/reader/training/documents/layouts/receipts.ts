import { drawLogo } from '../ink.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import {
  openRoll,
  pickTimeLook,
  printItem,
  printItemColumns,
  printLine,
  printPayment,
  printRule,
  printSpread,
  printSums,
  writeTime,
} from '../till.ts'
import type { Layout } from './layout.ts'
import { printHead, receiptPairs } from './receipt-parts.ts'
import { moreReceipts } from './receipts-more.ts'
import { releasedReceiptsTwo } from './receipts-released-2.ts'
import { wideReceipts } from './receipts-wide.ts'
import { keptOutReceipts } from './till-and-bank-kept-out.ts'
import { fourthReceipts } from './till-and-bank-kept-out-4.ts'

/** Everything in the middle, items with their prices in lines of their own. */
const classic: Layout<ReceiptFacts> = {
  name: 'till-classic',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label, day } = press
    const roll = openRoll(press)
    const rule = random.pick(['dashes', 'stars', 'line', 'gap'] as const)
    const isDateLow = random.chance(0.35)
    const dateLine = [day(facts.date), writeTime(facts, pickTimeLook(press))].filter((part) => part !== null).join('  ')
    printHead(roll, facts, 'center')
    printRule(roll, rule)
    if (random.chance(0.5)) printLine(roll, label('receipt'), { align: 'center', bold: true })
    if (facts.number !== null) printLine(roll, `${label('receiptNumber')}${style.suffix} ${facts.number}`)
    if (!isDateLow) printLine(roll, dateLine)
    if (facts.till !== null || facts.cashier !== null)
      printSpread(
        roll,
        facts.till === null ? '' : `${label('till')} ${facts.till}`,
        facts.cashier === null ? '' : `${label('cashier')}${style.suffix} ${facts.cashier}`,
      )
    printRule(roll, rule)
    const look = random.pick(['one-line', 'price-below', 'price-above', 'quantity-first', 'times'] as const)
    for (const item of facts.items) printItem(roll, item, look)
    printRule(roll, rule)
    printSums(roll, facts)
    printRule(roll, 'gap')
    printPayment(roll, facts)
    printRule(roll, rule)
    if (press.currencyLine !== null) printLine(roll, `${label('currency')}${style.suffix} ${press.currencyLine}`)
    if (isDateLow) printLine(roll, dateLine, { align: 'center' })
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    if (facts.note !== null) printLine(roll, facts.note, { align: 'center', scale: 0.85 })
    press.roll.cutY = roll.y
  },
}

/** Labelled data at the top, items in columns with titles. */
const columns: Layout<ReceiptFacts> = {
  name: 'till-columns',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const roll = openRoll(press)
    const align = random.pick(['left', 'center'] as const)
    if (random.chance(0.3)) {
      drawLogo(press, { x: roll.x + roll.width / 2 - 14, y: roll.y, size: 28, colour: '#000000' })
      roll.y += 36
    }
    printLine(roll, label('receipt'), { align: 'center', bold: true, scale: 1.2 })
    printHead(roll, facts, align)
    printRule(roll, 'line')
    const isSpread = random.chance(0.4)
    for (const [name, value] of receiptPairs(press, facts)) {
      if (isSpread) printSpread(roll, name + style.suffix, value)
      else printLine(roll, `${name}${style.suffix === '' ? ':' : style.suffix} ${value}`)
    }
    if (press.currencyLine !== null) printLine(roll, `${label('currency')}: ${press.currencyLine}`)
    printRule(roll, 'line')
    printItemColumns(roll, facts.items, random.pick(['quantity-first', 'name-first']))
    printRule(roll, 'line')
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, 'line')
    if (random.chance(0.4)) printSpread(roll, label('itemCount'), String(facts.items.length))
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

export const receiptLayouts: readonly Layout<ReceiptFacts>[] = [
  classic,
  columns,
  ...moreReceipts,
  ...wideReceipts,
  ...releasedReceiptsTwo,
  ...keptOutReceipts,
  ...fourthReceipts,
]
