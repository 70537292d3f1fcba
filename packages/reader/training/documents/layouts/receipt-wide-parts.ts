import { reachLines } from '../blocks.ts'
import { textWidth, write } from '../ink.ts'
import type { Random } from '../random.ts'
import type { ReceiptFacts, ReceiptItem } from '../receipt-facts.ts'
import { pickTimeLook, printLine, printSpread, type Roll, writeTime } from '../till.ts'
import type { Locale } from '../words/locale.ts'

/** Goods of two rates; the tax is held in the prices, so that the total stays. */
export function reviseTaxLetters(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  if (!facts.taxIncluded) return facts
  const rates = random.sample([...new Set(locale.taxRates)], 2)
  const items = facts.items.map((item): ReceiptItem => ({ ...item, taxRate: random.pick(rates) }))
  const taxCents = taxesOf(items).reduce((sum, tax) => sum + tax.taxCents, 0)
  return { ...facts, items, taxCents, taxRate: null }
}

export interface TaxClass {
  readonly letter: string
  readonly rate: number
  readonly netCents: number
  readonly taxCents: number
  readonly grossCents: number
}

/** Tax by class; letters in the order of the rates. */
function taxesOf(items: readonly ReceiptItem[]): TaxClass[] {
  const rates = [...new Set(items.map(({ taxRate }) => taxRate ?? 0))].toSorted((a, b) => b - a)
  return rates.map((rate, n) => {
    const grossCents = items.reduce((sum, item) => sum + ((item.taxRate ?? 0) === rate ? item.amountCents : 0), 0)
    const netCents = Math.round(grossCents / (1 + rate / 100))
    return { letter: 'ABCD'[n] ?? 'E', rate, netCents, taxCents: grossCents - netCents, grossCents }
  })
}

/** Some goods are weighed: their quantity is in kilograms, with three decimals. */
export function reviseWeights(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  const items = facts.items.map((item): ReceiptItem => {
    const unitCents = random.int(99, 2490)
    const quantity = random.int(80, 2400) / 1000
    if (random.chance(0.5))
      return { ...item, quantity: item.quantity ?? 1, unitCents: item.unitCents ?? item.amountCents }
    return { ...item, quantity, unitCents, unit: 'kg', amountCents: Math.round(quantity * unitCents) }
  })
  return sumsAgain({ ...facts, items }, random, locale)
}

const FUELS: Readonly<Record<string, readonly string[]>> = {
  en: ['Unleaded 95', 'DIESEL', 'REGULAR UNL'],
  de: ['Super E10', 'Diesel', 'SUPER PLUS'],
  fr: ['GAZOLE', 'SP95-E10', 'SP98'],
  es: ['GASOLEO A', 'SIN PLOMO 95'],
  it: ['GASOLIO', 'BENZINA S.P.'],
  nl: ['Euro 95', 'Diesel'],
  pt: ['GASÓLEO', 'Gasolina 95'],
}

/** A tank filled at a pump. */
export function reviseFuel(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  const quantity = random.int(800, 6800) / 100
  const unitCents = random.int(128, 219)
  const description = random.pick(FUELS[locale.id.slice(0, 2)] ?? ['DIESEL'])
  const item = { description, quantity, unitCents, unit: 'l', amountCents: Math.round(quantity * unitCents) }
  return sumsAgain({ ...facts, items: [item, ...facts.items.slice(0, random.pick([0, 0, 1, 2]))] }, random, locale)
}

function sumsAgain(facts: ReceiptFacts, random: Random, locale: Locale): ReceiptFacts {
  const sum = facts.items.reduce((total, { amountCents }) => total + amountCents, 0)
  const rate = facts.taxRate ?? random.pick(locale.taxRates)
  const tax = facts.taxIncluded ? sum - Math.round(sum / (1 + rate / 100)) : Math.round((sum * rate) / 100)
  const totalCents = facts.taxCents === null || facts.taxIncluded ? sum : sum + tax
  const cashCents = facts.cashCents === null ? null : Math.ceil(totalCents / 500) * 500
  return {
    ...facts,
    subtotalCents: facts.subtotalCents === null ? null : sum,
    taxCents: facts.taxCents === null ? null : tax,
    taxRate: facts.taxCents === null || facts.taxRate === null ? null : rate,
    roundingCents: null,
    totalCents,
    cashCents,
    changeCents: cashCents === null || facts.changeCents === null ? null : cashCents - totalCents,
  }
}

/** Paid by card, with the slip of the terminal. */
export function reviseCard(facts: ReceiptFacts, random: Random): ReceiptFacts {
  const slip = [
    '************####',
    'TERMINAL ########',
    'AUTH CODE ######',
    'AID A0000000041010',
    'TRACE ######',
    'REF ############',
  ]
  const cardSlip = random.sample(slip, random.int(2, 5)).map((line) => random.fill(line))
  const due = facts.roundingCents === null ? facts.totalCents : facts.totalCents - facts.roundingCents
  return {
    ...facts,
    method: 'card',
    totalCents: due,
    roundingCents: null,
    cashCents: null,
    changeCents: null,
    cardSlip,
  }
}

