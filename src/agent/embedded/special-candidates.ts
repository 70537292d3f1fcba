import type { LabelHit } from './labels.ts'
import type { PageLayout } from './layout.ts'
import { type Reading, readAs } from './readings.ts'
import { type Candidate, type Field, inTable, type Sheet, wordConfidence } from './sheet.ts'
import { type Span, spanOf, spanOfCell, spanOfCells, wordsWithin } from './spans.ts'
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

/** The places of a label's value, each also with the lines below it that it may wrap to. */
function* placesWithWraps(hit: LabelHit): Generator<Span> {
  for (const span of places(hit)) {
    yield span
    const cell = span.cells.at(-1)
    const first = span.words[0]
    if (cell === undefined || first === undefined) continue
    const { line } = cell
    const below = line.page.lines[line.index + 1]
    const next = below?.cells.find(
      (other) => Math.abs(other.x0 - first.x0) < line.height || Math.abs(other.x0 - hit.cell.x0) < line.height,
    )
    if (below !== undefined && next !== undefined && below.y0 - line.y1 < line.height * 1.2)
      yield spanOf([...span.words, ...next.words], [cell, next], -Math.min(0, span.starts[0] ?? 0))
  }
}

/** Words and marks that stand between the two days of a period. */
const rangePattern =
  /^[\s,]*(?:-|–|—|to|until|through|till|thru|bis|au|à|al|a|t\/m|tot|até|hasta|e il|fino al|and|und|et)[\s,]*(?:zum|the|le|il|el)?\s*$/iu

/** The only pair of dates of the documents that is written as a period. */
function onlyPeriod(sheet: Sheet): { span: Span; dates: readonly Reading[]; page: PageLayout } | null {
  let found: { span: Span; dates: readonly Reading[]; page: PageLayout } | null = null
  for (const page of sheet.pages) {
    for (const line of page.lines) {
      for (const cell of line.cells) {
        if (inTable(sheet, cell)) continue
        const span = spanOfCell(cell)
        const dates = readAs('date', span.text, sheet.conventions)
        const [start, end] = dates
        if (dates.length !== 2 || start === undefined || end === undefined) continue
        if (!rangePattern.test(span.text.slice(start.end, end.start)) || start.value > end.value) continue
        if (found?.dates.some((date, index) => date.value !== dates[index]?.value)) return null
        found = { span, dates, page }
      }
    }
  }
  return found
}

function fromOnlyPeriod(sheet: Sheet, field: Field): Candidate[] {
  const period = onlyPeriod(sheet)
  const reading = period?.dates[field.plan.meaning.concept?.id === 'period_end' ? 1 : 0]
  if (period === null || reading === undefined || !fits(field.plan, reading)) return []
  const words = wordsWithin(period.span, reading.start, reading.end)
  const score = 0.7 * (0.6 + 0.4 * wordConfidence(words))
  return [
    {
      field,
      reading,
      words,
      page: period.page,
      label: [],
      relation: 'unlabelled',
      score,
      note: 'The only period of two days.',
    },
  ]
}

/** Start and end of a period printed as two dates behind one label. */
function fromPeriods(sheet: Sheet, field: Field, hits: readonly LabelHit[]): Candidate[] {
  const isEnd = field.plan.meaning.concept?.id === 'period_end'
  for (const hit of hits) {
    for (const span of placesWithWraps(hit)) {
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
      return [
        ...fromPeriods(sheet, field, [...hitsOf('c:period'), ...hitsOf('c:period_start')]),
        ...fromOnlyPeriod(sheet, field),
      ]
    if (id === 'tax_rate') return fromTaxLabels(sheet, field, hitsOf('c:tax'))
    return []
  })
}
