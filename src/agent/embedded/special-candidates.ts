import type { LabelHit } from './labels.ts'
import { type Reading, readAs } from './readings.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from './sheet.ts'
import { type Span, spanOfCell, spanOfCells, wordsWithin } from './spans.ts'
import { fits } from './values.ts'

function make(field: Field, hit: LabelHit, found: { span: Span; reading: Reading; score: number }): Candidate {
  const { span, reading } = found
  const words = wordsWithin(span, reading.start, reading.end)
  const label = wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
  const score = found.score * (0.6 + 0.4 * wordConfidence(words))
  return { field, reading, words, page: hit.cell.line.page, label, relation: 'same-cell', score }
}

/** Where the value of a label may stand: its own cell, the cells to the right, the cell below. */
function places(hit: LabelHit): Span[] {
  const { line, index } = hit.cell
  const spans = hit.isWhole ? [] : [hit.rest]
  const right = line.cells.slice(index + 1, index + 3)
  if (right.length > 0) spans.push(spanOfCells(right))
  const below = line.page.lines[line.index + 1]?.cells.find((cell) => Math.abs(cell.x0 - hit.cell.x0) < line.height * 2)
  if (below !== undefined && hit.isWhole) spans.push(spanOfCell(below))
  return spans
}

/** Start and end of a period printed as two dates behind one label. */
function fromPeriods(sheet: Sheet, field: Field, hits: readonly LabelHit[]): Candidate[] {
  const isEnd = field.plan.meaning.concept?.id === 'period_end'
  for (const hit of hits) {
    for (const span of places(hit)) {
      const dates = readAs('date', span.text, sheet.conventions)
      const reading = isEnd ? dates[1] : dates[0]
      if (dates.length !== 2 || reading === undefined || !fits(field.plan, reading)) continue
      return [make(field, hit, { span, reading, score: 0.93 })]
    }
  }
  return []
}

/** A rate printed with a percent sign beside the label of a tax. Several rates are no answer. */
function fromTaxLabels(sheet: Sheet, field: Field, hits: readonly LabelHit[]): Candidate[] {
  const found: Candidate[] = []
  for (const hit of hits) {
    const cells = hit.cell.line.cells.slice(hit.cell.index, hit.cell.index + 2)
    const span = spanOfCells(cells)
    const reading = readAs('percent', span.text, sheet.conventions).find((entry) => entry.fit === 1)
    if (reading !== undefined && fits(field.plan, reading)) found.push(make(field, hit, { span, reading, score: 0.92 }))
  }
  const values = new Set(found.map((candidate) => candidate.reading.value))
  return values.size === 1 ? found.slice(0, 1) : []
}

/** Candidates whose label is that of something wider: a period gives its ends, a tax its rate. */
export function specialCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const hitsOf = (target: string): LabelHit[] =>
    [...sheet.labels.values()]
      .flat()
      .filter(
        (hit) =>
          hit.coverage >= 0.6 &&
          !inTable(sheet, hit.cell) &&
          hit.targets.some((entry) => entry.target === target && entry.weight >= 0.9),
      )
  return fields.flatMap((field) => {
    const id = field.plan.meaning.concept?.id
    if (id === 'period_start' || id === 'period_end')
      return fromPeriods(sheet, field, [...hitsOf('c:period'), ...hitsOf('c:period_start')])
    if (id === 'tax_rate') return fromTaxLabels(sheet, field, hitsOf('c:tax'))
    return []
  })
}
