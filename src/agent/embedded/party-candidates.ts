import { addressees, labelledParties, letterhead, type PartyValue, wordsOf } from './parties.ts'
import { type Candidate, type Field, type Sheet, wordConfidence } from './sheet.ts'
import { fits } from './values.ts'

const kindsOfParty = new Set(['name', 'address', 'email', 'phone', 'vat'])

function candidatesOf(field: Field, values: readonly PartyValue[]): Candidate[] {
  const { meaning } = field.plan
  const party = meaning.concept?.party
  if (party === undefined) return []
  return values.flatMap((value) => {
    if (value.party !== party || value.kind !== meaning.kind) return []
    const reading = { start: 0, end: value.value.length, value: value.value, printed: value.value, fit: 0.9 }
    if (!fits(field.plan, reading)) return []
    const score = value.score * (0.6 + 0.4 * wordConfidence(value.words))
    return [
      {
        field,
        reading,
        words: value.words,
        page: value.page,
        label: value.label,
        relation: value.label.length > 0 ? 'block' : 'unlabelled',
        score,
      } as const,
    ]
  })
}

/** Names, addresses and contacts of the parties that the fields ask for. */
export function partyCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const wanted = fields.filter(
    (field) => field.plan.meaning.concept?.party !== undefined && kindsOfParty.has(field.plan.meaning.kind),
  )
  if (wanted.length === 0) return []
  const values = labelledParties(sheet)
  const taken = wordsOf(values.filter((value) => value.party !== 'vendor'))
  const first = sheet.pages[0]
  if (first !== undefined) {
    const head = letterhead(sheet, first, taken)
    values.push(...head)
    const named = new Set([...taken, ...wordsOf(head)])
    if (!values.some((value) => value.party === 'customer')) values.push(...addressees(sheet, first, named))
  }
  return wanted.flatMap((field) => candidatesOf(field, values))
}
