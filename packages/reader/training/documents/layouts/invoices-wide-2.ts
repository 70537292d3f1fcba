import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawBox, drawRule, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import {
  drawRates,
  drawRunningHead,
  drawWideEnd,
  drawWideItems,
  drawWideTotals,
  invoicePairs,
  pairsByRate,
  reviseGross,
  reviseRates,
} from './invoice-wide-parts.ts'
import { frameOf, type Layout } from './layout.ts'
import { drawName, drawReach, drawTitledName, drawWidePairs } from './wide-parts.ts'

/** Rates of tax by line, and a table of the tax by rate at the left of the sums. */
const taxTable: Layout<InvoiceFacts> = {
  name: 'wide-tax-table',
  keptOut: false,
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
    write(press, label('invoice'), { x: frame.x, y: frame.y + 4, size: style.size * 1.3 })
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

/** Lines with their amounts before and after tax; the parties side by side, the sums in a row of titled cells. */
const netGross: Layout<InvoiceFacts> = {
  name: 'wide-net-gross',
  keptOut: false,
  revise: reviseGross,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.47
    let y =
      write(press, `${label('invoice')} ${random.pick(['', 'No. ', '# ', 'Nr '])}${facts.number}`, {
        ...frame,
        size: style.size * 1.8,
        face: 'bold',
        align: random.pick(['left', 'right', 'center']),
      }) + 4
    const pairs = invoicePairs(press, facts).filter(([, value]) => value !== facts.number)
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs,
        look: random.pick(['run-on', 'table', 'stacked']),
      }) + 12
    const tone = random.pick(['band', 'bold', 'colon'] as const)
    const vendorFirst = random.chance(0.7)
    const [vendorX, customerX] = vendorFirst ? [frame.x, frame.right - half] : [frame.right - half, frame.x]
    const { vendor } = facts
    const nameEnd = drawTitledName(press, {
      x: vendorX,
      y,
      width: half,
      title: label('from'),
      party: { ...vendor, contact: null },
      tone,
    })
    const vendorLines = reachLines(press, vendor)
    let vendorEnd = nameEnd
    for (const line of vendorLines)
      vendorEnd = write(press, line, { x: vendorX + (tone === 'band' ? 4 : 0), y: vendorEnd, width: half })
    const customerEnd = drawTitledName(press, {
      x: customerX,
      y,
      width: half,
      title: label('billTo'),
      party: facts.customer,
      tone,
    })
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y: Math.max(vendorEnd, customerEnd) + 16,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['position', 'description', 'unit', 'quantity', 'price', 'amount', 'rate', 'gross'],
          ['description', 'quantity', 'price', 'rate', 'amount', 'gross'],
        ] as const),
        money: 'none',
        text: 'cell',
      },
      look: { lines: random.pick(['grid', 'rules', 'heavy']), padding: random.pick([2, 3]) },
      room: 210,
    })
    const isTable = random.chance(0.5)
    if (isTable)
      y = drawRates(press, facts.items, { x: frame.x, y: y + 10, width: frame.width * 0.6, withSum: true }) + 4
    const x = frame.x + frame.width * 0.45
    const end = drawWideTotals(press, {
      x,
      y: y + 8,
      width: frame.right - x,
      pairs: isTable ? totalsPairs(press, facts.totals) : pairsByRate(press, facts),
      look: random.pick(['plain', 'right-colon', 'ruled-last', 'band-last']),
    })
    drawWideEnd(press, facts, {
      x: frame.x,
      y: end + 16,
      width: frame.width,
      withBank: true,
      look: random.pick(['leaders', 'ruled', 'run-on']),
    })
    if (press.currencyLine === null && random.chance(0.3))
      write(press, `${label('currency')}: ${press.currencyCode()}`, { x: frame.x, y: end - 10 })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: true })
  },
}

export const wideInvoicesTwo: readonly Layout<InvoiceFacts>[] = [taxTable, bigDue, netGross]
