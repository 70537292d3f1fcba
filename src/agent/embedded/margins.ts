import type { Kind } from './concepts.ts'
import type { Candidate, Relation } from './sheet.ts'

/**
 * By how much the best value of a field has to lead the second, by the kind of value and where it stands. What is not named
 * needs no lead. Each is the lead that made right − 4 × wrong greatest on documents of the train part; those that gained nothing
 * are left out.
 */
const leads: Readonly<Partial<Record<Kind, Readonly<Partial<Record<Relation, number>>>>>> = {
  address: { block: 0.39 },
  name: { block: 0.33, 'same-cell': 0.63 },
  text: { below: 0.56 },
  money: { 'same-cell': 0.64, sum: 0.01 },
}

/** Other amounts bear out what has this score: it needs no lead. */
const provenScore = 0.99

/** True when no other value of its field comes so near that the choice between them is a guess. */
export function isClear(best: Candidate, others: readonly Candidate[]): boolean {
  const lead = leads[best.field.plan.meaning.kind]?.[best.relation]
  if (lead === undefined || best.score >= provenScore) return true
  const value = String(best.reading.value)
  const second = others.find((other) => other.field === best.field && String(other.reading.value) !== value)
  return best.score - (second?.score ?? 0) >= lead - 1e-9
}
