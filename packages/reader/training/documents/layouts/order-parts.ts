import { type Pair, pairsOf } from '../blocks.ts'
import { itemColumns, pickItemTableOptions, pickTableLook } from '../commerce.ts'
import { drawRule, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Press } from '../press.ts'
import { flowTable } from './layout.ts'

/** What the order says about itself. */
export function orderPairs(press: Press, facts: OrderFacts): Pair[] {
  const { label, day, random } = press
  const rest = pairsOf([
    [label('deliveryDate'), facts.deliveryDate && day(facts.deliveryDate)],
    [label('contact'), facts.contact],
    [label('reference'), facts.reference],
    [label('terms'), facts.terms],
    [label('shippingTerms'), facts.shippingTerms],
    [label('currency'), press.currencyLine],
  ])
  return [
    [label('orderNumber'), facts.number],
    [label('orderDate'), day(facts.date)],
    ...(random.chance(0.6) ? rest : random.sample(rest, rest.length)),
  ]
}

export function drawOrderItems(press: Press, facts: OrderFacts, at: { x: number; y: number; width: number }): number {
  const options = pickItemTableOptions(press, facts.totals)
  return flowTable(press, { ...itemColumns(press, facts.items, options), look: pickTableLook(press), ...at, room: 150 })
}

/** Signature line and remark at the end of an order. */
export function drawOrderEnd(press: Press, facts: OrderFacts, at: { x: number; y: number; width: number }): void {
  const { random, label, style } = press
  let { y } = at
  if (facts.note !== null) y = write(press, facts.note, { ...at, y, size: style.size * 0.9 }) + 8
  if (random.chance(0.5)) {
    drawRule(press, { x: at.x, y: y + 26, width: Math.min(160, at.width) })
    write(press, label('signature'), { x: at.x, y: y + 29, size: style.size * 0.8, colour: style.grey })
  }
}
