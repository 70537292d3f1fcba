import type { Candidate } from '../layout/sheet.ts'

/** The start of an IBAN whose rest is elsewhere. */
const countryPattern = /^[A-Z]{2}\d{2}$/
/** The text after a page number: `Sheet 1 of 2`. */
const pagesPattern = /^\s*(?:of|out of|von|de|sur|di|van)\s*\d{1,4}\b/iu

/** True for text that is no account or statement number: the start of an IBAN, a page number. */
export function isPartOfOther({ field, words, page, reading }: Candidate): boolean {
  const id = field.plan.meaning.concept?.id
  if (id === 'account_number') return countryPattern.test(reading.printed.trim())
  const [last] = words.slice(-1)
  if (id !== 'statement_number' || last === undefined) return false
  const cell = page.lines.flatMap((line) => line.cells).find((other) => other.words.includes(last))
  const after = cell?.words.slice(cell.words.indexOf(last) + 1).map(({ word }) => word.text) ?? []
  return pagesPattern.test(after.join(' '))
}
