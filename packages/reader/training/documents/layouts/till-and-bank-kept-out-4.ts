import { drawPairs, drawParty, numberPages, type Pair } from '../blocks.ts'
import { isoOf } from '../dates.ts'
import { drawBox, drawLogo, drawRule, textWidth, write } from '../ink.ts'
import type { Press } from '../press.ts'
import type { ReceiptFacts } from '../receipt-facts.ts'
import type { Movement, StatementFacts } from '../statement-facts.ts'
import { openRoll, pickTimeLook, printLine, printRule, printSpread, type Roll, writeTime } from '../till.ts'
import { fourthWordsOf } from '../words/kept-out-4.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { printHead } from './receipt-parts.ts'
import { accountPairs, balancePairs } from './statement-parts.ts'

function printPaid(roll: Roll, facts: ReceiptFacts): void {
  const { label, money } = roll.press
  if (facts.method === 'cash') printSpread(roll, label('cash'), money(facts.cashCents ?? facts.totalCents))
  if (facts.method === 'card') {
    printSpread(roll, label('card'), money(facts.totalCents))
    for (const line of facts.cardSlip ?? []) printLine(roll, line)
  }
  if (facts.changeCents !== null) printSpread(roll, label('change'), money(facts.changeCents))
}

const amountsOnly = (facts: ReceiptFacts): ReceiptFacts['items'] =>
  facts.items.map((item) => ({ ...item, quantity: null, unitCents: null }))

/** A restaurant's check: who served which table, dishes with their count before them, tips to choose from below. */
const restaurant: Layout<ReceiptFacts> = {
  name: 'restaurant-check',
  keptOut: true,
  round: 4,
  revise: (facts) => ({ ...facts, items: facts.items.map((item) => ({ ...item, unitCents: null })) }),
  draw(press, facts) {
    const { label, bare, money, quantity, day, random, locale } = press
    const words = fourthWordsOf(locale)
    const roll = openRoll(press)
    printHead(roll, facts, 'center')
    printRule(roll, 'gap')
    const left = facts.number === null ? '' : `${label('receiptNumber')} ${facts.number}`
    printSpread(roll, left, `${words.guests} ${random.int(1, 6)}`)
    printSpread(
      roll,
      `${words.table} ${random.int(1, 40)}`,
      facts.cashier === null ? '' : `${label('cashier')} ${facts.cashier}`,
    )
    printSpread(roll, day(facts.date), writeTime(facts, pickTimeLook(press)) ?? '')
    printRule(roll, 'dashes')
    for (const item of facts.items)
      printSpread(
        roll,
        `${item.quantity === null ? '' : `${quantity(item.quantity)} `}${item.description}`,
        bare(item.amountCents),
      )
    printRule(roll, 'dashes')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    const rate = facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`
    const printTax = () => {
      if (facts.taxCents !== null)
        printSpread(roll, label(facts.taxIncluded ? 'includedTax' : 'tax') + rate, bare(facts.taxCents))
    }
    if (!facts.taxIncluded) printTax()
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), bare(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: 1.3 })
    if (facts.taxIncluded) printTax()
    printRule(roll, 'gap')
    printPaid(roll, facts)
    if (random.chance(0.5)) {
      printRule(roll, 'gap')
      printLine(roll, words.tip, { align: 'center' })
      for (const percent of [10, 15, 20])
        printLine(roll, `${percent}% = ${bare(Math.round((facts.totalCents * percent) / 100))}`, { align: 'center' })
    }
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

/** A supermarket's: each thing with the letter of its rate, a table of the tax, all numbers in one line at the foot. */
const supermarket: Layout<ReceiptFacts> = {
  name: 'supermarket-slip',
  keptOut: true,
  round: 4,
  revise: (facts) => ({
    ...facts,
    items: amountsOnly(facts).map((item, n) => {
      const { quantity = null, unitCents = null } = facts.items[n] ?? {}
      return quantity !== null && quantity > 1 ? { ...item, quantity, unitCents } : item
    }),
  }),
  draw(press, facts) {
    const { label, bare, money, quantity, day, random, locale } = press
    const words = fourthWordsOf(locale)
    const roll = openRoll(press)
    printHead(roll, facts, 'center')
    printLine(roll, press.locale.currency.code, { align: 'right' })
    press.currencyCode()
    for (const item of facts.items) {
      printSpread(roll, item.description.toUpperCase(), `${bare(item.amountCents)} A`)
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${quantity(item.quantity)} x ${bare(item.unitCents)}`, { indent: 6 })
    }
    printRule(roll, 'line')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), bare(facts.subtotalCents))
    if (facts.taxCents !== null && !facts.taxIncluded) printSpread(roll, label('tax'), bare(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), bare(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: 1.25 })
    printRule(roll, 'line')
    printPaid(roll, facts)
    if (facts.taxCents !== null && facts.taxIncluded) {
      printRule(roll, 'gap')
      const third = roll.width / 4
      const row = (cells: readonly string[]) => {
        const { y } = roll
        roll.y = Math.max(
          ...cells.map((cell, n) =>
            write(press, cell, { x: roll.x + n * third, y, width: third - 3, align: n === 0 ? 'left' : 'right' }),
          ),
        )
      }
      const gross = facts.items.reduce((sum, { amountCents }) => sum + amountCents, 0)
      row(['%', words.net, label('tax'), words.gross])
      row([
        `A${facts.taxRate === null ? '' : ` ${quantity(facts.taxRate)}%`}`,
        bare(gross - facts.taxCents),
        bare(facts.taxCents),
        bare(gross),
      ])
    }
    printRule(roll, 'gap')
    const numbers = [
      day(facts.date),
      writeTime(facts, '24'),
      facts.number === null ? null : `${label('receiptNumber')} ${facts.number}`,
      facts.till === null ? null : `${label('till')} ${facts.till}`,
      random.chance(0.5) && facts.cashier !== null ? facts.cashier : null,
    ]
    printLine(roll, numbers.filter((part) => part !== null).join('  '))
    if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
    press.roll.cutY = roll.y
  },
}

