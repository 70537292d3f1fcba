import { bankPairs, drawPairs, drawParty, numberPages, type Pair } from '../blocks.ts'
import { drawRemarks, drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { addDays } from '../dates.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { LineItem } from '../items.ts'
import { fillName } from '../parties.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import type { Locale } from '../words/locale.ts'
import { releasedWordsOf } from '../words/locales-released.ts'
import { drawInvoiceItems } from './invoice-items.ts'
import { flowTable, frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawPartyLine, drawRuledSums, drawSlip, makeRoom, printed, slipHeight, unpaid } from './released-parts.ts'

/** A utility's bill: letterhead in lines, and a slip to be sent with the payment at the foot of the last page. */
const withSlip: Layout<InvoiceFacts> = {
  name: 'with-slip',
  keptOut: false,
  released: 2,
  revise: unpaid,
  draw(press, facts) {
    const { style, label, random } = press
    const frame = frameOf(press)
    const half = frame.width * 0.47
    drawLogo(press, { x: frame.right - 34, y: frame.y, size: 34 })
    let y = drawPartyLine(press, { ...frame, width: frame.width - 50, party: facts.vendor }) + 6
    drawRule(press, { x: frame.x, y, width: frame.width, thickness: 3, colour: style.accent })
    y += 16
    const party = facts.customer
    const look = { title: label('billTo'), titleLook: 'small' } as const
    const toEnd = drawParty(press, { x: frame.x, y, width: half, party, look })
    const pairs = invoicePairs(press, facts)
    const pairsEnd = drawPairs(press, { x: frame.right - half, y, width: half, pairs, look: 'spread' })
    y = Math.max(toEnd, pairsEnd) + 14
    y = write(press, label('invoice'), { x: frame.x, y, size: style.size * 1.6, face: 'bold' }) + 6
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width }, { lines: random.pick(['rules', 'none']) })
    const sums = totalsPairs(press, facts.totals)
    y = drawTotals(press, { x: frame.right - half, y: y + 8, width: half, pairs: sums, look: 'plain' })
    y = makeRoom(press, y, slipHeight + 50)
    drawRemarks(press, facts, { x: frame.x, y: y + 8, width: frame.width, look: 'inline', withBank: false })
    drawSlip(press, facts)
    numberPages(press, { y: frame.bottom + 8, align: 'right', always: random.chance(0.5) })
  },
}

/** A software firm's: title over a narrow block of data, what is to be paid and when as a sentence in large type. */
const headlineDue: Layout<InvoiceFacts> = {
  name: 'headline-due',
  keptOut: false,
  released: 2,
  revise: unpaid,
  draw(press, facts) {
    const { style, label, money, day } = press
    const frame = frameOf(press)
    const half = frame.width * 0.5
    const title = write(press, label('invoice'), { ...frame, size: style.size * 2.1, face: 'bold' })
    drawLogo(press, { x: frame.right - 30, y: frame.y, size: 30 })
    const pairs = invoicePairs(press, facts)
    let y = drawPairs(press, { x: frame.x, y: title + 8, width: half, pairs, look: 'columns' }) + 14
    const fromEnd = drawParty(press, { x: frame.x, y, width: half - 20, party: facts.vendor, look: {} })
    const look = { title: label('billTo') }
    const toEnd = drawParty(press, { x: frame.x + half, y, width: half, party: facts.customer, look })
    y = Math.max(fromEnd, toEnd) + 18
    if (facts.dueDate !== null) {
      const sentence = printed(press)
        .dueBy.replace('{amount}', money(facts.totals.totalCents))
        .replace('{date}', day(facts.dueDate))
      y = write(press, sentence, { x: frame.x, y, width: frame.width, size: style.size * 1.5, face: 'bold' }) + 10
    }
    y = drawInvoiceItems(press, facts, { x: frame.x, y, width: frame.width }, { lines: 'none', header: 'underlined' })
    const sums = { x: frame.x + half, y: y + 10, width: half, pairs: totalsPairs(press, facts.totals) }
    y = drawRuledSums(press, sums) + 16
    drawRemarks(press, facts, { x: frame.x, y, width: frame.width, look: 'columns', withBank: true })
    numberPages(press, { y: frame.bottom + 8, align: 'right', always: true })
  },
}

