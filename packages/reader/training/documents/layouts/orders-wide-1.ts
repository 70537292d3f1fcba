import { numberPages, reachLines } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, write } from '../ink.ts'
import type { OrderFacts } from '../order-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import { drawWideItems, drawWideTotals } from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderNotes, reviseWantedDays, widePairs, writeRevision } from './order-wide-parts.ts'
import { addressLinesOf, drawFoot, drawTitledName, drawWidePairs, drawWindow } from './wide-parts.ts'

/** A letter to the supplier behind a window; each line has a day of its own. */
const windowOrder: Layout<OrderFacts> = {
  name: 'wide-window-order',
  keptOut: false,
  revise: (facts, random) => (random.chance(0.6) ? reviseWantedDays(facts, random) : facts),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const words = wideWordsOf(press.locale)
    write(press, facts.buyer.name, {
      ...frame,
      align: random.pick(['right', 'center', 'left']),
      size: style.size * 1.9,
      face: 'bold',
      colour: style.accent,
    })
    const half = frame.width * 0.5
    const addressEnd = drawWindow(press, {
      x: frame.x,
      y: frame.y + 60,
      width: half,
      sender: facts.buyer,
      to: facts.supplier,
    })
    const inSubject = random.chance(0.5)
    const metaEnd = drawWidePairs(press, {
      x: frame.x + half + 20,
      y: frame.y + 60,
      width: half - 20,
      pairs: widePairs(press, facts, inSubject ? ['number'] : []),
      look: random.pick(['right-colon', 'ruled', 'stacked']),
      size: style.size * 0.95,
    })
    let y = Math.max(addressEnd, metaEnd) + 22
    y =
      write(press, inSubject ? `${label('orderNumber')} ${facts.number}` : label('order'), {
        x: frame.x,
        y,
        size: style.size * 1.35,
        face: 'bold',
      }) + 6
    y = write(press, pickWord(random, words.orderOpening), { x: frame.x, y, width: frame.width }) + 8
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: ['position', 'sku', 'description', 'wanted', 'quantityUnit', 'price', 'amount'],
        money: 'none',
        text: 'cell',
        numbering: random.pick(['tens', 'plain', 'zeros']),
      },
      look: { lines: random.pick(['none', 'rules', 'dashes']), header: random.pick(['rule', 'two-rules', 'bare']) },
      carries: random.chance(0.5),
      room: 240,
    })
    const x = frame.x + half
    y = drawWideTotals(press, {
      x,
      y: y + 8,
      width: frame.right - x,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['plain', 'ruled-last', 'leaders']),
    })
    if (facts.shipTo !== null)
      y = write(press, `${label('shipTo')}: ${[facts.shipTo.name, ...addressLinesOf(facts.shipTo)].join(', ')}`, {
        x: frame.x,
        y: y + 10,
        width: frame.width,
      })
    write(press, pickWord(random, words.closing), { x: frame.x, y: y + 12 })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 32, width: frame.width, signers: 0 })
    drawFoot(press, [[facts.buyer.name, ...addressLinesOf(facts.buyer)], reachLines(press, facts.buyer)])
  },
}

/** Parties in three titled columns, data in ruled rows of header over value, sums in the table's last rows. */
const threeColumns: Layout<OrderFacts> = {
  name: 'wide-three-columns',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.right - 34, y: frame.y, size: 34 })
    let y =
      write(press, label('order').toUpperCase(), { x: frame.x, y: frame.y, size: style.size * 1.9, face: 'bold' }) + 18
    const parties = [
      { title: label('buyer'), party: facts.buyer },
      { title: label('supplier'), party: facts.supplier },
      ...(facts.shipTo === null ? [] : [{ title: label('shipTo'), party: nameAndAddress(facts.shipTo) }]),
    ]
    const drawn = random.chance(0.5) ? parties : [...parties.slice(1, 2), ...parties.slice(2), ...parties.slice(0, 1)]
    const cell = frame.width / drawn.length
    const tone = random.pick(['band', 'small', 'bold'] as const)
    const ends = drawn.map(({ title, party }, n) =>
      drawTitledName(press, { x: frame.x + n * cell, y: y + 3, width: cell - 8, title, party, tone }),
    )
    const end = Math.max(...ends) + 4
    if (random.chance(0.5))
      for (const n of drawn.keys()) drawBox(press, { x: frame.x + n * cell - 4, y, width: cell, height: end - y })
    y =
      drawWidePairs(press, {
        x: frame.x,
        y: end + 10,
        width: frame.width,
        pairs: widePairs(press, facts),
        look: 'table',
        size: style.size * 0.92,
      }) + 12
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['position', 'quantity', 'unit', 'sku', 'description', 'price', 'amount'],
          ['sku', 'description', 'quantityUnit', 'price', 'amount'],
        ] as const),
        money: random.pick(['none', 'all']),
        text: 'cell',
      },
      look: { lines: random.pick(['grid', 'verticals', 'heavy']) },
      withTotals: totalsPairs(press, facts.totals, 'orderTotal'),
      room: 90,
    })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 12, width: frame.width, signers: random.pick([0, 1, 2]) })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** The buyer stands only at the foot; number and revision in large type, labels under their values. */
const footBuyer: Layout<OrderFacts> = {
  name: 'wide-foot-buyer',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 36 })
    write(press, label('order'), { x: frame.x + 50, y: frame.y, size: style.size * 1.3 })
    write(press, `${facts.number}`, {
      x: frame.x + 50,
      y: frame.y + style.size * 1.7,
      size: style.size * 1.8,
      face: 'bold',
    })
    write(press, writeRevision(press), { ...frame, y: frame.y + 6, align: 'right', size: style.size * 0.9 })
    let y =
      drawWidePairs(press, {
        x: frame.x,
        y: frame.y + 56,
        width: frame.width,
        pairs: widePairs(press, facts),
        look: random.pick(['under', 'stacked']),
      }) + 14
    const half = frame.width * 0.48
    const tone = random.pick(['colon', 'bold', 'small'] as const)
    const supplierEnd = drawTitledName(press, {
      x: frame.x,
      y,
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
            y,
            width: half,
            title: label('shipTo'),
            party: facts.shipTo,
            tone,
          })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: Math.max(supplierEnd, shipEnd) + 16,
      width: frame.width,
      spec: {
        cells: ['description', 'sku', 'quantity', 'unit', 'price', 'amount'],
        money: random.pick(['none', 'amount', 'all']),
        text: 'cell',
        sections: facts.items.length > 5 && random.chance(0.5),
      },
      room: 230,
    })
    y = drawWideTotals(press, {
      x: frame.x + half,
      y: y + 8,
      width: frame.width - half,
      pairs: totalsPairs(press, facts.totals, 'orderTotal'),
      look: random.pick(['boxed', 'plain', 'right-colon', 'ruled']),
    })
    drawOrderNotes(press, facts, { x: frame.x, y: y + 10, width: frame.width, signers: 1 })
    drawFoot(press, [[facts.buyer.name, ...addressLinesOf(facts.buyer)], reachLines(press, facts.buyer)])
  },
}

export const wideOrders: readonly Layout<OrderFacts>[] = [windowOrder, threeColumns, footBuyer]
