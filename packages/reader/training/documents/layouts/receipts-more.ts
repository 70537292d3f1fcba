import { reachLines } from '../blocks.ts'
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

/** A café's slip: table and server at the top, date and number at the foot. */
const cafe: Layout<ReceiptFacts> = {
  name: 'cafe',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const roll = openRoll(press)
    printHead(roll, facts, 'center')
    printRule(roll, 'gap')
    if (facts.till !== null) printLine(roll, `${label('till')} ${facts.till}`, { scale: 1.2, bold: true })
    if (facts.cashier !== null) printLine(roll, `${label('cashier')}${style.suffix} ${facts.cashier}`)
    printRule(roll, 'dashes')
    const look = random.pick(['quantity-first', 'one-line', 'times'] as const)
    for (const item of facts.items) printItem(roll, item, look)
    printRule(roll, 'dashes')
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, 'gap')
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center', bold: true })
    const { number } = facts
    const time = writeTime(facts, pickTimeLook(press))
    printSpread(roll, press.day(facts.date), time ?? '')
    if (number !== null) printLine(roll, `${label('receiptNumber')}${style.suffix} ${number}`)
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`)
    press.roll.cutY = roll.y
  },
}

/** A supermarket's: one line an item, a letter for the tax class behind each amount, a table of taxes at the end. */
const market: Layout<ReceiptFacts> = {
  name: 'market',
  keptOut: false,
  draw(press, facts) {
    const { random, label, money, bare, quantity } = press
    const roll = openRoll(press)
    const letter = random.pick([' A', ' B', '*', ' T', ' 1'])
    printHead(roll, facts, 'center')
    printRule(roll, 'gap')
    for (const item of facts.items) {
      printSpread(roll, item.description.toUpperCase(), `${bare(item.amountCents)}${letter}`)
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${quantity(item.quantity)} x ${bare(item.unitCents)}`, { indent: 4 })
    }
    printRule(roll, random.pick(['dashes', 'line']))
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    if (facts.taxCents !== null && !facts.taxIncluded) printSpread(roll, label('tax'), bare(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), bare(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: 1.3 })
    printRule(roll, 'gap')
    printPayment(roll, facts)
    if (facts.taxCents !== null && facts.taxIncluded) {
      const rate = facts.taxRate === null ? letter.trim() : `${letter.trim()} ${quantity(facts.taxRate)}%`
      printSpread(roll, `${rate} ${label('includedTax')}`, bare(facts.taxCents))
    }
    printRule(roll, 'dashes')
    const parts = [press.day(facts.date), writeTime(facts, pickTimeLook(press)), facts.number, facts.till]
    printLine(
      roll,
      facts.number === null
        ? parts.filter((part) => part !== null).join('  ')
        : `${press.day(facts.date)}  ${writeTime(facts, '24') ?? ''}`,
      { align: 'center' },
    )
    if (facts.number !== null) printLine(roll, `${label('receiptNumber')} ${facts.number}`, { align: 'center' })
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`, { align: 'center' })
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

/** A mark and the sum in large type at the top, items under it, shop at the left. */
const modern: Layout<ReceiptFacts> = {
  name: 'modern-slip',
  keptOut: false,
  draw(press, facts) {
    const { random, label } = press
    const roll = openRoll(press)
    drawLogo(press, { x: roll.x, y: roll.y, size: 24, colour: '#222222' })
    roll.y += 34
    printHead(roll, facts, 'left')
    printRule(roll, 'line')
    for (const [name, value] of receiptPairs(press, facts)) printSpread(roll, name, value)
    printRule(roll, 'line')
    printLine(roll, label('receipt'), { bold: true })
    const look = random.pick(['price-below', 'times', 'quantity-first'] as const)
    for (const item of facts.items) printItem(roll, item, look)
    printRule(roll, 'line')
    printSums(roll, facts)
    printRule(roll, 'line')
    printPayment(roll, facts)
    if (press.currencyLine !== null) printSpread(roll, label('currency'), press.currencyLine)
    if (facts.note !== null) printLine(roll, facts.note, { scale: 0.85 })
    press.roll.cutY = roll.y
  },
}

/** Data in one dense line, items in columns, the shop's address at the foot. */
const dense: Layout<ReceiptFacts> = {
  name: 'dense',
  keptOut: false,
  draw(press, facts) {
    const { random, label } = press
    const roll = openRoll(press)
    printLine(roll, facts.merchant.name, { bold: true, scale: 1.25, align: 'center' })
    printRule(roll, 'stars')
    printSpread(roll, press.day(facts.date), writeTime(facts, pickTimeLook(press)) ?? '')
    printSpread(
      roll,
      facts.number === null ? '' : `${label('receiptNumber')} ${facts.number}`,
      facts.till === null ? '' : `${label('till')} ${facts.till}`,
    )
    printRule(roll, 'stars')
    printItemColumns(roll, facts.items, random.pick(['quantity-first', 'name-first']))
    printRule(roll, 'dashes')
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, 'stars')
    for (const line of [...facts.merchant.addressLines, ...reachLines(press, facts.merchant)])
      printLine(roll, line, { align: 'center' })
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`, { align: 'center' })
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

/** The date and the number before the shop's name; the sum between two rules; paid before the tax. */
const dateFirst: Layout<ReceiptFacts> = {
  name: 'date-first',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label, money } = press
    const roll = openRoll(press)
    printSpread(roll, press.day(facts.date), writeTime(facts, pickTimeLook(press)) ?? '')
    if (facts.number !== null)
      printLine(roll, `${label('receiptNumber')}${style.suffix} ${facts.number}`, { align: 'right' })
    printRule(roll, 'gap')
    printHead(roll, facts, 'center')
    printRule(roll, 'line')
    const look = random.pick(['price-above', 'one-line'] as const)
    for (const item of facts.items) printItem(roll, item, look)
    if (facts.subtotalCents !== null)
      printSpread(roll, label('receiptSubtotal'), money(facts.subtotalCents), { indent: 6 })
    if (facts.taxCents !== null && !facts.taxIncluded)
      printSpread(roll, label('tax'), money(facts.taxCents), { indent: 6 })
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), money(facts.roundingCents), { indent: 6 })
    printRule(roll, 'stars')
    printLine(roll, `${label('receiptTotal')}${style.suffix} ${money(facts.totalCents)}`, {
      bold: true,
      scale: 1.3,
      align: 'center',
    })
    printRule(roll, 'stars')
    printPayment(roll, facts)
    if (facts.taxCents !== null && facts.taxIncluded) printSpread(roll, label('includedTax'), money(facts.taxCents))
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`)
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

/** Items counted in the last column; data as labelled lines at the foot; everything set left. */
const footData: Layout<ReceiptFacts> = {
  name: 'foot-data',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { style, label } = press
    const roll = openRoll(press)
    printHead(roll, facts, 'left')
    printRule(roll, 'dashes')
    printItemColumns(roll, facts.items, 'name-first')
    printRule(roll, 'dashes')
    printSpread(roll, label('itemCount'), String(facts.items.length))
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, 'dashes')
    for (const [name, value] of receiptPairs(press, facts))
      printLine(roll, `${name}${style.suffix === '' ? ':' : style.suffix} ${value}`)
    if (press.currencyLine !== null) printLine(roll, `${label('currency')}: ${press.currencyLine}`)
    if (facts.thanks !== null) printLine(roll, facts.thanks)
    press.roll.cutY = roll.y
  },
}

export const moreReceipts: readonly Layout<ReceiptFacts>[] = [cafe, market, modern, dense, dateFirst, footData]
