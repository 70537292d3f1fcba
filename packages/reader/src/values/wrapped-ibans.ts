import type { Cell, Line } from '../layout/layout.ts'
import type { Candidate, Field, Sheet } from '../layout/sheet.ts'
import { spanOf, wordsWithin } from '../layout/spans.ts'
import { findIbans } from './identifiers.ts'
import { fits } from './values.ts'

const startPattern = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{1,4}){2,}$/
const restPattern = /^[A-Z0-9]{1,4}(?:\s[A-Z0-9]{1,4})*$/
/** The maximum number of lines below the start that may hold the rest of a number. */
const restLinesMax = 2
/** The score; check digits leave little doubt. */
const score = 0.75

/** Cells on the next lines that contain only digits and are aligned with the cell or one of its words. */
function restsOf(cell: Cell): Cell[] {
  const { line } = cell
  const starts = [cell.x0, ...cell.words.map((word) => word.x0)]
  const below = line.page.lines.slice(line.index + 1, line.index + 1 + restLinesMax)
  const isRest = (other: Cell, its: Line): boolean =>
    restPattern.test(other.text) && starts.some((x) => Math.abs(x - other.x0) < its.height * 0.6)
  return below.flatMap((its) => its.cells.filter((other) => isRest(other, its)))
}

/** Bank account numbers that continue on the next line, confirmed by their check digits. */
export function wrappedIbanCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const wanted = fields.filter(
    ({ plan }) =>
      plan.meaning.kind === 'iban' && plan.meaning.party !== 'customer' && plan.meaning.party !== 'recipient',
  )
  if (wanted.length === 0) return []
  const found = sheet.pages.flatMap((page) =>
    page.lines.flatMap((line) =>
      line.cells.flatMap((cell) => {
        if (!startPattern.test(cell.text) || findIbans(cell.text).length > 0) return []
        return restsOf(cell).flatMap((rest) => {
          const span = spanOf([...cell.words, ...rest.words], [cell, rest])
          return findIbans(span.text)
            .filter(({ end }) => end === span.text.length)
            .map((match) => ({ match, page, words: wordsWithin(span, match.start, match.end), text: span.text }))
        })
      }),
    ),
  )
  if (new Set(found.map(({ match }) => match.value)).size !== 1) return []
  const [only] = found
  if (only === undefined) return []
  const { match, page, words, text } = only
  const reading = { ...match, printed: text.slice(match.start, match.end), fit: 1 }
  return wanted.flatMap((field): Candidate[] =>
    fits(field.plan, reading) ? [{ field, reading, words, page, label: [], relation: 'unlabelled', score }] : [],
  )
}
