import { type Pair, pairsOf } from '../blocks.ts'
import type { Day } from '../dates.ts'
import { write } from '../ink.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import type { Movement, StatementFacts } from '../statement-facts.ts'
import { pickWord } from '../words/lexicon.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import { frameOf } from './layout.ts'
import { drawWideTable, pickWideLook, type WideColumn, type WideLook, type WideRow } from './wide-table.ts'

export type MovementCell = 'date' | 'value' | 'details' | 'amount' | 'sign' | 'out' | 'in' | 'balance'

/** How the sign of an amount is written. */
export type SignForm = 'minus' | 'both' | 'trailing' | 'brackets' | 'letters' | 'unsigned'

const LETTERS: Readonly<Record<string, readonly [debit: string, credit: string]>> = {
  en: ['DR', 'CR'],
  de: ['S', 'H'],
  es: ['D', 'H'],
  it: ['D', 'A'],
}

const lettersOf = (press: Press) => LETTERS[press.locale.id.slice(0, 2)] ?? (['D', 'C'] as const)

function signLetterOf(press: Press, cents: number): string {
  const [debit, credit] = lettersOf(press)
  return cents < 0 ? debit : credit
}

function writeWithSign(press: Press, cents: number, form: SignForm): string {
  const size = press.bare(Math.abs(cents))
  switch (form) {
    case 'minus':
      return press.bare(cents)
    case 'both':
      return `${cents < 0 ? '-' : '+'}${size}`
    case 'trailing':
      return cents < 0 ? `${size}-` : size
    case 'brackets':
      return cents < 0 ? `(${size})` : size
    case 'letters':
      return `${size} ${signLetterOf(press, cents)}`
    case 'unsigned':
      return size
  }
}

export interface MovementSpec {
  readonly cells: readonly MovementCell[]
  readonly sign: SignForm
  /** How the day of a row is written. */
  readonly writeRowDay: (day: Day) => string
  /** The day stands in each row, in the first row of the day, or as a heading over its rows. */
  readonly days: 'each' | 'once' | 'heading'
}

const sameDay = (a: Day | undefined, b: Day) =>
  a !== undefined && a.year === b.year && a.month === b.month && a.day === b.day

/** Columns and rows of movements. A movement that hides its balance leaves the cell empty. */
export function movementRows(
  press: Press,
  movements: readonly Movement[],
  spec: MovementSpec,
): { columns: WideColumn[]; rows: WideRow[] } {
  const { label, bare } = press
  const signed = (cents: number) => writeWithSign(press, cents, spec.sign)
  const kinds: Record<MovementCell, { title: string; align: 'left' | 'right'; of: (movement: Movement) => string }> = {
    date: { title: label('date'), align: 'left', of: ({ day }) => spec.writeRowDay(day) },
    value: { title: label('valueDate'), align: 'left', of: ({ valueDay }) => spec.writeRowDay(valueDay) },
    details: {
      title: label('details'),
      align: 'left',
      of: ({ description, reference }) => (reference === undefined ? description : `${description}\n${reference}`),
    },
    amount: { title: label('movementAmount'), align: 'right', of: ({ amountCents }) => signed(amountCents) },
    sign: { title: '', align: 'left', of: ({ amountCents }) => signLetterOf(press, amountCents) },
    out: {
      title: label('moneyOut'),
      align: 'right',
      of: ({ amountCents }) => (amountCents < 0 ? bare(-amountCents) : ''),
    },
    in: {
      title: label('moneyIn'),
      align: 'right',
      of: ({ amountCents }) => (amountCents < 0 ? '' : bare(amountCents)),
    },
    balance: {
      title: label('balance'),
      align: 'right',
      of: ({ balanceCents, hidesBalance }) =>
        hidesBalance
          ? ''
          : writeWithSign(press, balanceCents, spec.sign === 'both' || spec.sign === 'unsigned' ? 'minus' : spec.sign),
    },
  }
  const cells = spec.cells.filter((cell) => spec.days !== 'heading' || cell !== 'date')
  const columns = cells.map((cell): WideColumn => {
    const { title, align } = kinds[cell]
    return { title, align, ...(cell === 'details' ? { grows: true } : {}) }
  })
  const rows = movements.flatMap((movement, n): WideRow[] => {
    const isNew = !sameDay(movements[n - 1]?.day, movement.day)
    const row: WideRow = {
      cells: cells.map((cell) => (cell === 'date' && spec.days === 'once' && !isNew ? '' : kinds[cell].of(movement))),
      carried: writeWithSign(
        press,
        movement.balanceCents,
        spec.sign === 'letters' || spec.sign === 'brackets' ? spec.sign : 'minus',
      ),
    }
    return spec.days === 'heading' && isNew ? [{ cells: [press.day(movement.day)], tone: 'heading' }, row] : [row]
  })
  return { columns, rows }
}

