import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawTotals, totalsPairs } from '../commerce.ts'
import { write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderEnd, drawOrderItems, orderPairs } from './order-parts.ts'

/** The supplier at the top left as the addressee, the buyer at the right; data under the items. */
const dataBelow: Layout<OrderFacts> = {
  name: 'data-below',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.46
    const pairs = orderPairs(press, facts)
    let y =
      write(press, `${label('order')} — ${label('orderNumber')} ${facts.number}`, {
        ...frame,
        size: style.size * 1.3,
        face: 'bold',
      }) + 6
    y = write(press, `${label('orderDate')}${style.suffix} ${press.day(facts.date)}`, { x: frame.x, y }) + 12
    const toEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.supplier,
      look: { title: label('supplier'), titleLook: 'band' },
    })
    const fromEnd = drawParty(press, {
      x: frame.right - half,
      y,
      width: half,
      party: facts.buyer,
      look: { title: label('buyer'), titleLook: 'band' },
    })
    y = drawOrderItems(press, facts, { x: frame.x, y: Math.max(toEnd, fromEnd) + 14, width: frame.width }) + 6
    const end = drawTotals(press, {
      x: frame.x + frame.width * 0.5,
      y,
      width: half,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['boxed', 'plain']),
    })
    const dataEnd = drawPairs(press, {
      x: frame.x,
      y: y + 4,
      width: frame.width * 0.44,
      pairs: pairs.slice(2),
      look: random.pick(['columns', 'above']),
    })
    y = Math.max(end, dataEnd) + 10
    if (facts.shipTo !== null)
      y = drawParty(press, {
        x: frame.x,
        y,
        width: half,
        party: nameAndAddress(facts.shipTo),
        look: { title: label('shipTo'), titleLook: 'small' },
      })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 10, width: frame.width })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: true })
  },
}

/** Parties stacked in a narrow column, data in a row of boxes at the very top. */
const stacked: Layout<OrderFacts> = {
  name: 'stacked',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y =
      drawPairs(press, { ...frame, pairs: orderPairs(press, facts), look: random.pick(['boxes', 'headed-row']) }) + 10
    y =
      write(press, label('order'), {
        x: frame.x,
        y,
        width: frame.width,
        align: 'right',
        size: style.size * 2,
        colour: style.accent,
      }) + 6
    const side = 140
    const size = Math.min(style.size, 8.5)
    let sideY =
      drawParty(press, {
        x: frame.x,
        y,
        width: side - 14,
        party: facts.buyer,
        look: { title: label('buyer'), titleLook: 'small', size },
      }) + 12
    sideY =
      drawParty(press, {
        x: frame.x,
        y: sideY,
        width: side - 14,
        party: facts.supplier,
        look: { title: label('supplier'), titleLook: 'small', size },
      }) + 12
    if (facts.shipTo !== null)
      drawParty(press, {
        x: frame.x,
        y: sideY,
        width: side - 14,
        party: nameAndAddress(facts.shipTo),
        look: { title: label('shipTo'), titleLook: 'small', size },
      })
    y = drawOrderItems(press, facts, { x: frame.x + side, y, width: frame.width - side }) + 8
    const totalsX = frame.x + side + (frame.width - side) * 0.4
    y = drawTotals(press, {
      x: totalsX,
      y,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['ruled', 'band-last']),
    })
    drawOrderEnd(press, facts, { x: frame.x + side, y: y + 10, width: frame.width - side })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

export const releasedOrders: readonly Layout<OrderFacts>[] = [dataBelow, stacked]