/** What a guest was charged, and the hotel's name; the price of a night is the same each night. */
function reviseStay(facts: InvoiceFacts, random: Random, locale: Locale): InvoiceFacts {
  const { hotel, charges } = releasedWordsOf(locale).printed
  const [night = '', ...extras] = charges.split('|')
  const nightCents = random.int(68, 240) * 100
  const items = Array.from({ length: random.int(2, 14) }, (_, n): LineItem => {
    const isNight = n % 2 === 0
    return {
      description: isNight ? night : random.pick(extras),
      note: null,
      sku: null,
      quantity: null,
      unit: null,
      unitCents: null,
      amountCents: isNight ? nightCents : random.int(4, 90) * 50,
    }
  })
  const sum = items.reduce((cents, { amountCents }) => cents + amountCents, 0)
  const taxRate = random.pick(locale.taxRates)
  const taxCents = Math.round((sum * taxRate) / 100)
  const totals = { ...facts.totals, taxRate, taxCents, subtotalCents: sum, totalCents: sum + taxCents }
  return {
    ...facts,
    vendor: { ...facts.vendor, name: fillName(random, hotel, locale, 'released'), email: null, website: null },
    items,
    totals: { ...totals, discountCents: null, shippingCents: null, paidCents: null },
    dueDate: null,
    terms: null,
    account: null,
    shipTo: null,
    deliveryDay: null,
    deliveryNote: null,
  }
}

/** A hotel's folio: a day before each charge, only amounts; the stay's data, and what was settled under the sums. */
const folio: Layout<InvoiceFacts> = {
  name: 'folio',
  keptOut: false,
  released: 2,
  revise: reviseStay,
  draw(press, facts) {
    const { style, label, money, bare, day, random } = press
    const frame = frameOf(press)
    const { vendor, customer, totals } = facts
    const centred = { align: 'center', nameSize: style.size * 1.8 } as const
    let y = drawParty(press, { ...frame, party: vendor, look: { ...centred, joined: '  ·  ' } }) + 4
    y =
      write(press, `${label('invoice')} – ${printed(press).folio}`, { ...frame, y, align: 'center', face: 'bold' }) + 14
    const half = frame.width * 0.46
    const toEnd = drawParty(press, { x: frame.x, y, width: half, party: customer, look: { title: label('billTo') } })
    const [arrival, departure, room] = printed(press).stay
    const nights = Math.ceil(facts.items.length / 2)
    const pairs: Pair[] = [
      ...invoicePairs(press, facts),
      [room, String(random.int(101, 642))],
      [arrival, day(addDays(facts.date, -nights))],
      [departure, day(facts.date)],
    ]
    const pairsEnd = drawPairs(press, { x: frame.right - half, y, width: half, pairs, look: 'right' })
    y = Math.max(toEnd, pairsEnd) + 14
    const rows = facts.items.map((item, n) => [
      day(addDays(facts.date, Math.floor(n / 2) - nights)),
      item.description,
      bare(item.amountCents),
    ])
    const columns = [
      { title: label('date'), align: 'left' },
      { title: label('description'), align: 'left', grows: true },
      { title: label('amount'), align: 'right' },
    ] as const
    const look = { lines: random.pick(['none', 'zebra', 'rules'] as const), header: 'underlined', padding: 3 } as const
    y = flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 150 }) + 6
    y = drawRuledSums(press, {
      x: frame.x + half,
      y,
      width: frame.right - frame.x - half,
      pairs: totalsPairs(press, totals),
    })
    if (random.chance(0.5)) {
      const [paid, open] = printed(press).settled
      const settled: Pair[] = [
        [paid, money(-totals.totalCents)],
        [open, money(0)],
      ]
      y = drawRuledSums(press, { x: frame.x + half, y, width: frame.right - frame.x - half, pairs: settled })
    }
    drawRemarks(press, facts, { x: frame.x, y: y + 14, width: frame.width, look: 'inline', withBank: false })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

