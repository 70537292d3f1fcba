import { drawBox } from '../ink.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import { openRoll, printLine, printPayment, printRule, printSpread, printSums } from '../till.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import type { Layout } from './layout.ts'
import { closeRoll, printBars, printCells, printShop, printWhen, printWho, reviseCard } from './receipt-wide-parts.ts'

/** Points, the count of items and bars at the end; quantities before the names. */
const loyalty: Layout<ReceiptFacts> = {
  name: 'wide-loyalty',
  keptOut: false,
  draw(press, facts) {
    const { random, label, bare, money, quantity } = press
    const words = wideWordsOf(press.locale)
    const roll = openRoll(press)
    printLine(roll, facts.merchant.name.toUpperCase(), { align: 'center', bold: true, scale: 1.6 })
    printShop(roll, facts, { align: 'center', scale: 1, withName: false })
    printWhen(roll, facts, random.pick(['middle', 'ends']))
    printRule(roll, random.pick(['stars', 'dashes']))
    for (const item of facts.items) {
      const lead = item.quantity === null ? '' : `${quantity(item.quantity)} `
      const each = item.quantity === null || item.unitCents === null ? '' : ` @ ${bare(item.unitCents)}`
      printSpread(roll, `${lead}${item.description}${each}`, bare(item.amountCents))
    }
    printRule(roll, random.pick(['stars', 'dashes']))
    printSpread(roll, `${label('itemCount')}: ${facts.items.length}`, '')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), money(facts.subtotalCents))
    if (facts.taxCents !== null && !facts.taxIncluded)
      printSpread(
        roll,
        `${label('tax')} ${facts.taxRate === null ? '' : `${quantity(facts.taxRate)}%`}`,
        money(facts.taxCents),
      )
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), money(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: 1.2 })
    printPayment(roll, facts)
    if (facts.taxCents !== null && facts.taxIncluded)
      printLine(
        roll,
        `${label('includedTax')} ${facts.taxRate === null ? '' : `${quantity(facts.taxRate)} % `}${money(facts.taxCents)}`,
        { align: 'center' },
      )
    printRule(roll, 'dashes')
    printSpread(roll, pickWord(random, words.points), String(random.int(3, 4210)))
    printWho(roll, facts, random.pick(['run-on', 'lines']))
    printBars(roll)
    closeRoll(roll, facts)
  },
}

/** Paid by card: the terminal's slip with its own total follows the receipt. */
const cardSlip: Layout<ReceiptFacts> = {
  name: 'wide-card-slip',
  keptOut: false,
  revise: reviseCard,
  draw(press, facts) {
    const { random, label, money, bare, quantity } = press
    const words = wideWordsOf(press.locale)
    const roll = openRoll(press)
    printShop(roll, facts, { align: random.pick(['left', 'center', 'right']), scale: 1.2 })
    printRule(roll, 'line')
    printWho(roll, facts, 'spread')
    printWhen(roll, facts, random.pick(['ends', 'labelled']))
    printRule(roll, 'line')
    for (const item of facts.items) {
      if (item.quantity === null || item.unitCents === null) {
        printSpread(roll, item.description, bare(item.amountCents))
        continue
      }
      printLine(roll, item.description)
      const price = `${quantity(item.quantity)} ${random.pick(['x', 'à'])} ${bare(item.unitCents)}`
      printSpread(roll, price, bare(item.amountCents), { indent: 1 })
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    printRule(roll, 'dashes')
    printLine(roll, pickWord(random, words.copy), { align: 'center', bold: true })
    printLine(roll, label('card'), { align: random.pick(['left', 'center']) })
    for (const line of facts.cardSlip ?? []) printLine(roll, line, { scale: 0.92 })
    printSpread(
      roll,
      random.pick(['AMOUNT', 'EUR', 'SALE', label('receiptAmount')]).replace('EUR', press.currencyCode()),
      money(facts.totalCents),
      { bold: true },
    )
    printRule(roll, 'dashes')
    closeRoll(roll, facts)
  },
}

/** Shop at the left and data at the right, items in columns under titles, sums in a box. */
const twoSides: Layout<ReceiptFacts> = {
  name: 'wide-two-sides',
  keptOut: false,
  draw(press, facts) {
    const { random, label, bare, quantity } = press
    const roll = openRoll(press)
    const top = roll.y
    const left = { ...roll, width: roll.width * 0.52 }
    printShop(left, facts, { align: 'left', scale: 1 })
    const right = { ...roll, x: roll.x + roll.width * 0.55, width: roll.width * 0.45, y: top }
    printLine(right, label('receipt'), { bold: true, align: 'right' })
    if (facts.number !== null) printLine(right, facts.number, { align: 'right' })
    printLine(right, press.day(facts.date), { align: 'right' })
    roll.y = Math.max(left.y, right.y) + 4
    const time = { ...facts, number: null }
    printWho(roll, time, 'run-on')
    printRule(roll, 'line')
    const hasQuantity = facts.items.some((item) => item.quantity !== null)
    printCells(
      roll,
      [
        [hasQuantity ? label('receiptQuantity') : '', 0, 0.14, 'left'],
        [label('receiptItem'), 0.14, 0.56, 'left'],
        [hasQuantity ? label('receiptPrice') : '', 0.56, 0.77, 'right'],
        [label('receiptAmount'), 0.78, 1, 'right'],
      ],
      true,
    )
    printRule(roll, 'line')
    for (const item of facts.items)
      printCells(roll, [
        [item.quantity === null ? '' : quantity(item.quantity), 0, 0.12, 'left'],
        [item.description, 0.14, 0.56, 'left'],
        [item.unitCents === null ? '' : bare(item.unitCents), 0.56, 0.77, 'right'],
        [bare(item.amountCents), 0.78, 1, 'right'],
      ])
    const boxTop = roll.y + 4
    const inner = { ...roll, x: roll.x + 5, width: roll.width - 10, y: boxTop + 4 }
    printSums(inner, facts)
    roll.y = inner.y + 4
    drawBox(press, {
      x: roll.x,
      y: boxTop,
      width: roll.width,
      height: roll.y - boxTop,
      stroke: '#333333',
      radius: random.pick([0, 4]),
    })
    roll.y += 4
    printPayment(roll, facts)
    closeRoll(roll, facts)
  },
  revise: (facts) => ({ ...facts, time: null }),
}

export const wideReceiptsTwo: readonly Layout<ReceiptFacts>[] = [loyalty, cardSlip, twoSides]
