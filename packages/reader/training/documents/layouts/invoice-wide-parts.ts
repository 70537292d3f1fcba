import { bankPairs, drawPairs, type Pair, type Place, reachLines } from '../blocks.ts'
import { drawTotals, invoicePairs, totalsPairs } from '../commerce.ts'
import { lineHeight, write } from '../ink.ts'
import type { InvoiceFacts } from '../invoice-facts.ts'
import type { LineItem } from '../items.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import { pickWord } from '../words/lexicon.ts'
import type { Locale } from '../words/locale.ts'
import { wideWordsOf } from '../words/wide-words.ts'
import { frameOf } from './layout.ts'
import { type ItemSpec, itemRows, ratesOf, totalRows, totalsAgain, totalsByRate } from './wide-items.ts'
import { addressLinesOf, drawWidePairs, type WidePairsLook } from './wide-parts.ts'
import { drawWideTable, pickWideLook, type WideLook, type WideRow } from './wide-table.ts'

/** Data of an invoice but for those that the layout prints elsewhere. */
export function pairsWithout(pairs: readonly Pair[], values: readonly string[]): Pair[] {
  return pairs.filter(([, value]) => !values.includes(value))
}

export { invoicePairs }

export interface WideItemsPlace {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly spec: ItemSpec
  readonly look?: Partial<WideLook>
  /** Where a new page begins, after it has been drawn upon. */
  readonly startPage?: () => number
  /** The sums as last rows of the table. */
  readonly withTotals?: readonly Pair[]
  readonly carries?: boolean
  readonly room?: number
}

export function drawWideItems(press: Press, items: readonly LineItem[], at: WideItemsPlace): number {
  const { columns, rows } = itemRows(press, items, at.spec)
  const sums: WideRow[] = at.withTotals === undefined ? [] : totalRows(columns, at.withTotals)
  const newPage = () => {
    press.doc.addPage()
    return at.startPage?.() ?? frameOf(press).y
  }
  return drawWideTable(press, {
    columns,
    rows: [...rows, ...sums],
    x: at.x,
    y: at.y,
    width: at.width,
    look: pickWideLook(press, at.look),
    ...(at.carries
      ? { carry: [press.label('carried'), pickWord(press.random, wideWordsOf(press.locale).broughtForward)] as const }
      : {}),
    newPage,
    room: at.room ?? 200,
  })
}

/** The sums by another look of pairs, or by those that all invoices have. */
export function drawWideTotals(
  press: Press,
  at: Place & { pairs: readonly Pair[]; look: WidePairsLook | 'plain' | 'ruled-last' | 'boxed' | 'band-last' },
): number {
  switch (at.look) {
    case 'plain':
    case 'boxed':
    case 'band-last':
      return drawTotals(press, { ...at, look: at.look })
    case 'ruled-last':
      return drawTotals(press, { ...at, look: 'ruled' })
    default:
      return drawWidePairs(press, { ...at, look: at.look }) + 4
  }
}

/** A table of the tax by rate, with a row of sums: rate, what is taxed, tax. */
export function drawRates(press: Press, items: readonly LineItem[], at: Place & { withSum: boolean }): number {
  const { label, quantity, bare, random } = press
  const words = wideWordsOf(press.locale)
  const rates = ratesOf(items)
  const sumOf = (key: 'baseCents' | 'taxCents') => bare(rates.reduce((sum, rate) => sum + rate[key], 0))
  const rows: WideRow[] = rates.map(({ rate, baseCents, taxCents }) => ({
    cells: [`${quantity(rate)} %`, bare(baseCents), bare(taxCents)],
  }))
  return drawWideTable(press, {
    columns: [
      { title: pickWord(random, words.rate), align: 'left' },
      { title: pickWord(random, words.net), align: 'right' },
      { title: label('tax'), align: 'right' },
    ],
    rows: at.withSum ? [...rows, { cells: ['', sumOf('baseCents'), sumOf('taxCents')], tone: 'total' }] : rows,
    x: at.x,
    y: at.y,
    width: at.width,
    look: pickWideLook(press, { padding: 2 }),
    newPage: () => at.y,
    room: 0,
  })
}