/** A shop's receipt by mail: a heading of thanks, data under small titles, counts under the names. */
const mailed: Layout<ReceiptFacts> = {
  name: 'mailed-receipt',
  keptOut: true,
  round: 4,
  draw(press, facts) {
    const { label, bare, money, quantity, day, style, locale } = press
    const roll = openRoll(press)
    drawLogo(press, { x: roll.x, y: roll.y, size: 22 })
    write(press, facts.merchant.name, { x: roll.x + 28, y: roll.y + 4, face: 'bold', size: style.size * 1.2 })
    roll.y += 30
    printLine(roll, fourthWordsOf(locale).thankYou, { bold: true, scale: 1.3 })
    printRule(roll, 'gap')
    const titled = (title: string, value: string | null) => {
      if (value === null) return
      printLine(roll, title, { scale: 0.8 })
      printLine(roll, value)
      roll.y += 2
    }
    titled(label('receiptNumber'), facts.number)
    titled(label('date'), day(facts.date))
    titled(label('time'), writeTime(facts, pickTimeLook(press)))
    printRule(roll, 'line')
    for (const item of facts.items) {
      printSpread(roll, item.description, bare(item.amountCents), { bold: true })
      if (item.quantity !== null && item.unitCents !== null)
        printLine(roll, `${label('receiptQuantity')}: ${quantity(item.quantity)} · ${bare(item.unitCents)}`, {
          scale: 0.85,
        })
      roll.y += 3
    }
    printRule(roll, 'line')
    if (facts.subtotalCents !== null) printSpread(roll, label('receiptSubtotal'), money(facts.subtotalCents))
    if (facts.taxCents !== null && !facts.taxIncluded) printSpread(roll, label('tax'), money(facts.taxCents))
    if (facts.roundingCents !== null) printSpread(roll, label('rounding'), money(facts.roundingCents))
    printSpread(roll, label('receiptTotal'), money(facts.totalCents), { bold: true, scale: 1.3 })
    if (facts.taxCents !== null && facts.taxIncluded)
      printSpread(roll, label('includedTax'), money(facts.taxCents), { scale: 0.85 })
    printRule(roll, 'line')
    printPaid(roll, facts)
    printRule(roll, 'gap')
    const { merchant } = facts
    printLine(roll, [merchant.name, ...merchant.addressLines].join(', '), { scale: 0.85 })
    if (merchant.phone !== null) printLine(roll, `${label('phone')} ${merchant.phone}`, { scale: 0.85 })
    if (merchant.email !== null) printLine(roll, merchant.email, { scale: 0.85 })
    press.roll.cutY = roll.y
  },
}

