import type { Json } from '@skillrun/core/json.ts'

/** Numbers from 0 to below 1 that a seed determines. */
export function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

type Item = { [name: string]: Json }
/** The text of a statement and the rows in it. */
export interface Statement {
  readonly text: string
  readonly items: readonly Item[]
}

const names = 'Card payment|Standing order|Transfer from Miller|Bakery Lane 5|Fuel station|Rent 2026|Salary'.split('|')
const pad = (value: number): string => String(value).padStart(2, '0')
const amountIn = (cents: number, mark: string): string => {
  const [whole = '', part] = (Math.abs(cents) / 100).toFixed(2).split('.')
  return (cents < 0 ? '-' : '') + whole.replace(/\B(?=(\d{3})+$)/g, mark === ',' ? '.' : ',') + mark + part
}

/**
 * A statement of a random form: with running balances or without, amounts in one column or two, wrapped texts, notes,
 * headings on every page, sums carried over, subtotals of each month.
 */
export function statementOf(seed: number, count: number): Statement {
  const random = randomOf(seed)
  const chance = (share: number): boolean => random() < share
  const form = {
    mark: chance(0.5) ? ',' : '.',
    isBalanced: chance(0.6),
    isTwofold: chance(0.4),
    isNumbered: chance(0.3),
    wraps: chance(0.5),
    isCarried: chance(0.5),
    hasSubtotals: chance(0.4),
    rowsPerPage: 30 + Math.floor(random() * 30),
  }
  const place = (parts: readonly (readonly [string, number])[]): string => {
    let line = ''
    for (const [text, end] of parts) line = end > 0 ? line.padEnd(end - text.length) + text : line.padEnd(-end) + text
    return line
  }
  const head = place([
    ['Date', -7],
    ['Description', -20],
    ...(form.isTwofold
      ? ([
          ['Debit', 72],
          ['Credit', 88],
        ] as const)
      : ([['Amount', 88]] as const)),
    ...(form.isBalanced ? ([['Balance', 106]] as const) : []),
  ])
  const lines = ['First Bank', 'Statement of account 12345678', '', head]
  const items: Item[] = []
  let balance = 100_000
  let month = 0
  let ofMonth = 0
  if (form.isBalanced)
    lines.push(
      place([
        ['Opening balance', -20],
        [amountIn(balance, form.mark), 106],
      ]),
    )
  for (let at = 0; at < count; at++) {
    const next = Math.floor((at * 12) / count)
    if (form.hasSubtotals && next !== month) {
      lines.push(
        place([
          ['Subtotal', -20],
          [amountIn(ofMonth, form.mark), 88],
        ]),
        '',
      )
      ofMonth = 0
    }
    month = next
    const cents = Math.floor(random() ** 3 * 400_000) * (chance(0.5) ? -1 : 1) + 1
    balance += cents
    ofMonth += cents
    const day = 1 + Math.floor(((at % (count / 12)) * 28) / (count / 12))
    const description = `${names[Math.floor(random() * names.length)]}${chance(0.5) ? ` ${Math.floor(random() * 9000)}` : ''}`
    const end = form.isTwofold && cents < 0 ? 72 : 88
    lines.push(
      place([
        ...(form.isNumbered ? ([[String(at + 1), 5]] as const) : []),
        [`${pad(day)}.${pad(month + 1)}.2026`, -7],
        [description, -20],
        [amountIn(form.isTwofold ? Math.abs(cents) : cents, form.mark), end],
        ...(form.isBalanced ? ([[amountIn(balance, form.mark), 106]] as const) : []),
      ]),
    )
    if (form.wraps && chance(0.3)) lines.push(place([[`Reference ${Math.floor(random() * 1e6)} of 03.02.2026`, -20]]))
    items.push({
      date: `2026-${pad(month + 1)}-${pad(day)}`,
      description,
      amount: cents / 100,
      ...(form.isBalanced && { balance: balance / 100 }),
    })
    if (at % form.rowsPerPage === form.rowsPerPage - 1) {
      if (form.isCarried)
        lines.push(
          place([
            ['Carried forward', -20],
            [amountIn(balance, form.mark), 106],
          ]),
        )
      lines.push('', `Page ${Math.floor(at / form.rowsPerPage) + 1} of 40`, '', 'First Bank', head)
      if (form.isCarried)
        lines.push(
          place([
            ['Brought forward', -20],
            [amountIn(balance, form.mark), 106],
          ]),
        )
    }
  }
  lines.push(
    '',
    place([
      ['Closing balance', -20],
      [amountIn(balance, form.mark), 106],
    ]),
    '',
    'Thank you for banking with us.',
  )
  return { text: lines.join('\n'), items }
}
