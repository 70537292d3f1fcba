import { bankPairs, drawPairs, pairsOf, reachLines } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawBox, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import {
  drawRunningHead,
  drawWideEnd,
  drawWideItems,
  drawWideTotals,
  footColumns,
  invoicePairs,
} from './invoice-wide-parts.ts'
import { frameOf, type Layout } from './layout.ts'
import { addressLinesOf, drawFoot, drawName, drawReach, drawTitledName, drawWidePairs } from './wide-parts.ts'

/** Long tables: a head on every page, what has been summed at each break, titles of two lines. */
const longTable: Layout<InvoiceFacts> = {
  name: 'wide-long-table',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label, doc } = press
    const frame = frameOf(press)
    const words = wideWordsOf(press.locale)
    const half = frame.width / 2
    const boxTop = frame.y
    const nameEnd = drawName(press, {
      x: frame.x + 8,
      y: boxTop + 8,
      width: half - 20,
      party: facts.vendor,
      face: 'bold',
    })
    const reachEnd = drawReach(press, { x: frame.x + 8, y: nameEnd, width: half - 20, party: facts.vendor })
    const titleEnd =
      write(press, label('invoice'), { x: frame.x + half + 8, y: boxTop + 8, size: style.size * 1.5, face: 'bold' }) + 4
    const metaEnd = drawWidePairs(press, {
      x: frame.x + half + 8,
      y: titleEnd,
      width: half - 16,
      pairs: invoicePairs(press, facts),
      look: random.pick(['leaders', 'ruled', 'right-colon']),
      size: style.size * 0.9,
    })
    let y = Math.max(reachEnd, metaEnd) + 8
    drawBox(press, { x: frame.x, y: boxTop, width: frame.width, height: y - boxTop })
    drawBox(press, { x: frame.x, y: boxTop, width: half, height: y - boxTop })
    y =
      drawName(press, { x: frame.x + random.pick([0, half + 8]), y: y + 20, width: half - 10, party: facts.customer }) +
      20
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: ['position', 'description', 'quantity', 'unit', 'price', 'amount'],
        money: 'none',
        text: 'cell',
        numbering: random.pick(['plain', 'tens', 'dots']),
        sections: facts.items.length > 8 && random.chance(0.4),
      },
      look: { padding: random.pick([3, 5, 7]), lines: random.pick(['none', 'rules', 'verticals']) },
      carries: true,
      startPage: () =>
        drawRunningHead(
          press,
          `${facts.vendor.name} · ${facts.customer.name}`,
          `${label('invoiceNumber')} ${facts.number}`,
        ),
      room: 220,
    })
    const width = frame.width * 0.5
    y = drawWideTotals(press, {
      x: frame.right - width,
      y: y + 8,
      width,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['ruled-last', 'plain', 'band-last']),
    })
    y = drawWideEnd(press, facts, { x: frame.x, y: y + 10, width: frame.width, withBank: false })
    const { start, count } = doc.bufferedPageRange()
    for (let n = 0; n < count - 1; n += 1) {
      doc.switchToPage(start + n)
      write(press, pickWord(random.fork('overleaf'), words.overleaf), {
        x: frame.x,
        y: frame.bottom - 14,
        width: frame.width,
        align: 'right',
        size: style.size * 0.85,
      })
    }
    drawFoot(press, footColumns(press, facts, false).slice(2))
  },
}

/** Data and bank in a column at the right from head to foot, values in large type under small labels. */
const rightColumn: Layout<InvoiceFacts> = {
  name: 'wide-right-column',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label, doc } = press
    const frame = frameOf(press)
    const width = random.pick([140, 155, 170])
    const x = doc.page.width - width
    if (random.chance(0.6))
      drawBox(press, { x, y: 0, width, height: doc.page.height, fill: random.pick(['#f3f1ea', '#eef2f7', '#f5f5f5']) })
    else doc.lineWidth(0.8).moveTo(x, frame.y).lineTo(x, frame.bottom).stroke(style.accent)
    const inner = { x: x + 12, width: width - 26 }
    let side =
      write(press, label('invoice'), {
        ...inner,
        y: frame.y,
        size: Math.min(style.size * 1.6, ((width - 26) / textWidth(press, label('invoice'))) * style.size),
        face: 'bold',
      }) + 12
    side =
      drawPairs(press, { ...inner, y: side, pairs: invoicePairs(press, facts), look: 'above', size: style.size }) + 10
    if (facts.account !== null)
      side =
        drawPairs(press, {
          ...inner,
          y: side,
          pairs: bankPairs(press, facts.account),
          look: 'above',
          size: style.size * 0.8,
        }) + 10
    for (const line of reachLines(press, facts.vendor))
      side = write(press, line, { ...inner, y: side, size: style.size * 0.8 })
    const main = { x: frame.x, width: x - frame.x - 16 }
    let y = drawName(press, { ...main, y: frame.y, party: { ...facts.vendor, contact: null }, face: 'bold' }) + 36
    y = random.chance(0.4)
      ? drawName(press, { ...main, y, party: facts.customer })
      : drawTitledName(press, {
          ...main,
          y,
          title: label('billTo'),
          party: facts.customer,
          tone: random.pick(['small', 'colon', 'bold']),
        })
    y = drawWideItems(press, facts.items, {
      ...main,
      y: y + 24,
      spec: {
        cells: random.pick([
          ['description', 'quantityUnit', 'price', 'amount'],
          ['quantity', 'description', 'price', 'amount'],
          ['amount', 'description', 'quantity', 'price'],
        ] as const),
        money: random.pick(['none', 'amount']),
        text: 'cell',
      },
      look: { lines: random.pick(['none', 'rules', 'dashes']), padding: random.pick([2, 3]) },
      room: 170,
    })
    const pairs = totalsPairs(press, facts.totals)
    y = drawWideTotals(press, {
      x: main.x + main.width * 0.3,
      y: y + 8,
      width: main.width * 0.7,
      pairs,
      look: random.pick(['plain', 'ruled-last', 'leaders']),
    })
    drawWideEnd(press, facts, { ...main, y: y + 12, withBank: false })
    const shipTo = pairsOf([
      [label('shipTo'), facts.shipTo === null ? null : [facts.shipTo.name, ...addressLinesOf(facts.shipTo)].join(', ')],
    ])
    drawPairs(press, { ...main, y: frame.bottom - 24, pairs: shipTo, look: 'inline', size: style.size * 0.85 })
  },
}

export const wideInvoicesFour: readonly Layout<InvoiceFacts>[] = [longTable, rightColumn]
