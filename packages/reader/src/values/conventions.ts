import { languageOf } from '../languages/page-language.ts'
import type { PageLayout } from '../layout/layout.ts'
import type { PeriodSighting } from '../layout/sheet.ts'
import { documentPeriod, sightPeriods } from '../statements/statement-period.ts'
import { type DateOrder, type Day, dateOrder, findDates, readDay } from './dates.ts'
import { columnNumberStyle, type NumberStyle, shownNumberStyle } from './numbers.ts'
import type { Conventions } from './parsed-values.ts'

/** The maximum number of cells sampled for conventions. */
const cellsMax = 20_000

function* cellTexts(pages: readonly PageLayout[]): Generator<string> {
  let count = 0
  for (const page of pages) {
    for (const line of page.lines) {
      for (const cell of line.cells) {
        if (++count > cellsMax) return
        yield cell.text
      }
    }
  }
}

const americanPattern =
  /\b[A-Z]{2}\s+\d{5}(?:-\d{4})?\b|\bUSD\b|\bU\.?S\.?A\b|\bUnited States\b|\bZIP\b|\bsales tax\b/gi
const otherPattern =
  /€|£|₹|\b(?:EUR|GBP|CHF|AUD|NZD|INR|MYR|SGD|RM|SEK|NOK|DKK|BRL|MXN|ZAR)\b|\b(?:rechnung|facture|factura|fattura|factuur|fatura|datum|fecha|data|numéro|gmbh|sdn|bhd|ltd|vat|gst|abn)\b/gi

/** Hints for the order of day and month: positive for day first, negative for month first. */
function leanOf(pages: readonly PageLayout[], isEnglish: boolean): number {
  let american = 0
  let other = 0
  for (const text of cellTexts(pages)) {
    if (!/[a-z€£₹]/i.test(text)) continue
    american += text.match(americanPattern)?.length ?? 0
    other += text.match(otherPattern)?.length ?? 0
  }
  const first = pages[0]
  // US Letter paper (8.5 × 11 inches) is used where the month comes first, and elsewhere in America too.
  const ratio = first === undefined ? 0 : first.height / first.width
  if (isEnglish && first?.page.source === 'text-layer' && Math.abs(ratio - 11 / 8.5) < 0.005) american++
  if (!isEnglish) other++
  if (other > 0 && american > 0) return other >= american ? 1 : -1
  return other > 0 ? 2 : american > 0 ? -2 : 0
}

/** The words that are enough to tell the language of a document. */
const wordsMax = 2_000

/** The first full date of the year that most of the dates have; of several such years the latest. */
function mainDay(pages: readonly PageLayout[], order: DateOrder): Day | null {
  const days = [...cellTexts(pages)].flatMap((text) => findDates(text).flatMap((match) => readDay(match, order) ?? []))
  const counts = new Map<number, number>()
  for (const { year } of days) counts.set(year, (counts.get(year) ?? 0) + 1)
  const most = Math.max(0, ...counts.values())
  const latest = Math.max(0, ...[...counts].flatMap(([year, count]) => (count === most ? [year] : [])))
  return days.find(({ year }) => year === latest) ?? null
}

/** The date and number conventions of a document, and the periods that it prints. */
export function conventionsOf(pages: readonly PageLayout[]): {
  readonly conventions: Conventions
  readonly periods: readonly PeriodSighting[]
} {
  const isEnglish = languageOf(pages.flatMap(({ page }) => page.words).slice(0, wordsMax)) === 'eng'
  const dates = dateOrder({ texts: cellTexts(pages), lean: leanOf(pages, isEnglish) })
  const periods = sightPeriods(pages, dates.order)
  const period = documentPeriod(pages, periods, dates.order)
  const shown = shownNumberStyle(cellTexts(pages))
  const numbers = shown ?? (isEnglish ? 'point' : 'comma')
  return {
    conventions: { dates, numbers, numbersSure: shown !== null, period, day: mainDay(pages, dates.order) },
    periods,
  }
}

/** The number style of each column of a structured source: by the column itself, else by other columns, else by the whole document. */
export function columnStyles(columns: readonly (readonly string[])[], conventions: Conventions): NumberStyle[] {
  const own = columns.map((texts) => columnNumberStyle(texts))
  const shown = new Set(own.filter((style) => style !== null))
  const [other] = shown
  const rest = shown.size === 1 && other !== undefined ? other : conventions.numbers
  return own.map((style) => style ?? rest)
}
