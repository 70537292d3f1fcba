import { bankPairs, drawPairs, drawParty, groupIban, numberPages, type Pair, pairsOf, reachLines } from '../blocks.ts'
import { drawRemarks, drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { drawBox, drawLogo, drawRule, lineHeight, textWidth, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { LineItem } from '../items.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Press } from '../press.ts'
import type { Column, TableRow } from '../table.ts'
import { fourthWordsOf } from '../words/kept-out-4.ts'
import { flowTable, frameOf, type Layout, nameAndAddress } from './layout.ts'

const shown = (value: number | null, form: (value: number) => string): string => (value === null ? '' : form(value))

/** The y to go on at: a new page's top where `room` points are not left. */
function makeRoom(press: Press, y: number, room: number): number {
  const frame = frameOf(press)
  if (y + room <= frame.bottom) return y
  press.doc.addPage()
  return frame.y
}

/** A bill of a utility or a telephone company: what is to be paid stands in a box at the top, a slip to pay with at the foot. */
const utilityBill: Layout<InvoiceFacts> = {
  name: 'utility-bill',
  keptOut: true,
  round: 4,
  revise: (facts) => ({
    ...facts,
    items: facts.items
      .slice(0, 12)
      .map((item) => ({ ...item, quantity: null, unitCents: null, unit: null, sku: null })),
    totals: totalsOfFirst(facts, 12),
  }),
  draw(press, facts) {
    const { label, money, day, style, locale } = press
    const words = fourthWordsOf(locale)
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 34 })
    const left = frame.width * 0.52
    let y = write(press, facts.vendor.name, { x: frame.x + 44, y: frame.y + 4, size: style.size * 1.6, face: 'bold' })
    y = write(press, reachLines(press, facts.vendor).join('  '), { x: frame.x + 44, y, width: left - 44, size: 7 })
    drawParty(press, { x: frame.x, y: frame.y + 84, width: left - 20, party: facts.customer, look: {} })
    const boxX = frame.x + left
    const boxWidth = frame.width - left
    const inner = { x: boxX + 10, width: boxWidth - 20 }
    let boxY = write(press, label('invoice'), { ...inner, y: frame.y + 8, face: 'bold', size: style.size * 1.3 }) + 4
    boxY = drawPairs(press, { ...inner, y: boxY, pairs: invoicePairs(press, facts), look: 'spread' }) + 6
    drawBox(press, { x: boxX, y: boxY, width: boxWidth, height: style.size * 4.4, fill: '#e8eef4' })
    write(press, label('total'), { ...inner, y: boxY + 5 })
    const amount = money(facts.totals.totalCents)
    boxY = write(press, amount, {
      ...inner,
      y: boxY + 5 + style.size * 1.4,
      size: style.size * 1.9,
      face: 'bold',
      align: 'right',
    })
    y = Math.max(boxY + 20, frame.y + 200)
    y = write(press, words.charges, { x: frame.x, y, face: 'bold', size: style.size * 1.2, colour: style.accent }) + 4
    drawRule(press, { x: frame.x, y, width: frame.width, colour: style.accent })
    y += 6
    for (const item of facts.items) {
      const value = money(item.amountCents)
      write(press, value, { x: frame.x, y, width: frame.width, align: 'right' })
      y = write(press, item.description, { x: frame.x, y, width: frame.width - textWidth(press, value) - 20 })
      if (item.note !== null)
        y = write(press, item.note, { x: frame.x + 8, y, size: style.size * 0.82, colour: style.grey })
      y += 2
    }
    y = makeRoom(press, y, 130)
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 0.4 })
    y = drawPairs(press, {
      x: frame.x,
      y: y + 4,
      width: frame.width,
      pairs: totalsPairs(press, facts.totals),
      look: 'spread',
    })
    y = drawRemarks(press, facts, { x: frame.x, y: y + 8, width: frame.width, look: 'inline', withBank: false })
    const top = Math.max(makeRoom(press, y + 10, 120), frame.bottom - 120)
    drawRule(press, { x: 0, y: top, width: press.doc.page.width, dash: true })
    write(press, words.slip, { x: frame.x, y: top + 5, size: 7, colour: style.grey })
    const slip = pairsOf([
      [label('bank'), facts.account?.bank ?? null],
      [
        label('iban'),
        facts.account?.iban === undefined || facts.account.iban === null ? null : groupIban(facts.account.iban),
      ],
      [label('invoiceNumber'), facts.number],
      [label('dueDate'), facts.dueDate && day(facts.dueDate)],
      [label('total'), amount],
    ])
    const vendor = { ...facts.vendor, email: null, phone: null, fax: null, website: null, contact: null }
    drawParty(press, { x: frame.x, y: top + 20, width: frame.width * 0.4, party: vendor, look: { size: 8 } })
    drawPairs(press, {
      x: frame.x + frame.width * 0.45,
      y: top + 20,
      width: frame.width * 0.55,
      pairs: slip,
      look: 'grid',
      size: 8,
    })
  },
}

