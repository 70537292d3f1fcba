import { bankPairs, drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawRemarks, drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { Press } from '../press.ts'
import { keptOutInvoices } from './commerce-kept-out.ts'
import { fourthInvoices } from './commerce-kept-out-4.ts'
import { composedInvoices } from './composed.ts'
import { drawInvoiceItems } from './invoice-items.ts'
import { modernInvoices } from './invoices-modern.ts'
import { releasedInvoices } from './invoices-released-1.ts'
import { releasedInvoicesTwo } from './invoices-released-2.ts'
import { wideInvoices } from './invoices-wide.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'

/** Letterhead left, the invoice's data right, totals under the amounts. */
const classic: Layout<InvoiceFacts> = {
  name: 'classic',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const hasLogo = random.chance(0.5)
    if (hasLogo) drawLogo(press, { x: frame.x, y: frame.y, size: 34 })
    const nameX = hasLogo ? frame.x + 44 : frame.x
    const vendorEnd = drawParty(press, {
      x: nameX,
      y: frame.y,
      width: frame.width * 0.45,
      party: facts.vendor,
      look: { nameSize: style.size * 1.5 },
    })
    const metaX = frame.x + frame.width * 0.58
    const titleEnd = write(press, label('invoice'), {
      x: metaX,
      y: frame.y,
      width: frame.right - metaX,
      size: style.size * 2.2,
      face: 'bold',
      align: random.pick(['left', 'right']),
      colour: style.accent,
    })
    const metaEnd = drawPairs(press, {
      x: metaX,
      y: titleEnd + 4,
      width: frame.right - metaX,
      pairs: invoicePairs(press, facts),
      look: random.pick(['columns', 'right', 'spread', 'inline', 'grid']),
    })
    let y = Math.max(vendorEnd, metaEnd) + random.int(12, 30)
    const customerEnd = drawParty(press, {
      x: frame.x,
      y,
      width: frame.width * 0.45,
      party: facts.customer,
      look: { title: label('billTo') },
    })
    const shipEnd =
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + frame.width * 0.5,
            y,
            width: frame.width * 0.45,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo') },
          })
    y = drawInvoiceItems(press, facts, { x: frame.x, y: Math.max(customerEnd, shipEnd) + 16, width: frame.width })
    const totalsX = frame.x + frame.width * 0.55
    const totalsEnd = drawTotals(press, {
      x: totalsX,
      y: y + 8,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'ruled', 'band-last', 'boxed']),
    })
    drawRemarks(press, facts, {
      x: frame.x,
      y: random.chance(0.5) ? totalsEnd + 14 : y + 12,
      width: frame.width * 0.5,
      look: random.pick(['columns', 'inline']),
      withBank: true,
    })
    numberPages(press, {
      y: frame.bottom + 4,
      align: random.pick(['left', 'center', 'right']),
      always: random.chance(0.4),
    })
  },
}

/** The continental business letter: a sender's line over the address window, data at the right, footer in columns. */
const letter: Layout<InvoiceFacts> = {
  name: 'letter',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const { vendor } = facts
    const logoRight = random.chance(0.6)
    if (logoRight) drawLogo(press, { x: frame.right - 40, y: frame.y, size: 40 })
    write(press, vendor.name, {
      x: frame.x,
      y: frame.y,
      width: frame.width - 50,
      size: style.size * 1.7,
      face: 'bold',
      colour: style.accent,
    })
    let y = frame.y + 72
    write(
      press,
      [vendor.name, ...vendor.addressLines, ...(vendor.country === null ? [] : [vendor.country])].join(
        random.pick([' · ', ' - ', ', ', ' | ']),
      ),
      { x: frame.x, y, size: 6.5, colour: style.grey },
    )
    const windowEnd = drawParty(press, {
      x: frame.x,
      y: y + 14,
      width: frame.width * 0.45,
      party: facts.customer,
      look: {},
    })
    const pairs = invoicePairs(press, facts)
    const metaEnd = drawPairs(press, {
      x: frame.x + frame.width * 0.58,
      y: y + 10,
      width: frame.width * 0.42,
      pairs,
      look: random.pick(['columns', 'spread', 'inline']),
    })
    y = Math.max(windowEnd, metaEnd) + 30
    y =
      write(press, random.chance(0.5) ? label('invoice') : `${label('invoice')} ${facts.number}`, {
        x: frame.x,
        y,
        size: style.size * 1.5,
        face: 'bold',
      }) + 8
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width })
    const totalsX = frame.x + frame.width * random.pick([0.5, 0.6])
    y = drawTotals(press, {
      x: totalsX,
      y: y + 4,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'ruled', 'grid']),
    })
    drawRemarks(press, facts, { x: frame.x, y: y + 12, width: frame.width * 0.8, look: 'inline', withBank: false })
    drawFooter(press, facts)
    numberPages(press, { y: frame.bottom + 14, align: 'right', always: random.chance(0.5) })
  },
}

