import { drawPairs, drawParty, numberPages, type Pair } from '../blocks.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import { makeFirmName, makeParty } from '../parties.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import type { Movement, StatementFacts } from '../statement-facts.ts'
import { pickWord, plainLabel } from '../words/lexicon.ts'
import type { Locale } from '../words/locale.ts'
import { releasedWordsOf } from '../words/locales-released.ts'
import { flowTable, frameOf, type Layout, nameAndAddress } from './layout.ts'
import { drawPartyLine, drawRuledSums, makeRoom, printed } from './released-parts.ts'
import { accountPairs, balancePairs, drawMovements, shortDay, writePeriod } from './statement-parts.ts'

/** Movements with other words and signs, and the balances and sums that follow from them. */
function withMovements(facts: StatementFacts, openingCents: number, movements: readonly Movement[]): StatementFacts {
  let balanceCents = openingCents
  const counted = movements.map((movement) => {
    balanceCents += movement.amountCents
    return { ...movement, balanceCents }
  })
  const sumOf = (sign: 1 | -1) => counted.reduce((sum, { amountCents }) => sum + Math.max(0, sign * amountCents), 0)
  return {
    ...facts,
    openingCents,
    closingCents: balanceCents,
    movements: counted,
    creditsCents: sumOf(1),
    debitsCents: sumOf(-1),
  }
}

/** A credit card's: what is owed is negative, purchases are debits, and now and then a payment comes in. */
function reviseCard(facts: StatementFacts, random: Random, locale: Locale): StatementFacts {
  const [payment, purchases] = releasedWordsOf(locale).printed.cardPayments
  const opening = -random.int(4_000, 260_000)
  const movements = facts.movements.map((movement): Movement => {
    const isIn = random.chance(0.12)
    const description = pickWord(random, purchases)
      .replace('{firm}', () => makeFirmName(random, locale, 'released'))
      .replace('{ref}', () => random.digits(5))
    const amountCents = isIn ? -opening : -Math.abs(movement.amountCents)
    return { ...movement, description: isIn ? payment : description, amountCents }
  })
  return { ...withMovements(facts, opening, movements), withBalances: false }
}

/** A credit card's: the balances and sums in a row with the signs of the reckoning between them. */
const equation: Layout<StatementFacts> = {
  name: 'equation',
  keptOut: false,
  released: 2,
  revise: reviseCard,
  draw(press, facts) {
    const { style, label, random } = press
    const frame = frameOf(press)
    const half = frame.width * 0.47
    const bankEnd = drawPartyLine(press, { ...frame, width: half, party: facts.bank })
    const pairs = accountPairs(press, facts).slice(1)
    const pairsEnd = drawPairs(press, { x: frame.right - half, y: frame.y, width: half, pairs, look: 'spread' })
    let y = Math.max(bankEnd, pairsEnd) + 16
    const holder = { title: label('holder'), titleLook: 'small' } as const
    y = drawParty(press, { x: frame.x, y, width: half, party: nameAndAddress(facts.holder), look: holder }) + 12
    y = write(press, label('statement'), { x: frame.x, y, size: style.size * 1.5, face: 'bold' }) + 6
    y = drawEquation(press, facts, y) + 14
    const writeRowDay = shortDay(press, facts)
    const signs = random.pick(['minus', 'trailing'] as const)
    y = drawMovements(press, facts, { x: frame.x, y, width: frame.width, withEnds: false, signs, writeRowDay }) + 10
    if (facts.note !== null) write(press, facts.note, { x: frame.x, y, width: frame.width, size: style.size * 0.85 })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: true })
  },
}

function drawEquation(press: Press, facts: StatementFacts, y: number): number {
  const { style } = press
  const frame = frameOf(press)
  const [opening, credits, debits, closing] = balancePairs(press, facts, true)
  const signs = ['', '+', '−', '=']
  const gap = 16
  const cell = (frame.width - 3 * gap) / 4
  const size = Math.min(style.size, 9)
  const ends = [opening, credits, debits, closing].map((pair, n) => {
    const x = frame.x + n * (cell + gap)
    write(press, signs[n] ?? '', { x: x - gap, y: y + 16, width: gap, align: 'center', face: 'bold' })
    return drawPairs(press, { x: x + 6, y: y + 4, width: cell - 12, pairs: pair ? [pair] : [], look: 'above', size })
  })
  const height = Math.max(...ends) - y + 2
  for (const n of ends.keys())
    drawBox(press, { x: frame.x + n * (cell + gap), y, width: cell, height, stroke: style.accent, radius: 3 })
  return y + height
}

