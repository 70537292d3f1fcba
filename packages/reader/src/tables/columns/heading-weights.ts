import type { PhraseTarget } from '../../languages/phrase-book.ts'
import type { FieldsByTarget } from '../../languages/request-book.ts'
import type { Field } from '../../layout/sheet.ts'
import type { Heading } from '../headers.ts'

/** A heading such as `Debit/Credit` covers movements in both directions. */
function bothSides({ targets }: Heading): PhraseTarget[] {
  const weightOf = (target: string): number =>
    Math.max(0, ...targets.filter((entry) => entry.target === target).map((entry) => entry.weight))
  const weight = Math.min(weightOf('c:debit'), weightOf('c:credit'))
  return weight >= 0.6 ? [{ target: 'c:movement', weight }] : []
}

/** The side of an account that a heading names; undefined if it names none, or both. */
export function sideOf(heading: Heading): 'c:debit' | 'c:credit' | undefined {
  if (bothSides(heading).length > 0) return undefined
  const found = heading.targets.find(({ target, weight }) => /^c:(?:debit|credit)$/.test(target) && weight >= 0.6)
  return found?.target as 'c:debit' | 'c:credit' | undefined
}

/** Line amounts and account movements have the same headings. */
function alike(entry: PhraseTarget): PhraseTarget[] {
  if (entry.target === 'c:line_amount') return [entry, { target: 'c:movement', weight: entry.weight }]
  return entry.target === 'c:movement' ? [entry, { target: 'c:line_amount', weight: entry.weight }] : [entry]
}

/** A heading for quantities means the amount of a movement where there are no goods: `Cantidad`. */
const ofAccount = (entry: PhraseTarget): PhraseTarget[] =>
  entry.target === 'c:quantity' ? [{ target: 'c:movement', weight: entry.weight * 0.9 }] : [entry]

/** The fields of a list that a heading may mean by the phrases known for them, and how surely. */
export function headingWeights(heading: Heading, byTarget: FieldsByTarget<Field>): Map<Field, number> {
  const best = new Map<Field, number>()
  const isAccount = byTarget.has('c:movement') && !byTarget.has('c:quantity')
  const targets = isAccount ? heading.targets.flatMap(ofAccount) : heading.targets
  for (const { target, weight } of [...targets, ...bothSides(heading)].flatMap(alike)) {
    for (const field of byTarget.get(target) ?? []) best.set(field, Math.max(best.get(field) ?? 0, weight))
  }
  return best
}

/** The number of fields of any list that some headings may name. */
export function countColumns(headings: readonly Heading[], known: ReadonlySet<string>): number {
  const seen = new Set<string>()
  let count = 0
  for (const heading of headings) {
    const target = heading.targets.find((entry) => known.has(entry.target) && !seen.has(entry.target))
    if (target === undefined) continue
    seen.add(target.target)
    count++
  }
  return count
}