/** Columns at the foot of the current page: how to reach the vendor, and its bank. */
function drawFooter(press: Press, facts: InvoiceFacts): void {
  const { style } = press
  const frame = frameOf(press)
  const y = frame.bottom - 40
  const size = 6.8
  drawRule(press, { x: frame.x, y: y - 4, width: frame.width, colour: style.accent })
  const third = frame.width / 3
  drawParty(press, { x: frame.x, y, width: third * 0.95, party: nameAndAddress(facts.vendor), look: { size } })
  const reach = { ...facts.vendor, addressLines: [], country: null, contact: null }
  drawParty(press, { x: frame.x + third, y, width: third * 0.95, party: reach, look: { size, hideName: true } })
  if (facts.account !== null)
    drawPairs(press, {
      x: frame.x + 2 * third,
      y,
      width: third,
      pairs: bankPairs(press, facts.account),
      look: 'inline',
      size,
    })
}

/** A coloured band over the page with the name and the title; data in boxes under it. */
const band: Layout<InvoiceFacts> = {
  name: 'band',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    const height = random.int(60, 90)
    drawBox(press, { x: 0, y: 0, width: doc.page.width, height, fill: style.accent })
    const titleSize = style.size * 2.2
    write(press, label('invoice'), {
      x: frame.right - textWidth(press, label('invoice'), { size: titleSize, face: 'bold' }),
      y: height / 2 - titleSize / 2,
      size: titleSize,
      face: 'bold',
      colour: '#ffffff',
    })
    write(press, facts.vendor.name, {
      x: frame.x,
      y: height / 2 - style.size,
      width: frame.width * 0.5,
      size: style.size * 1.5,
      face: 'bold',
      colour: '#ffffff',
    })
    let y =
      drawPairs(press, {
        x: frame.x,
        y: height + 18,
        width: frame.width,
        pairs: invoicePairs(press, facts),
        look: random.pick(['boxes', 'headed-row']),
      }) + 16
    const half = frame.width * 0.46
    const fromEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: facts.vendor,
      look: { title: label('from'), titleLook: random.pick(['small', 'band', 'bold']) },
    })
    const toEnd = drawParty(press, {
      x: frame.right - half,
      y,
      width: half,
      party: facts.customer,
      look: { title: label('billTo'), titleLook: random.pick(['small', 'band', 'bold']) },
    })
    y = drawInvoiceItems(press, facts, { x: frame.x, y: Math.max(fromEnd, toEnd) + 18, width: frame.width })
    const totalsX = frame.x + frame.width * 0.55
    drawTotals(press, {
      x: totalsX,
      y: y + 8,
      width: frame.right - totalsX,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['band-last', 'ruled', 'plain']),
    })
    drawRemarks(press, facts, {
      x: frame.x,
      y: y + 14,
      width: frame.width * 0.48,
      look: random.pick(['above', 'inline', 'columns']),
      withBank: true,
    })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.4) })
  },
}

export const invoiceLayouts: readonly Layout<InvoiceFacts>[] = [
  classic,
  letter,
  band,
  ...modernInvoices,
  ...wideInvoices,
  ...composedInvoices,
  ...releasedInvoices,
  ...releasedInvoicesTwo,
  ...keptOutInvoices,
  ...fourthInvoices,
]
