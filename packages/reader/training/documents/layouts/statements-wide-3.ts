import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { drawRunningHead } from './invoice-wide-parts.ts'
import { frameOf, type Layout } from './layout.ts'
import { accountPairs, shortDay } from './statement-parts.ts'
import {
  balanceRow,
  drawWideMovements,
  movementRows,
  reviseReferences,
  summaryPairs,
  writeNote,
} from './statement-wide-parts.ts'
import { addressLinesOf, drawFoot, drawName, drawReach, drawWidePairs } from './wide-parts.ts'

/** Letters for debit and credit in a narrow column of their own. */
const signColumn: Layout<StatementFacts> = {
  name: 'wide-sign-column',
  keptOut: false,
  revise: (facts, random) => (random.chance(0.5) ? reviseReferences(facts, random) : facts),
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y =
      write(press, label('statement').toUpperCase(), {
        ...frame,
        size: style.size * 1.3,
        face: 'bold',
        align: random.pick(['left', 'center']),
      }) + 10
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: accountPairs(press, facts),
        look: random.pick(['headed-row', 'boxes', 'columns']),
      }) + 12
    const half = frame.width * 0.5
    const holderEnd = drawName(press, { x: frame.x, y, width: half - 8, party: facts.holder })
    const bankEnd = drawReach(press, {
      x: frame.x + half,
      y: drawName(press, { x: frame.x + half, y, width: half, party: facts.bank, face: 'bold' }),
      width: half,
      party: facts.bank,
    })
    const table = movementRows(press, facts.movements, {
      cells: ['date', 'details', 'amount', 'sign', ...(facts.withBalances ? (['balance'] as const) : [])],
      sign: 'unsigned',
      writeRowDay: shortDay(press, facts),
      days: 'each',
    })
    y = drawWideMovements(press, {
      x: frame.x,
      y: Math.max(holderEnd, bankEnd) + 16,
      width: frame.width,
      ...table,
      look: { lines: random.pick(['none', 'rules', 'verticals', 'grid']) },
      room: 110,
    })
    const pairs = summaryPairs(press, facts, true)
    y = drawWidePairs(press, {
      x: frame.right - half,
      y: y + 12,
      width: half,
      pairs,
      look: random.pick(['leaders', 'ruled', 'right-colon']),
    })
    writeNote(press, facts, { ...frame, y: y + 12 })
  },
}

/** Carried over pages: a head on each, what the balance was at each break. */
const carriedPages: Layout<StatementFacts> = {
  name: 'wide-carried-pages',
  keptOut: false,
  revise: (facts) => ({ ...facts, withBalances: true }),
  draw(press, facts) {
    const { random, label } = press
    const frame = frameOf(press)
    const head = () => {
      write(press, facts.bank.name, { x: frame.x, y: frame.y - 10, face: 'bold' })
      return drawRunningHead(press, '', `${label('statement')} · ${facts.holder.name}`) + 12
    }
    let y = head()
    const half = frame.width * 0.48
    const holderEnd = drawName(press, { x: frame.x, y: y + 10, width: half, party: facts.holder, face: 'bold' })
    const pairs = accountPairs(press, facts).filter(([key]) => key !== label('holder'))
    const metaEnd = drawWidePairs(press, {
      x: frame.right - half,
      y: y + 10,
      width: half,
      pairs,
      look: random.pick(['leaders', 'right-colon', 'ruled']),
    })
    y = Math.max(holderEnd, metaEnd) + 20
    const sign = random.pick(['brackets', 'minus', 'letters'] as const)
    const isSplit = random.chance(0.5)
    const table = movementRows(press, facts.movements, {
      cells: ['date', 'details', ...(isSplit ? (['in', 'out'] as const) : (['amount'] as const)), 'balance'],
      sign,
      writeRowDay: shortDay(press, facts),
      days: 'each',
    })
    const rows = [
      balanceRow(press, table.columns, { name: label('opening'), cents: facts.openingCents, sign }),
      ...table.rows,
      balanceRow(press, table.columns, { name: label('closing'), cents: facts.closingCents, sign }),
    ]
    y = drawWideMovements(press, {
      x: frame.x,
      y,
      width: frame.width,
      columns: table.columns,
      rows,
      look: { padding: random.pick([4, 6, 8]) },
      startPage: head,
      carries: true,
      room: 80,
    })
    y = drawWidePairs(press, {
      x: frame.x,
      y: y + 10,
      width: frame.width,
      pairs: summaryPairs(press, facts, false),
      look: random.pick(['run-on', 'leaders']),
    })
    writeNote(press, facts, { ...frame, y: y + 8 })
    drawFoot(press, [addressLinesOf(facts.bank), reachLines(press, facts.bank)])
    numberPages(press, { y: frame.y - 22, align: 'center', always: true })
  },
}

export const wideStatementsThree: readonly Layout<StatementFacts>[] = [signColumn, carriedPages]