/** The sums of the first so many items, at the document's own rates. */
function totalsOfFirst(
  facts: { items: readonly LineItem[]; totals: InvoiceFacts['totals'] },
  count: number,
): InvoiceFacts['totals'] {
  const { totals } = facts
  if (facts.items.length <= count) return { ...totals, paidCents: null }
  const sum = facts.items.slice(0, count).reduce((cents, item) => cents + item.amountCents, 0)
  return {
    subtotalCents: sum,
    discountCents: null,
    shippingCents: null,
    taxRate: null,
    taxCents: null,
    totalCents: sum,
    paidCents: null,
  }
}

/** As online payment services write them: much white, parties side by side, what is due and when as a sentence. */
const webInvoice: Layout<InvoiceFacts> = {
  name: 'web-invoice',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, money, day, style, locale } = press
    const frame = frameOf(press)
    write(press, label('invoice'), { ...frame, face: 'bold', size: style.size * 2 })
    drawLogo(press, { x: frame.right - 30, y: frame.y, size: 30 })
    let y = drawPairs(press, {
      x: frame.x,
      y: frame.y + 36,
      width: frame.width * 0.6,
      pairs: invoicePairs(press, facts),
      look: 'columns',
    })
    const third = frame.width / 3
    const ends = [
      drawParty(press, { x: frame.x, y: y + 14, width: third - 14, party: facts.vendor, look: {} }),
      drawParty(press, {
        x: frame.x + third,
        y: y + 14,
        width: third - 14,
        party: facts.customer,
        look: { title: label('billTo') },
      }),
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + 2 * third,
            y: y + 14,
            width: third - 14,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo') },
          }),
    ]
    y = Math.max(...ends) + 18
    const { totalCents, paidCents } = facts.totals
    if (facts.dueDate !== null && paidCents === null)
      y =
        write(
          press,
          fourthWordsOf(locale).due.replace('{amount}', money(totalCents)).replace('{date}', day(facts.dueDate)),
          {
            x: frame.x,
            y,
            face: 'bold',
            size: style.size * 1.5,
          },
        ) + 14
    const { columns, rows } = plainColumns(press, facts.items)
    const look = { lines: 'none', header: 'underlined', padding: 4 } as const
    y = flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 170 }) + 6
    for (const [n, [name, value]] of totalsPairs(press, facts.totals).entries()) {
      const x = frame.x + frame.width * 0.5
      if (n > 0) drawRule(press, { x, y: y - 2, width: frame.width * 0.5, thickness: 0.3 })
      const end = write(press, name, { x, y, width: frame.width * 0.3 })
      write(press, value, { x, y, width: frame.width * 0.5, align: 'right' })
      y = end + 3
    }
    drawRemarks(press, facts, { x: frame.x, y: y + 14, width: frame.width * 0.7, look: 'columns', withBank: true })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

type Drawn = Column & { readonly cell: (item: LineItem, n: number) => string }

