import type { ReceiptFacts } from '../receipt-facts.ts'
import { openRoll, printLine, printPayment, printRule, printSpread, printSums } from '../till.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import type { Layout } from './layout.ts'
import { closeRoll, printCells, printShop, printWhen, printWho, reviseWeights } from './receipt-wide-parts.ts'

/** A restaurant's bill: table and guests, quantities before names with the price of one in brackets, room for a tip. */
const restaurant: Layout<ReceiptFacts> = {
  name: 'wide-restaurant',
  keptOut: false,
  draw(press, facts) {
    const { random, label, bare, quantity } = press
    const words = wideWordsOf(press.locale)
    const roll = openRoll(press)
    printLine(roll, facts.merchant.name, { align: 'center', scale: 1.7 })
    printShop(roll, facts, { align: 'center', scale: 1, withName: false })
    printRule(roll, 'gap')
    printSpread(
      roll,
      facts.till === null ? '' : `${label('till')} ${facts.till}`,
      `${pickWord(random, words.guests)} ${random.int(1, 6)}`,
    )
    printWho(roll, { ...facts, till: null }, random.pick(['lines', 'run-on']))
    printWhen(roll, facts, random.pick(['ends', 'joined', 'labelled']))
    printRule(roll, 'line')
    const form = random.pick(['brackets', 'x', 'under'] as const)
    for (const item of facts.items) {
      if (item.quantity === null || item.unitCents === null) printSpread(roll, item.description, bare(item.amountCents))
      else if (form === 'brackets')
        printSpread(
          roll,
          `${quantity(item.quantity)} ${item.description} (${bare(item.unitCents)})`,
          bare(item.amountCents),
        )
      else if (form === 'x') {
        printSpread(roll, `${quantity(item.quantity)}x ${item.description}`, bare(item.amountCents))
        printLine(roll, `à ${bare(item.unitCents)}`, { indent: 3, scale: 0.9 })
      } else {
        printLine(roll, item.description)
        printCells(roll, [
          [`${quantity(item.quantity)} *`, 0.1, 0.3, 'left'],
          [bare(item.unitCents), 0.3, 0.55, 'right'],
          [bare(item.amountCents), 0.6, 1, 'right'],
        ])
      }
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    printRule(roll, 'gap')
    printPayment(roll, facts)
    if (press.locale.id.startsWith('en'))
      printSpread(roll, random.pick(['Tip', 'TIP', 'Gratuity', 'Service']), '__________')
    printRule(roll, 'gap')
    closeRoll(roll, facts)
  },
}

/** Weighed goods: kilograms and the price of one under the name. */
const weighed: Layout<ReceiptFacts> = {
  name: 'wide-weighed',
  keptOut: false,
  revise: reviseWeights,
  draw(press, facts) {
    const { random, bare, quantity, label } = press
    const roll = openRoll(press)
    printShop(roll, facts, { align: random.pick(['left', 'center']), scale: random.pick([1, 1.4]) })
    printRule(roll, 'dashes')
    printWho(roll, facts, random.pick(['lines', 'spread']))
    printWhen(roll, facts, random.pick(['ends', 'labelled', 'middle']))
    printRule(roll, 'dashes')
    const per = random.pick(['/kg', ''])
    const amountBelow = random.chance(0.5)
    for (const item of facts.items) {
      const price = `${quantity(item.quantity ?? 1)}${item.unit === undefined ? '' : ` ${item.unit}`} x ${bare(item.unitCents ?? item.amountCents)}${item.unit === undefined ? '' : per}`
      if (amountBelow) {
        printLine(roll, item.description)
        printSpread(roll, price, bare(item.amountCents), { indent: 2 })
      } else {
        printSpread(roll, item.description, bare(item.amountCents))
        printLine(roll, price, { indent: 2 })
      }
    }
    printRule(roll, 'dashes')
    if (random.chance(0.4)) printSpread(roll, label('itemCount'), String(facts.items.length))
    printSums(roll, facts)
    printPayment(roll, facts)
    closeRoll(roll, facts)
  },
}

export const wideReceiptsThree: readonly Layout<ReceiptFacts>[] = [restaurant, weighed]
