import { bankPairs, drawParty, numberPages, type Pair, type Place, reachLines } from '../blocks.ts'
import { drawRemarks, invoicePairs, totalsPairs } from '../commerce.ts'
import { drawBox, drawRule, lineHeight, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { LineItem } from '../items.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { orderPairs } from './order-parts.ts'
import { addressLinesOf } from './wide-parts.ts'
import { drawWideTable, type WideColumn, type WideRow } from './wide-table.ts'

/** Boxes with a number and a small label in their corner and the value under it, as on customs forms. */
function drawNumbered(press: Press, at: Place & { pairs: readonly Pair[]; perRow: number; first: number }): number {
  const { style } = press
  const cell = at.width / at.perRow
  let { y } = at
  for (let n = 0; n < at.pairs.length; n += at.perRow) {
    const row = at.pairs.slice(n, n + at.perRow)
    const ends = row.map(([label, value], i) => {
      const x = at.x + i * cell + 4
      const end = write(press, `${at.first + n + i} ${label}`, {
        x,
        y: y + 3,
        width: cell - 8,
        size: style.size * 0.72,
      })
      return write(press, value, { x: x + 6, y: end + 2, width: cell - 14, size: style.size })
    })
    const bottom = Math.max(...ends) + 2
    for (const i of row.keys())
      drawBox(press, { x: at.x + i * cell, y, width: cell, height: bottom - y, stroke: style.ink })
    y = bottom
  }
  return y
}

const onePlace = (party: Party): string => [party.name, ...addressLinesOf(party)].join('\n')

function newPageOf(press: Press): () => number {
  return () => {
    press.doc.addPage()
    return frameOf(press).y
  }
}

/** Sums as boxes side by side, each with its label over its amount. */
function drawStrip(press: Press, at: Place & { pairs: readonly Pair[] }): number {
  const { style } = press
  const cell = at.width / at.pairs.length
  const ends = at.pairs.map(([label, value], n) => {
    const place = { x: at.x + n * cell + 4, width: cell - 8, align: 'center' as const }
    const end = write(press, label, { ...place, y: at.y + 3, size: style.size * 0.8 })
    const face = n === at.pairs.length - 1 ? 'bold' : 'regular'
    return write(press, value, { ...place, y: end + 1, face })
  })
  const bottom = Math.max(...ends) + 3
  for (const n of at.pairs.keys())
    drawBox(press, { x: at.x + n * cell, y: at.y, width: cell, height: bottom - at.y, stroke: style.ink })
  return bottom
}

const shown = (value: number | null, form: (value: number) => string): string => (value === null ? '' : form(value))

/** A form of numbered boxes; columns from the amount of goods to their worth; the sums in a strip of boxes. */
const numberedBoxes: Layout<InvoiceFacts> = {
  name: 'numbered-boxes',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, money, quantity, style } = press
    const frame = frameOf(press)
    let y = write(press, label('invoice'), { ...frame, size: style.size * 1.2, face: 'bold', align: 'right' }) + 4
    const parties: Pair[] = [
      [label('from'), [onePlace(facts.vendor), ...reachLines(press, facts.vendor)].join('\n')],
      [label('billTo'), onePlace(facts.customer)],
    ]
    y = drawNumbered(press, { ...frame, y, pairs: parties, perRow: 2, first: 1 })
    const pairs = invoicePairs(press, facts)
    y = drawNumbered(press, { ...frame, y, pairs, perRow: 4, first: 3 }) + 12
    const items = facts.items
    const has = (key: keyof LineItem) => items.some((item) => item[key] !== null)
    const columns: (WideColumn & { of: (item: LineItem) => string })[] = [
      ...(has('quantity')
        ? [
            {
              title: label('quantity'),
              align: 'right' as const,
              of: (item: LineItem) => shown(item.quantity, quantity),
            },
          ]
        : []),
      ...(has('unit')
        ? [{ title: label('unit'), align: 'left' as const, of: (item: LineItem) => item.unit ?? '' }]
        : []),
      ...(has('sku')
        ? [{ title: label('sku'), align: 'center' as const, of: (item: LineItem) => item.sku ?? '' }]
        : []),
      { title: label('amount'), align: 'right', of: (item) => money(item.amountCents) },
      ...(has('unitCents')
        ? [{ title: label('unitPrice'), align: 'right' as const, of: (item: LineItem) => shown(item.unitCents, bare) }]
        : []),
      { title: label('description'), align: 'left', grows: true, of: (item) => item.description },
    ]
    const rows = items.map((item): WideRow => ({ cells: columns.map(({ of }) => of(item)) }))
    const look = { lines: 'verticals', header: 'two-rules', padding: 2.5 } as const
    const { x, width } = frame
    const newPage = newPageOf(press)
    y = drawWideTable(press, { columns, rows, x, y, width, look, newPage, room: 150 }) + 10
    y = drawStrip(press, { x, y, width, pairs: totalsPairs(press, facts.totals) }) + 6
    if (facts.account !== null)
      y = drawNumbered(press, { x, y, width, pairs: bankPairs(press, facts.account), perRow: 3, first: 20 }) + 6
    drawRemarks(press, facts, { x, y, width, look: 'inline', withBank: false })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: true })
  },
}