function plainColumns(press: Press, items: readonly LineItem[]): { columns: Column[]; rows: TableRow[] } {
  const { label, quantity, bare, money } = press
  const has = (key: keyof LineItem) => items.some((item) => item[key] !== null)
  const drawn: Drawn[] = [
    {
      title: label('description'),
      align: 'left',
      grows: true,
      cell: (item) => [item.description, ...(item.note === null ? [] : [item.note])].join('\n'),
    },
    ...(has('sku') ? [{ title: label('sku'), align: 'left' as const, cell: (item: LineItem) => item.sku ?? '' }] : []),
    ...(has('quantity')
      ? [
          {
            title: label('quantity'),
            align: 'right' as const,
            cell: (item: LineItem) => shown(item.quantity, quantity),
          },
        ]
      : []),
    ...(has('unitCents')
      ? [{ title: label('unitPrice'), align: 'right' as const, cell: (item: LineItem) => shown(item.unitCents, bare) }]
      : []),
    { title: label('amount'), align: 'right', cell: (item) => money(item.amountCents) },
  ]
  return { columns: drawn, rows: items.map((item, n) => drawn.map(({ cell }) => cell(item, n))) }
}

/** A workshop's: data of the vehicle, labour and parts in two tables, each with a heading. */
const workshop: Layout<InvoiceFacts> = {
  name: 'workshop-invoice',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, random, style, locale } = press
    const words = fourthWordsOf(locale)
    const frame = frameOf(press)
    drawBox(press, { x: frame.x, y: frame.y, width: frame.width, height: 4, fill: style.accent })
    const headEnd = drawParty(press, {
      x: frame.x + frame.width * 0.55,
      y: frame.y + 12,
      width: frame.width * 0.45,
      party: facts.vendor,
      look: { align: 'right', nameSize: style.size * 1.5, size: style.size * 0.9 },
    })
    const toEnd = drawParty(press, {
      x: frame.x,
      y: frame.y + 60,
      width: frame.width * 0.5,
      party: facts.customer,
      look: {},
    })
    let y = Math.max(headEnd, toEnd) + 16
    y = write(press, `${label('invoice')} ${facts.number}`, { x: frame.x, y, size: style.size * 1.5, face: 'bold' }) + 4
    const pairs: Pair[] = invoicePairs(press, facts).filter(([name]) => name !== label('invoiceNumber'))
    const vehicle: Pair[] = [
      [words.vehicle[0], random.fill('@@ ### @@')],
      [words.vehicle[1], `${random.int(11, 189)} ${random.fill('###')}`],
      [words.vehicle[2], random.fill('@@@##@@########')],
    ]
    const half = frame.width / 2
    const ends = [
      drawPairs(press, { x: frame.x, y, width: half - 16, pairs, look: 'columns' }),
      drawPairs(press, { x: frame.x + half, y, width: half, pairs: vehicle, look: 'columns' }),
    ]
    y = Math.max(...ends) + 12
    const { columns } = plainColumns(press, facts.items)
    const cut = facts.items.length > 2 ? Math.ceil(facts.items.length / 2) : facts.items.length
    const look = { lines: 'rules', header: 'tinted', padding: 3 } as const
    for (const [name, items] of [
      [words.labour, facts.items.slice(0, cut)],
      [words.parts, facts.items.slice(cut)],
    ] as const) {
      if (items.length === 0) continue
      y = write(press, name, { x: frame.x, y: makeRoom(press, y, 70), face: 'bold' }) + 2
      const all = plainColumns(press, facts.items).rows
      const rows = items.map((item) => all[facts.items.indexOf(item)] ?? [])
      y = flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 40 }) + 12
    }
    y = makeRoom(press, y, 190)
    y = drawTotals(press, {
      x: frame.x + frame.width * 0.55,
      y,
      width: frame.width * 0.45,
      pairs: totalsPairs(press, facts.totals),
      look: 'boxed',
    })
    drawRemarks(press, facts, { x: frame.x, y: y + 10, width: frame.width, look: 'inline', withBank: true })
    numberPages(press, { y: frame.bottom + 6, align: 'center', always: false })
  },
}

