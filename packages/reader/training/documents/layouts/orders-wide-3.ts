import { numberPages } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawBox, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { drawRunningHead, drawWideItems, drawWideTotals } from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderNotes, reviseOrderRates, widePairs, writeRevision } from './order-wide-parts.ts'
import { addressLinesOf, drawTitledName, drawWidePairs } from './wide-parts.ts'

/** Long orders: a head on each page with number and revision, sums carried at each break, rates by line. */
const longOrder: Layout<OrderFacts> = {
  name: 'wide-long-order',
  keptOut: false,
  revise: (facts, random, locale) => (random.chance(0.5) ? reviseOrderRates(facts, random, locale) : facts),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const revision = writeRevision(press)
    const head = () => drawRunningHead(press, facts.buyer.name, `${label('orderNumber')} ${facts.number} · ${revision}`)
    let y = head() + 6
    y = write(press, label('order'), { ...frame, y, align: 'center', size: style.size * 1.5, face: 'bold' }) + 8
    const half = frame.width * 0.5
    const boxTop = y
    const leftEnd = drawTitledName(press, {
      x: frame.x + 6,
      y: y + 6,
      width: half - 14,
      title: label('supplier'),
      party: facts.supplier,
      tone: 'small',
    })
    const buyerEnd = drawTitledName(press, {
      x: frame.x + 6,
      y: leftEnd + 8,
      width: half - 14,
      title: label('buyer'),
      party: facts.buyer,
      tone: 'small',
    })
    const metaEnd = drawWidePairs(press, {
      x: frame.x + half + 6,
      y: y + 6,
      width: half - 12,
      pairs: widePairs(press, facts),
      look: random.pick(['leaders', 'right-colon', 'stacked']),
      size: style.size * 0.92,
    })
    const shipEnd =
      facts.shipTo === null
        ? metaEnd
        : drawTitledName(press, {
            x: frame.x + half + 6,
            y: metaEnd + 8,
            width: half - 14,
            title: label('shipTo'),
            party: nameAndAddress(facts.shipTo),
            tone: 'small',
          })
    y = Math.max(buyerEnd, shipEnd) + 6
    drawBox(press, { x: frame.x, y: boxTop, width: half, height: y - boxTop })
    drawBox(press, { x: frame.x + half, y: boxTop, width: half, height: y - boxTop })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: y + 10,
      width: frame.width,
      spec: {
        cells: ['position', 'sku', 'description', 'rate', 'quantity', 'unit', 'price', 'amount'],
        money: 'none',
        text: 'cell',
        numbering: random.pick(['tens', 'dots', 'zeros']),
      },
      look: { padding: random.pick([3, 5, 7]) },
      carries: true,
      startPage: head,
      room: 170,
    })
    y = drawWideTotals(press, {
      x: frame.x + half,
      y: y + 8,
      width: half,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['ruled-last', 'plain', 'leaders']),
    })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 10, width: frame.width, signers: random.pick([0, 2]) })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: true })
  },
}

/** A form of a public office: rows of cells with small labels over their values, no table around the items. */
const cellForm: Layout<OrderFacts> = {
  name: 'wide-cell-form',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const small = { size: style.size * 0.75, colour: style.grey }
    const cells = (entries: readonly (readonly [string, string])[], top: number) => {
      const width = frame.width / entries.length
      const ends = entries.map(([name, text], n) => {
        const place = { x: frame.x + n * width + 4, width: width - 8 }
        return write(press, text, { ...place, y: write(press, name, { ...place, y: top + 3, ...small, gap: 1 }) + 1 })
      })
      const end = Math.max(...ends) + 2
      for (const n of entries.keys()) drawBox(press, { x: frame.x + n * width, y: top, width, height: end - top })
      return end
    }
    const partyText = ({ name, contact, ...party }: OrderFacts['buyer']) =>
      [
        name,
        ...(contact === null ? [] : [`${label('attention')} ${contact}`]),
        ...addressLinesOf({ name, contact, ...party }),
      ].join('\n')
    let y =
      write(press, label('order'), {
        ...frame,
        align: random.pick(['left', 'right', 'center']),
        size: style.size * 1.6,
        face: 'bold',
      }) + 6
    y = cells(
      [
        [label('buyer'), partyText(facts.buyer)],
        [label('supplier'), partyText(facts.supplier)],
      ],
      y,
    )
    if (facts.shipTo !== null) y = cells([[label('shipTo'), partyText(nameAndAddress(facts.shipTo))]], y)
    const pairs = widePairs(press, facts)
    for (let n = 0; n < pairs.length; n += 3) y = cells(pairs.slice(n, n + 3), y)
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: y + 12,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['quantityUnit', 'description', 'price', 'amount'],
          ['sku', 'quantity', 'description', 'price', 'amount'],
        ] as const),
        money: random.pick(['none', 'all']),
        text: 'cell',
      },
      look: { lines: random.pick(['none', 'grid']), header: random.pick(['rule', 'two-rules', 'tint']) },
      room: 170,
    })
    y = cells(totalsPairs(press, facts.totals, 'orderTotal'), y + 8)
    drawOrderNotes(press, facts, { x: frame.x, y: y + 14, width: frame.width, signers: 2 })
  },
}

export const wideOrdersThree: readonly Layout<OrderFacts>[] = [longOrder, cellForm]
