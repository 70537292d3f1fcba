import { drawPairs, numberPages, reachLines } from '../blocks.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import { frameOf, type Layout } from './layout.ts'
import { accountPairs, shortDay, writePeriod } from './statement-parts.ts'
import {
  balanceRow,
  drawWideMovements,
  type MovementCell,
  movementRows,
  reviseDayEnds,
  summaryPairs,
  writeNote,
} from './statement-wide-parts.ts'
import { addressLinesOf, drawFoot, drawName, drawReach, drawWidePairs } from './wide-parts.ts'

/** A summary in a box at the top; columns for what went out and in; balances at the end of each day only. */
const dayEnds: Layout<StatementFacts> = {
  name: 'wide-day-ends',
  keptOut: false,
  revise: reviseDayEnds,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.5
    drawLogo(press, { x: frame.x, y: frame.y, size: 26 })
    write(press, facts.bank.name, {
      x: frame.x + 34,
      y: frame.y + 6,
      size: style.size * 1.5,
      face: 'bold',
      colour: style.accent,
    })
    write(press, label('statement'), { ...frame, y: frame.y + 8, align: 'right', size: style.size * 1.4 })
    const holderEnd = drawName(press, { x: frame.x, y: frame.y + 56, width: half, party: facts.holder })
    const pairs = accountPairs(press, facts).filter(([, value]) => value !== facts.holder.name)
    const metaEnd = drawWidePairs(press, {
      x: frame.x + half + 10,
      y: frame.y + 56,
      width: half - 10,
      pairs,
      look: random.pick(['right-colon', 'ruled', 'leaders']),
      size: style.size * 0.92,
    })
    let y = Math.max(holderEnd, metaEnd) + 18
    const summary = summaryPairs(press, facts, true)
    y =
      write(press, pickWord(random, wideWordsOf(press.locale).summary), {
        x: frame.x,
        y,
        face: 'bold',
        size: style.size * 1.2,
      }) + 4
    const end = drawWidePairs(press, {
      x: frame.x + 8,
      y: y + 6,
      width: frame.width - 16,
      pairs: summary,
      look: random.pick(['under', 'stacked', 'leaders', 'table']),
    })
    drawBox(press, { x: frame.x, y, width: frame.width, height: end - y + 4 })
    const table = movementRows(press, facts.movements, {
      cells: ['date', 'details', 'out', 'in', 'balance'],
      sign: 'minus',
      writeRowDay: shortDay(press, facts),
      days: random.pick(['each', 'once']),
    })
    y = drawWideMovements(press, { x: frame.x, y: end + 20, width: frame.width, ...table })
    writeNote(press, facts, { ...frame, y: y + 10 })
    drawFoot(press, [addressLinesOf(facts.bank), reachLines(press, facts.bank)])
    numberPages(press, { y: frame.y - 16, align: 'right', always: true })
  },
}

/** The day once for all its movements; signs behind the amounts. */
const dayOnce: Layout<StatementFacts> = {
  name: 'wide-day-once',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y = write(press, facts.bank.name, { ...frame, align: 'center', size: style.size * 1.6, face: 'bold' })
    y = write(press, addressLinesOf(facts.bank).join(', '), { ...frame, y, align: 'center', size: style.size * 0.85 })
    y = drawReach(press, { ...frame, y, party: facts.bank, align: 'center' }) + 8
    drawRule(press, { x: frame.x, y, width: frame.width })
    y =
      write(press, `${label('statement')}  ${writePeriod(press, facts)}`, {
        ...frame,
        y: y + 8,
        align: 'center',
        face: 'bold',
      }) + 8
    const pairs = accountPairs(press, facts).filter(([key]) => key !== label('period') && key !== label('holder'))
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs,
        look: random.pick(['table', 'run-on', 'under']),
      }) + 10
    y = drawName(press, { x: frame.x, y, width: frame.width * 0.5, party: facts.holder }) + 14
    const sign = random.pick(['trailing', 'both', 'letters'] as const)
    const cells: MovementCell[] = ['date', 'details', 'amount', ...(facts.withBalances ? (['balance'] as const) : [])]
    const table = movementRows(press, facts.movements, {
      cells,
      sign,
      writeRowDay: shortDay(press, facts),
      days: 'once',
    })
    const ends = {
      first: balanceRow(press, table.columns, { name: label('opening'), cents: facts.openingCents, sign }),
      last: balanceRow(press, table.columns, { name: label('closing'), cents: facts.closingCents, sign }),
    }
    y = drawWideMovements(press, {
      x: frame.x,
      y,
      width: frame.width,
      columns: table.columns,
      rows: [ends.first, ...table.rows, ends.last],
      look: { lines: random.pick(['none', 'rules', 'heavy']) },
    })
    y = drawPairs(press, {
      x: frame.x,
      y: y + 12,
      width: frame.width * 0.5,
      pairs: summaryPairs(press, facts, false),
      look: 'spread',
    })
    writeNote(press, facts, { ...frame, y: y + 10 })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.6) })
  },
}

/** Movements under headings with their day. */
const dayHeadings: Layout<StatementFacts> = {
  name: 'wide-day-headings',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const bankEnd = drawName(press, {
      ...frame,
      party: facts.bank,
      align: 'right',
      face: 'bold',
      size: style.size * 0.9,
    })
    const reachEnd = drawReach(press, {
      ...frame,
      y: bankEnd,
      party: facts.bank,
      align: 'right',
      size: style.size * 0.8,
    })
    const title = write(press, label('statement'), {
      x: frame.x,
      y: frame.y,
      size: style.size * 2,
      colour: style.accent,
    })
    const holderEnd = drawName(press, { x: frame.x, y: title + 10, width: frame.width * 0.5, party: facts.holder })
    const pairs = accountPairs(press, facts).filter(([key]) => key !== label('holder'))
    let y = drawWidePairs(press, {
      x: frame.x,
      y: Math.max(reachEnd, holderEnd) + 14,
      width: frame.width,
      pairs,
      look: random.pick(['stacked', 'under', 'run-on']),
    })
    y += 8
    y =
      drawWidePairs(press, {
        x: frame.x,
        y,
        width: frame.width * random.pick([0.5, 1]),
        pairs: summaryPairs(press, facts, true),
        look: random.pick(['leaders', 'ruled', 'table']),
      }) + 14
    const table = movementRows(press, facts.movements, {
      cells: [
        'date',
        'details',
        ...(facts.withValueDays ? (['value'] as const) : []),
        'amount',
        ...(facts.withBalances ? (['balance'] as const) : []),
      ],
      sign: random.pick(['minus', 'both']),
      writeRowDay: press.day,
      days: 'heading',
    })
    y = drawWideMovements(press, {
      x: frame.x,
      y,
      width: frame.width,
      ...table,
      look: { lines: random.pick(['none', 'rules']), header: random.pick(['rule', 'tint', 'bare']) },
    })
    writeNote(press, facts, { ...frame, y: y + 10 })
  },
}

export const wideStatements: readonly Layout<StatementFacts>[] = [dayEnds, dayOnce, dayHeadings]
