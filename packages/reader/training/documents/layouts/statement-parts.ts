import { groupIban, type Pair, pairsOf } from '../blocks.ts'
import { pickTableLook } from '../commerce.ts'
import { type Day, writeDay } from '../dates.ts'
import type { Press } from '../press.ts'
import type { StatementFacts } from '../statement-facts.ts'
import type { Column, TableLook, TableRow } from '../table.ts'
import { flowTable } from './layout.ts'

/** How a statement shows the sign of an amount. */
export type SignLook = 'minus' | 'trailing' | 'letters' | 'columns'

function writeSigned(press: Press, cents: number, look: SignLook): string {
  if (look === 'trailing') return `${press.bare(Math.abs(cents))}${cents < 0 ? '-' : '+'}`
  if (look === 'letters' && hasSignLetters(press)) return `${press.bare(Math.abs(cents))} ${signLetter(press, cents)}`
  return press.bare(cents)
}

/** Other countries' statements show a minus. */
const hasSignLetters = (press: Press) => /^(de|en)/.test(press.locale.id)

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

function movementColumns(
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

/** The day of a row without its year, in the order that the document's dates have, where that is plain. */
export function shortDay(press: Press, facts: StatementFacts): (day: Day) => string {
  if (facts.start.year !== facts.end.year) return press.day
  const { random } = press
  const isAmerican = press.locale.id === 'en-US'
  const forms = isAmerican
    ? ['MM/DD', 'MMM D']
    : press.locale.id.startsWith('de')
      ? ['DD.MM.']
      : ['DD/MM', 'D MMM', 'DD.MM']
  const form = random.pick(forms)
  return (day) => writeDay(day, form, press.locale.lexicon.months)
}

export interface MovementPlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly withEnds: boolean
  readonly signs: SignLook
  readonly writeRowDay: (day: Day) => string
  readonly look?: Partial<TableLook>
}

export function drawMovements(press: Press, facts: StatementFacts, at: MovementPlace): number {
  const table = movementColumns(press, facts, at)
  const look = { ...pickTableLook(press), ...at.look }
  return flowTable(press, { ...table, look, x: at.x, y: at.y, width: at.width, room: 60 })
}