function drawCard(press: Press, item: LineItem, at: { x: number; y: number; width: number }): number {
  const { label, money, quantity, style } = press
  const parts = [
    ...(item.sku === null ? [] : [`${label('sku')}: ${item.sku}`]),
    ...(item.quantity === null ? [] : [`${label('quantity')}: ${quantity(item.quantity)} ${item.unit ?? ''}`.trim()]),
    ...(item.unitCents === null ? [] : [`${label('unitPrice')}: ${money(item.unitCents)}`]),
  ]
  const inner = { x: at.x + 10, width: at.width - 130 }
  let y = write(press, item.description, { ...inner, y: at.y + 7, face: 'bold' })
  if (item.note !== null) y = write(press, item.note, { ...inner, y, size: style.size * 0.85, colour: style.grey })
  if (parts.length > 0) y = write(press, parts.join('    '), { ...inner, y, size: style.size * 0.9 })
  const right = { x: at.x + at.width - 115, width: 105, align: 'right' } as const
  const amountY = write(press, label('amount'), { ...right, y: at.y + 7, size: style.size * 0.75, colour: style.grey })
  const end = Math.max(y, write(press, money(item.amountCents), { ...right, y: amountY, face: 'bold' })) + 4
  drawBox(press, { ...at, height: end - at.y, stroke: '#bbbbbb', radius: 5 })
  return end + 5
}

/** An online shop's: no table, each thing bought in a box of its own with its figures labelled. */
const cards: Layout<InvoiceFacts> = {
  name: 'cards',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { style, label, random } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 26 })
    let y =
      write(press, label('invoice'), { ...frame, align: 'right', size: style.size * 1.7, colour: style.accent }) + 14
    y =
      drawPairs(press, { x: frame.x, y, width: frame.width, pairs: invoicePairs(press, facts), look: 'headed-row' }) +
      12
    const third = frame.width / 3
    const party = (title: 'from' | 'billTo' | 'shipTo') => ({ title: label(title), titleLook: 'small' }) as const
    const ends = [
      drawParty(press, { x: frame.x, y, width: third - 12, party: facts.customer, look: party('billTo') }),
      drawParty(press, { x: frame.x + 2 * third, y, width: third, party: facts.vendor, look: party('from') }),
      facts.shipTo === null
        ? y
        : drawParty(press, {
            x: frame.x + third,
            y,
            width: third - 12,
            party: nameAndAddress(facts.shipTo),
            look: party('shipTo'),
          }),
    ]
    y = Math.max(...ends) + 14
    for (const item of facts.items) {
      y = makeRoom(press, y, 70)
      y = drawCard(press, item, { x: frame.x, y, width: frame.width })
    }
    y = makeRoom(press, y, 190) + 6
    const sums = totalsPairs(press, facts.totals)
    y =
      drawTotals(press, { x: frame.x, y, width: frame.width, pairs: sums, look: random.pick(['plain', 'ruled']) }) + 12
    drawRemarks(press, facts, { x: frame.x, y, width: frame.width, look: 'inline', withBank: true })
    numberPages(press, { y: frame.bottom + 6, align: 'left', always: true })
  },
}

/** A wholesaler's sheet on its side: parties and data in columns over a wide table, bank left of the sums. */
const wideSheet: Layout<InvoiceFacts> = {
  name: 'sideways-invoice',
  keptOut: false,
  released: 2,
  sideways: true,
  draw(press, facts) {
    const { style, label, random } = press
    const frame = frameOf(press)
    const title =
      write(press, label('invoice'), { ...frame, size: style.size * 1.5, face: 'bold', align: 'center' }) + 8
    const cell = frame.width / 3
    const band = (key: 'from' | 'billTo') => ({ title: label(key), titleLook: 'band' }) as const
    const pairs = invoicePairs(press, facts)
    const ends = [
      drawParty(press, { x: frame.x, y: title, width: cell - 14, party: facts.vendor, look: band('from') }),
      drawParty(press, { x: frame.x + cell, y: title, width: cell - 14, party: facts.customer, look: band('billTo') }),
      drawPairs(press, { x: frame.x + 2 * cell, y: title, width: cell, pairs, look: random.pick(['columns', 'grid']) }),
    ]
    let y = drawInvoiceItems(
      press,
      facts,
      { x: frame.x, y: Math.max(...ends) + 14, width: frame.width },
      { padding: 2.5 },
    )
    y = makeRoom(press, y + 8, 120)
    const sums = totalsPairs(press, facts.totals)
    drawTotals(press, {
      x: frame.right - cell,
      y,
      width: cell,
      pairs: sums,
      look: random.pick(['boxed', 'grid', 'band-last']),
    })
    if (facts.account !== null)
      y = drawPairs(press, { x: frame.x, y, width: cell, pairs: bankPairs(press, facts.account), look: 'columns' }) + 8
    drawRemarks(press, facts, { x: frame.x, y, width: cell * 1.8, look: 'inline', withBank: false })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

export const releasedInvoicesTwo: readonly Layout<InvoiceFacts>[] = [withSlip, headlineDue, folio, cards, wideSheet]
