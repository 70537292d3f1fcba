import { drawPairs, drawParty, numberPages, type Pair } from '../blocks.ts'
import { drawTotals, totalsPairs } from '../commerce.ts'
import { drawBox, drawRule, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Press } from '../press.ts'
import { flowTable, frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderEnd, drawOrderItems, orderPairs } from './order-parts.ts'
import { drawHeading, drawPartyLine, drawPartyRow, drawRuledSums, makeRoom, printed } from './released-parts.ts'

/** A public body's form in numbered sections: data, parties in rows, goods, delivery, terms. */
const sections: Layout<OrderFacts> = {
  name: 'numbered-sections',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { style, label, day } = press
    const frame = frameOf(press)
    const [order, parties, items, delivery, terms] = printed(press).sections
    let count = 0
    const head = (text: string, y: number) => {
      count += 1
      return drawHeading(press, { ...frame, y, text: `${count}.  ${text}` })
    }
    const rows = (y: number, pairs: readonly Pair[]) => drawPairs(press, { ...frame, y, pairs, look: 'columns' }) + 8
    let y = write(press, label('order'), { ...frame, size: style.size * 1.7, face: 'bold' }) + 8
    const about: Pair[] = [
      [label('orderNumber'), facts.number],
      [label('orderDate'), day(facts.date)],
      ...(facts.contact === null ? [] : [[label('contact'), facts.contact] as const]),
      ...(facts.reference === null ? [] : [[label('reference'), facts.reference] as const]),
    ]
    y = rows(head(order, y), about)
    y = drawPartyRow(press, { ...frame, y: head(parties, y), label: label('buyer'), party: facts.buyer })
    y = drawPartyRow(press, { ...frame, y, label: label('supplier'), party: facts.supplier }) + 4
    y = drawOrderItems(press, facts, { x: frame.x, y: head(items, y), width: frame.width }) + 8
    const sums = totalsPairs(press, facts.totals, 'orderTotal')
    y = drawRuledSums(press, { x: frame.x + frame.width * 0.45, y, width: frame.width * 0.55, pairs: sums }) + 10
    const when: Pair[] = [
      ...(facts.deliveryDate === null ? [] : [[label('deliveryDate'), day(facts.deliveryDate)] as const]),
      ...(facts.shippingTerms === null ? [] : [[label('shippingTerms'), facts.shippingTerms] as const]),
    ]
    if (when.length > 0 || facts.shipTo !== null) {
      y = head(delivery, makeRoom(press, y, 120))
      if (facts.shipTo !== null)
        y = drawPartyRow(press, { ...frame, y, label: label('shipTo'), party: nameAndAddress(facts.shipTo) })
      y = rows(y, when)
    }
    const agreed: Pair[] = [
      ...(facts.terms === null ? [] : [[label('terms'), facts.terms] as const]),
      ...(press.currencyLine === null ? [] : [[label('currency'), press.currencyLine] as const]),
    ]
    if (agreed.length > 0) y = rows(head(terms, makeRoom(press, y, 90)), agreed)
    drawOrderEnd(press, facts, { x: frame.x, y: makeRoom(press, y, 70) + 6, width: frame.width })
    numberPages(press, { y: frame.bottom + 6, align: 'center', always: true })
  },
}

/** Article number over what it is, quantity over its unit: titles and rows of two lines. */
function drawTwoLineItems(press: Press, facts: OrderFacts, y: number): number {
  const { label, bare, quantity, random } = press
  const frame = frameOf(press)
  const hasSku = facts.items.some(({ sku }) => sku !== null)
  const hasUnit = facts.items.some(({ unit }) => unit !== null)
  const stack = (...lines: (string | null)[]) => lines.filter((line) => line !== null && line !== '').join('\n')
  const columns = [
    { title: label('position'), align: 'left' },
    { title: stack(hasSku ? label('sku') : null, label('description')), align: 'left', grows: true },
    { title: stack(label('quantity'), hasUnit ? label('unit') : null), align: 'right' },
    { title: label('unitPrice'), align: 'right' },
    { title: label('amount'), align: 'right' },
  ] as const
  const rows = facts.items.map((item, n) => [
    String((n + 1) * 10),
    stack(item.sku, item.description, item.note),
    stack(item.quantity === null ? '' : quantity(item.quantity), item.unit),
    item.unitCents === null ? '' : bare(item.unitCents),
    bare(item.amountCents),
  ])
  const look = { lines: random.pick(['rules', 'outline', 'none'] as const), header: 'underlined', padding: 3 } as const
  return flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 170 })
}

