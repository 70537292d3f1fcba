import { pairsOf, reachLines } from '../blocks.ts'
import type { Press } from '../press.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import { pickTimeLook, printLine, type Roll, writeTime } from '../till.ts'

/** Name, address and how to reach the shop. */
export function printHead(roll: Roll, facts: ReceiptFacts, align: 'left' | 'center'): void {
  const { press } = roll
  const { merchant } = facts
  const { random } = press
  const name = random.chance(0.4) ? merchant.name.toUpperCase() : merchant.name
  printLine(roll, name, { bold: true, scale: random.pick([1, 1.2, 1.5]), align })
  for (const line of random.chance(0.3) ? [merchant.addressLines.join(', ')] : merchant.addressLines)
    printLine(roll, line, { align })
  for (const line of reachLines(press, merchant)) printLine(roll, line, { align })
}

/** Number, date, time, till and cashier as label and value pairs. */
export function receiptPairs(press: Press, facts: ReceiptFacts): (readonly [string, string])[] {
  const { label, day } = press
  return pairsOf([
    [label('receiptNumber'), facts.number],
    [label('date'), day(facts.date)],
    [label('time'), writeTime(facts, pickTimeLook(press))],
    [label('till'), facts.till],
    [label('cashier'), facts.cashier],
  ])
}
