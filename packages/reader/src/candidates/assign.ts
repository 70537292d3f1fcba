import type { PlacedWord } from '../layout/placed-words.ts'
import type { Candidate, Field } from '../layout/sheet.ts'
import { isClear } from './margins.ts'

/** The minimum score of an accepted candidate. */
const scoreMin = 0.42

/** True when two fields may have the same meaning, so that one text may answer both. */
function mayShare(a: Field, b: Field): boolean {
  const left = a.plan.meaning
  const right = b.plan.meaning
  if (left.kind === 'currency' || right.kind === 'currency' || left.kind === 'enum' || right.kind === 'enum')
    return true
  if (left.concept !== null && right.concept !== null) {
    if (left.concept === right.concept) return true
    if (left.concept.family !== undefined && left.concept.family === right.concept.family) return true
  }
  return left.path === right.path
}

/**
 * Assigns candidates to fields greedily, highest score first. Each field gets at most one candidate. No text answers
 * two fields with different meanings, and the label of an accepted value is never itself a value.
 */
export function assign(candidates: readonly Candidate[]): Map<Field, Candidate> {
  const chosen = new Map<Field, Candidate>()
  const owners = new Map<PlacedWord, Field[]>()
  const labels = new Set<PlacedWord>()
  const sorted = candidates.toSorted((a, b) => b.score - a.score || a.field.id - b.field.id)
  for (const candidate of sorted) {
    if (candidate.score < scoreMin) break
    const { field, words } = candidate
    if (chosen.has(field)) continue
    const isTaken = words.some((word) =>
      (owners.get(word) ?? []).some((other) => !mayShare(field, other) && !sameWordApart(chosen.get(other), candidate)),
    )
    if (
      isTaken ||
      (words.length > 0 &&
        words.every((word) => labels.has(word)) &&
        candidate.relation !== 'unlabelled' &&
        field.plan.meaning.kind !== 'percent')
    )
      continue
    chosen.set(field, candidate)
    for (const word of words) owners.set(word, [...(owners.get(word) ?? []), field])
    for (const word of candidate.label) labels.add(word)
  }
  for (const [field, candidate] of chosen) if (!isClear(candidate, sorted)) chosen.delete(field)
  return chosen
}

/** One word may hold two values when they are different parts of it: `19%=12.00`. */
function sameWordApart(taken: Candidate | undefined, candidate: Candidate): boolean {
  if (taken === undefined) return false
  const isShort = taken.words.length === 1 && candidate.words.length === 1
  return (
    isShort &&
    !taken.reading.printed.includes(candidate.reading.printed) &&
    !candidate.reading.printed.includes(taken.reading.printed)
  )
}