/** An account that a customer has with a firm: invoices as debits, payments as credits. */
function reviseVendor(facts: StatementFacts, random: Random, locale: Locale): StatementFacts {
  const invoice = plainLabel({ ...locale.lexicon.labels, ...locale.labels }, 'invoice')
  const [payment] = releasedWordsOf(locale).printed.cardPayments
  const movements = facts.movements.map(
    (movement): Movement => ({ ...movement, description: movement.amountCents < 0 ? invoice : payment }),
  )
  const name = makeFirmName(random, locale, 'released')
  const bank = { ...makeParty(random, { locale, split: 'released', name }), contact: null }
  const opening = -random.int(0, 480_000)
  return {
    ...withMovements(facts, opening, movements),
    bank,
    iban: null,
    bic: null,
    accountNumber: random.digits(6),
    withValueDays: false,
    withBalances: true,
  }
}

/** A supplier's account of a customer: a number for each document, debit and credit, how old the balance is. */
const vendorAccount: Layout<StatementFacts> = {
  name: 'vendor-account',
  keptOut: false,
  released: 2,
  revise: reviseVendor,
  draw(press, facts) {
    const { style, label, bare, random } = press
    const frame = frameOf(press)
    const half = frame.width * 0.46
    let y = write(press, label('statement'), { ...frame, size: style.size * 1.7, face: 'bold' }) + 10
    const fromEnd = drawParty(press, { x: frame.right - half, y, width: half, party: facts.bank, look: {} })
    const toEnd = drawParty(press, {
      x: frame.x,
      y,
      width: half,
      party: nameAndAddress(facts.holder),
      look: { title: label('holder') },
    })
    y = Math.max(fromEnd, toEnd) + 12
    const about = accountPairs(press, facts).slice(1)
    y = drawPairs(press, { x: frame.x, y, width: frame.width, pairs: about, look: 'headed-row' }) + 10
    const documents = random.fork('documents')
    const columns = [
      { title: label('date'), align: 'left' },
      { title: printed(press).document, align: 'left' },
      { title: label('details'), align: 'left', grows: true },
      { title: label('moneyOut'), align: 'right' },
      { title: label('moneyIn'), align: 'right' },
      { title: label('balance'), align: 'right' },
    ] as const
    const rows = [
      ['', '', label('opening'), '', '', bare(facts.openingCents)],
      ...facts.movements.map(({ day, description, amountCents, balanceCents }) => [
        press.day(day),
        documents.digits(6),
        description,
        amountCents < 0 ? bare(-amountCents) : '',
        amountCents < 0 ? '' : bare(amountCents),
        bare(balanceCents),
      ]),
    ]
    const look = { lines: random.pick(['grid', 'zebra', 'rules'] as const), header: 'tinted', padding: 3 } as const
    y = flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 150 }) + 8
    const [, ...sums] = balancePairs(press, facts, true)
    y = drawRuledSums(press, { x: frame.x + half, y, width: frame.width - half, pairs: sums }) + 14
    drawAging(press, facts, makeRoom(press, y, 60))
    numberPages(press, { y: frame.bottom + 6, align: 'center', always: random.chance(0.5) })
  },
}

/** How old what is owed is, in four columns; the parts make up the closing balance. */
function drawAging(press: Press, facts: StatementFacts, y: number): void {
  const [title, ...ages] = printed(press).aging
  const frame = frameOf(press)
  const owed = Math.max(0, -facts.closingCents)
  const [first, second, third] = [Math.round(owed * 0.55), Math.round(owed * 0.25), Math.round(owed * 0.15)]
  const parts = [first, second, third, owed - first - second - third]
  const end = write(press, title, { x: frame.x, y, size: press.style.size * 0.85, face: 'bold' })
  const pairs = ages.map((age, n): Pair => [age, press.bare(parts[n] ?? 0)])
  drawPairs(press, { x: frame.x, y: end + 2, width: frame.width, pairs, look: 'boxes', size: press.style.size * 0.85 })
}

