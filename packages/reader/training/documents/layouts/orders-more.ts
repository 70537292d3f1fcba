import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawTotals, totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderEnd, drawOrderItems, orderPairs } from './order-parts.ts'

/** A boxed form: buyer left and data right in one frame, supplier and delivery in a second. */
const form: Layout<OrderFacts> = {
  name: 'boxed-form',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width / 2
    let y =
      write(press, label('order').toUpperCase(), { ...frame, align: 'center', size: style.size * 1.7, face: 'bold' }) +
      4
    const buyerEnd = drawParty(press, { x: frame.x + 6, y: y + 6, width: half - 12, party: facts.buyer, look: {} })
    const gridEnd = drawPairs(press, {
      x: frame.x + half,
      y,
      width: half,
      pairs: orderPairs(press, facts),
      look: 'grid',
    })
    const topEnd = Math.max(buyerEnd + 4, gridEnd)
    drawBox(press, { x: frame.x, y, width: frame.width, height: topEnd - y })
    y = topEnd
    const supplierEnd = drawParty(press, {
      x: frame.x + 6,
      y: y + 6,
      width: half - 12,
      party: facts.supplier,
      look: { title: label('supplier'), titleLook: 'small' },
    })
    const shipEnd =
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + half + 6,
            y: y + 6,
            width: half - 12,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo'), titleLook: 'small' },
          })
    const end = Math.max(supplierEnd, shipEnd) + 4
    drawBox(press, { x: frame.x, y, width: frame.width, height: end - y })
    y = drawOrderItems(press, facts, { x: frame.x, y: end + 8, width: frame.width })
    const totalsX = frame.x + frame.width * 0.6
    drawTotals(press, {
      x: totalsX,
      y,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: 'grid',
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 12, width: frame.width * 0.5 })
    numberPages(press, { y: frame.bottom + 4, align: random.pick(['right', 'center']), always: random.chance(0.5) })
  },
}

/** A letter to the supplier: address window left, data in lines at the right, the number in the heading. */
const letter: Layout<OrderFacts> = {
  name: 'order-letter',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.right - 36, y: frame.y, size: 36 })
    write(press, facts.buyer.name, {
      x: frame.x,
      y: frame.y,
      size: style.size * 1.6,
      face: 'bold',
      colour: style.accent,
    })
    const senderEnd = drawParty(press, {
      x: frame.x,
      y: frame.y + style.size * 2.2,
      width: frame.width * 0.75,
      party: facts.buyer,
      look: { hideName: true, size: 7.4, joined: ' · ' },
    })
    let y = Math.max(senderEnd + 16, frame.y + 90)
    const half = frame.width * 0.48
    const toEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.supplier,
      look: random.chance(0.5) ? { title: label('supplier'), titleLook: 'small' } : {},
    })
    const metaEnd = drawPairs(press, {
      x: frame.right - half,
      y,
      width: half,
      pairs: orderPairs(press, facts),
      look: random.pick(['columns', 'inline', 'spread', 'right']),
    })
    y = Math.max(toEnd, metaEnd) + 20
    y =
      write(press, `${label('order')} ${random.chance(0.6) ? facts.number : ''}`.trim(), {
        x: frame.x,
        y,
        size: style.size * 1.5,
        face: 'bold',
      }) + 8
    if (facts.shipTo !== null)
      y =
        drawParty(press, {
          x: frame.x,
          y,
          width: frame.width,
          party: nameAndAddress(facts.shipTo),
          look: { title: label('shipTo'), joined: ', ' },
        }) + 8
    y = drawOrderItems(press, facts, { x: frame.x, y, width: frame.width })
    const totalsX = frame.x + frame.width * 0.55
    y = drawTotals(press, {
      x: totalsX,
      y: y + 4,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['plain', 'ruled']),
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 14, width: frame.width * 0.6 })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: random.chance(0.5) })
  },
}

/** A coloured band with title and number; data as small captions; delivery data in a tinted panel at the right. */
const panel: Layout<OrderFacts> = {
  name: 'panel',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    drawBox(press, { x: 0, y: 0, width: doc.page.width, height: 56, fill: style.accent })
    write(press, label('order'), { x: frame.x, y: 18, size: style.size * 1.9, face: 'bold', colour: '#ffffff' })
    const panelWidth = frame.width * 0.34
    const panelX = frame.right - panelWidth
    const pairsEnd = drawPairs(press, {
      x: panelX + 10,
      y: 82,
      width: panelWidth - 20,
      pairs: orderPairs(press, facts),
      look: 'above',
    })
    drawBox(press, { x: panelX, y: 72, width: panelWidth, height: pairsEnd - 70, stroke: style.accent })
    const half = frame.width * 0.3
    const titleLook = random.pick(['small', 'bold'] as const)
    const ends = [
      drawParty(press, {
        x: frame.x,
        y: 76,
        width: half,
        party: facts.buyer,
        look: { title: label('buyer'), titleLook },
      }),
      drawParty(press, {
        x: frame.x + half + 10,
        y: 76,
        width: half,
        party: facts.supplier,
        look: { title: label('supplier'), titleLook },
      }),
    ]
    let y = Math.max(...ends) + 10
    if (facts.shipTo !== null)
      y = drawParty(press, {
        x: frame.x,
        y,
        width: half * 2,
        party: nameAndAddress(facts.shipTo),
        look: { title: label('shipTo'), titleLook },
      })
    y = drawOrderItems(press, facts, { x: frame.x, y: Math.max(y, pairsEnd) + 16, width: frame.width })
    const totalsX = frame.x + frame.width * 0.58
    drawTotals(press, {
      x: totalsX,
      y: y + 6,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['band-last', 'plain']),
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 14, width: frame.width * 0.45 })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: random.chance(0.5) })
  },
}

/** Centred head of the buyer, supplier as labelled lines, sums over the whole width. */
const plain: Layout<OrderFacts> = {
  name: 'plain-order',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y = drawParty(press, {
      ...frame,
      party: facts.buyer,
      look: { align: 'center', nameSize: style.size * 1.6, joined: ', ' },
    })
    drawRule(press, { x: frame.x, y: y + 3, width: frame.width })
    y =
      write(press, label('order'), {
        ...frame,
        y: y + 14,
        align: random.pick(['left', 'center']),
        size: style.size * 1.6,
        face: 'bold',
      }) + 8
    const pairs = orderPairs(press, facts)
    const middle = Math.ceil(pairs.length / 2)
    const half = frame.width * 0.46
    const look = random.pick(['columns', 'inline'] as const)
    const ends = [pairs.slice(0, middle), pairs.slice(middle)].map((part, n) =>
      drawPairs(press, { x: n === 0 ? frame.x : frame.right - half, y, width: half, pairs: part, look }),
    )
    y = Math.max(...ends) + 12
    const supplierEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.supplier,
      look: { title: label('supplier') },
    })
    const shipEnd =
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.right - half,
            y,
            width: half,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo') },
          })
    y = drawOrderItems(press, facts, { x: frame.x, y: Math.max(supplierEnd, shipEnd) + 14, width: frame.width })
    y = drawTotals(press, {
      x: frame.x,
      y: y + 4,
      width: frame.width,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['ruled', 'grid']),
    })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 12, width: frame.width })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

export const moreOrders: readonly Layout<OrderFacts>[] = [form, letter, panel, plain]