/** Out of an enterprise system: information block at the right, positions in tens, the text of a position below its numbers. */
const enterprise: Layout<InvoiceFacts> = {
  name: 'enterprise-invoice',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, bare, quantity, style } = press
    const frame = frameOf(press)
    write(press, facts.vendor.name, { ...frame, face: 'bold', size: style.size * 1.4, align: 'center' })
    const sender = [facts.vendor.name, ...facts.vendor.addressLines].join(' * ')
    write(press, sender, { x: frame.x, y: frame.y + 50, size: 6.5 })
    const toEnd = drawParty(press, {
      x: frame.x,
      y: frame.y + 62,
      width: frame.width * 0.45,
      party: facts.customer,
      look: {},
    })
    const infoX = frame.x + frame.width * 0.55
    const titleEnd =
      write(press, label('invoice'), { x: infoX, y: frame.y + 46, face: 'bold', size: style.size * 1.25 }) + 3
    const infoEnd = drawPairs(press, {
      x: infoX,
      y: titleEnd,
      width: frame.right - infoX,
      pairs: invoicePairs(press, facts),
      look: 'above',
      size: style.size * 0.95,
    })
    let y = Math.max(toEnd, infoEnd) + 12
    const last = frame.width
    const grid = [0, last * 0.1, last * 0.42, last * 0.6, last * 0.78, last] as const
    const line = (cells: readonly string[], top: number, face: 'regular' | 'bold') =>
      Math.max(
        ...cells.map((cell, n) =>
          write(press, cell, {
            x: frame.x + (grid[n] ?? 0),
            y: top,
            width: (grid[n + 1] ?? last) - (grid[n] ?? 0) - 4,
            align: n > 1 ? 'right' : 'left',
            face,
          }),
        ),
      )
    const titles = () => {
      const cells = [label('position'), label('sku'), label('quantity'), label('unitPrice'), label('amount')]
      const end = write(press, label('description'), {
        x: frame.x + last * 0.1,
        y: line(cells, y, 'bold'),
        face: 'bold',
      })
      drawRule(press, { x: frame.x, y: end, width: last })
      return end + 4
    }
    y = titles()
    for (const [n, item] of facts.items.entries()) {
      if (y > frame.bottom - 60) {
        press.doc.addPage()
        y = frame.y
        y = titles()
      }
      const count =
        item.quantity === null ? '' : `${quantity(item.quantity)}${item.unit === null ? '' : ` ${item.unit}`}`
      const cells = [
        String((n + 1) * 10).padStart(5, '0'),
        item.sku ?? '',
        count,
        shown(item.unitCents, bare),
        bare(item.amountCents),
      ]
      y =
        write(press, item.description, { x: frame.x + last * 0.1, y: line(cells, y, 'regular'), width: last * 0.7 }) + 4
    }
    drawRule(press, { x: frame.x, y, width: last })
    y = makeRoom(press, y + 4, 170)
    const pairs = totalsPairs(press, facts.totals)
    y = drawPairs(press, { x: frame.x + last * 0.42, y, width: last * 0.58 - 4, pairs, look: 'spread' }) + 10
    y = drawRemarks(press, facts, { x: frame.x, y, width: last, look: 'inline', withBank: false })
    const foot = frame.bottom - 30
    drawRule(press, { x: frame.x, y: foot - 4, width: last, thickness: 0.3 })
    const small = { size: 6.5, width: last / 3 - 8 }
    write(
      press,
      [facts.vendor.name, ...facts.vendor.addressLines, facts.vendor.country ?? ''].filter(Boolean).join('\n'),
      { ...small, x: frame.x, y: foot },
    )
    write(press, reachLines(press, facts.vendor).join('\n'), { ...small, x: frame.x + last / 3, y: foot })
    if (facts.account !== null)
      write(
        press,
        bankPairs(press, facts.account)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
        {
          ...small,
          x: frame.x + (2 * last) / 3,
          y: foot,
        },
      )
  },
}

