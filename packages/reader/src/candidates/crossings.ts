import { isAmount, readField } from '../labels/label-match.ts'
import { agreement, wordingsOf } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { Cell, Line } from '../layout/layout.ts'
import { type Candidate, type Field, overlapAcross, type Sheet, wordConfidence } from '../layout/sheet.ts'
import { spanOfCell, wordsWithin } from '../layout/spans.ts'
import { fits } from '../values/values.ts'

/** The least agreement of a field's words with those of a row and of a column together. */
const agreementMin = 0.85
/** The two together agree with the field by this much more than either alone, or than another row and column. */
const leadMin = 0.1
/** The most lines between a heading and a value under it. */
const linesMax = 25
const score = 0.9

interface Crossing {
  readonly cell: Cell
  readonly agreement: number
}

/**
 * Figures of a table that a field names by their row and their column: `gas_consumption` is in the row `Gas` under `Consumption`.
 * No candidate where two rows or columns suit a field equally.
 */
export function crossingCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const asked = fields.filter(({ plan }) => isAmount(plan.meaning.kind))
  if (asked.length === 0) return []
  const lines = sheet.pages.flatMap((page) => page.lines.filter(isRowOfFigures))
  return asked.flatMap((field) => {
    const wordings = wordingsOf(field).filter(({ words }) => words.length > 1)
    const found = lines.flatMap((line) =>
      crossingsIn(
        line,
        wordings.map(({ words }) => words),
      ),
    )
    const [best, second] = found.toSorted((a, b) => b.agreement - a.agreement)
    if (best === undefined || best.agreement - (second?.agreement ?? 0) < leadMin) return []
    return candidateIn(best.cell, field, sheet)
  })
}

const isFigure = (cell: Cell): boolean => /^\W*\d[\d.,'’ ]*\W*\p{L}{0,3}\W*$/u.test(cell.text)

/** A text with two figures or more beside it. */
const isRowOfFigures = ({ cells: [first, ...others] }: Line): boolean =>
  first !== undefined && !isFigure(first) && others.filter(isFigure).length > 1

/** The words of a text, with those in brackets and without. */
const wordsOf = (text: string): (readonly MeantWord[])[] => [text, text.replace(/\([^)]*\)?/gu, ' ')].map(meantWords)

function crossingsIn(line: Line, wordings: readonly (readonly MeantWord[])[]): Crossing[] {
  const [name, ...cells] = line.cells
  const rows = wordsOf(name?.text ?? '')
  const like = (texts: readonly (readonly MeantWord[])[]): number =>
    Math.max(0, ...wordings.flatMap((words) => texts.map((text) => agreement(text, words))))
  if (like(rows) === 0) return []
  return cells.filter(isFigure).flatMap((cell) => {
    const heading = headingOver(cell)
    if (heading === undefined) return []
    const columns = wordsOf(heading.text)
    const both = like(rows.flatMap((row) => columns.map((column) => [...row, ...column])))
    const alone = Math.max(like(rows), like(columns))
    return both >= agreementMin && both - alone >= leadMin ? [{ cell, agreement: both }] : []
  })
}

/** The nearest text over a figure, with nothing but figures between them. */
function headingOver(cell: Cell): Cell | undefined {
  const { page, index } = cell.line
  for (const line of page.lines.slice(Math.max(0, index - linesMax), index).toReversed()) {
    const over = line.cells.find(
      (other) => overlapAcross(other, cell) > 0.3 || Math.abs(other.x0 - cell.x0) < line.height / 2,
    )
    if (over !== undefined && !isFigure(over)) return over.index > 0 || line.cells.length > 1 ? over : undefined
  }
  return undefined
}

function candidateIn(cell: Cell, field: Field, sheet: Sheet): Candidate[] {
  const span = spanOfCell(cell)
  const [reading] = readField(field, span.text, sheet).filter((one) => fits(field.plan, one))
  if (reading === undefined) return []
  const words = wordsWithin(span, reading.start, reading.end)
  const label = cell.line.cells[0]?.words ?? []
  return [
    {
      field,
      reading,
      words,
      page: cell.line.page,
      label,
      relation: 'column',
      score: score * (0.6 + 0.4 * wordConfidence(words)),
    },
  ]
}
