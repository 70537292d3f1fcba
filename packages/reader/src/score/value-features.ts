import type { Json } from '@skillrun/core/json.ts'
import { namesInstitution } from '../languages/institutions.ts'
import type { Cell } from '../layout/layout.ts'
import type { Field } from '../layout/sheet.ts'
import { phraseOf } from '../layout/text.ts'
import { durationOf } from '../values/durations.ts'
import { count, type FeatureRow, yes } from './feature-row.ts'
import type { SpanCandidate } from './spans.ts'
import type { Surroundings } from './surroundings.ts'

/** A normal form, equal for values that are the same answer. */
export const keyOf = (value: Json): string =>
  typeof value === 'number' ? String(Math.round(value * 100) / 100) : phraseOf(String(value))

const companyPattern =
  /\b(?:inc|llc|ltd|limited|corp|corporation|company|co|plc|gmbh|ag|kg|ohg|sa|sas|sarl|srl|spa|bv|nv|sdn|bhd|lp|llp|pty|oy|ab|as|lda|eireli|ltda|pac|committee|foundation|university|restaurant|store|enterprise|trading)\b\.?/iu

const dashPattern = /^\s*(?:[-–—]|to|thru|through|until|bis|au|al|a|tot|ate|até)\s*$/iu

/** Features shared by the candidates of one field. */
interface Group {
  readonly keys: readonly string[]
  readonly counts: ReadonlyMap<string, number>
  /** Rank of each number among the distinct ones, the largest first. */
  readonly ranks: ReadonlyMap<number, number>
  readonly isDate: boolean
  readonly first: string
  readonly last: string
  readonly candidates: readonly SpanCandidate[]
}

export function groupOf(field: Field, candidates: readonly SpanCandidate[]): Group {
  const keys = candidates.map(({ value }) => keyOf(value))
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const numbers = new Set(candidates.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])))
  const ranks = new Map([...numbers].toSorted((a, b) => b - a).map((value, rank) => [value, rank]))
  const isDate = field.plan.meaning.kind === 'date'
  const sorted = isDate ? keys.toSorted() : []
  return { keys, counts, ranks, isDate, first: sorted[0] ?? '', last: sorted.at(-1) ?? '', candidates }
}

/** What a text is made of, whatever the field. */
interface TextFeatures {
  readonly form: readonly number[]
  readonly isCompany: number
  readonly commas: number
  /** Whether it is nothing but words, two to four capitalised ones that name no institution, names an institution, or is a span of time. */
  readonly looks: readonly number[]
}

const wordsPattern = /^[\p{L}'’.-]+(?: [\p{L}'’.-]+)*$/u
const personPattern =
  /^\p{Lu}[\p{L}'’.-]*(?: (?:\p{Lu}[\p{L}'’.-]*|de|da|do|dos|del|della|di|van|von|der|den|la|le|y|e)){1,4}$/u

export function printedFeatures(printed: string): TextFeatures {
  const letters = count(printed, /\p{L}/gu)
  const form = [
    letters / Math.max(1, printed.length),
    count(printed, /\d/gu) / Math.max(1, printed.length),
    count(printed, /\p{Lu}/gu) / Math.max(1, letters),
    printed.split(' ').length,
    printed.length,
  ]
  const isInstitution = namesInstitution(printed)
  const looks = [
    yes(wordsPattern.test(printed)),
    yes(personPattern.test(printed) && !isInstitution),
    yes(isInstitution),
    yes(durationOf(printed) !== null),
  ]
  return { form, isCompany: yes(companyPattern.test(printed)), commas: count(printed, /,/gu), looks }
}

export function valueFeatures(
  { value, start, end, cell }: SpanCandidate,
  { order, group, texts }: { readonly order: number; readonly group: Group; readonly texts: TextFeatures },
  row: FeatureRow,
): void {
  const { keys, counts, ranks, candidates, isDate } = group
  const key = keys[order] ?? ''
  let from = order
  while (candidates[from - 1]?.cell === cell) from--
  let to = order
  while (candidates[to + 1]?.cell === cell) to++
  const previous = from < order ? candidates[order - 1] : undefined
  const next = to > order ? candidates[order + 1] : undefined
  const rank = typeof value === 'number' ? (ranks.get(value) ?? -1) : -1
  row.add(order - from)
  row.add(to - from + 1)
  row.add(yes(previous !== undefined && dashPattern.test(cell.text.slice(previous.end, start))))
  row.add(yes(next !== undefined && dashPattern.test(cell.text.slice(end, next.start))))
  row.add(counts.get(key) ?? 0)
  row.add((counts.get(key) ?? 0) / Math.max(1, candidates.length))
  row.add(rank)
  row.add(yes(rank === 0))
  row.add(yes(isDate && key === group.last))
  row.add(yes(isDate && key === group.first))
  row.add(Math.min(12, Math.log1p(candidates.length)))
  row.addAll(texts.form)
  row.add(yes(start === 0))
  row.add(yes(end >= cell.text.length))
  row.add(texts.isCompany)
  row.add(texts.commas)
  row.add(cell.line.index)
  row.add(order / Math.max(1, candidates.length))
}

