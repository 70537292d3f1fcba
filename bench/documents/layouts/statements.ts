import { drawPairs, drawParty, groupIban, numberPages, type Pair, pairsOf } from '../blocks.ts'
import { pickTableLook } from '../commerce.ts'
import type { Day } from '../dates.ts'
import { drawBox, drawLogo, write } from '../ink.ts'
import type { Press } from '../press.ts'
import type { StatementFacts } from '../statement-facts.ts'
import type { Column, TableRow } from '../table.ts'
import { flowTable, frameOf, type Layout, nameAndAddress } from './layout.ts'

/** How a statement shows the sign of an amount. */
export type SignLook = 'minus' | 'trailing' | 'letters' | 'columns'

export function writeSigned(press: Press, cents: number, look: SignLook): string {
  if (look === 'trailing') return `${press.bare(Math.abs(cents))}${cents < 0 ? '-' : '+'}`
  if (look === 'letters') return `${press.bare(Math.abs(cents))} ${signLetter(press, cents)}`
  return press.bare(cents)
}

const signLetter = (press: Press, cents: number) =>
  press.locale.id.startsWith('de') ? (cents < 0 ? 'S' : 'H') : cents < 0 ? 'DR' : 'CR'

export function accountPairs(press: Press, facts: StatementFacts): Pair[] {
  const { label, day } = press
  return pairsOf([
    [label('holder'), facts.holder.name],
    [label('accountNumber'), facts.accountNumber],
    [label('iban'), facts.iban === null ? null : groupIban(facts.iban)],
    [label('bic'), facts.bic],
    [label('statementNumber'), facts.number],
    [label('statementDate'), facts.date && day(facts.date)],
    [label('period'), writePeriod(press, facts)],
    [label('currency'), press.currencyLine],
  ])
}

export function writePeriod(press: Press, facts: StatementFacts): string {
  return `${press.day(facts.start)} ${press.label('to')} ${press.day(facts.end)}`
}

export function balancePairs(press: Press, facts: StatementFacts, withSums: boolean): Pair[] {
  const { label, money } = press
  const shown = (cents: number | null) => (cents === null || !withSums ? null : money(cents))
  return pairsOf([
    [label('opening'), money(facts.openingCents)],
    [label('credits'), shown(facts.creditsCents)],
    [label('debits'), shown(facts.debitsCents)],
    [label('closing'), money(facts.closingCents)],
  ])
}

export interface MovementTableOptions {
  readonly signs: SignLook
  /** Rows for the opening and the closing balance in the table itself. */
  readonly withEnds: boolean
  /** How the day of a row is written; statements often leave out the year. */
  readonly writeRowDay: (day: Day) => string
}

export function movementColumns(
  press: Press,
  facts: StatementFacts,
  options: MovementTableOptions,
): { columns: Column[]; rows: TableRow[] } {
  const { label, bare } = press
  const isSplit = options.signs === 'columns'
  const signed = (cents: number) => writeSigned(press, cents, isSplit ? 'minus' : options.signs)
  const columns: Column[] = [
    { title: label('date'), align: 'left' },
    ...(facts.withValueDays ? [{ title: label('valueDate'), align: 'left' as const }] : []),
    { title: label('details'), align: 'left', grows: true },
    ...(isSplit
      ? [
          { title: label('moneyOut'), align: 'right' as const },
          { title: label('moneyIn'), align: 'right' as const },
        ]
      : [{ title: label('movementAmount'), align: 'right' as const }]),
    ...(facts.withBalances ? [{ title: label('balance'), align: 'right' as const }] : []),
  ]
  const empty = isSplit ? ['', ''] : ['']
  const end = (name: string, day: Day, cents: number): TableRow => [
    options.writeRowDay(day),
    ...(facts.withValueDays ? [''] : []),
    name,
    ...(facts.withBalances ? [...empty, signed(cents)] : isSplit ? ['', signed(cents)] : [signed(cents)]),
  ]
  const rows = facts.movements.map((movement): TableRow => {
    const { amountCents } = movement
    const amounts = isSplit
      ? [amountCents < 0 ? bare(-amountCents) : '', amountCents < 0 ? '' : bare(amountCents)]
      : [signed(amountCents)]
    return [
      options.writeRowDay(movement.day),
      ...(facts.withValueDays ? [options.writeRowDay(movement.valueDay)] : []),
      movement.description,
      ...amounts,
      ...(facts.withBalances ? [signed(movement.balanceCents)] : []),
    ]
  })
  if (!options.withEnds) return { columns, rows }
  return {
    columns,
    rows: [
      end(label('opening'), facts.start, facts.openingCents),
      ...rows,
      end(label('closing'), facts.end, facts.closingCents),
    ],
  }
}