/** A bank's app as printed: no table, each movement in two lines with its day and the balance in small. */
const appExport: Layout<StatementFacts> = {
  name: 'app-export',
  keptOut: false,
  released: 2,
  draw(press, facts) {
    const { style, label, money, bare, day } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 24 })
    let y = drawPartyLine(press, { ...frame, x: frame.x + 34, width: frame.width - 34, party: facts.bank }) + 12
    y = write(press, label('statement'), { ...frame, y, size: style.size * 1.9, face: 'bold' })
    y = write(press, `${label('period')} ${writePeriod(press, facts)}`, { ...frame, y, colour: style.grey }) + 8
    const holder = { title: label('holder') }
    y = drawParty(press, { ...frame, y, party: nameAndAddress(facts.holder), look: holder }) + 8
    const about = accountPairs(press, facts).filter(([name]) => name !== label('period') && name !== label('holder'))
    y = drawPairs(press, { ...frame, y, pairs: [...about, ...balancePairs(press, facts, true)], look: 'spread' }) + 14
    const small = { size: style.size * 0.8, colour: style.grey }
    for (const movement of facts.movements) {
      y = makeRoom(press, y, 44)
      drawRule(press, { x: frame.x, y, width: frame.width, thickness: 0.4, colour: '#cccccc' })
      const { amountCents, balanceCents } = movement
      const amount = amountCents < 0 ? money(amountCents) : `+${bare(amountCents)}`
      write(press, amount, { x: frame.x, y: y + 5, width: frame.width, align: 'right', face: 'bold' })
      const end = write(press, movement.description, { x: frame.x, y: y + 5, width: frame.width * 0.7 })
      if (facts.withBalances) {
        const after = `${label('balance')}: ${bare(balanceCents)}`
        write(press, after, { x: frame.x, y: end, width: frame.width, align: 'right', ...small })
      }
      y = write(press, day(movement.day), { x: frame.x, y: end, ...small }) + 3
    }
    numberPages(press, { y: frame.bottom + 6, align: 'center', always: true })
  },
}

/** A firm's account on a sheet on its side: numbered rows, a column of references, sums under their columns. */
const wideSheet: Layout<StatementFacts> = {
  name: 'sideways-statement',
  keptOut: false,
  released: 2,
  sideways: true,
  revise: (facts) => ({ ...facts, withValueDays: true, withBalances: true }),
  draw(press, facts) {
    const { style, label, bare, random } = press
    const frame = frameOf(press)
    const third = frame.width / 3
    const bold = { nameSize: style.size * 1.3 }
    const pairs = accountPairs(press, facts).slice(1)
    const ends = [
      drawParty(press, { x: frame.x, y: frame.y, width: third - 14, party: facts.bank, look: bold }),
      drawParty(press, {
        x: frame.x + third,
        y: frame.y,
        width: third - 14,
        party: nameAndAddress(facts.holder),
        look: { title: label('holder') },
      }),
      drawPairs(press, { x: frame.x + 2 * third, y: frame.y, width: third, pairs, look: 'columns' }),
    ]
    let y = Math.max(...ends) + 10
    y = write(press, label('statement'), { ...frame, y, align: 'center', face: 'bold', size: style.size * 1.3 }) + 4
    const references = random.fork('references')
    const columns = [
      { title: '#', align: 'left' },
      { title: label('date'), align: 'left' },
      { title: label('valueDate'), align: 'left' },
      { title: printed(press).document, align: 'left' },
      { title: label('details'), align: 'left', grows: true },
      { title: label('moneyOut'), align: 'right' },
      { title: label('moneyIn'), align: 'right' },
      { title: label('balance'), align: 'right' },
    ] as const
    const rows = facts.movements.map(({ day, valueDay, description, amountCents, balanceCents }, n) => [
      String(n + 1),
      press.day(day),
      press.day(valueDay),
      references.fill('@@######'),
      description,
      amountCents < 0 ? bare(-amountCents) : '',
      amountCents < 0 ? '' : bare(amountCents),
      bare(balanceCents),
    ])
    const look = { lines: random.pick(['columns', 'rules', 'zebra'] as const), header: 'band', padding: 4 } as const
    y = flowTable(press, { columns, rows, look, x: frame.x, y, width: frame.width, room: 60 }) + 8
    y = makeRoom(press, y, 50)
    const row = { x: frame.x, y, width: frame.width, pairs: balancePairs(press, facts, true) }
    drawPairs(press, { ...row, look: 'headed-row' })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

export const releasedStatementsTwo: readonly Layout<StatementFacts>[] = [equation, vendorAccount, appExport, wideSheet]
