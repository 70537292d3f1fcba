import { drawParty, numberPages, type Pair, type Place } from '../blocks.ts'
import { writeDay } from '../dates.ts'
import { drawBox, drawRule, textWidth, write } from '../ink.ts'
import type { Press } from '../press.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import type { Movement, StatementFacts } from '../statement-facts.ts'
import { openRoll, pickTimeLook, printLine, printRule, printSpread, printSums, type Roll, writeTime } from '../till.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { printHead } from './receipt-parts.ts'
import { accountPairs, balancePairs } from './statement-parts.ts'
import { drawWideMovements } from './statement-wide-parts.ts'
import type { WideColumn, WideRow } from './wide-table.ts'

function printPaid(roll: Roll, facts: ReceiptFacts): void {
  const { label, money } = roll.press
  if (facts.method === 'cash') printSpread(roll, label('cash'), money(facts.cashCents ?? facts.totalCents))
  if (facts.method === 'card') printSpread(roll, label('card'), money(facts.totalCents))
  if (facts.changeCents !== null) printSpread(roll, label('change'), money(facts.changeCents))
}

/** A stall's: numbered things, their reckoning with an equals sign below, all data in one line at the foot. */
const numbered: Layout<ReceiptFacts> = {
  name: 'numbered-slip',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, quantity, day } = press
    const roll = openRoll(press)
    printHead(roll, facts, 'left')
    printRule(roll, 'line')
    for (const [n, item] of facts.items.entries()) {
      const mark = `${n + 1})`
      if (item.quantity === null || item.unitCents === null) {
        printSpread(roll, `${mark} ${item.description}`, bare(item.amountCents))
        continue
      }
      printLine(roll, `${mark} ${item.description}`)
      printSpread(roll, `${quantity(item.quantity)} × ${bare(item.unitCents)} =`, bare(item.amountCents), { indent: 3 })
    }
    printRule(roll, 'line')
    printSums(roll, facts)
    printPaid(roll, facts)
    printRule(roll, 'dashes')
    const foot = [
      facts.number === null ? null : `${label('receiptNumber')} ${facts.number}`,
      `${day(facts.date)}${facts.time === null ? '' : ` ${writeTime(facts, pickTimeLook(press))}`}`,
      facts.till === null ? null : `${label('till')} ${facts.till}`,
      facts.cashier === null ? null : `${label('cashier')} ${facts.cashier}`,
    ]
    printLine(roll, foot.filter((part) => part !== null).join(' / '), { scale: 0.9 })
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`)
    if (facts.thanks !== null) printLine(roll, facts.thanks, { bold: true })
    press.roll.cutY = roll.y
  },
}

/** A shop's with the amounts in a column at the left and the sum in a box over the things. */
const amountsLeft: Layout<ReceiptFacts> = {
  name: 'amounts-left',
  keptOut: true,
  draw(press, facts) {
    const { label, bare, money, quantity, day, style } = press
    const roll = openRoll(press)
    printLine(roll, label('receipt'), { align: 'right', scale: 0.9 })
    printHead(roll, facts, 'center')
    printSpread(roll, day(facts.date), writeTime(facts, pickTimeLook(press)) ?? '')
    if (facts.number !== null) printLine(roll, `${label('receiptNumber')}${style.suffix} ${facts.number}`)
    if (facts.cashier !== null) printLine(roll, `${label('cashier')}${style.suffix} ${facts.cashier}`)
    printRule(roll, 'gap')
    const top = roll.y
    printLine(roll, label('receiptTotal'), { align: 'center', scale: 0.9 })
    printLine(roll, money(facts.totalCents), { align: 'center', bold: true, scale: 1.6 })
    drawBox(press, { x: roll.x, y: top - 3, width: roll.width, height: roll.y - top + 4, stroke: style.ink })
    printRule(roll, 'gap')
    const column = Math.max(...facts.items.map(({ amountCents }) => textWidth(press, bare(amountCents)))) + 8
    for (const item of facts.items) {
      const { x, y, width } = roll
      write(press, bare(item.amountCents), { x, y, width: column - 8, align: 'right' })
      const counted =
        item.quantity === null || item.unitCents === null
          ? item.description
          : `${item.description} (${quantity(item.quantity)} × ${bare(item.unitCents)})`
      roll.y = write(press, counted, { x: x + column, y, width: width - column })
    }
    printRule(roll, 'line')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), money(facts.subtotalCents))
    const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)} %`
    const taxName = label(facts.taxIncluded ? 'includedTax' : 'tax')
    if (facts.taxCents !== null) printSpread(roll, taxName + rate, money(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), money(facts.roundingCents))
    printPaid(roll, facts)
    if (press.currencyLine !== null) printLine(roll, `${label('currency')} ${press.currencyLine}`)
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    if (facts.note !== null) printLine(roll, facts.note, { align: 'center', scale: 0.85 })
    press.roll.cutY = roll.y
  },
}

/** Data as sentences' ends after a dash, one under the other. */
function drawDashes(press: Press, at: Place & { pairs: readonly Pair[] }): number {
  let { y } = at
  for (const [name, value] of at.pairs) y = write(press, `${name} - ${value}`, { x: at.x, y, width: at.width })
  return y
}

