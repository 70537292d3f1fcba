import type { Finding } from '../extract/assemble.ts'
import type { Sheet } from '../layout/sheet.ts'
import type { Table } from '../tables/table.ts'

/** The direction of all movements of a table whose title states it. */
export type LedgerSide = 'debit' | 'credit'

/** The maximum number of lines above a header that may hold the table's title. */
const titleLinesMax = 2

const sidePatterns: readonly (readonly [LedgerSide, RegExp])[] = [
  ['debit', /^c:(?:debit|total_debits)$/],
  ['credit', /^c:(?:credit|total_credits)$/],
]

/** The side that the title directly above the headings names: `Withdrawals`, `Gutschriften`; null when there is none. */
export function sideOfTable(table: Table, sheet: Sheet): LedgerSide | null {
  const { first, last } = table.header
  const lines = first.page.lines.slice(Math.max(0, first.index - titleLinesMax), last.index + 1)
  for (const line of lines.toReversed()) {
    const [only] = line.cells
    if (only === undefined || line.cells.length > 1) continue
    const targets = (sheet.labels.get(only) ?? [])
      .filter((hit) => hit.startsCell && hit.isWhole && hit.coverage >= 0.5)
      .flatMap((hit) => hit.targets.filter((entry) => entry.weight >= 0.6).map((entry) => entry.target))
    const sides = sidePatterns.filter(([, pattern]) => targets.some((target) => pattern.test(target)))
    const [side] = sides
    if (side !== undefined && sides.length === 1) return side[0]
  }
  return null
}

/** A movement with the sign of its table's side, unless it is printed with a sign. */
export function onSide(finding: Finding, side: LedgerSide): Finding {
  const { value, evidence } = finding
  if (typeof value !== 'number' || /[-–−+()]|[CD]R\b/u.test(evidence.quote ?? '')) return finding
  const signed = side === 'debit' ? -Math.abs(value) : Math.abs(value)
  return signed === value
    ? finding
    : {
        ...finding,
        value: signed,
        evidence: {
          ...evidence,
          status: 'normalised',
          note: 'The title of the table says whether it is a debit or a credit.',
        },
      }
}