/** Sums with a line for the tax of each rate. */
export function pairsByRate(press: Press, facts: InvoiceFacts): Pair[] {
  const { label, money, quantity, bare, random } = press
  const rates = ratesOf(facts.items)
  const form = random.int(0, 2)
  const lines = rates.map(({ rate, baseCents, taxCents }): Pair => {
    const parts = [
      `${label('tax')} ${quantity(rate)} %`,
      `${quantity(rate)}% ${label('tax')} (${bare(baseCents)})`,
      `${label('tax')} ${quantity(rate)} % / ${bare(baseCents)}`,
    ]
    return [parts[form] ?? '', money(taxCents)]
  })
  const total = totalsPairs(press, { ...facts.totals, taxRate: null })
  const taxAt = total.findIndex(([name]) => name === label('tax'))
  return rates.length === 1 ? total : [...total.slice(0, taxAt), ...lines, ...total.slice(taxAt)]
}

/** Two rates spread over the lines, so that the invoice has no rate of its own. */
export function reviseRates(facts: InvoiceFacts, random: Random, locale: Locale): InvoiceFacts {
  const known = [...new Set([...locale.taxRates, 0])]
  const rates = random.sample(known, 2)
  const items = facts.items.map((item) => ({ ...item, taxRate: random.pick(rates) }))
  return { ...facts, items, totals: totalsByRate(items) }
}

/** The amount with tax beside that without. */
export function reviseGross(facts: InvoiceFacts, random: Random, locale: Locale): InvoiceFacts {
  const revised = random.chance(0.5) ? reviseRates(facts, random, locale) : withOneRate(facts, random, locale)
  const items = revised.items.map((item) => ({
    ...item,
    grossCents: item.amountCents + Math.round((item.amountCents * (item.taxRate ?? 0)) / 100),
  }))
  return { ...revised, items }
}

function withOneRate(facts: InvoiceFacts, random: Random, locale: Locale): InvoiceFacts {
  const taxRate = random.pick(locale.taxRates)
  const items = facts.items.map((item) => ({ ...item, taxRate }))
  return { ...facts, items, totals: totalsByRate(items) }
}

/** Some lines are sold at less than their price. */
export function reviseDiscounts(facts: InvoiceFacts, random: Random, locale: Locale): InvoiceFacts {
  const items = facts.items.map((item): LineItem => {
    const discountPercent = random.pick([0, 0, 5, 10, 15, 20])
    if (item.quantity === null || item.unitCents === null) return item
    const amountCents = Math.round((item.unitCents * item.quantity * (100 - discountPercent)) / 100)
    return { ...item, discountPercent, amountCents }
  })
  const rate = facts.totals.taxRate ?? random.pick(locale.taxRates)
  return { ...facts, items, totals: totalsAgain(items, facts.totals, rate) }
}

/** A part has been paid before. */
export function revisePaid(facts: InvoiceFacts, random: Random): InvoiceFacts {
  const paidCents = Math.round((facts.totals.totalCents * random.pick([10, 20, 25, 30, 40, 50])) / 100)
  return { ...facts, totals: { ...facts.totals, paidCents } }
}

/** Columns of text for the foot of a letter: firm, how to reach it, bank. */
export function footColumns(press: Press, facts: InvoiceFacts, withFirm: boolean): string[][] {
  const bank =
    facts.account === null ? [] : bankPairs(press, facts.account).map(([label, value]) => `${label}: ${value}`)
  return [withFirm ? [facts.vendor.name, ...addressLinesOf(facts.vendor)] : [], reachLines(press, facts.vendor), bank]
}

/** Terms, bank and words of thanks under the sums. */
export function drawWideEnd(
  press: Press,
  facts: InvoiceFacts,
  at: Place & { withBank: boolean; look?: WidePairsLook },
): number {
  let { y } = at
  if (at.withBank && facts.account !== null) {
    const pairs = bankPairs(press, facts.account)
    y =
      at.look === undefined
        ? drawPairs(press, { ...at, pairs, look: 'inline' })
        : drawWidePairs(press, { ...at, pairs, look: at.look })
    y += 4
  }
  const lines = [facts.note, facts.thanks].filter((line) => line !== null)
  for (const line of lines) y = write(press, line, { x: at.x, y, width: at.width, size: press.style.size * 0.92 })
  return y
}

/** A short line at the top of further pages: firm, title and number. */
export function drawRunningHead(press: Press, left: string, right: string): number {
  const frame = frameOf(press)
  const look = { size: press.style.size * 0.85, colour: press.style.grey }
  write(press, left, { x: frame.x, y: frame.y - 6, ...look })
  write(press, right, { x: frame.x, y: frame.y - 6, width: frame.width, align: 'right', ...look })
  return frame.y + lineHeight(press, look) + 8
}