/** A firm of lawyers': a letter with everything in sentences' order, each service with its reckoning in the line below. */
const reckoning: Layout<InvoiceFacts> = {
  name: 'reckoning',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, money, quantity, style, doc } = press
    const frame = frameOf(press)
    const middle = frame.x + frame.width * 0.3
    const width = frame.right - middle
    const side = { x: frame.x, width: frame.width * 0.3 - 18 }
    drawParty(press, {
      ...side,
      y: frame.y + 90,
      party: facts.vendor,
      look: { size: style.size * 0.85, align: 'right' },
    })
    let y = write(press, facts.vendor.name, { x: middle, y: frame.y, size: style.size * 1.5, face: 'italic' }) + 30
    y = write(press, onePlace(facts.customer), { x: middle, y, width }) + 18
    y = write(press, label('invoice'), { x: middle, y, size: style.size * 1.25, face: 'bold' }) + 6
    for (const [name, value] of invoicePairs(press, facts)) {
      write(press, name, { x: middle, y, width: width * 0.46, face: 'italic' })
      y = write(press, `: ${value}`, { x: middle + width * 0.48, y, width: width * 0.52 })
    }
    y += 10
    for (const item of facts.items) {
      if (y > frame.bottom - 60) {
        doc.addPage()
        y = frame.y
      }
      const amount = money(item.amountCents)
      const room = width - textWidth(press, amount) - 12
      const end = write(press, item.description, { x: middle, y, width: room })
      write(press, amount, { x: middle, y, width, align: 'right' })
      const factors =
        item.quantity === null || item.unitCents === null
          ? []
          : [`${quantity(item.quantity)}${item.unit === null ? '' : ` ${item.unit}`} × ${bare(item.unitCents)}`]
      const small = [...(item.sku === null ? [] : [`[${item.sku}]`]), ...factors].join('   ')
      y = small === '' ? end + 3 : write(press, small, { x: middle + 10, y: end, size: style.size * 0.85 }) + 4
    }
    if (y > frame.bottom - 170) {
      doc.addPage()
      y = frame.y
    }
    drawRule(press, { x: middle, y: y + 2, width, dash: true })
    y += 8
    for (const [name, value] of totalsPairs(press, facts.totals)) {
      const room = width - textWidth(press, value) - 10
      const end = write(press, name, { x: middle, y, width: room, align: 'right', face: 'italic' })
      write(press, value, { x: middle, y, width, align: 'right' })
      y = end
    }
    if (facts.account !== null)
      y =
        write(
          press,
          bankPairs(press, facts.account)
            .map(([name, value]) => `${name} ${value}`)
            .join('; '),
          { x: middle, y: y + 12, width },
        ) + 4
    drawRemarks(press, facts, { x: middle, y: y + 8, width, look: 'inline', withBank: false })
  },
}