/** Pages in months: a heading for each with days in their rows, what came and went with signs before the amounts. */
const months: Layout<StatementFacts> = {
  name: 'month-blocks',
  keptOut: true,
  revise: (facts) => ({ ...facts, withValueDays: false }),
  draw(press, facts) {
    const { label, bare, locale, style } = press
    const frame = frameOf(press)
    const half = frame.width * 0.48
    let y = write(press, label('statement'), { ...frame, size: style.size * 1.7, face: 'italic' }) + 6
    const ends = [
      drawParty(press, {
        x: frame.x + frame.width - half,
        y,
        width: half,
        party: facts.bank,
        look: { align: 'right' },
      }),
      drawParty(press, {
        x: frame.x,
        y,
        width: half,
        party: nameAndAddress(facts.holder),
        look: { title: label('holder') },
      }),
    ]
    y = Math.max(...ends) + 10
    y = drawDashes(press, { ...frame, y, pairs: accountPairs(press, facts).slice(1) }) + 8
    y = drawDashes(press, { ...frame, y, pairs: balancePairs(press, facts, true) }) + 12
    const columns: WideColumn[] = [
      { title: label('date'), align: 'right' },
      { title: label('movementAmount'), align: 'right' },
      ...(facts.withBalances ? [{ title: label('balance'), align: 'right' as const }] : []),
      { title: label('details'), align: 'left', grows: true },
    ]
    const monthOf = ({ day }: Movement) => writeDay({ ...day, day: 1 }, 'MMMM YYYY', locale.lexicon.months)
    const form = facts.start.year === facts.end.year ? 'D MMM' : 'D MMM YYYY'
    const rows = facts.movements.flatMap((movement, n): WideRow[] => {
      const before = facts.movements[n - 1]
      const row: WideRow = {
        cells: [
          writeDay(movement.day, form, locale.lexicon.months),
          `${movement.amountCents < 0 ? '−' : '+'} ${bare(Math.abs(movement.amountCents))}`,
          ...(facts.withBalances ? [bare(movement.balanceCents)] : []),
          movement.description,
        ],
      }
      const isNew = before === undefined || monthOf(before) !== monthOf(movement)
      return isNew ? [{ cells: [monthOf(movement)], tone: 'heading' }, row] : [row]
    })
    const look = { lines: 'none', header: 'rule', padding: 2 } as const
    drawWideMovements(press, { x: frame.x, y, width: frame.width, columns, rows, look })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: true })
  },
}

/** A cooperative's sheet: no headings over the rows, days at the right edge, balances and sums at the end. */
const headless: Layout<StatementFacts> = {
  name: 'headless-ledger',
  keptOut: true,
  revise: (facts) => ({ ...facts, withValueDays: false }),
  draw(press, facts) {
    const { label, bare, day, style } = press
    const frame = frameOf(press)
    drawBox(press, { x: frame.x, y: frame.y, width: frame.width, height: 3, fill: style.accent })
    let y = write(press, facts.bank.name, {
      ...frame,
      y: frame.y + 10,
      align: 'center',
      face: 'bold',
      size: style.size * 1.3,
    })
    const look = { hideName: true, align: 'center', joined: ' – ', size: style.size * 0.85 } as const
    y = drawParty(press, { ...frame, y, party: facts.bank, look }) + 8
    y = write(press, label('statement'), { ...frame, y, align: 'center', size: style.size * 1.2 }) + 10
    const cell = frame.width / 2
    const pairs = accountPairs(press, facts).slice(1)
    const holderEnd = drawParty(press, {
      x: frame.x + cell,
      y,
      width: cell,
      party: nameAndAddress(facts.holder),
      look: { title: label('holder'), titleLook: 'band' },
    })
    let left = y
    for (const [name, value] of pairs) {
      left = write(press, value, { x: frame.x, y: left, width: cell - 20, face: 'bold' })
      left =
        write(press, name, { x: frame.x, y: left, width: cell - 20, size: style.size * 0.75, colour: style.grey }) + 2
    }
    y = Math.max(holderEnd, left) + 10
    drawRule(press, { x: frame.x, y: y - 4, width: frame.width })
    const columns: WideColumn[] = [
      { title: '', align: 'left', grows: true },
      { title: '', align: 'right' },
      ...(facts.withBalances ? [{ title: '', align: 'right' as const }] : []),
      { title: '', align: 'right' },
    ]
    const rows = facts.movements.map(
      (movement): WideRow => ({
        cells: [
          movement.description,
          bare(movement.amountCents),
          ...(facts.withBalances ? [bare(movement.balanceCents)] : []),
          day(movement.day),
        ],
      }),
    )
    const table = { lines: 'rules', header: 'none', padding: 3 } as const
    y = drawWideMovements(press, { x: frame.x, y, width: frame.width, columns, rows, look: table, room: 110 }) + 8
    for (const [name, value] of balancePairs(press, facts, true)) {
      write(press, name, { x: frame.x, y, width: frame.width * 0.6, face: 'bold' })
      y = write(press, value, { x: frame.x, y, width: frame.width * 0.8, align: 'right' })
    }
    if (facts.note !== null)
      write(press, facts.note, { x: frame.x, y: y + 8, width: frame.width, size: style.size * 0.85 })
  },
}

export const keptOutReceipts: readonly Layout<ReceiptFacts>[] = [numbered, amountsLeft]
export const keptOutStatements: readonly Layout<StatementFacts>[] = [months, headless]
