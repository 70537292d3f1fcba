import type { LabelHit } from '../labels/labels.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { type Span, spanOfCell, spanOfCells, wordsWithin } from '../layout/spans.ts'
import { type ParsedValue, readAs } from '../values/parsed-values.ts'
import { fits } from '../values/values.ts'

function make(field: Field, hit: LabelHit, found: { span: Span; reading: ParsedValue; score: number }): Candidate {
  const { span, reading } = found
  const words = wordsWithin(span, reading.start, reading.end)
  const label = wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
  const score = found.score * (0.6 + 0.4 * wordConfidence(words))
  return { field, reading, words, page: hit.cell.line.page, label, relation: 'same-cell', score }
}

/** The highest plausible sales tax rate, in percent. */
const taxRateMax = 40

/** The rates in columns of item tables and at the start of lines of a tax table. */
function otherRates(sheet: Sheet): Set<number> {
  const rates = new Set<number>()
  const see = (text: string): void => {
    const reading = readAs('percent', text, sheet.conventions).find((entry) => entry.fit === 1)
    if (reading !== undefined && Number(reading.value) <= taxRateMax) rates.add(Number(reading.value))
  }
  for (const table of sheet.tables) {
    for (const [at, column] of table.columns.entries()) {
      if (!column.heading.targets.some((entry) => entry.target === 'c:line_tax_rate')) continue
      for (const row of table.rows) see(row.cells[at]?.text ?? '')
    }
  }
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      const [first, ...others] = line.cells
      if (first !== undefined && others.length >= 2 && /^\d{1,2}(?:[.,]\d{1,3})?\s?%$/.test(first.text)) see(first.text)
    }
  }
  return rates
}

/** A rate printed with a percent sign beside the label of a tax. No candidate when there are several different rates. */
function fromTaxLabels(sheet: Sheet, field: Field, hits: readonly LabelHit[]): Candidate[] {
  const found: Candidate[] = []
  for (const hit of hits) {
    const cells = hit.cell.line.cells.slice(hit.cell.index, hit.cell.index + 2)
    const span = spanOfCells(cells)
    const reading = readAs('percent', span.text, sheet.conventions).find(
      (entry) => entry.fit === 1 && Number(entry.value) <= taxRateMax,
    )
    if (reading !== undefined && fits(field.plan, reading)) found.push(make(field, hit, { span, reading, score: 0.92 }))
  }
  const values = new Set([...found.map((candidate) => candidate.reading.value), ...otherRates(sheet)])
  return values.size === 1 ? found.slice(0, 1) : []
}

/** Candidates that come from the label of a wider concept: a period gives its start and end, a tax its rate. */
export function specialCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const hitsOf = (target: string): LabelHit[] =>
    [...sheet.labels.values()]
      .flat()
      .filter(
        (hit) =>
          hit.coverage >= 0.6 &&
          !inTable(sheet, hit.cell) &&
          hit.targets.some((entry) => entry.target === target && entry.weight > 0.73),
      )
  return fields.flatMap((field) => {
    const id = field.plan.meaning.concept?.id
    if (id === 'tax_rate') return fromTaxLabels(sheet, field, hitsOf('c:tax'))
    return []
  })
}
