import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { drawBox, write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { frameOf, type Layout } from './layout.ts'
import { accountPairs, shortDay } from './statement-parts.ts'
import {
  balanceRow,
  drawWideMovements,
  listsOf,
  type MovementCell,
  movementRows,
  reviseReferences,
  reviseTwoLists,
  summaryPairs,
  writeNote,
} from './statement-wide-parts.ts'
import { addressLinesOf, drawFoot, drawName, drawWidePairs, drawWindow } from './wide-parts.ts'

/** Booking and value days, a second line of references under what a movement was for. */
const twoDays: Layout<StatementFacts> = {
  name: 'wide-two-days',
  keptOut: false,
  revise: (facts, random) => ({ ...reviseReferences(facts, random), withValueDays: true }),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    write(press, facts.bank.name, {
      ...frame,
      align: random.pick(['right', 'left']),
      size: style.size * 1.7,
      face: 'bold',
    })
    const half = frame.width * 0.5
    const addressEnd = drawWindow(press, {
      x: frame.x,
      y: frame.y + 50,
      width: half,
      sender: facts.bank,
      to: facts.holder,
    })
    const pairs = accountPairs(press, facts).filter(([key]) => key !== label('holder'))
    const metaEnd = drawPairs(press, {
      x: frame.x + half,
      y: frame.y + 50,
      width: half,
      pairs,
      look: random.pick(['columns', 'right', 'grid']),
      size: style.size * 0.9,
    })
    let y =
      write(press, label('statement'), {
        x: frame.x,
        y: Math.max(addressEnd, metaEnd) + 16,
        size: style.size * 1.3,
        face: 'bold',
      }) + 6
    const sign = random.pick(['minus', 'trailing', 'letters', 'both'] as const)
    const isSplit = random.chance(0.4)
    const cells: MovementCell[] = [
      ...random.pick([
        ['date', 'value', 'details'],
        ['date', 'details', 'value'],
      ] as const),
      ...(isSplit ? (['out', 'in'] as const) : (['amount'] as const)),
      ...(facts.withBalances ? (['balance'] as const) : []),
    ]
    const table = movementRows(press, facts.movements, {
      cells,
      sign,
      writeRowDay: shortDay(press, facts),
      days: 'each',
    })
    const rows = [
      balanceRow(press, table.columns, {
        name: `${label('opening')} ${press.day(facts.start)}`,
        cents: facts.openingCents,
        sign,
      }),
      ...table.rows,
      balanceRow(press, table.columns, {
        name: `${label('closing')} ${press.day(facts.end)}`,
        cents: facts.closingCents,
        sign,
      }),
    ]
    y = drawWideMovements(press, {
      x: frame.x,
      y,
      width: frame.width,
      columns: table.columns,
      rows,
      carries: random.chance(0.5),
      room: 80,
    })
    y = drawWidePairs(press, {
      x: frame.x,
      y: y + 12,
      width: frame.width * 0.55,
      pairs: summaryPairs(press, facts, false),
      look: random.pick(['leaders', 'right-colon']),
    })
    writeNote(press, facts, { ...frame, y: y + 8 })
    drawFoot(press, [[facts.bank.name, ...addressLinesOf(facts.bank)], reachLines(press, facts.bank)])
  },
}

/** What came in and what went out in two lists, each with its sum. */
const twoLists: Layout<StatementFacts> = {
  name: 'wide-two-lists',
  keptOut: false,
  revise: reviseTwoLists,
  draw(press, facts) {
    const { random, style, label, bare } = press
    const frame = frameOf(press)
    const bankEnd = drawName(press, {
      x: frame.x,
      y: frame.y,
      width: frame.width * 0.5,
      party: facts.bank,
      face: 'bold',
    })
    const metaEnd = drawWidePairs(press, {
      x: frame.x + frame.width * 0.52,
      y: frame.y,
      width: frame.width * 0.48,
      pairs: accountPairs(press, facts),
      look: random.pick(['right-colon', 'ruled', 'value-first']),
      size: style.size * 0.9,
    })
    const holderEnd = drawName(press, { x: frame.x, y: bankEnd + 24, width: frame.width * 0.5, party: facts.holder })
    let y = Math.max(metaEnd, holderEnd) + 16
    drawBox(press, { x: frame.x, y, width: frame.width, height: style.size + 8, fill: style.accent })
    write(press, label('statement'), { x: frame.x + 6, y: y + 4, colour: '#ffffff', face: 'bold' })
    y =
      drawWidePairs(press, {
        x: frame.x,
        y: y + style.size + 16,
        width: frame.width,
        pairs: summaryPairs(press, facts, true),
        look: random.pick(['stacked', 'leaders', 'table']),
      }) + 10
    const [credits, debits] = listsOf(facts.movements)
    const sign = random.pick(['unsigned', 'unsigned', 'both', 'minus'] as const)
    const writeRowDay = shortDay(press, facts)
    for (const [list, key, sum] of [
      [credits, 'moneyIn', facts.creditsCents],
      [debits, 'moneyOut', facts.debitsCents],
    ] as const) {
      if (list.length === 0) continue
      y = write(press, label(key), { x: frame.x, y: y + 8, face: 'bold', size: style.size * 1.15 }) + 2
      const table = movementRows(press, list, { cells: ['date', 'details', 'amount'], sign, writeRowDay, days: 'each' })
      const rows =
        sum === null
          ? table.rows
          : [
              ...table.rows,
              { cells: ['', label(key === 'moneyIn' ? 'credits' : 'debits'), bare(sum)], tone: 'total' as const },
            ]
      y = drawWideMovements(press, {
        x: frame.x,
        y,
        width: frame.width,
        columns: table.columns,
        rows,
        look: { lines: random.pick(['none', 'rules', 'dashes']) },
        room: 70,
      })
    }
    writeNote(press, facts, { ...frame, y: y + 12 })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** Figures before words: day, amount and balance at the left, what it was for at the right. */
const figuresFirst: Layout<StatementFacts> = {
  name: 'wide-figures-first',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const third = frame.width / 3
    const ends = [
      drawName(press, { x: frame.x, y: frame.y, width: third - 10, party: facts.bank, face: 'bold' }),
      drawName(press, { x: frame.x + third, y: frame.y, width: third - 10, party: facts.holder }),
      drawWidePairs(press, {
        x: frame.x + 2 * third,
        y: frame.y,
        width: third,
        pairs: accountPairs(press, facts),
        look: random.pick(['stacked', 'under', 'value-first']),
        size: style.size * 0.88,
      }),
    ]
    let y =
      write(press, label('statement'), {
        x: frame.x,
        y: Math.max(...ends) + 14,
        size: style.size * 1.5,
        face: 'bold',
      }) + 6
    const sign = random.pick(['minus', 'brackets', 'both'] as const)
    const table = movementRows(press, facts.movements, {
      cells: [
        'date',
        ...(facts.withValueDays ? (['value'] as const) : []),
        'amount',
        ...(facts.withBalances ? (['balance'] as const) : []),
        'details',
      ],
      sign,
      writeRowDay: random.chance(0.5) ? press.day : shortDay(press, facts),
      days: 'each',
    })
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width * 0.5,
        pairs: summaryPairs(press, facts, true),
        look: random.pick(['right-colon', 'leaders', 'ruled']),
      }) + 12
    y = drawWideMovements(press, { x: frame.x, y, width: frame.width, ...table })
    writeNote(press, facts, { ...frame, y: y + 10 })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: random.chance(0.5) })
  },
}

export const wideStatementsTwo: readonly Layout<StatementFacts>[] = [twoDays, twoLists, figuresFirst]