/** Name, address and how to reach the shop, at the head or the foot. */
export function printShop(
  roll: Roll,
  facts: ReceiptFacts,
  look: { align: 'left' | 'center' | 'right'; scale: number; withName?: boolean },
): void {
  const { merchant } = facts
  if (look.withName !== false) printLine(roll, merchant.name, { bold: true, scale: look.scale, align: look.align })
  for (const line of merchant.addressLines) printLine(roll, line, { align: look.align })
  for (const line of reachLines(roll.press, merchant)) printLine(roll, line, { align: look.align })
}

/** Day and time as one till prints them: apart, or in one line with or without their labels. */
export function printWhen(roll: Roll, facts: ReceiptFacts, look: 'ends' | 'labelled' | 'joined' | 'middle'): void {
  const { press } = roll
  const { label, day } = press
  const time = writeTime(facts, pickTimeLook(press))
  const colon = press.style.suffix
  switch (look) {
    case 'ends':
      printSpread(roll, day(facts.date), time ?? '')
      break
    case 'labelled':
      printSpread(
        roll,
        `${label('date')}${colon} ${day(facts.date)}`,
        time === null ? '' : `${label('time')}${colon} ${time}`,
      )
      break
    case 'joined':
      printLine(roll, time === null ? day(facts.date) : `${day(facts.date)} ${time}`)
      break
    case 'middle':
      printLine(roll, time === null ? day(facts.date) : `${day(facts.date)}  -  ${time}`, { align: 'center' })
  }
}

/** Number, till and cashier in one line as far as there is room, else in lines of their own. */
export function printWho(roll: Roll, facts: ReceiptFacts, look: 'lines' | 'run-on' | 'spread'): void {
  const { press } = roll
  const { label } = press
  const colon = press.style.suffix
  const parts = [
    [label('receiptNumber'), facts.number],
    [label('till'), facts.till],
    [label('cashier'), facts.cashier],
  ] as const
  const known = parts.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]))
  const line = known.map(([name, value]) => `${name}${colon} ${value}`).join('  ')
  if (look === 'run-on' && textWidth(press, line) <= roll.width) {
    if (line !== '') printLine(roll, line)
    return
  }
  for (const [name, value] of known)
    if (look === 'spread') printSpread(roll, name + colon, value)
    else printLine(roll, `${name}${colon} ${value}`)
}

/** Bars as scanners read them; no text. */
export function printBars(roll: Roll): void {
  const { press } = roll
  const width = Math.min(130, roll.width * 0.8)
  let x = roll.x + (roll.width - width) / 2
  const end = x + width
  const random = press.random.fork('bars')
  while (x < end - 3) {
    const bar = random.pick([0.8, 0.8, 1.4, 2])
    press.doc.rect(x, roll.y + 3, bar, 24).fill('#000000')
    x += bar + random.pick([0.9, 1.5, 2.2])
  }
  roll.y += 34
}

/** Cells at given shares of the width, the last ones at the right. */
export function printCells(
  roll: Roll,
  cells: readonly (readonly [text: string, from: number, to: number, align: 'left' | 'right'])[],
  bold = false,
): void {
  const { press, x, width, y } = roll
  roll.y = Math.max(
    ...cells.map(([text, from, to, align]) =>
      text === ''
        ? y
        : write(press, text, {
            x: x + width * from,
            y,
            width: width * (to - from),
            align,
            face: bold ? 'bold' : 'regular',
          }),
    ),
  )
}

/** The table of the tax by class. */
export function printTaxes(roll: Roll, facts: ReceiptFacts, look: 'columns' | 'lines'): void {
  const { press } = roll
  const { label, bare, quantity } = press
  const classes = taxesOf(facts.items)
  if (look === 'lines')
    for (const { letter, rate, netCents, taxCents } of classes)
      printSpread(roll, `${letter} ${quantity(rate)}% ${bare(netCents)}`, bare(taxCents))
  else
    for (const { letter, rate, netCents, taxCents, grossCents } of classes)
      printCells(roll, [
        [letter, 0, 0.08, 'left'],
        [`${quantity(rate)}%`, 0.08, 0.27, 'left'],
        [bare(netCents), 0.27, 0.52, 'right'],
        [bare(taxCents), 0.52, 0.75, 'right'],
        [bare(grossCents), 0.75, 1, 'right'],
      ])
  if (facts.taxCents !== null) printSpread(roll, label('includedTax'), bare(facts.taxCents))
}

export function letterOf(facts: ReceiptFacts, item: ReceiptItem): string {
  return taxesOf(facts.items).find(({ rate }) => rate === (item.taxRate ?? 0))?.letter ?? 'A'
}

/** Currency and words of thanks at the end; sets where the paper is cut. */
export function closeRoll(roll: Roll, facts: ReceiptFacts): void {
  const { press } = roll
  if (press.currencyLine !== null)
    printLine(roll, `${press.label('currency')}${press.style.suffix} ${press.currencyLine}`)
  if (facts.thanks !== null) printLine(roll, facts.thanks, { align: 'center' })
  if (facts.note !== null) printLine(roll, facts.note, { scale: 0.85, align: 'center' })
  press.roll.cutY = roll.y
}