/** A row of the table that states a balance. */
export function balanceRow(
  press: Press,
  columns: readonly WideColumn[],
  at: { name: string; cents: number; sign: SignForm },
): WideRow {
  const grow = columns.findIndex(({ grows }) => grows)
  const form = at.sign === 'both' || at.sign === 'unsigned' ? 'minus' : at.sign
  const value = writeWithSign(press, at.cents, form)
  const last = columns.findLastIndex(({ align }) => align === 'right')
  return { cells: columns.map((_, n) => (n === last ? value : n === grow ? at.name : '')), tone: 'sum', carried: value }
}

export interface MovementsPlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly columns: readonly WideColumn[]
  readonly rows: readonly WideRow[]
  readonly look?: Partial<WideLook>
  readonly startPage?: () => number
  readonly carries?: boolean
  readonly room?: number
}

export function drawWideMovements(press: Press, at: MovementsPlace): number {
  const newPage = () => {
    press.doc.addPage()
    return at.startPage?.() ?? frameOf(press).y
  }
  const words = wideWordsOf(press.locale)
  return drawWideTable(press, {
    columns: at.columns,
    rows: at.rows,
    x: at.x,
    y: at.y,
    width: at.width,
    look: pickWideLook(press, { padding: press.random.pick([1.5, 2, 2.5, 3.5]), ...at.look }),
    ...(at.carries ? { carry: [press.label('carried'), pickWord(press.random, words.broughtForward)] as const } : {}),
    newPage,
    room: at.room ?? 50,
  })
}

/** Opening and closing with the sums between them, each written with the sign's form. */
export function summaryPairs(press: Press, facts: StatementFacts, withEnds: boolean): Pair[] {
  const { label, money } = press
  const shown = (cents: number | null) => (cents === null ? null : money(cents))
  return pairsOf([
    [label('opening'), withEnds ? money(facts.openingCents) : null],
    [label('credits'), shown(facts.creditsCents)],
    [label('debits'), shown(facts.debitsCents)],
    [label('closing'), withEnds ? money(facts.closingCents) : null],
  ])
}

/** Balances stand only in the last row of a day. */
export function reviseDayEnds(facts: StatementFacts): StatementFacts {
  const movements = facts.movements.map((movement, n): Movement => {
    const next = facts.movements[n + 1]
    return next !== undefined && sameDay(next.day, movement.day) ? { ...movement, hidesBalance: true } : movement
  })
  return { ...facts, movements, withBalances: true }
}

/** Some movements have a number or a name in a second line. */
export function reviseReferences(facts: StatementFacts, random: Random): StatementFacts {
  const forms = ['REF ########', '####-######', 'MREF @@####', '########/###', 'E2E-#######']
  const form = random.pick(forms)
  const movements = facts.movements.map(
    (movement): Movement => (random.chance(0.5) ? { ...movement, reference: random.fill(form) } : movement),
  )
  return { ...facts, movements }
}

/** First what came in, then what went out, in two lists without balances. */
export function reviseTwoLists(facts: StatementFacts): StatementFacts {
  const [credits, debits] = listsOf(facts.movements)
  return { ...facts, movements: [...credits, ...debits], withBalances: false, withValueDays: false }
}

export const listsOf = (movements: readonly Movement[]) =>
  [
    movements.filter(({ amountCents }) => amountCents >= 0),
    movements.filter(({ amountCents }) => amountCents < 0),
  ] as const

export function writeNote(press: Press, facts: StatementFacts, at: { x: number; y: number; width: number }): void {
  if (facts.note !== null) write(press, facts.note, { ...at, size: press.style.size * 0.85, colour: press.style.grey })
}