/** The movements in so many groups, each in its order, led from the opening balance once more. */
function regroup(facts: StatementFacts, groups: readonly Movement[][]): Movement[] {
  let balanceCents = facts.openingCents
  return groups.flat().map((movement) => {
    balanceCents += movement.amountCents
    return { ...movement, balanceCents, hidesBalance: true as const }
  })
}

function drawAmountLine(press: Press, at: { y: number; left: string; words: string; right: string }): number {
  const frame = frameOf(press)
  const leftWidth = frame.width * 0.14
  const room = frame.width - leftWidth - textWidth(press, at.right) - 12
  write(press, at.left, { x: frame.x, y: at.y, width: leftWidth })
  write(press, at.right, { x: frame.x, y: at.y, width: frame.width, align: 'right' })
  return write(press, at.words, { x: frame.x + leftWidth, y: at.y, width: room }) + 1
}

/** A checking account's: a summary, then what came in and what went out under headings of their own, balances day by day. */
const checking: Layout<StatementFacts> = {
  name: 'checking-statement',
  keptOut: true,
  round: 4,
  revise: (facts) => {
    const isIn = ({ amountCents }: Movement) => amountCents >= 0
    return {
      ...facts,
      withBalances: false,
      movements: regroup(facts, [facts.movements.filter(isIn), facts.movements.filter((one) => !isIn(one))]),
    }
  },
  draw(press, facts) {
    const { label, bare, money, day, style, locale } = press
    const words = fourthWordsOf(locale)
    const frame = frameOf(press)
    write(press, facts.bank.name, { ...frame, face: 'bold', size: style.size * 1.7, colour: style.accent })
    const bank = { ...nameAndAddress(facts.bank), phone: facts.bank.phone, website: facts.bank.website }
    const bankEnd = drawParty(press, {
      x: frame.x + frame.width * 0.6,
      y: frame.y,
      width: frame.width * 0.4,
      party: bank,
      look: { align: 'right', hideName: true, size: 7.5 },
    })
    let y = Math.max(bankEnd, frame.y + 60)
    const holderEnd = drawParty(press, { x: frame.x, y, width: frame.width * 0.45, party: facts.holder, look: {} })
    const pairs = accountPairs(press, facts).slice(1)
    const dataEnd = drawPairs(press, {
      x: frame.x + frame.width * 0.52,
      y,
      width: frame.width * 0.48,
      pairs,
      look: 'inline',
    })
    y = Math.max(holderEnd, dataEnd) + 18
    y = write(press, label('statement'), { x: frame.x, y, face: 'bold', size: style.size * 1.4 }) + 4
    y = drawPairs(press, {
      x: frame.x,
      y,
      width: frame.width * 0.62,
      pairs: balancePairs(press, facts, true),
      look: 'spread',
    })
    for (const [title, movements] of [
      [words.deposits, facts.movements.filter(({ amountCents }) => amountCents >= 0)],
      [words.withdrawals, facts.movements.filter(({ amountCents }) => amountCents < 0)],
    ] as const) {
      if (movements.length === 0) continue
      y = nextLine(press, y + 14, 60)
      drawBox(press, { x: frame.x, y, width: frame.width, height: style.size * 1.7, fill: '#e6e6ee' })
      y = write(press, title, { x: frame.x + 3, y: y + 3, face: 'bold' }) + 4
      const head = { left: label('date'), words: label('details'), right: label('movementAmount') }
      y = drawAmountLine(press, { y, ...head })
      drawRule(press, { x: frame.x, y, width: frame.width })
      y += 3
      for (const movement of movements) {
        y = nextLine(press, y, 30)
        const right = bare(movement.amountCents)
        y = drawAmountLine(press, { y, left: day(movement.day), words: movement.description, right })
      }
    }
    y = nextLine(press, y + 14, 60)
    y = write(press, words.daily, { x: frame.x, y, face: 'bold' }) + 3
    let last = facts.openingCents
    const days = new Map<string, Pair>()
    for (const movement of facts.movements.toSorted((a, b) => isoOf(a.day).localeCompare(isoOf(b.day)))) {
      last += movement.amountCents
      days.set(isoOf(movement.day), [day(movement.day), money(last)])
    }
    const third = frame.width / 3
    for (const [n, [name, value]] of [...days.values()].entries()) {
      if (n % 3 === 0 && n > 0) y = nextLine(press, y + style.size * 1.5, 30)
      const x = frame.x + (n % 3) * third
      write(press, name, { x, y })
      write(press, value, { x, y, width: third - 20, align: 'right' })
    }
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

function nextLine(press: Press, y: number, room: number): number {
  const frame = frameOf(press)
  if (y + room <= frame.bottom) return y
  press.doc.addPage()
  return frame.y
}

/** A bank's of the telephone: each day is a heading, the movements of the day stand under it, those that came in with a plus. */
const byDay: Layout<StatementFacts> = {
  name: 'by-day-statement',
  keptOut: true,
  round: 4,
  revise: (facts) => ({ ...facts, withBalances: false }),
  draw(press, facts) {
    const { label, bare, day, style } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.right - 28, y: frame.y, size: 28 })
    let y = write(press, label('statement'), { ...frame, face: 'bold', size: style.size * 2 }) + 10
    const holderEnd = drawParty(press, { x: frame.x, y, width: frame.width * 0.45, party: facts.holder, look: {} })
    const dataEnd = drawPairs(press, {
      x: frame.x + frame.width * 0.5,
      y,
      width: frame.width * 0.5,
      pairs: accountPairs(press, facts).slice(1),
      look: 'above',
    })
    y = Math.max(holderEnd, dataEnd) + 10
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: balancePairs(press, facts, true),
        look: 'headed-row',
      }) + 14
    let shownDay = ''
    for (const movement of facts.movements) {
      if (isoOf(movement.day) !== shownDay) {
        shownDay = isoOf(movement.day)
        y = nextLine(press, y + 8, 60)
        y = write(press, day(movement.day), { x: frame.x, y, face: 'bold', colour: style.grey }) + 1
        drawRule(press, { x: frame.x, y, width: frame.width, thickness: 0.3 })
        y += 3
      }
      y = nextLine(press, y, 30)
      const right = `${movement.amountCents < 0 ? '' : '+'}${bare(movement.amountCents)}`
      write(press, right, { x: frame.x, y, width: frame.width, align: 'right' })
      y = write(press, movement.description, { x: frame.x, y, width: frame.width * 0.7 }) + 2
    }
    const foot = [facts.bank.name, ...facts.bank.addressLines].join(', ')
    write(press, foot, { x: frame.x, y: frame.bottom - 6, width: frame.width, size: 7, align: 'center' })
    numberPages(press, { y: frame.bottom + 8, align: 'center', always: true })
  },
}

export const fourthReceipts: readonly Layout<ReceiptFacts>[] = [restaurant, supermarket, mailed]
export const fourthStatements: readonly Layout<StatementFacts>[] = [checking, byDay]