/** An order as a message: data in lines with colons, each thing ordered in two lines that begin with a dash. */
const message: Layout<OrderFacts> = {
  name: 'message-order',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, money, quantity, style, doc } = press
    const frame = frameOf(press)
    const line = (text: string, y: number, indent = 0): number => {
      const isFull = y > frame.bottom - 30
      if (isFull) doc.addPage()
      return write(press, text, { x: frame.x + indent, y: isFull ? frame.y : y, width: frame.width - indent })
    }
    let y = write(press, `>> ${label('order')} <<`, { ...frame, face: 'bold', size: style.size * 1.2 }) + 8
    const parties: readonly (readonly [string, Party | null])[] = [
      [label('supplier'), facts.supplier],
      [label('buyer'), facts.buyer],
      [label('shipTo'), facts.shipTo === null ? null : nameAndAddress(facts.shipTo)],
    ]
    for (const [name, value] of orderPairs(press, facts)) y = line(`${name} = ${value}`, y)
    for (const [title, party] of parties) {
      if (party === null) continue
      y = line(`${title}:`, y + lineHeight(press) * 0.6)
      y = line(party.name, y, 18)
      if (party.contact !== null) y = line(`${label('attention')} ${party.contact}`, y, 18)
      for (const part of [...addressLinesOf(party), ...reachLines(press, party)]) y = line(part, y, 18)
    }
    y += 10
    for (const item of facts.items) {
      y = line(`- ${item.description}${item.sku === null ? '' : ` (${label('sku')} ${item.sku})`}`, y)
      const count =
        item.quantity === null ? '' : `${quantity(item.quantity)}${item.unit === null ? '' : ` ${item.unit}`}`
      const price = item.unitCents === null ? '' : ` @ ${bare(item.unitCents)}`
      y = line(`${count}${price} = ${money(item.amountCents)}`, y, 18) + 2
    }
    y += 8
    for (const [name, value] of totalsPairs(press, facts.totals, 'orderTotal')) y = line(`${name} = ${value}`, y)
    if (facts.note !== null) line(facts.note, y + 8)
  },
}

/** Parties in the corners of a square, data in a column between the halves of the page, the amounts left of the words. */
const corners: Layout<OrderFacts> = {
  name: 'corners-order',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, money, quantity, style } = press
    const frame = frameOf(press)
    const half = frame.width / 2
    const title = write(press, label('order'), { ...frame, align: 'center', size: style.size * 1.5, face: 'bold' }) + 8
    const corner = (party: Party, name: string, at: { x: number; y: number }, align: 'left' | 'right') =>
      drawParty(press, { ...at, width: half - 16, party, look: { title: name, titleLook: 'small', align } })
    const top = [
      corner(facts.buyer, label('buyer'), { x: frame.x, y: title }, 'left'),
      corner(facts.supplier, label('supplier'), { x: frame.x + half + 16, y: title }, 'right'),
    ]
    let y = Math.max(...top) + 8
    if (facts.shipTo !== null) y = corner(nameAndAddress(facts.shipTo), label('shipTo'), { x: frame.x, y }, 'left') + 8
    for (const [name, value] of orderPairs(press, facts)) {
      write(press, name, { x: frame.x, y, width: half - 8, align: 'right', colour: style.grey })
      y = write(press, value, { x: frame.x + half + 8, y, width: half - 8, face: 'bold' })
    }
    const items = facts.items
    const has = (key: keyof LineItem) => items.some((item) => item[key] !== null)
    const columns: (WideColumn & { of: (item: LineItem) => string })[] = [
      { title: label('amount'), align: 'right', of: (item) => money(item.amountCents) },
      { title: label('unitPrice'), align: 'right', of: (item) => shown(item.unitCents, bare) },
      { title: label('quantity'), align: 'right', of: (item) => shown(item.quantity, quantity) },
      ...(has('unit')
        ? [{ title: label('unit'), align: 'left' as const, of: (item: LineItem) => item.unit ?? '' }]
        : []),
      { title: label('description'), align: 'left', grows: true, of: (item) => item.description },
      ...(has('sku') ? [{ title: label('sku'), align: 'right' as const, of: (item: LineItem) => item.sku ?? '' }] : []),
    ]
    const rows = items.map((item): WideRow => ({ cells: columns.map(({ of }) => of(item)) }))
    const look = { lines: 'dashes', header: 'bare', padding: 3 } as const
    const { x, width } = frame
    y = drawWideTable(press, { columns, rows, x, y: y + 12, width, look, newPage: newPageOf(press), room: 150 }) + 8
    for (const [name, value] of totalsPairs(press, facts.totals, 'orderTotal')) {
      const amountWidth = width * 0.2
      write(press, value, { x, y, width: amountWidth, align: 'right', face: 'bold' })
      y = write(press, name, { x: x + amountWidth + 10, y, width: width * 0.5 })
    }
    if (facts.note !== null) write(press, facts.note, { x, y: y + 10, width, size: style.size * 0.9 })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: false })
  },
}

export const keptOutInvoices: readonly Layout<InvoiceFacts>[] = [numberedBoxes, reckoning]
export const keptOutOrders: readonly Layout<OrderFacts>[] = [message, corners]