/** A manufacturer's: the supplier's address in a window, data in a box, items of two lines, terms as lines of text. */
const twoLines: Layout<OrderFacts> = {
  name: 'two-line-items',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { style, label, day } = press
    const frame = frameOf(press)
    let y = drawPartyLine(press, { ...frame, party: facts.buyer, nameSize: style.size * 1.3 }) + 20
    const half = frame.width * 0.48
    const look = { title: label('supplier'), titleLook: 'small' } as const
    const toEnd = drawParty(press, { x: frame.x, y, width: half, party: facts.supplier, look })
    const boxX = frame.right - half
    const titleEnd = write(press, label('order'), { x: boxX + 8, y: y + 6, face: 'bold', size: style.size * 1.2 })
    const pairs: Pair[] = [
      [`${label('orderNumber')} · ${label('orderDate')}`, `${facts.number} · ${day(facts.date)}`],
      ...orderPairs(press, facts).slice(2),
    ]
    const pairsEnd = drawPairs(press, { x: boxX + 8, y: titleEnd, width: half - 16, pairs, look: 'above' })
    drawBox(press, { x: boxX, y, width: half, height: pairsEnd - y + 4, stroke: style.ink })
    y = Math.max(toEnd, pairsEnd + 4) + 12
    if (facts.shipTo !== null) {
      y = write(press, `${label('shipTo')}:`, { x: frame.x, y, face: 'bold' })
      y = drawParty(press, { ...frame, y, party: nameAndAddress(facts.shipTo), look: { joined: ', ' } }) + 10
    }
    y = drawTwoLineItems(press, facts, y) + 6
    const sums = totalsPairs(press, facts.totals, 'orderTotal')
    y = drawTotals(press, { x: frame.x + half, y, width: frame.width - half, pairs: sums, look: 'plain' })
    drawOrderEnd(press, facts, { x: frame.x, y: y + 14, width: frame.width })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: true })
  },
}

/** A retailer's sheet on its side: four boxes for parties and data over a wide table. */
const wideSheet: Layout<OrderFacts> = {
  name: 'sideways-order',
  keptOut: false,
  released: 2,
  sideways: true,
  draw(press, facts) {
    const { style, label, random } = press
    const frame = frameOf(press)
    const top =
      write(press, label('order'), { ...frame, size: style.size * 1.5, face: 'bold', colour: style.accent }) + 8
    const size = Math.min(style.size, 9)
    const boxes: ((x: number, width: number) => number)[] = [
      (x, width) => drawPairs(press, { x, y: top + 6, width, pairs: orderPairs(press, facts), look: 'above', size }),
      (x, width) =>
        drawParty(press, { x, y: top + 6, width, party: facts.supplier, look: { title: label('supplier'), size } }),
      (x, width) =>
        drawParty(press, { x, y: top + 6, width, party: facts.buyer, look: { title: label('buyer'), size } }),
    ]
    const { shipTo } = facts
    if (shipTo !== null)
      boxes.push((x, width) =>
        drawParty(press, {
          x,
          y: top + 6,
          width,
          party: nameAndAddress(shipTo),
          look: { title: label('shipTo'), size },
        }),
      )
    const cell = frame.width / boxes.length
    const ends = boxes.map((draw, n) => draw(frame.x + n * cell + 7, cell - 14))
    const end = Math.max(...ends) + 4
    for (const n of boxes.keys())
      drawBox(press, { x: frame.x + n * cell, y: top, width: cell, height: end - top, stroke: style.grey })
    let y = drawOrderItems(press, facts, { x: frame.x, y: end + 12, width: frame.width })
    y = makeRoom(press, y + 8, 130)
    const sums = totalsPairs(press, facts.totals, 'orderTotal')
    const width = frame.width * 0.36
    drawTotals(press, { x: frame.right - width, y, width, pairs: sums, look: random.pick(['grid', 'boxed']) })
    drawOrderEnd(press, facts, { x: frame.x, y, width: frame.width * 0.55 })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: true })
  },
}

/** Number and day under the title, the goods at once; parties, delivery and terms under the sums. */
const partiesLast: Layout<OrderFacts> = {
  name: 'parties-last',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { style, label, day, random } = press
    const frame = frameOf(press)
    let y = write(press, label('order'), { ...frame, align: 'center', size: style.size * 1.8, face: 'bold' })
    const centred = { x: frame.x, width: frame.width, align: 'center' } as const
    y = write(press, `${label('orderNumber')}: ${facts.number}`, { ...centred, y })
    y = write(press, `${label('orderDate')}: ${day(facts.date)}`, { ...centred, y }) + 14
    y = drawOrderItems(press, facts, { x: frame.x, y, width: frame.width }) + 8
    const sums = totalsPairs(press, facts.totals, 'orderTotal')
    y =
      drawTotals(press, { x: frame.x, y, width: frame.width, pairs: sums, look: random.pick(['plain', 'band-last']) }) +
      14
    y = makeRoom(press, y, 210)
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 1.5, colour: style.accent })
    y += 8
    const third = frame.width / 3
    const ends = [
      drawParty(press, { x: frame.x, y, width: third - 12, party: facts.buyer, look: { title: label('buyer') } }),
      drawParty(press, {
        x: frame.x + third,
        y,
        width: third - 12,
        party: facts.supplier,
        look: { title: label('supplier') },
      }),
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + 2 * third,
            y,
            width: third,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo') },
          }),
    ]
    y = makeRoom(press, Math.max(...ends) + 12, 90)
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: orderPairs(press, facts).slice(2),
        look: 'inline',
      }) + 8
    drawOrderEnd(press, facts, { x: frame.x, y, width: frame.width })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: random.chance(0.5) })
  },
}

export const releasedOrdersTwo: readonly Layout<OrderFacts>[] = [sections, twoLines, wideSheet, partiesLast]