/** How well the candidates of a field are labelled: by its name, or by known words of the languages. */
interface Labels {
  readonly each: readonly number[]
  readonly best: number
  /** The best candidate with another value than the best one. */
  readonly second: number
  /** The best label of each distinct value, the best first. */
  readonly falling: Float64Array
  /** The candidates that may count beside one with a label. */
  readonly labelled: readonly number[]
  readonly group: Group
}

export function labelsOf(each: readonly number[], group: Group): Labels {
  const byKey = new Map<string, number>()
  for (const [at, key] of group.keys.entries()) byKey.set(key, Math.max(byKey.get(key) ?? 0, each[at] ?? 0))
  let [best, second] = [0, 0]
  for (const value of byKey.values()) {
    if (value > best) [best, second] = [value, best]
    else second = Math.max(second, value)
  }
  const falling = Float64Array.from(byKey.values()).sort().reverse()
  const labelled = [...each.keys()].filter((at) => (each[at] ?? 0) >= labelMin - labelSlack)
  return { each, best, second, falling, labelled, group }
}

/** Labels this close to each other count as equal. */
const labelSlack = 0.1

/** Below this, a text is hardly a label. */
const labelMin = 0.3

/** Amounts this close to each other are the same amount before and after rounding. */
const twinMax = 0.05

/** How many of falling numbers are at least `least`. */
function atLeast(least: number, falling: Float64Array): number {
  let [from, to] = [0, falling.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((falling[middle] ?? 0) >= least) from = middle + 1
    else to = middle
  }
  return from
}

export function labelFeatures(
  order: number,
  { each, best, second, falling, labelled, group }: Labels,
  row: FeatureRow,
): void {
  const own = each[order] ?? 0
  const { keys, candidates } = group
  const value = candidates[order]?.value
  const rivals = atLeast(own - labelSlack, falling) - 1
  let [mentions, before, equals, twin] = [0, 0, 0, 0]
  for (const at of own < labelMin ? [] : labelled) {
    if ((each[at] ?? 0) < own - labelSlack) continue
    equals++
    if (at < order) before++
    if (keys[at] === keys[order]) mentions++
    const other = candidates[at]?.value
    if (typeof value !== 'number' || typeof other !== 'number' || other === value) continue
    if (Math.abs(other - value) < twinMax + 1e-9) twin = at < order ? 1 : -1
  }
  row.add(own)
  row.add(own - (own === best ? second : best))
  row.add(Math.min(30, rivals))
  row.add(best)
  row.add(yes(own >= 0.95))
  row.add(Math.min(9, mentions))
  row.add(equals <= 1 ? -1 : before / (equals - 1))
  row.add(twin)
}

/** For each candidate, the number of other values after the same words: `Number:` of the seller and of the buyer. */
export function repeatsOf(
  candidates: readonly SpanCandidate[],
  keys: readonly string[],
  around: (cell: Cell) => Surroundings,
): number[] {
  const labels = candidates.map(({ cell, start }) => {
    const prefix = cell.text.slice(0, start).trim()
    return (prefix === '' ? (around(cell).left?.text ?? '') : prefix.slice(-40)).toLowerCase()
  })
  const byLabel = new Map<string, Set<string>>()
  for (const [at, label] of labels.entries()) byLabel.set(label, (byLabel.get(label) ?? new Set()).add(keys[at] ?? ''))
  return labels.map((label) => (label === '' ? -1 : Math.min(20, (byLabel.get(label)?.size ?? 1) - 1)))
}

/** Amounts that add up, in cents. */
interface Sums {
  readonly totals: ReadonlySet<number>
  readonly addends: ReadonlySet<number>
  readonly counts: ReadonlyMap<number, number>
}

const amountsMax = 150
const centsOf = (value: number): number => Math.round(value * 100)

/** Which numbers of a field are the sum of two others, and which are part of one. */
export function sumsIn(candidates: readonly SpanCandidate[]): Sums {
  const counts = new Map<number, number>()
  for (const { value, printed } of candidates) {
    if (typeof value !== 'number' || !centsPattern.test(printed) || counts.size > amountsMax) continue
    const cents = centsOf(value)
    if (cents > 0) counts.set(cents, (counts.get(cents) ?? 0) + 1)
  }
  const totals = new Set<number>()
  const addends = new Set<number>()
  const amounts = [...counts.keys()].toSorted((a, b) => a - b)
  for (const [at, a] of amounts.entries())
    for (const b of amounts.slice(at + 1)) {
      if (!counts.has(a + b)) continue
      totals.add(a + b)
      addends.add(a).add(b)
    }
  return { totals, addends, counts }
}

const centsPattern = /[.,]\d{2}(?!\d)/
const currencyPattern = /\p{Sc}|\b(?:EUR|USD|GBP|CHF|RM|MYR|CAD|AUD|SEK|NOK|DKK|PLN|CZK)\b/u

export function sumFeatures(
  { value, printed, cell, start, end }: SpanCandidate,
  { totals, addends, counts }: Sums,
  row: FeatureRow,
): void {
  const cents = typeof value === 'number' ? centsOf(value) : 0
  row.add(yes(totals.has(cents)))
  row.add(yes(addends.has(cents)))
  row.add(yes((counts.get(cents) ?? 0) > 1))
  row.add(yes(currencyPattern.test(cell.text.slice(Math.max(0, start - 4), end + 4))))
  row.add(yes(centsPattern.test(printed)))
  row.add(Math.min(9, counts.get(cents) ?? 0))
}