/** The form that many small firms fill in: title at the right, black bands over the parties, a row of boxes, rows left empty. */
const filledForm: Layout<OrderFacts> = {
  name: 'filled-form-order',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, bare, quantity, day, random, style, locale } = press
    const words = fourthWordsOf(locale)
    const frame = frameOf(press)
    const half = frame.width / 2
    const buyer = { ...facts.buyer, contact: null }
    const buyerEnd = drawParty(press, {
      ...frame,
      width: half - 10,
      party: buyer,
      look: { nameSize: style.size * 1.6 },
    })
    const titleEnd = write(press, label('order').toUpperCase(), {
      ...frame,
      align: 'right',
      face: 'bold',
      size: style.size * 2,
      colour: style.accent,
    })
    const head: Pair[] = pairsOf([
      [label('orderDate'), day(facts.date)],
      [label('orderNumber'), facts.number],
      [label('reference'), facts.reference],
      [label('currency'), press.currencyLine],
    ])
    const headEnd = drawPairs(press, {
      x: frame.x + half + 30,
      y: titleEnd + 4,
      width: half - 30,
      pairs: head,
      look: 'grid',
    })
    let y = Math.max(buyerEnd, headEnd) + 14
    const ends = [
      drawParty(press, {
        x: frame.x,
        y,
        width: half - 12,
        party: facts.supplier,
        look: { title: label('supplier'), titleLook: 'band' },
      }),
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + half + 12,
            y,
            width: half - 12,
            party: nameAndAddress(facts.shipTo),
            look: { title: label('shipTo'), titleLook: 'band' },
          }),
    ]
    y = Math.max(...ends) + 12
    const boxes = pairsOf([
      [words.requester, random.chance(0.4) ? random.fill('@@') : null],
      [words.via, random.chance(0.6) ? random.pick(['DHL', 'UPS', 'FedEx', 'TNT']) : null],
      [label('shippingTerms'), facts.shippingTerms],
      [label('terms'), facts.terms],
      [label('deliveryDate'), facts.deliveryDate && day(facts.deliveryDate)],
    ])
    y = drawPairs(press, { x: frame.x, y, width: frame.width, pairs: boxes, look: 'boxes' }) + 8
    const drawn: Drawn[] = [
      { title: label('sku'), align: 'left', cell: (item) => item.sku ?? '' },
      { title: label('description'), align: 'left', grows: true, cell: (item) => item.description },
      { title: label('quantity'), align: 'right', cell: (item) => shown(item.quantity, quantity) },
      { title: label('unitPrice'), align: 'right', cell: (item) => shown(item.unitCents, bare) },
      { title: label('amount'), align: 'right', cell: (item) => bare(item.amountCents) },
    ]
    const columns = facts.items.some(({ sku }) => sku !== null) ? drawn : drawn.slice(1)
    const filled = facts.items.map((item, n) => columns.map(({ cell }) => cell(item, n)))
    const empty = Array.from({ length: Math.max(0, 8 - filled.length) }, () =>
      columns.map((_, n) => (n === columns.length - 1 ? '-' : '')),
    )
    const look = { lines: 'grid', header: 'band', padding: 3 } as const
    y = flowTable(press, { columns, rows: [...filled, ...empty], look, x: frame.x, y, width: frame.width, room: 150 })
    const pairs = totalsPairs(press, facts.totals, 'orderTotal')
    const sumsEnd = drawTotals(press, {
      x: frame.x + frame.width * 0.6,
      y,
      width: frame.width * 0.4,
      pairs,
      look: 'plain',
    })
    const height = 70
    drawBox(press, { x: frame.x, y: y + 8, width: frame.width * 0.55, height, stroke: style.grey })
    drawBox(press, { x: frame.x, y: y + 8, width: frame.width * 0.55, height: lineHeight(press) + 3, fill: '#dddddd' })
    const noteEnd = write(press, words.remarks, { x: frame.x + 4, y: y + 11, face: 'bold' }) + 3
    if (facts.note !== null) write(press, facts.note, { x: frame.x + 4, y: noteEnd, width: frame.width * 0.55 - 8 })
    y = Math.max(sumsEnd, y + 8 + height) + 16
    if (facts.contact !== null) {
      y = write(press, words.questions, { x: frame.x, y, width: frame.width, align: 'center' })
      write(press, `${label('contact')}: ${facts.contact}`, { x: frame.x, y, width: frame.width, align: 'center' })
    }
  },
}

