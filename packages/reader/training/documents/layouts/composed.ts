import { bankPairs, drawPairs, numberPages, type Pair, type Place } from '../blocks.ts'
import { drawRemarks, invoicePairs, totalsPairs } from '../commerce.ts'
import { write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { OrderFacts } from '../order-facts.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import type { StatementFacts } from '../statement-facts.ts'
import {
  anyItemSpec,
  drawAnyPairs,
  drawAnyTotals,
  drawHead,
  drawParties,
  stackBlocks,
  type Titled,
} from './composed-parts.ts'
import { drawWideItems } from './invoice-wide-parts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawOrderEnd, orderPairs } from './order-parts.ts'
import { accountPairs, balancePairs, shortDay } from './statement-parts.ts'
import {
  balanceRow,
  drawWideMovements,
  type MovementCell,
  movementRows,
  type SignForm,
} from './statement-wide-parts.ts'
import { pickWideLook } from './wide-table.ts'

interface Commerce {
  readonly title: string
  readonly sender: Party
  readonly parties: readonly Titled[]
  readonly pairs: readonly Pair[]
  readonly sums: readonly Pair[]
  readonly items: InvoiceFacts['items']
  end(place: Place): number
}

/** A page of blocks in an order, with looks and in places that are drawn one by one. */
function drawComposed(press: Press, facts: Commerce): void {
  const { random } = press
  const frame = frameOf(press)
  const half = frame.width * 0.47
  const start = drawHead(press, facts.sender, facts.title)
  const parties = (place: Place) => drawParties(press, { ...place, parties: facts.parties, sender: facts.sender })
  const data = (place: Place) => drawAnyPairs(press, { ...place, pairs: facts.pairs, isBroad: true })
  const isBeside = random.chance(0.5)
  const beside = (place: Place) => {
    const [left, right] = random.chance(0.75)
      ? [place.x, place.x + place.width - half]
      : [place.x + place.width - half, place.x]
    const ends = [
      parties({ ...place, x: left, width: half }),
      drawAnyPairs(press, { ...place, x: right, width: half, pairs: facts.pairs, isBroad: false }),
    ]
    return Math.max(...ends)
  }
  const blocks =
    isBeside && facts.parties.length < 3 ? [beside] : random.chance(0.5) ? [parties, data] : [data, parties]
  let y = stackBlocks(press, { x: frame.x, y: start, width: frame.width }, blocks) + 6
  const inTable = random.chance(0.12)
  y = drawWideItems(press, facts.items, {
    x: frame.x,
    y,
    width: frame.width,
    spec: anyItemSpec(random),
    look: pickWideLook(press),
    ...(inTable ? { withTotals: facts.sums } : {}),
    carries: random.chance(0.3),
    room: 230,
  })
  const sumsAt = random.pick(['right', 'right', 'right', 'left', 'full'] as const)
  const sumsX = sumsAt === 'right' ? frame.right - half : frame.x
  const sumsWidth = sumsAt === 'full' ? frame.width : half
  const sumsEnd = inTable ? y : drawAnyTotals(press, { x: sumsX, y: y + 8, width: sumsWidth, pairs: facts.sums })
  const isEndBeside = sumsAt === 'right' && !inTable && random.chance(0.4)
  facts.end({ x: frame.x, y: isEndBeside ? y + 10 : sumsEnd + 14, width: isEndBeside ? half - 14 : frame.width * 0.7 })
  numberPages(press, {
    y: frame.bottom + 4,
    align: random.pick(['left', 'center', 'right']),
    always: random.chance(0.4),
  })
}

const composedInvoice: Layout<InvoiceFacts> = {
  name: 'composed-invoice',
  keptOut: false,
  draw(press, facts) {
    const { random, label } = press
    const inBank = facts.account !== null && random.chance(0.4)
    drawComposed(press, {
      title: label('invoice'),
      sender: facts.vendor,
      parties: [
        { title: label('billTo'), party: facts.customer },
        ...(facts.shipTo === null ? [] : [{ title: label('shipTo'), party: nameAndAddress(facts.shipTo) }]),
      ],
      pairs: invoicePairs(press, facts),
      sums: totalsPairs(press, facts.totals),
      items: facts.items,
      end(place) {
        const end =
          inBank && facts.account !== null
            ? drawPairs(press, {
                ...place,
                pairs: bankPairs(press, facts.account),
                look: random.pick(['columns', 'inline']),
              }) + 6
            : place.y
        return drawRemarks(press, facts, {
          ...place,
          y: end,
          look: random.pick(['columns', 'inline', 'above']),
          withBank: !inBank,
        })
      },
    })
  },
}

const composedOrder: Layout<OrderFacts> = {
  name: 'composed-order',
  keptOut: false,
  draw(press, facts) {
    const { label } = press
    drawComposed(press, {
      title: label('order'),
      sender: facts.buyer,
      parties: [
        { title: label('supplier'), party: facts.supplier },
        ...(facts.shipTo === null ? [] : [{ title: label('shipTo'), party: nameAndAddress(facts.shipTo) }]),
      ],
      pairs: orderPairs(press, facts),
      sums: totalsPairs(press, facts.totals, 'orderTotal'),
      items: facts.items,
      end(place) {
        drawOrderEnd(press, facts, place)
        return place.y
      },
    })
  },
}

const composedStatement: Layout<StatementFacts> = {
  name: 'composed-statement',
  keptOut: false,
  draw(press, facts) {
    const { random, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.47
    const start = drawHead(press, facts.bank, label('statement'))
    const holder = (place: Place) =>
      drawParties(press, {
        ...place,
        parties: [{ title: label('holder'), party: nameAndAddress(facts.holder) }],
        sender: facts.bank,
      })
    const pairs = accountPairs(press, facts).slice(1)
    const beside = (place: Place) => {
      const ends = [
        holder({ ...place, width: half }),
        drawAnyPairs(press, { ...place, x: place.x + place.width - half, width: half, pairs, isBroad: false }),
      ]
      return Math.max(...ends)
    }
    const data = (place: Place) => drawAnyPairs(press, { ...place, pairs, isBroad: true })
    const sums = (place: Place) =>
      drawAnyPairs(press, { ...place, pairs: balancePairs(press, facts, true), isBroad: random.chance(0.6) })
    const sumsFirst = random.chance(0.6)
    const blocks = random.chance(0.55) ? [beside] : [holder, data]
    let y =
      stackBlocks(press, { x: frame.x, y: start, width: frame.width }, [...blocks, ...(sumsFirst ? [sums] : [])]) + 6
    const isSplit = random.chance(0.5)
    const sign: SignForm = isSplit ? 'minus' : random.pick(['minus', 'both', 'trailing', 'brackets', 'letters'])
    const amounts: MovementCell[] = isSplit
      ? random.pick([
          ['out', 'in'],
          ['in', 'out'],
        ])
      : ['amount']
    const cells: MovementCell[] = [
      'date',
      ...(facts.withValueDays ? ['value' as const] : []),
      'details',
      ...amounts,
      ...(facts.withBalances ? ['balance' as const] : []),
    ]
    const spec = {
      cells,
      sign,
      writeRowDay: random.chance(0.35) ? shortDay(press, facts) : press.day,
      days: random.weighted<'each' | 'once' | 'heading'>([
        [6, 'each'],
        [1, 'once'],
        [1, 'heading'],
      ]),
    }
    const { columns, rows } = movementRows(press, facts.movements, spec)
    const ends = facts.withBalances && random.chance(0.4)
    const all = ends
      ? [
          balanceRow(press, columns, { name: label('opening'), cents: facts.openingCents, sign }),
          ...rows,
          balanceRow(press, columns, { name: label('closing'), cents: facts.closingCents, sign }),
        ]
      : rows
    y = drawWideMovements(press, {
      x: frame.x,
      y,
      width: frame.width,
      columns,
      rows: all,
      carries: random.chance(0.2),
      room: sumsFirst ? 50 : 130,
    })
    if (!sumsFirst) y = sums({ x: random.chance(0.5) ? frame.x : frame.right - half, y: y + 10, width: half })
    if (facts.note !== null)
      write(press, facts.note, { x: frame.x, y: y + 10, width: frame.width, size: press.style.size * 0.85 })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: random.chance(0.5) })
  },
}

/** How often the layouts of the train part that draw their features one by one are taken, beside each of the others. */
const WEIGHT = 8

export const composedInvoices: readonly Layout<InvoiceFacts>[] = Array.from({ length: WEIGHT }, () => composedInvoice)
export const composedOrders: readonly Layout<OrderFacts>[] = Array.from({ length: WEIGHT }, () => composedOrder)
export const composedStatements: readonly Layout<StatementFacts>[] = Array.from(
  { length: WEIGHT },
  () => composedStatement,
)
