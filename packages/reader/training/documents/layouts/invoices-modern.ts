import { bankPairs, drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawRemarks, drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import { drawInvoiceItems } from './invoice-items.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'

/** A tinted column at the left holds the vendor, the data and the bank; customer and items stand in the wide part. */
const sidebar: Layout<InvoiceFacts> = {
  name: 'sidebar',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    const width = 165
    drawBox(press, { x: 0, y: 0, width, height: doc.page.height, fill: '#eef1f4' })
    const inner = { x: 18, width: width - 30 }
    drawLogo(press, { x: inner.x, y: 30, size: 32 })
    const size = Math.min(style.size, 8.5)
    let y = drawParty(press, { ...inner, y: 74, party: facts.vendor, look: { size, nameSize: style.size * 1.15 } }) + 16
    y = drawPairs(press, { ...inner, y, pairs: invoicePairs(press, facts), look: 'above', size }) + 10
    if (facts.account !== null)
      drawPairs(press, { ...inner, y, pairs: bankPairs(press, facts.account), look: 'above', size: size * 0.9 })
    const main = { x: width + 20, width: frame.right - width - 20 }
    y =
      write(press, label('invoice'), { ...main, y: 36, size: style.size * 2.4, face: 'bold', colour: style.accent }) +
      16
    y =
      drawParty(press, {
        ...main,
        y,
        party: facts.customer,
        look: { title: label('billTo'), titleLook: random.pick(['small', 'bold']) },
      }) + 18
    y = drawInvoiceItems(press, facts, { ...main, y })
    const totalsX = main.x + main.width * 0.35
    y = drawTotals(press, {
      x: totalsX,
      y: y + 8,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'ruled', 'band-last']),
    })
    drawRemarks(press, facts, { ...main, y: y + 12, look: 'inline', withBank: false })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: false })
  },
}

/** Much white, data in a row of small captions, no lines round the items, totals at the left. */
const minimal: Layout<InvoiceFacts> = {
  name: 'minimal',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    write(press, facts.vendor.name, { x: frame.x, y: frame.y, size: style.size * 1.3, face: 'bold' })
    let y =
      write(press, label('invoice'), { x: frame.x, y: frame.y + 34, size: style.size * 3, colour: style.accent }) + 14
    const pairs = invoicePairs(press, facts)
    const cell = frame.width / Math.min(4, pairs.length)
    const ends = pairs.map((pair, n) =>
      drawPairs(press, {
        x: frame.x + (n % 4) * cell,
        y: y + Math.floor(n / 4) * style.size * 3.6,
        width: cell - 10,
        pairs: [pair],
        look: 'above',
      }),
    )
    y = Math.max(...ends) + 14
    const half = frame.width * 0.46
    const toEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.customer,
      look: { title: label('billTo'), titleLook: 'small' },
    })
    const fromEnd = drawParty(press, {
      x: frame.x + frame.width * 0.5,
      y,
      width: half,
      party: facts.vendor,
      look: { title: label('from'), titleLook: 'small' },
    })
    y = drawInvoiceItems(press, facts, { x: frame.x, y: Math.max(toEnd, fromEnd) + 22, width: frame.width })
    y = drawTotals(press, {
      x: frame.x,
      y: y + 12,
      width: frame.width * 0.42,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'ruled']),
    })
    drawRemarks(press, facts, {
      x: frame.x,
      y: y + 18,
      width: frame.width * 0.7,
      look: random.pick(['inline', 'columns']),
      withBank: true,
    })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: random.chance(0.3) })
  },
}

/** Letterhead in the middle over a rule, data in two columns, sums over the whole width. */
const centred: Layout<InvoiceFacts> = {
  name: 'centred',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y = drawParty(press, {
      ...frame,
      party: facts.vendor,
      look: { align: 'center', nameSize: style.size * 1.8, joined: random.pick([', ', ' - ', ' · ']) },
    })
    drawRule(press, { x: frame.x, y: y + 2, width: frame.width, thickness: 1.2, colour: style.accent })
    y =
      write(press, label('invoice'), { ...frame, y: y + 12, align: 'center', size: style.size * 1.8, face: 'bold' }) +
      10
    const pairs = invoicePairs(press, facts)
    const middle = Math.ceil(pairs.length / 2)
    const half = frame.width * 0.45
    const look = random.pick(['columns', 'inline', 'spread'] as const)
    const ends = [pairs.slice(0, middle), pairs.slice(middle)].map((part, n) =>
      drawPairs(press, { x: n === 0 ? frame.x : frame.right - half, y, width: half, pairs: part, look }),
    )
    y =
      drawParty(press, {
        x: frame.x,
        y: Math.max(...ends) + 14,
        width: frame.width,
        party: facts.customer,
        look: { title: label('billTo'), joined: ', ' },
      }) + 14
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width })
    y = drawTotals(press, {
      x: frame.x,
      y: y + 4,
      width: frame.width,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['grid', 'ruled', 'plain']),
    })
    drawRemarks(press, facts, { x: frame.x, y: y + 14, width: frame.width, look: 'inline', withBank: true })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

/** A printed form: everything in boxes, the data in a grid beside the vendor. */
const form: Layout<InvoiceFacts> = {
  name: 'form',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width / 2
    let y =
      write(press, label('invoice').toUpperCase(), {
        ...frame,
        align: random.pick(['center', 'right']),
        size: style.size * 1.7,
        face: 'bold',
      }) + 4
    const vendorEnd = drawParty(press, { x: frame.x + 6, y: y + 6, width: half - 16, party: facts.vendor, look: {} })
    const gridEnd = drawPairs(press, {
      x: frame.x + half,
      y,
      width: half,
      pairs: invoicePairs(press, facts),
      look: 'grid',
    })
    const topEnd = Math.max(vendorEnd + 4, gridEnd)
    drawBox(press, { x: frame.x, y, width: half, height: topEnd - y })
    drawBox(press, { x: frame.x + half, y, width: half, height: topEnd - y })
    y = topEnd
    const toEnd = drawParty(press, {
      x: frame.x + 6,
      y: y + 6,
      width: half - 12,
      party: facts.customer,
      look: { title: label('billTo'), titleLook: 'small' },
    })
    const shipTo = facts.shipTo ?? facts.customer
    const shipEnd = drawParty(press, {
      x: frame.x + half + 6,
      y: y + 6,
      width: half - 12,
      party: nameAndAddress(shipTo),
      look: { title: label('shipTo'), titleLook: 'small' },
    })
    const partiesEnd = Math.max(toEnd, shipEnd) + 4
    drawBox(press, { x: frame.x, y, width: half, height: partiesEnd - y })
    drawBox(press, { x: frame.x + half, y, width: half, height: partiesEnd - y })
    y = drawInvoiceItems(
      press,
      facts,
      { x: frame.x, y: partiesEnd + 8, width: frame.width },
      { lines: random.pick(['grid', 'columns', 'outline']), header: random.pick(['tinted', 'bold']) },
    )
    const totalsX = frame.x + frame.width * 0.6
    drawTotals(press, {
      x: totalsX,
      y,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: 'grid',
    })
    drawRemarks(press, facts, { x: frame.x, y: y + 10, width: frame.width * 0.55, look: 'columns', withBank: true })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: random.chance(0.5) })
  },
}

export const modernInvoices: readonly Layout<InvoiceFacts>[] = [sidebar, minimal, centred, form]
