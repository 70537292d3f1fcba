import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawTotals, totalsPairs } from '../commerce.ts'
import { drawLogo, drawRule, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { keptOutOrders } from './commerce-kept-out.ts'
import { fourthOrders } from './commerce-kept-out-4.ts'
import { composedOrders } from './composed.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderEnd, drawOrderItems, orderPairs } from './order-parts.ts'
import { moreOrders } from './orders-more.ts'
import { releasedOrders } from './orders-released-1.ts'
import { releasedOrdersTwo } from './orders-released-2.ts'
import { wideOrders } from './orders-wide.ts'

/** Buyer's letterhead and the order's data at the top; supplier and delivery side by side. */
const letterhead: Layout<OrderFacts> = {
  name: 'letterhead',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    if (random.chance(0.6)) drawLogo(press, { x: frame.right - 38, y: frame.y, size: 38 })
    const buyerEnd = drawParty(press, {
      x: frame.x,
      y: frame.y,
      width: frame.width * 0.5,
      party: facts.buyer,
      look: { nameSize: style.size * 1.4 },
    })
    let y =
      write(press, label('order'), {
        x: frame.x,
        y: buyerEnd + 12,
        width: frame.width,
        size: style.size * 2,
        face: 'bold',
        colour: style.accent,
        align: random.pick(['left', 'center']),
      }) + 6
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: orderPairs(press, facts),
        look: random.pick(['boxes', 'headed-row']),
      }) + 12
    const half = frame.width * 0.46
    const titleLook = random.pick(['band', 'bold', 'small'] as const)
    const supplierEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.supplier,
      look: { title: label('supplier'), titleLook },
    })
    const shipEnd =
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.right - half,
            y,
            width: half,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo'), titleLook },
          })
    y = drawOrderItems(press, facts, { x: frame.x, y: Math.max(supplierEnd, shipEnd) + 16, width: frame.width })
    const totalsX = frame.x + frame.width * 0.58
    drawTotals(press, {
      x: totalsX,
      y: y + 6,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['plain', 'ruled', 'grid', 'boxed']),
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 14, width: frame.width * 0.5 })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: random.chance(0.5) })
  },
}

/** The title with number and data at the right; buyer, supplier and delivery in a row of three. */
const threeParties: Layout<OrderFacts> = {
  name: 'three-parties',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    write(press, label('order'), { x: frame.x, y: frame.y, size: style.size * 2.2, face: 'bold' })
    const metaX = frame.x + frame.width * 0.55
    let y =
      drawPairs(press, {
        x: metaX,
        y: frame.y,
        width: frame.right - metaX,
        pairs: orderPairs(press, facts),
        look: random.pick(['columns', 'grid', 'right', 'spread']),
      }) + 14
    drawRule(press, { x: frame.x, y: y - 6, width: frame.width, colour: style.accent })
    const third = frame.width / 3
    const parties = [
      [label('buyer'), facts.buyer],
      [label('supplier'), facts.supplier],
      ...(facts.shipTo === null ? [] : [[label('shipTo'), nameAndAddress(facts.shipTo)] as const]),
    ] as const
    const titleLook = random.pick(['band', 'bold', 'small'] as const)
    const ends = parties.map(([title, party], n) =>
      drawParty(press, { x: frame.x + n * third, y, width: third - 10, party, look: { title, titleLook } }),
    )
    y = drawOrderItems(press, facts, { x: frame.x, y: Math.max(...ends) + 14, width: frame.width })
    const totalsX = frame.x + frame.width * 0.6
    y = drawTotals(press, {
      x: totalsX,
      y: y + 4,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['plain', 'band-last', 'ruled']),
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 10, width: frame.width })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

export const orderLayouts: readonly Layout<OrderFacts>[] = [
  letterhead,
  threeParties,
  ...moreOrders,
  ...wideOrders,
  ...composedOrders,
  ...releasedOrders,
  ...releasedOrdersTwo,
  ...keptOutOrders,
  ...fourthOrders,
]
