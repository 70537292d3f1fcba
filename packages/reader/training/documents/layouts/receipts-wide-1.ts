import { drawLogo } from '../ink.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import { openRoll, printLine, printPayment, printRule, printSpread, printSums } from '../till.ts'
import type { Layout } from './layout.ts'
import {
  closeRoll,
  letterOf,
  printBars,
  printCells,
  printShop,
  printTaxes,
  printWhen,
  printWho,
  reviseTaxLetters,
} from './receipt-wide-parts.ts'

/** Each item has a line with its code, before or behind which stands nothing else. */
const codeLines: Layout<ReceiptFacts> = {
  name: 'wide-code-lines',
  keptOut: false,
  draw(press, facts) {
    const { random, bare, quantity } = press
    const roll = openRoll(press)
    printShop(roll, facts, { align: random.pick(['left', 'center']), scale: random.pick([1, 1.3]) })
    printRule(roll, random.pick(['stars', 'dashes', 'line']))
    printWhen(roll, facts, random.pick(['ends', 'labelled', 'joined']))
    printWho(roll, facts, random.pick(['lines', 'run-on', 'spread']))
    printRule(roll, random.pick(['dashes', 'gap']))
    const form = random.pick(['40########71', '#######', '0000####', 'PLU ####', '@@####'])
    const codeFirst = random.chance(0.6)
    const codes = random.fork('codes')
    for (const item of facts.items) {
      const code = codes.fill(form)
      const amount = bare(item.amountCents)
      if (codeFirst) printLine(roll, code)
      printSpread(roll, item.description, amount, { indent: codeFirst ? 1 : 0 })
      if (!codeFirst) printLine(roll, code, { indent: 2, scale: 0.9 })
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${quantity(item.quantity)} x ${bare(item.unitCents)}`, { indent: 3 })
    }
    printRule(roll, 'dashes')
    printSums(roll, facts)
    printRule(roll, 'gap')
    printPayment(roll, facts)
    if (random.chance(0.5)) printBars(roll)
    closeRoll(roll, facts)
  },
}

/** The shop's name and address stand only at the foot. */
const footShop: Layout<ReceiptFacts> = {
  name: 'wide-foot-shop',
  keptOut: false,
  draw(press, facts) {
    const { random, label, bare, quantity } = press
    const roll = openRoll(press)
    if (random.chance(0.6)) {
      drawLogo(press, { x: roll.x + roll.width / 2 - 14, y: roll.y, size: 28, colour: '#333333' })
      roll.y += 38
    }
    printLine(roll, label('receipt'), { align: 'center', bold: true, scale: random.pick([1, 1.2]) })
    printWho(roll, facts, random.pick(['lines', 'spread']))
    printWhen(roll, facts, random.pick(['ends', 'middle', 'labelled']))
    printRule(roll, 'line')
    const withTitles = random.chance(0.6)
    const hasQuantity = facts.items.some((item) => item.quantity !== null)
    if (withTitles)
      printCells(
        roll,
        [
          [label('receiptItem'), 0, 0.5, 'left'],
          [hasQuantity ? label('receiptQuantity') : '', 0.5, 0.64, 'right'],
          [label('receiptAmount'), 0.66, 1, 'right'],
        ],
        true,
      )
    for (const item of facts.items) {
      printCells(roll, [
        [item.description, 0, 0.54, 'left'],
        [item.quantity === null ? '' : quantity(item.quantity), 0.54, 0.64, 'right'],
        [bare(item.amountCents), 0.7, 1, 'right'],
      ])
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, random.pick(['dashes', 'gap']))
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    printShop(roll, facts, { align: 'center', scale: 1 })
    closeRoll(roll, { ...facts, thanks: null })
  },
  // The price of one is not printed.
  revise: (facts) => ({ ...facts, items: facts.items.map((item) => ({ ...item, unitCents: null })) }),
}

/** A letter for the rate behind each amount, and what was taxed by letter at the end. */
const taxLetters: Layout<ReceiptFacts> = {
  name: 'wide-tax-letters',
  keptOut: false,
  revise: reviseTaxLetters,
  draw(press, facts) {
    const { random, label, bare, money, quantity } = press
    const roll = openRoll(press)
    printShop(roll, facts, { align: 'center', scale: random.pick([1.2, 1.5]) })
    printRule(roll, 'gap')
    if (random.chance(0.5)) printLine(roll, press.currencyCode(), { align: 'right' })
    const form = random.pick(['below', 'above', 'inline'] as const)
    for (const item of facts.items) {
      const amount = `${bare(item.amountCents)} ${facts.taxIncluded ? letterOf(facts, item) : 'T'}`
      const price =
        item.quantity === null || item.unitCents === null
          ? null
          : `${quantity(item.quantity)} x ${bare(item.unitCents)}`
      if (price !== null && form === 'above') printLine(roll, price, { indent: 4 })
      if (price !== null && form === 'inline') {
        printLine(roll, item.description)
        printSpread(roll, price, amount, { indent: 2 })
      } else printSpread(roll, item.description, amount)
      if (price !== null && form === 'below') printLine(roll, price, { indent: 5 })
    }
    printRule(roll, 'dashes')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    if (!facts.taxIncluded && facts.taxCents !== null) printSpread(roll, label('tax'), bare(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), bare(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: random.pick([1, 1.3]) })
    printRule(roll, random.pick(['stars', 'gap', 'line']))
    printPayment(roll, facts)
    if (facts.taxIncluded) printTaxes(roll, facts, random.pick(['columns', 'lines']))
    printRule(roll, 'gap')
    printWhen(roll, facts, random.pick(['ends', 'joined', 'middle']))
    printWho(roll, facts, random.pick(['lines', 'run-on']))
    closeRoll(roll, facts)
  },
}

export const wideReceipts: readonly Layout<ReceiptFacts>[] = [codeLines, footShop, taxLetters]
