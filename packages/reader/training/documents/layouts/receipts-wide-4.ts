import { write } from '../ink.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import { openRoll, printLine, printPayment, printRule, printSpread, printSums } from '../till.ts'
import type { Layout } from './layout.ts'
import { closeRoll, printShop, printWhen, printWho, reviseFuel } from './receipt-wide-parts.ts'

/** Numbered lines; the total in large type at the head. */
const numbered: Layout<ReceiptFacts> = {
  name: 'wide-numbered',
  keptOut: false,
  draw(press, facts) {
    const { random, label, money, bare, quantity, style } = press
    const roll = openRoll(press)
    printShop(roll, facts, { align: 'left', scale: 1.2 })
    printRule(roll, 'gap')
    roll.y = write(press, money(facts.totalCents), {
      x: roll.x,
      y: roll.y,
      width: roll.width,
      align: 'center',
      size: style.size * 2.4,
      face: 'bold',
    })
    printRule(roll, 'line')
    printWhen(roll, facts, random.pick(['labelled', 'ends']))
    printWho(roll, facts, 'spread')
    printRule(roll, 'line')
    const zeros = random.chance(0.5)
    for (const [n, item] of facts.items.entries()) {
      const index = zeros ? String(n + 1).padStart(2, '0') : `${n + 1}.`
      printSpread(roll, `${index} ${item.description}`, bare(item.amountCents))
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${quantity(item.quantity)} × ${bare(item.unitCents)}`, { indent: 4, scale: 0.9 })
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    printPayment(roll, facts)
    if (random.chance(0.3)) printLine(roll, `${label('itemCount')}: ${facts.items.length}`)
    closeRoll(roll, facts)
  },
}

/** A filling station: litres and the price of one in lines of their own. */
const fuel: Layout<ReceiptFacts> = {
  name: 'wide-fuel',
  keptOut: false,
  revise: reviseFuel,
  draw(press, facts) {
    const { random, label, bare, quantity } = press
    const roll = openRoll(press)
    printShop(roll, facts, { align: 'center', scale: 1.2 })
    printRule(roll, 'stars')
    printWhen(roll, facts, random.pick(['ends', 'joined']))
    printWho(roll, facts, random.pick(['lines', 'run-on']))
    printRule(roll, 'gap')
    const isLined = random.chance(0.5)
    for (const item of facts.items) {
      if (item.quantity === null || item.unitCents === null || item.unit === undefined) {
        const lead =
          item.quantity === null || item.unitCents === null
            ? ''
            : `${quantity(item.quantity)} x ${bare(item.unitCents)}  `
        printSpread(roll, `${lead}${item.description}`, bare(item.amountCents))
      } else if (isLined) {
        printSpread(roll, item.description, bare(item.amountCents), { bold: true })
        printLine(
          roll,
          `${quantity(item.quantity)} ${item.unit}  ${bare(item.unitCents)} ${press.currencyCode()}/${item.unit}`,
        )
      } else {
        printLine(roll, `* ${item.description}`)
        printSpread(roll, label('receiptQuantity'), `${quantity(item.quantity)} ${item.unit}`, { indent: 1 })
        printSpread(roll, label('receiptPrice'), `${bare(item.unitCents)} /${item.unit}`, { indent: 1 })
        printSpread(roll, label('receiptAmount'), bare(item.amountCents), { indent: 1 })
      }
    }
    printRule(roll, 'dashes')
    printSums(roll, facts)
    printPayment(roll, facts)
    printRule(roll, 'stars')
    closeRoll(roll, facts)
  },
}

export const wideReceiptsFour: readonly Layout<ReceiptFacts>[] = [numbered, fuel]
