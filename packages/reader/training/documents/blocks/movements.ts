import type { Canvas } from '../canvas.ts'
import { type Day, isoOf, writeDay } from '../dates.ts'
import type { Movement, StatementFacts } from '../facts/statement.ts'
import { drawRule, makeRoom, type Place, write } from '../ink.ts'
import { pickTableLook } from './items.ts'
import { type Column, drawTable, type Row, type TableLook } from './table.ts'

export type MovementCell =
  | 'row'
  | 'date'
  | 'value'
  | 'document'
  | 'details'
  | 'amount'
  | 'sign'
  | 'out'
  | 'in'
  | 'balance'

/** How the sign of an amount is written. */
export type SignForm = 'minus' | 'both' | 'spaced' | 'trailing' | 'brackets' | 'letters' | 'unsigned'

const SIGNS: readonly SignForm[] = ['minus', 'both', 'trailing', 'brackets', 'letters']

/** The look of a list of movements. Omitted properties are drawn at random per document. */
export interface MovementsLook {
  readonly cells?: readonly MovementCell[]
  readonly sign?: readonly SignForm[]
  /** Where the date is: in each row, in the first row of a day, or as a heading of the day or month. */
  readonly days?: 'each' | 'once' | 'heading' | 'months'
  /** Dates without a year. */
  readonly short?: boolean
  /** Rows for the opening and the closing balance. */
  readonly ends?: boolean
  readonly carries?: boolean
  readonly titles?: 'none'
  readonly table?: Partial<TableLook>
}

const LETTERS: Readonly<Record<string, readonly [debit: string, credit: string]>> = {
  en: ['DR', 'CR'],
  de: ['S', 'H'],
  es: ['D', 'H'],
  it: ['D', 'A'],
}

function letterOf({ locale }: Canvas, cents: number): string {
  const [debit, credit] = LETTERS[locale.id.slice(0, 2)] ?? ['D', 'C']
  return cents < 0 ? debit : credit
}

function writeSigned(canvas: Canvas, cents: number, form: SignForm): string {
  const size = canvas.bare(Math.abs(cents))
  switch (form) {
    case 'minus':
      return canvas.bare(cents)
    case 'both':
      return `${cents < 0 ? '-' : '+'}${size}`
    case 'spaced':
      return `${cents < 0 ? '−' : '+'} ${size}`
    case 'trailing':
      return cents < 0 ? `${size}-` : size
    case 'brackets':
      return cents < 0 ? `(${size})` : size
    case 'letters':
      return `${size} ${letterOf(canvas, cents)}`
    case 'unsigned':
      return size
  }
}

/** Formats a row's date without its year, in the country's order. */
function shortDay({ random, locale, day }: Canvas, { start, end }: StatementFacts): (day: Day) => string {
  if (start.year !== end.year) return day
  const forms = locale.id === 'en-US' ? ['MM/DD', 'MMM D'] : ['DD/MM', 'D MMM', 'DD.MM']
  const form = random.pick(locale.id.startsWith('de') ? ['DD.MM.'] : forms)
  return (one) => writeDay(one, form, locale)
}

export interface MovementsPlace extends Place {
  readonly facts: StatementFacts
  /** A subset, where the document has several lists. */
  readonly movements?: readonly Movement[]
  readonly look: MovementsLook
  readonly newPage: () => number
}

