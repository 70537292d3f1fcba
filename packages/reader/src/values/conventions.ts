import type { PageLayout } from '../layout/layout.ts'
import { documentPeriod } from '../statements/statement-period.ts'
import { dateOrder } from './dates.ts'
import { columnNumberStyle, type NumberStyle, numberStyle } from './numbers.ts'
import type { Conventions } from './readings.ts'

/** Cells looked at for the habits of a document; habits show early. */
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

/** Signs for an order of day and month beside the dates: above 0 for day first, below for month first. */
function leanOf(pages: readonly PageLayout[]): number {
  let american = 0
  let other = 0
  for (const text of cellTexts(pages)) {
    american += text.match(americanPattern)?.length ?? 0
    other += text.match(otherPattern)?.length ?? 0
  }
  const first = pages[0]
  // Letter paper (8.5 by 11 inches) is used where the month comes first.
  const ratio = first === undefined ? 0 : first.height / first.width
  if (first?.page.source === 'text-layer' && Math.abs(ratio - 11 / 8.5) < 0.005) american++
  if (other > 0 && american > 0) return other >= american ? 1 : -1
  return other > 0 ? 2 : american > 0 ? -2 : 0
}

/** How a document writes its dates and numbers. */
export function conventionsOf(pages: readonly PageLayout[]): Conventions {
  const dates = dateOrder({ texts: cellTexts(pages), lean: leanOf(pages) })
  return { dates, numbers: numberStyle(cellTexts(pages)), period: documentPeriod(pages, dates.order) }
}

/**
 * How each column of a source with rows and columns writes its numbers: as the column itself shows, else as the others do, else as the
 * whole document does.
 */
export function columnStyles(columns: readonly (readonly string[])[], conventions: Conventions): NumberStyle[] {
  const own = columns.map((texts) => columnNumberStyle(texts))
  const shown = new Set(own.filter((style) => style !== null))
  const [other] = shown
  const rest = shown.size === 1 && other !== undefined ? other : conventions.numbers
  return own.map((style) => style ?? rest)
}