export function drawMovements(
  press: Press,
  facts: StatementFacts,
  at: { x: number; y: number; width: number; withEnds: boolean; signs: SignLook },
): number {
  const table = movementColumns(press, facts, { signs: at.signs, withEnds: at.withEnds, writeRowDay: press.day })
  return flowTable(press, { ...table, look: pickTableLook(press), x: at.x, y: at.y, width: at.width, room: 60 })
}

/** Bank at the top, holder's address left, account data right, balances in a row over the movements. */
const bankLetter: Layout<StatementFacts> = {
  name: 'bank-letter',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 30 })
    write(press, facts.bank.name, {
      x: frame.x + 40,
      y: frame.y,
      size: style.size * 1.7,
      face: 'bold',
      colour: style.accent,
    })
    drawParty(press, {
      x: frame.x + 40,
      y: frame.y + style.size * 2.2,
      width: frame.width * 0.5,
      party: facts.bank,
      look: { hideName: true, size: 7, joined: ', ' },
    })
    const top = frame.y + 95
    const holderEnd = drawParty(press, {
      x: frame.x,
      y: top,
      width: frame.width * 0.42,
      party: nameAndAddress(facts.holder),
      look: {},
    })
    const metaX = frame.x + frame.width * 0.5
    const titleEnd = write(press, label('statement'), {
      x: metaX,
      y: top - 6,
      width: frame.right - metaX,
      size: style.size * 1.6,
      face: 'bold',
    })
    const pairs = accountPairs(press, facts).slice(random.chance(0.5) ? 1 : 0)
    const metaEnd = drawPairs(press, {
      x: metaX,
      y: titleEnd + 2,
      width: frame.right - metaX,
      pairs,
      look: random.pick(['columns', 'right', 'spread', 'inline', 'grid']),
    })
    let y = Math.max(holderEnd, metaEnd) + 18
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: balancePairs(press, facts, true),
        look: random.pick(['boxes', 'headed-row']),
      }) + 14
    drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: random.chance(0.3),
      signs: random.pick(['minus', 'columns', 'columns', 'trailing', 'letters']),
    })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** A summary box beside the account's data, balances inside the table. */
const summary: Layout<StatementFacts> = {
  name: 'summary-box',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    drawBox(press, { x: 0, y: 0, width: doc.page.width, height: 48, fill: style.accent })
    write(press, facts.bank.name, { x: frame.x, y: 17, size: style.size * 1.5, face: 'bold', colour: '#ffffff' })
    write(press, label('statement'), {
      x: frame.x,
      y: 17,
      width: frame.width,
      align: 'right',
      size: style.size * 1.3,
      colour: '#ffffff',
    })
    const half = frame.width * 0.46
    const holderEnd = drawParty(press, {
      x: frame.x,
      y: 66,
      width: half,
      party: nameAndAddress(facts.holder),
      look: {},
    })
    const leftEnd = drawPairs(press, {
      x: frame.x,
      y: holderEnd + 10,
      width: half,
      pairs: accountPairs(press, facts).slice(1),
      look: random.pick(['columns', 'inline', 'above']),
    })
    const boxX = frame.right - half
    const boxEnd = drawPairs(press, {
      x: boxX + 8,
      y: 74,
      width: half - 16,
      pairs: balancePairs(press, facts, true),
      look: 'spread',
    })
    drawBox(press, { x: boxX, y: 66, width: half, height: boxEnd - 58, stroke: style.accent })
    const y = Math.max(leftEnd, boxEnd) + 20
    const end = drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: true,
      signs: random.pick(['minus', 'columns', 'trailing', 'letters']),
    })
    if (facts.note !== null)
      write(press, facts.note, { x: frame.x, y: end + 12, width: frame.width, size: style.size * 0.85 })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.6) })
  },
}

export const statementLayouts: readonly Layout<StatementFacts>[] = [bankLetter, summary]