export function drawMovements(canvas: Canvas, at: MovementsPlace): number {
  const { random, label, bare } = canvas
  const { facts, look, movements = facts.movements } = at
  const isSplit = look.sign === undefined && random.chance(0.5)
  const sign = isSplit ? 'minus' : random.pick<SignForm>(look.sign ?? SIGNS)
  const amounts: MovementCell[] = isSplit
    ? random
        .pick([
          ['out', 'in'],
          ['in', 'out'],
        ] as const)
        .slice()
    : ['amount']
  const days = look.days ?? random.pick(['each', 'each', 'each', 'each', 'each', 'each', 'once', 'heading'])
  const hasHeadings = days === 'heading' || days === 'months'
  const writeRowDay = (look.short ?? random.chance(0.4)) ? shortDay(canvas, facts) : canvas.day
  const plain = sign === 'both' || sign === 'spaced' || sign === 'unsigned' ? 'minus' : sign
  const numbers = random.fork('documents')
  const kinds: Record<
    MovementCell,
    { title: () => string; isLeft?: true; of: (movement: Movement, n: number) => string }
  > = {
    row: { title: () => '#', isLeft: true, of: (_, n) => String(n + 1) },
    date: { title: () => label('date'), isLeft: true, of: ({ day }) => writeRowDay(day) },
    value: { title: () => label('valueDate'), isLeft: true, of: ({ valueDay }) => writeRowDay(valueDay) },
    document: { title: () => canvas.printed('document')[0] ?? '', isLeft: true, of: () => numbers.fill('@@######') },
    details: {
      title: () => label('details'),
      isLeft: true,
      of: ({ description, reference }) => (reference === undefined ? description : `${description}\n${reference}`),
    },
    amount: { title: () => label('movementAmount'), of: ({ amountCents }) => writeSigned(canvas, amountCents, sign) },
    sign: { title: () => '', isLeft: true, of: ({ amountCents }) => letterOf(canvas, amountCents) },
    out: { title: () => label('moneyOut'), of: ({ amountCents }) => (amountCents < 0 ? bare(-amountCents) : '') },
    in: { title: () => label('moneyIn'), of: ({ amountCents }) => (amountCents < 0 ? '' : bare(amountCents)) },
    balance: {
      title: () => label('balance'),
      of: ({ balanceCents, hidesBalance }) => (hidesBalance ? '' : writeSigned(canvas, balanceCents, plain)),
    },
  }
  const wanted = (look.cells ?? ['date', 'value', 'details', ...amounts, 'balance']).filter(
    (cell) => (cell !== 'value' || facts.withValueDays) && (cell !== 'balance' || facts.withBalances),
  )
  const cells = days === 'heading' ? wanted.filter((cell) => cell !== 'date') : wanted
  const columns = cells.map((cell): Column => {
    const { title, isLeft } = kinds[cell]
    return {
      title: look.titles === 'none' ? '' : title(),
      align: isLeft ? 'left' : 'right',
      ...(cell === 'details' ? { grows: true } : {}),
    }
  })
  const headingOf = ({ day }: Movement) =>
    days === 'months' ? writeDay({ ...day, day: 1 }, 'MMMM YYYY', canvas.locale) : canvas.day(day)
  const rows = movements.flatMap((movement, n): Row[] => {
    const before = movements[n - 1]
    const isNew = before === undefined || headingOf(before) !== headingOf(movement)
    const row: Row = {
      cells: cells.map((cell) => (cell === 'date' && days === 'once' && !isNew ? '' : kinds[cell].of(movement, n))),
      carried: writeSigned(canvas, movement.balanceCents, plain),
    }
    return hasHeadings && isNew ? [{ cells: [headingOf(movement)], tone: 'heading' }, row] : [row]
  })
  const last = columns.findLastIndex(({ align }) => align === 'right')
  const balanceRow = (key: string, cents: number): Row => {
    const value = writeSigned(canvas, cents, plain)
    return {
      cells: columns.map(({ grows }, n) => (n === last ? value : grows ? label(key) : '')),
      tone: 'sum',
      carried: value,
    }
  }
  const hasEnds = look.ends ?? (facts.withBalances && random.chance(0.3))
  const opening = hasEnds ? [balanceRow('opening', facts.openingCents)] : []
  const closing = hasEnds ? [balanceRow('closing', facts.closingCents)] : []
  return drawTable(canvas, {
    ...at,
    columns,
    rows: [...opening, ...rows, ...closing],
    look: pickTableLook(canvas, look.table),
    ...(look.carries ? { carry: [label('carried'), random.pick(canvas.printed('broughtForward'))] } : {}),
  })
}

/** Draws movements without a table: two lines each with the date below, or under a heading per day. */
export function drawMovementList(
  canvas: Canvas,
  at: Place & { facts: StatementFacts; look: 'app' | 'by-day' },
): number {
  const { style, label, money, bare, day } = canvas
  const { facts, x, width, look } = at
  const small = { size: style.size * 0.8, colour: style.grey }
  let { y } = at
  let shownDay = ''
  for (const movement of facts.movements) {
    const { amountCents, balanceCents, description } = movement
    const isNew = look === 'by-day' && isoOf(movement.day) !== shownDay
    y = makeRoom(canvas, y, isNew ? 70 : 44)
    if (isNew) {
      shownDay = isoOf(movement.day)
      y = write(canvas, day(movement.day), { x, y: y + 8, face: 'bold', colour: style.grey }) + 4
    }
    if (look === 'app' || isNew) drawRule(canvas, { x, y: y - 3, width, thickness: 0.4, colour: '#cccccc' })
    const amount = amountCents < 0 ? (look === 'app' ? money : bare)(amountCents) : `+${bare(amountCents)}`
    write(canvas, amount, { x, y, width, align: 'right', face: look === 'app' ? 'bold' : 'regular' })
    const top = y
    y = write(canvas, description, { x, y, width: width * 0.7 }) + 2
    if (facts.withBalances && look === 'app') {
      const after = `${label('balance')}: ${bare(balanceCents)}`
      write(canvas, after, { ...small, x, y: Math.max(y, top + 12), width, align: 'right' })
    }
    if (look === 'app') y = write(canvas, day(movement.day), { ...small, x, y }) + 6
  }
  return y
}
