import type { Kind } from '../languages/concept.ts'
import { findCurrencies } from '../languages/currencies.ts'
import { lineWithWord } from '../layout/layout.ts'
import type { Candidate, Relation } from '../layout/sheet.ts'

/** The minimum lead of the best candidate of a field over the second, by kind of value and by its position relative to the label. */
type Leads = Readonly<Partial<Record<Kind, Readonly<Partial<Record<Relation, number>>>>>>

/**
 * Kinds and positions that are not listed need no lead. Each lead maximises right − 4 × wrong on documents of the train
 * part; leads that gained nothing are left out.
 */
const leads: Leads = { name: { 'same-cell': 0.63 }, money: { 'same-cell': 0.64, sum: 0.01 } }

/** The same for OCR pages, where labels and borders of blocks may be misread. */
const leadsOfRecognised: Leads = {
  ...leads,
  address: { block: 0.39 },
  name: { ...leads.name, block: 0.33 },
  text: { below: 0.56 },
}

/** A candidate with this score is confirmed by other amounts and needs no lead. */
const provenScore = 0.99

const isMark = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text) || findCurrencies(text).length > 0

/**
 * A candidate is no rival when its label fits the field worse than this share of the best label's weight: such a label
 * says more than the field's name.
 */
const rivalShare = 0.6

/** True when another candidate may be the value of the same field. */
const hasRival = (best: Candidate, others: readonly Candidate[]): boolean => {
  const value = String(best.reading.value)
  return others.some(
    (other) =>
      other.field === best.field && String(other.reading.value) !== value && other.score >= best.score * rivalShare,
  )
}

/** True when a line holds nothing but a label and its value. */
function fillsLine({ page, words, label, relation }: Candidate): boolean {
  const [first, name] = [words[0], label[0]]
  if (first === undefined || name === undefined || !/^(?:same-cell|right)$/.test(relation)) return false
  const line = lineWithWord(page, first)
  const all = line?.cells.flatMap((cell) => cell.words) ?? []
  const own = new Set([...words, ...label])
  return all.includes(name) && all.every((word) => own.has(word) || isMark(word.word.text))
}

/**
 * True for a value that a sentence states, and for one alone on its line with its label and without a rival: `Total:
 * 99`. OCR pages do not count, as labels and digits may be misread.
 */
export function isNamed(best: Candidate, others: readonly Candidate[]): boolean {
  if (best.relation === 'sentence') return true
  if (best.page.page.source === 'ocr' || hasRival(best, others)) return false
  return others.some((other) => other.field === best.field && fillsLine(other))
}

/** True when the best candidate leads far enough over every other candidate of its field. */
export function isClear(best: Candidate, others: readonly Candidate[]): boolean {
  const own = best.page.page.source === 'ocr' ? leadsOfRecognised : leads
  const lead = own[best.field.plan.meaning.kind]?.[best.relation]
  if (lead === undefined || best.score >= provenScore || isNamed(best, others)) return true
  const value = String(best.reading.value)
  const second = others.find((other) => other.field === best.field && String(other.reading.value) !== value)
  return best.score - (second?.score ?? 0) >= lead - 1e-9
}
