import { numberPages } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawLogo, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import {
  drawWideEnd,
  drawWideItems,
  drawWideTotals,
  footColumns,
  invoicePairs,
  pairsWithout,
} from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawFoot, drawName, drawReach, drawTitledName, drawWidePairs, drawWindow } from './wide-parts.ts'

/** A letter for a window envelope: sender in small above the address, data at the right, a line that names the matter. */
const windowLetter: Layout<InvoiceFacts> = {
  name: 'wide-window-letter',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const words = wideWordsOf(press.locale)
    const size = style.size * 2
    write(press, facts.vendor.name, {
      ...frame,
      align: random.pick(['right', 'center']),
      size,
      face: 'bold',
      colour: style.accent,
    })
    const half = frame.width * 0.5
    const inSubject = random.chance(0.6)
    const addressEnd = drawWindow(press, {
      x: frame.x,
      y: frame.y + 62,
      width: half,
      sender: facts.vendor,
      to: facts.customer,
    })
    const pairs = invoicePairs(press, facts)
    const metaEnd = drawWidePairs(press, {
      x: frame.x + half + 24,
      y: frame.y + random.pick([62, 84]),
      width: half - 24,
      pairs: inSubject ? pairsWithout(pairs, [facts.number]) : pairs,
      look: random.pick(['right-colon', 'ruled', 'leaders']),
    })
    let y = Math.max(addressEnd, metaEnd) + 24
    const subject = inSubject ? `${label('invoiceNumber')} ${facts.number}` : label('invoice')
    y = write(press, subject, { x: frame.x, y, size: style.size * 1.3, face: 'bold' }) + 8
    y = write(press, pickWord(random, words.invoiceOpening), { x: frame.x, y, width: frame.width }) + 10
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: ['position', 'quantityUnit', 'description', 'price', 'amount'],
        money: random.pick(['none', 'amount', 'all']),
        text: 'cell',
        numbering: random.pick(['plain', 'tens', 'zeros', 'dots']),
      },
      look: { lines: random.pick(['none', 'rules']), header: random.pick(['rule', 'two-rules', 'bare']) },
      carries: true,
      room: 260,
    })
    const x = frame.x + frame.width * 0.5
    y = drawWideTotals(press, {
      x,
      y: y + 6,
      width: frame.right - x,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'ruled-last', 'ruled']),
    })
    y = drawWideEnd(press, facts, { x: frame.x, y: y + 14, width: frame.width, withBank: false })
    write(press, `${pickWord(random, words.closing)}\n\n${facts.vendor.name}`, { x: frame.x, y: y + 14 })
    drawFoot(press, footColumns(press, facts, true))
  },
}

/** A form: all data in a ruled table of a header row over values, letterhead in the middle, sums in the table's last rows. */
const headerRow: Layout<InvoiceFacts> = {
  name: 'wide-header-row',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const align = random.pick(['center', 'right', 'left'] as const)
    let y = drawName(press, { ...frame, party: { ...facts.vendor, contact: null }, align, face: 'bold' })
    y = drawReach(press, { ...frame, y, party: facts.vendor, align }) + 8
    y =
      write(press, label('invoice').toUpperCase(), {
        ...frame,
        y,
        align: 'center',
        size: style.size * 1.5,
        face: 'bold',
        spacing: 2,
      }) + 8
    const half = frame.width * 0.48
    const tone = random.pick(['bold', 'colon', 'band', 'small'] as const)
    const ends = [
      drawTitledName(press, { x: frame.x, y, width: half, title: label('billTo'), party: facts.customer, tone }),
      facts.shipTo === null
        ? y
        : drawTitledName(press, {
            x: frame.right - half,
            y,
            width: half,
            title: label('shipTo'),
            party: nameAndAddress(facts.shipTo),
            tone,
          }),
    ]
    y = Math.max(...ends) + 12
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: invoicePairs(press, facts),
        look: 'table',
        size: style.size * 0.92,
      }) + 12
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['quantity', 'unit', 'sku', 'description', 'price', 'amount'],
          ['sku', 'description', 'quantity', 'price', 'amount'],
          ['position', 'description', 'price', 'quantity', 'amount'],
        ] as const),
        money: random.pick(['none', 'all']),
        text: 'cell',
      },
      look: { lines: random.pick(['grid', 'verticals', 'heavy']) },
      withTotals: totalsPairs(press, facts.totals),
      room: 110,
    })
    drawWideEnd(press, facts, {
      x: frame.x,
      y: y + 12,
      width: frame.width,
      withBank: true,
      look: random.pick(['run-on', 'table', 'under']),
    })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: true })
  },
}

/** The vendor stands only at the foot of the page; customer at the right, labels over values at the left. */
const footVendor: Layout<InvoiceFacts> = {
  name: 'wide-foot-vendor',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 40 })
    write(press, label('invoice'), { x: frame.x + 54, y: frame.y + 8, size: style.size * 2.2 })
    const side = random.pick(['left', 'right'] as const)
    const width = frame.width * 0.4
    const customerX = side === 'right' ? frame.right - width : frame.x
    const metaX = side === 'right' ? frame.x : frame.right - width
    const customerEnd = random.chance(0.5)
      ? drawName(press, { x: customerX, y: frame.y + 70, width, party: facts.customer, face: 'bold' })
      : drawTitledName(press, {
          x: customerX,
          y: frame.y + 62,
          width,
          party: facts.customer,
          title: label('billTo'),
          tone: random.pick(['small', 'colon']),
        })
    const metaEnd = drawWidePairs(press, {
      x: metaX,
      y: frame.y + 70,
      width: width + 40,
      pairs: invoicePairs(press, facts),
      look: random.pick(['stacked', 'under', 'value-first']),
    })
    const y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: Math.max(customerEnd, metaEnd) + 20,
      width: frame.width,
      spec: {
        cells: ['description', 'quantity', 'unit', 'price', 'amount'],
        money: random.pick(['none', 'all', 'amount']),
        text: 'cell',
        sections: facts.items.length > 3,
      },
      look: { lines: random.pick(['none', 'rules', 'dashes']), header: random.pick(['bare', 'rule', 'tint']) },
      room: 270,
    })
    const totalsX = frame.x + (side === 'right' ? frame.width * 0.5 : 0)
    const totalsEnd = drawWideTotals(press, {
      x: totalsX,
      y: y + 10,
      width: frame.width * 0.5,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['leaders', 'right-colon', 'plain', 'boxed']),
    })
    drawWideEnd(press, facts, { x: frame.x, y: totalsEnd + 12, width: frame.width * 0.8, withBank: false })
    drawFoot(press, footColumns(press, facts, true))
  },
}

export const wideInvoices: readonly Layout<InvoiceFacts>[] = [windowLetter, headerRow, footVendor]
