import type { Kind } from '../languages/concept.ts'
import { findCurrencies } from '../languages/currencies.ts'
import { lineWithWord } from '../layout/layout.ts'
import type { Candidate, Relation } from '../layout/sheet.ts'

/** By how much the best value of a field has to lead the second, by the kind of value and where it stands. */
type Leads = Readonly<Partial<Record<Kind, Readonly<Partial<Record<Relation, number>>>>>>

/**
 * What is not named needs no lead. Each is the lead that made right − 4 × wrong greatest on documents of the train part; those that
 * gained nothing are left out.
 */
const leads: Leads = { name: { 'same-cell': 0.63 }, money: { 'same-cell': 0.64, sum: 0.01 } }

/** The same for recognised pages, where labels and borders of blocks may be misread. */
const leadsOfRecognised: Leads = {
  ...leads,
  address: { block: 0.39 },
  name: { ...leads.name, block: 0.33 },
  text: { below: 0.56 },
}

/** Other amounts bear out what has this score: it needs no lead. */
const provenScore = 0.99

const isMark = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text) || findCurrencies(text).length > 0

/** A value whose label fits its field so much worse is no rival: that label says more than the name of the field. */
const rivalShare = 0.6

/** True when some other value may be meant for the field of a candidate. */
const hasRival = (best: Candidate, others: readonly Candidate[]): boolean => {
  const value = String(best.reading.value)
  return others.some(
    (other) =>
      other.field === best.field && String(other.reading.value) !== value && other.score >= best.score * rivalShare,
  )
}

/** True when a value and its label are all that stands on their line. */
function fillsLine({ page, words, label, relation }: Candidate): boolean {
  const [first, name] = [words[0], label[0]]
  if (first === undefined || name === undefined || !/^(?:same-cell|right)$/.test(relation)) return false
  const line = lineWithWord(page, first)
  const all = line?.cells.flatMap((cell) => cell.words) ?? []
  const own = new Set([...words, ...label])
  return all.includes(name) && all.every((word) => own.has(word) || isMark(word.word.text))
}

/**
 * True for a value that a sentence says outright, and for one that stands behind its label on a line on which nothing else stands, where no other value may be meant:
 * `Total: 99`. Recognised pages do not count, as their labels and figures may be misread.
 */
export function isNamed(best: Candidate, others: readonly Candidate[]): boolean {
  if (best.relation === 'sentence') return true
  if (best.page.page.source === 'ocr' || hasRival(best, others)) return false
  return others.some((other) => other.field === best.field && fillsLine(other))
}

/** True when no other value of its field comes so near that the choice between them is a guess. */
export function isClear(best: Candidate, others: readonly Candidate[]): boolean {
  const own = best.page.page.source === 'ocr' ? leadsOfRecognised : leads
  const lead = own[best.field.plan.meaning.kind]?.[best.relation]
  if (lead === undefined || best.score >= provenScore || isNamed(best, others)) return true
  const value = String(best.reading.value)
  const second = others.find((other) => other.field === best.field && String(other.reading.value) !== value)
  return best.score - (second?.score ?? 0) >= lead - 1e-9
}
