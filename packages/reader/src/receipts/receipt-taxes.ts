import { type ReceiptWord, receiptWords } from '../languages/receipt-words.ts'
import type { Line, PageLayout } from '../layout/layout.ts'
import type { Sheet } from '../layout/sheet.ts'
import type { Span } from '../layout/spans.ts'
import { sameAmount } from '../values/amounts.ts'

/** A row of a tax table: rate, base and tax. */
export interface TaxRow {
  readonly line: Line
  readonly span: Span
  readonly tax: ReceiptWord
}

/** The highest plausible sales tax rate, in percent. */
const taxRateMax = 40

/** The tax among the amounts of a line with a rate: rate × net amount, or the tax included in a gross amount. */
function taxAmong(amounts: readonly ReceiptWord[], rate: number): ReceiptWord | null {
  const fitting = amounts.filter((tax) =>
    amounts.some(
      (base) =>
        base !== tax &&
        base.value > tax.value &&
        (sameAmount((base.value * rate) / 100, tax.value, 2) ||
          sameAmount((base.value * rate) / (100 + rate), tax.value, 2)),
    ),
  )
  const [only] = fitting
  return fitting.length === 1 && only !== undefined ? only : null
}

/** The rows of a tax table in which rate, base and tax agree. */
export function taxRows(sheet: Sheet, page: PageLayout): TaxRow[] {
  return page.lines.flatMap((line) => {
    const { span, words } = receiptWords(line, sheet.conventions.numbers)
    const percent = /(\d{1,2}(?:[.,]\d{1,3})?)\s?%/.exec(span.text)?.[1]
    const amounts = words.filter((word) => word.kind === 'number' && word.decimals === 2)
    const rate = percent === undefined ? 0 : Number(percent.replace(',', '.'))
    if (rate <= 0 || rate > taxRateMax || amounts.length < 2 || amounts.length > 3) return []
    const tax = taxAmong(amounts, rate)
    return tax === null ? [] : [{ line, span, tax }]
  })
}