/** A letter: the subject names number and day, sentences stand around a plain list. */
const orderLetter: Layout<OrderFacts> = {
  name: 'letter-order',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, bare, money, quantity, day, style, locale } = press
    const words = fourthWordsOf(locale)
    const frame = frameOf(press)
    const buyerEnd = drawParty(press, {
      x: frame.x + frame.width * 0.6,
      y: frame.y,
      width: frame.width * 0.4,
      party: facts.buyer,
      look: { size: style.size * 0.92 },
    })
    const supplierEnd = drawParty(press, {
      x: frame.x,
      y: frame.y + 70,
      width: frame.width * 0.5,
      party: facts.supplier,
      look: {},
    })
    let y = Math.max(buyerEnd, supplierEnd) + 26
    y = write(press, `${day(facts.date)}`, { x: frame.x, y, width: frame.width, align: 'right' }) + 6
    y = write(press, `${label('order')} ${facts.number}`, { x: frame.x, y, face: 'bold', size: style.size * 1.15 }) + 8
    y = write(press, words.please, { x: frame.x, y, width: frame.width }) + 8
    const drawn: Drawn[] = [
      { title: label('position'), align: 'left', cell: (_, n) => String(n + 1) },
      { title: label('quantity'), align: 'right', cell: (item) => shown(item.quantity, quantity) },
      {
        title: label('description'),
        align: 'left',
        grows: true,
        cell: (item) => [item.description, ...(item.sku === null ? [] : [`${label('sku')} ${item.sku}`])].join('\n'),
      },
      { title: label('unitPrice'), align: 'right', cell: (item) => shown(item.unitCents, bare) },
      { title: label('amount'), align: 'right', cell: (item) => money(item.amountCents) },
    ]
    const rows = facts.items.map((item, n) => drawn.map(({ cell }) => cell(item, n)))
    const look = { lines: 'none', header: 'bold', padding: 3 } as const
    y = flowTable(press, { columns: drawn, rows, look, x: frame.x, y, width: frame.width, room: 200 })
    drawRule(press, { x: frame.x, y, width: frame.width })
    const pairs = totalsPairs(press, facts.totals, 'orderTotal')
    y =
      drawPairs(press, {
        x: frame.x + frame.width * 0.45,
        y: y + 4,
        width: frame.width * 0.55,
        pairs,
        look: 'spread',
      }) + 12
    const rest = pairsOf([
      [label('deliveryDate'), facts.deliveryDate && day(facts.deliveryDate)],
      [label('shippingTerms'), facts.shippingTerms],
      [label('terms'), facts.terms],
      [label('reference'), facts.reference],
      [label('currency'), press.currencyLine],
      [
        label('shipTo'),
        facts.shipTo === null
          ? null
          : [facts.shipTo.name, ...facts.shipTo.addressLines, facts.shipTo.country ?? ''].filter(Boolean).join(', '),
      ],
    ])
    y = drawPairs(press, { x: frame.x, y, width: frame.width, pairs: rest, look: 'inline' }) + 6
    if (facts.note !== null) y = write(press, facts.note, { x: frame.x, y, width: frame.width }) + 6
    y = write(press, words.confirm, { x: frame.x, y, width: frame.width }) + 22
    if (facts.contact !== null) write(press, `${label('contact')}: ${facts.contact}`, { x: frame.x, y })
  },
}

export const fourthInvoices: readonly Layout<InvoiceFacts>[] = [utilityBill, webInvoice, workshop, enterprise]
export const fourthOrders: readonly Layout<OrderFacts>[] = [filledForm, orderLetter]
