import { bankPairs, drawPairs, drawParty, numberPages, type Pair } from '../blocks.ts'
import { drawRemarks, drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import { drawInvoiceItems } from './invoice-items.ts'
import { frameOf, type Layout } from './layout.ts'

/** The sum to pay stands in a panel at the top; items follow; the sums are a table of one row. */
const summaryFirst: Layout<InvoiceFacts> = {
  name: 'summary-first',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.48
    drawLogo(press, { x: frame.x, y: frame.y, size: 28 })
    const vendorEnd = drawParty(press, { x: frame.x, y: frame.y + 36, width: half, party: facts.vendor, look: {} })
    const panelX = frame.right - half
    const titleEnd = write(press, label('invoice'), {
      x: panelX + 10,
      y: frame.y + 10,
      size: style.size * 1.5,
      face: 'bold',
    })
    const pairs: Pair[] = [
      ...invoicePairs(press, facts),
      [
        facts.totals.paidCents === null ? label('total') : press.plainLabel('total'),
        press.money(facts.totals.totalCents),
      ],
    ]
    const panelEnd = drawPairs(press, { x: panelX + 10, y: titleEnd + 4, width: half - 20, pairs, look: 'spread' })
    drawBox(press, {
      x: panelX,
      y: frame.y,
      width: half,
      height: panelEnd - frame.y + 8,
      stroke: style.accent,
      radius: 6,
    })
    let y = Math.max(vendorEnd, panelEnd + 10) + 14
    y =
      drawParty(press, {
        x: frame.x,
        y,
        width: half,
        party: facts.customer,
        look: { title: label('billTo'), titleLook: 'small' },
      }) + 16
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width }) + 14
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: totalsPairs(press, facts.totals),
        look: random.pick(['boxes', 'headed-row']),
      }) + 10
    drawRemarks(press, facts, { x: frame.x, y, width: frame.width, look: 'inline', withBank: true })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** Customer first, vendor at the foot of the page; the number is part of the heading; sums left of a payment box. */
const footVendor: Layout<InvoiceFacts> = {
  name: 'foot-vendor',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y = write(press, `${label('invoiceNumber')} ${facts.number}`, {
      ...frame,
      align: 'right',
      size: style.size * 1.6,
      face: 'bold',
      colour: style.accent,
    })
    y =
      drawParty(press, {
        x: frame.x,
        y: y + 6,
        width: frame.width * 0.5,
        party: facts.customer,
        look: { title: label('billTo') },
      }) + 14
    const pairs = invoicePairs(press, facts).filter(([, value]) => value !== facts.number)
    y =
      drawPairs(press, { x: frame.x, y, width: frame.width * 0.62, pairs, look: random.pick(['columns', 'grid']) }) + 16
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width }) + 10
    const half = frame.width * 0.48
    const totalsEnd = drawTotals(press, {
      x: frame.x,
      y,
      width: half,
      pairs: totalsPairs(press, facts.totals),
      look: 'boxed',
    })
    const boxX = frame.right - half
    if (facts.account !== null) {
      const bankEnd = drawPairs(press, {
        x: boxX + 8,
        y: y + 6,
        width: half - 16,
        pairs: bankPairs(press, facts.account),
        look: 'above',
      })
      drawBox(press, { x: boxX, y, width: half, height: bankEnd - y + 4, stroke: style.grey, radius: 4 })
    }
    drawRemarks(press, facts, { x: frame.x, y: totalsEnd + 8, width: half, look: 'inline', withBank: false })
    const footY = frame.bottom - 78
    drawRule(press, { x: frame.x, y: footY - 6, width: frame.width, colour: style.accent, thickness: 2 })
    drawParty(press, {
      x: frame.x,
      y: footY,
      width: frame.width,
      party: facts.vendor,
      look: { size: 7.2, joined: ' | ', align: 'center' },
    })
    numberPages(press, { y: frame.bottom + 6, align: 'center', always: true })
  },
}

/** Vendor and customer swap the usual sides; data in a narrow column beside the items. */
const splitColumns: Layout<InvoiceFacts> = {
  name: 'split-columns',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.46
    const title = write(press, label('invoice'), { x: frame.x, y: frame.y, size: style.size * 2, face: 'bold' })
    drawRule(press, { x: frame.x, y: title + 2, width: frame.width, thickness: 2, colour: style.accent })
    let y = title + 14
    const toEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.customer,
      look: { title: label('billTo'), titleLook: 'bold' },
    })
    const fromEnd = drawParty(press, {
      x: frame.right - half,
      y,
      width: half,
      party: facts.vendor,
      look: { title: label('from'), titleLook: 'bold', align: 'right' },
    })
    y = Math.max(toEnd, fromEnd) + 16
    const side = 118
    drawPairs(press, {
      x: frame.right - side + 10,
      y,
      width: side - 10,
      pairs: invoicePairs(press, facts),
      look: 'above',
      size: Math.min(style.size, 9),
    })
    const itemsEnd = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width - side })
    const totalsX = frame.x + (frame.width - side) * 0.4
    const end = drawTotals(press, {
      x: totalsX,
      y: itemsEnd + 6,
      width: frame.right - side - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['ruled', 'plain']),
    })
    drawRemarks(press, facts, { x: frame.x, y: end + 14, width: frame.width - side, look: 'columns', withBank: true })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: random.chance(0.5) })
  },
}

export const releasedInvoices: readonly Layout<InvoiceFacts>[] = [summaryFirst, footVendor, splitColumns]
