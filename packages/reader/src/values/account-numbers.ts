import type { Candidate } from '../layout/sheet.ts'

/** The start of an IBAN, of which the rest stands elsewhere. */
const countryPattern = /^[A-Z]{2}\d{2}$/
/** What follows the number of a page: `Sheet 1 of 2`. */
const pagesPattern = /^\s*(?:of|out of|von|de|sur|di|van)\s*\d{1,4}\b/iu

/** True for what is no number of an account or statement: the start of an IBAN, the number of a page. */
export function isPartOfOther({ field, words, page, reading }: Candidate): boolean {
  const id = field.plan.meaning.concept?.id
  if (id === 'account_number') return countryPattern.test(reading.printed.trim())
  const [last] = words.slice(-1)
  if (id !== 'statement_number' || last === undefined) return false
  const cell = page.lines.flatMap((line) => line.cells).find((other) => other.words.includes(last))
  const after = cell?.words.slice(cell.words.indexOf(last) + 1).map(({ word }) => word.text) ?? []
  return pagesPattern.test(after.join(' '))
}
