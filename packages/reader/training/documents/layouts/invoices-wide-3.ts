import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { totalsPairs } from '../commerce.ts'
import { drawLogo, drawRule, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import {
  drawWideEnd,
  drawWideItems,
  drawWideTotals,
  invoicePairs,
  reviseDiscounts,
  revisePaid,
} from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { addressLinesOf, drawName, drawReach, drawTitledName, drawWidePairs } from './wide-parts.ts'

/** A head of three columns, lines with discounts of their own, labels to the right with colons. */
const discounts: Layout<InvoiceFacts> = {
  name: 'wide-line-discounts',
  keptOut: false,
  revise: reviseDiscounts,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const third = frame.width / 3
    drawLogo(press, { x: frame.x, y: frame.y, size: 30 })
    const vendorEnd = drawName(press, {
      x: frame.x,
      y: frame.y + 38,
      width: third - 10,
      party: facts.vendor,
      face: 'bold',
    })
    let leftEnd = vendorEnd
    for (const line of reachLines(press, facts.vendor))
      leftEnd = write(press, line, { x: frame.x, y: leftEnd, width: third - 10, size: style.size * 0.9 })
    const toX = frame.x + third
    const toEnd = drawTitledName(press, {
      x: toX,
      y: frame.y + 38,
      width: third - 10,
      title: label('billTo'),
      party: facts.customer,
      tone: random.pick(['small', 'bold']),
    })
    const shipEnd =
      facts.shipTo === null
        ? toEnd
        : drawTitledName(press, {
            x: toX,
            y: toEnd + 8,
            width: third - 10,
            title: label('shipTo'),
            party: nameAndAddress(facts.shipTo),
            tone: 'small',
          })
    write(press, label('invoice'), {
      x: toX + third,
      y: frame.y,
      width: third,
      align: 'right',
      size: style.size * 1.8,
      face: 'bold',
      colour: style.accent,
    })
    const metaEnd = drawWidePairs(press, {
      x: toX + third,
      y: frame.y + 38,
      width: third,
      pairs: invoicePairs(press, facts),
      look: random.pick(['right-colon', 'ruled', 'value-first']),
      size: style.size * 0.92,
    })
    let y = Math.max(leftEnd, shipEnd, metaEnd) + 16
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['sku', 'description', 'quantity', 'price', 'discount', 'amount'],
          ['position', 'description', 'quantityUnit', 'price', 'discount', 'amount'],
          ['quantity', 'description', 'price', 'discount', 'amount'],
        ] as const),
        money: random.pick(['none', 'all', 'amount']),
        text: 'cell',
      },
      room: 210,
    })
    const look = random.pick(['right-colon', 'plain', 'boxed', 'ruled'] as const)
    const width = frame.width * 0.45
    const end = drawWideTotals(press, {
      x: frame.right - width,
      y: y + 8,
      width,
      pairs: totalsPairs(press, facts.totals),
      look,
    })
    drawWideEnd(press, facts, { x: frame.x, y: y + 12, width: frame.width - width - 20, withBank: true })
    drawRule(press, { x: frame.x, y: end + 60, width: frame.width, thickness: 0.3 })
  },
}

/** What was sold stands in a line over or under its figures; sums at the left, less what has been paid. */
const spannedText: Layout<InvoiceFacts> = {
  name: 'wide-spanned-text',
  keptOut: false,
  revise: (facts, random) => (random.chance(0.5) ? revisePaid(facts, random) : facts),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const right = random.chance(0.5)
    let y = write(press, facts.vendor.name, {
      ...frame,
      align: right ? 'right' : 'left',
      size: style.size * 1.5,
      face: 'bold',
    })
    const address = addressLinesOf(facts.vendor).join(random.pick([', ', ' · ', ' | ']))
    y = write(press, address, { ...frame, y, align: right ? 'right' : 'left', size: style.size * 0.9 })
    y = drawReach(press, { ...frame, y, party: facts.vendor, align: right ? 'right' : 'left' }) + 4
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 0.8 })
    const half = frame.width * 0.5
    const toEnd = drawTitledName(press, {
      x: frame.x,
      y: y + 12,
      width: half - 12,
      title: label('billTo'),
      party: facts.customer,
      tone: random.pick(['colon', 'small']),
    })
    const metaEnd = drawPairs(press, {
      x: frame.x + half,
      y: y + 12,
      width: half,
      pairs: invoicePairs(press, facts),
      look: random.pick(['columns', 'spread', 'right', 'inline']),
    })
    y = Math.max(toEnd, metaEnd) + 14
    y =
      write(press, label('invoice'), {
        x: frame.x,
        y,
        size: style.size * 1.5,
        face: random.pick(['bold', 'regular', 'italic']),
      }) + 8
    y = drawWideItems(press, facts.items, {
      x: frame.x,
      y,
      width: frame.width,
      spec: {
        cells: random.pick([
          ['position', 'sku', 'quantity', 'unit', 'price', 'amount'],
          ['sku', 'quantityUnit', 'price', 'amount'],
        ] as const),
        money: random.pick(['all', 'none']),
        text: random.pick(['over', 'over', 'under']),
        numbering: random.pick(['plain', 'zeros']),
      },
      look: { lines: random.pick(['rules', 'none', 'dashes']), padding: random.pick([3, 4, 5]) },
      room: 200,
    })
    const totalsWidth = frame.width * random.pick([0.42, 0.5])
    y = drawWideTotals(press, {
      x: frame.x,
      y: y + 10,
      width: totalsWidth,
      pairs: totalsPairs(press, facts.totals),
      look: random.pick(['plain', 'leaders', 'ruled', 'boxed']),
    })
    drawWideEnd(press, facts, {
      x: frame.x,
      y: y + 12,
      width: frame.width,
      withBank: true,
      look: random.pick(['run-on', 'stacked']),
    })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: random.chance(0.5) })
  },
}

export const wideInvoicesThree: readonly Layout<InvoiceFacts>[] = [discounts, spannedText]
