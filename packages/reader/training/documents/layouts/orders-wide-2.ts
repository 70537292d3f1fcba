import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { drawTotals, totalsPairs } from '../commerce.ts'
import { drawBox, drawRule, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { drawWideItems, drawWideTotals } from './invoice-wide-parts.ts'
import { frameOf, type Layout } from './layout.ts'
import { drawOrderNotes, reviseNetOnly, reviseOrderDiscounts, widePairs } from './order-wide-parts.ts'
import { addressLinesOf, drawName, drawReach, drawTitledName, drawWidePairs } from './wide-parts.ts'

/** A typed memo: to, from and data in lines with colons, descriptions over their figures, the sum at the left. */
const memo: Layout<OrderFacts> = {
  name: 'wide-memo',
  keptOut: false,
  revise: (facts, random) => (random.chance(0.5) ? reviseNetOnly(facts) : facts),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y =
      write(press, label('order'), {
        ...frame,
        align: random.pick(['center', 'left']),
        size: style.size * 1.3,
        face: 'bold',
        spacing: 1,
      }) + 12
    const join = random.pick([', ', ' · ', ' - '])
    const oneLine = (name: string, lines: readonly string[]) => [name, ...lines].join(join)
    const parties = [
      [label('supplier'), oneLine(facts.supplier.name, addressLinesOf(facts.supplier))],
      [label('buyer'), oneLine(facts.buyer.name, addressLinesOf(facts.buyer))],
      ...(facts.shipTo === null
        ? []
        : [[label('shipTo'), oneLine(facts.shipTo.name, addressLinesOf(facts.shipTo))] as const]),
    ] as const
    const stacked = random.chance(0.5)
    for (const [title, text] of parties) {
      if (stacked) y = write(press, `${title}:`, { x: frame.x, y, face: 'bold' })
      else write(press, `${title}:`, { x: frame.x, y, width: 108, face: 'bold' })
      const x = frame.x + (stacked ? 14 : 112)
      y = write(press, text, { x, y, width: frame.right - x }) + 3
    }
    y =
      drawPairs(press, {
        x: frame.x,
        y: y + 6,
        width: frame.width,
        pairs: widePairs(press, facts),
        look: random.pick(['columns', 'inline']),
      }) + 8
    drawRule(press, { x: frame.x, y, width: frame.width, dash: true })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: y + 8,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['position', 'sku', 'quantityUnit', 'price', 'amount'],
          ['quantity', 'unit', 'sku', 'price', 'amount'],
        ] as const),
        money: random.pick(['none', 'all']),
        text: random.pick(['over', 'under']),
        numbering: 'zeros',
      },
      look: {
        lines: random.pick(['none', 'dashes', 'rules']),
        header: random.pick(['bare', 'rule']),
        padding: random.pick([2.5, 4]),
      },
      room: 170,
    })
    y = drawWideTotals(press, {
      x: frame.x,
      y: y + 10,
      width: frame.width * 0.45,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['leaders', 'plain', 'right-colon']),
    })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 12, width: frame.width, signers: 1 })
  },
}

/** Data and contact in a column at the left from head to foot. */
const leftColumn: Layout<OrderFacts> = {
  name: 'wide-left-column',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label, doc } = press
    const frame = frameOf(press)
    const width = random.pick([138, 150, 165])
    drawBox(press, { x: 0, y: 0, width, height: doc.page.height, fill: random.pick(['#f2f2ee', '#e9eff5', '#f6efe9']) })
    const inner = { x: 16, width: width - 26 }
    let side =
      drawPairs(press, {
        ...inner,
        y: frame.y + 40,
        pairs: widePairs(press, facts),
        look: 'above',
        size: style.size * 0.95,
      }) + 14
    for (const line of reachLines(press, facts.buyer))
      side = write(press, line, { ...inner, y: side, size: style.size * 0.8 })
    const main = { x: width + 16, width: frame.right - width - 16 }
    let y =
      write(press, label('order'), {
        ...main,
        y: frame.y,
        size: style.size * 2,
        face: 'bold',
        align: random.pick(['left', 'right']),
      }) + 8
    y = drawName(press, { ...main, y, party: facts.buyer, face: 'bold' }) + 14
    const tone = random.pick(['small', 'bold', 'colon'] as const)
    y = drawTitledName(press, { ...main, y, title: label('supplier'), party: facts.supplier, tone }) + 10
    if (facts.shipTo !== null)
      y = drawTitledName(press, { ...main, y, title: label('shipTo'), party: facts.shipTo, tone }) + 10
    y = drawWideItems(press, facts.items, {
      ...main,
      y: y + 8,
      spec: { cells: ['position', 'description', 'quantityUnit', 'price', 'amount'], money: 'none', text: 'cell' },
      look: { lines: random.pick(['none', 'rules', 'dashes']), padding: 2.5 },
      room: 170,
    })
    y = drawWideTotals(press, {
      x: main.x + main.width * 0.3,
      y: y + 8,
      width: main.width * 0.7,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['plain', 'ruled-last', 'ruled']),
    })
    drawOrderNotes(press, facts, { ...main, y: y + 12, signers: random.pick([0, 1]) })
  },
}

/** Lines with discounts; buyer and supplier side by side, values before labels. */
const discounted: Layout<OrderFacts> = {
  name: 'wide-discounted-order',
  keptOut: false,
  revise: reviseOrderDiscounts,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.48
    const buyerEnd = drawName(press, { x: frame.x, y: frame.y, width: half, party: facts.buyer, face: 'bold' })
    const reachEnd = drawReach(press, { x: frame.x, y: buyerEnd, width: half, party: facts.buyer })
    write(press, label('order'), {
      x: frame.right - half,
      y: frame.y,
      width: half,
      align: 'right',
      size: style.size * 1.6,
      face: 'bold',
      colour: style.accent,
    })
    const metaEnd = drawWidePairs(press, {
      x: frame.right - half,
      y: frame.y + style.size * 2.6,
      width: half,
      pairs: widePairs(press, facts),
      look: random.pick(['value-first', 'right-colon', 'ruled', 'leaders']),
    })
    let y = Math.max(reachEnd, metaEnd) + 16
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 1.5, colour: style.accent })
    const tone = random.pick(['colon', 'small', 'band'] as const)
    const supplierEnd = drawTitledName(press, {
      x: frame.x,
      y: y + 10,
      width: half,
      title: label('supplier'),
      party: facts.supplier,
      tone,
    })
    const shipEnd =
      facts.shipTo === null
        ? y
        : drawTitledName(press, {
            x: frame.right - half,
            y: y + 10,
            width: half,
            title: label('shipTo'),
            party: facts.shipTo,
            tone,
          })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: Math.max(supplierEnd, shipEnd) + 14,
      width: frame.width,
      spec: {
        cells: ['position', 'sku', 'description', 'quantity', 'unit', 'price', 'discount', 'amount'],
        money: random.pick(['none', 'amount']),
        text: 'cell',
      },
      room: 190,
    })
    y = drawTotals(press, {
      x: frame.x + half,
      y: y + 6,
      width: frame.width - half,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['grid', 'plain', 'boxed', 'band-last']),
    })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 12, width: frame.width, signers: 2 })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

export const wideOrdersTwo: readonly Layout<OrderFacts>[] = [memo, leftColumn, discounted]
