import { drawPairs, numberPages } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import {
  drawRates,
  drawRunningHead,
  drawWideEnd,
  drawWideItems,
  drawWideTotals,
  footColumns,
  invoicePairs,
  pairsByRate,
  pairsWithout,
  reviseRates,
} from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawFoot, drawName, drawReach, drawTitledName, drawWidePairs, drawWindow } from './wide-parts.ts'

/** A letter for a window envelope: sender in small above the address, data at the right, a line that names the matter. */
const windowLetter: Layout<InvoiceFacts> = {
  name: 'wide-window-letter',
  keptOut: false,
  trainOnly: true,
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
  trainOnly: true,
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
  trainOnly: true,
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

/** Rates of tax by line, and a table of the tax by rate at the left of the sums. */
const taxTable: Layout<InvoiceFacts> = {
  name: 'wide-tax-table',
  keptOut: false,
  trainOnly: true,
  revise: reviseRates,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const third = frame.width / 3
    const top = frame.y
    const ends = [
      drawReach(press, {
        x: frame.x,
        y: drawName(press, { x: frame.x, y: top, width: third - 12, party: facts.vendor, face: 'bold' }),
        width: third - 12,
        party: facts.vendor,
        size: style.size * 0.85,
      }),
      drawTitledName(press, {
        x: frame.x + third,
        y: top,
        width: third - 12,
        title: label('billTo'),
        party: facts.customer,
        tone: random.pick(['bold', 'small', 'colon']),
      }),
      drawPairs(press, {
        x: frame.x + 2 * third,
        y: top,
        width: third,
        pairs: invoicePairs(press, facts),
        look: random.pick(['above', 'inline', 'spread']),
        size: style.size * 0.9,
      }),
    ]
    let y = Math.max(...ends) + 14
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 2, colour: style.accent })
    y = write(press, label('invoice'), { x: frame.x, y: y + 8, size: style.size * 1.7, face: 'bold' }) + 8
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['sku', 'description', 'quantity', 'unit', 'price', 'rate', 'amount'],
          ['description', 'rate', 'quantity', 'price', 'amount'],
          ['position', 'description', 'quantityUnit', 'price', 'amount', 'rate'],
        ] as const),
        money: random.pick(['none', 'amount']),
        text: 'cell',
      },
      carries: random.chance(0.5),
      startPage: () => drawRunningHead(press, facts.vendor.name, `${label('invoice')} ${facts.number}`),
      room: 230,
    })
    const isTable = random.chance(0.6)
    const totalsX = frame.x + frame.width * 0.55
    if (isTable)
      drawRates(press, facts.items, { x: frame.x, y: y + 12, width: frame.width * 0.45, withSum: random.chance(0.6) })
    const end = drawWideTotals(press, {
      x: totalsX,
      y: y + 10,
      width: frame.right - totalsX,
      pairs: isTable ? totalsPairs(press, facts.totals) : pairsByRate(press, facts),
      look: random.pick(['plain', 'ruled-last', 'boxed', 'ruled']),
    })
    drawWideEnd(press, facts, {
      x: frame.x,
      y: end + 50,
      width: frame.width,
      withBank: true,
      look: random.pick(['run-on', 'under', 'stacked']),
    })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: random.chance(0.5) })
  },
}

/** A bill of a supplier of services: what is to be paid and by when in a box at the top, the lines under it. */
const bigDue: Layout<InvoiceFacts> = {
  name: 'wide-big-due',
  keptOut: false,
  trainOnly: true,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.48
    const vendorEnd = drawName(press, {
      x: frame.right - half,
      y: frame.y,
      width: half,
      party: facts.vendor,
      face: 'bold',
      align: 'right',
    })
    const reachEnd = drawReach(press, {
      x: frame.right - half,
      y: vendorEnd,
      width: half,
      party: facts.vendor,
      align: 'right',
    })
    const toEnd = drawName(press, { x: frame.x, y: frame.y + 48, width: half, party: facts.customer })
    let y = Math.max(reachEnd, toEnd) + 20
    const due = facts.totals.totalCents - (facts.totals.paidCents ?? 0)
    const height = style.size * 5
    const name = facts.totals.paidCents === null ? label('total') : label('balanceDue')
    drawBox(press, { x: frame.x, y, width: frame.width, height, fill: '#eef3ee', radius: 6 })
    write(press, name, { x: frame.x + 14, y: y + 10, size: style.size })
    write(press, press.money(due), {
      x: frame.x + 14,
      y: y + 12 + style.size * 1.2,
      size: style.size * 1.9,
      face: 'bold',
    })
    if (facts.dueDate !== null) {
      const x = frame.x + frame.width * 0.55
      write(press, label('dueDate'), { x, y: y + 10, size: style.size })
      write(press, press.day(facts.dueDate), { x, y: y + 12 + style.size * 1.2, size: style.size * 1.4, face: 'bold' })
    }
    y += height + 14
    const pairs =
      facts.dueDate === null
        ? invoicePairs(press, facts)
        : invoicePairs(press, facts).filter(([key]) => key !== label('dueDate'))
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs,
        look: random.pick(['run-on', 'stacked', 'under']),
      }) + 10
    write(press, label('invoice'), {
      x: frame.right - textWidth(press, label('invoice'), { size: style.size * 1.3 }),
      y: frame.y + 110,
      size: style.size * 1.3,
    })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: ['description', 'quantityUnit', 'price', 'amount'],
        money: random.pick(['none', 'all']),
        text: 'cell',
      },
      look: { header: random.pick(['none', 'bare', 'rule', 'tint']), lines: random.pick(['rules', 'none', 'dashes']) },
      withTotals: totalsPairs(press, facts.totals),
      room: 120,
    })
    drawWideEnd(press, facts, {
      x: frame.x,
      y: y + 14,
      width: frame.width,
      withBank: true,
      look: random.pick(['run-on', 'leaders']),
    })
  },
}

export const wideInvoices: readonly Layout<InvoiceFacts>[] = [windowLetter, headerRow, footVendor, taxTable, bigDue]
