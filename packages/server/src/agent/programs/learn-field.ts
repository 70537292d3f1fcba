import type { Json } from '@skillrun/core/json.ts'
import { sameValue } from '../same-value.ts'
import { type Candidate, firstMarked, mostPoints } from './candidates.ts'

/** The candidates of a field in one example, and which of them are right. */
export interface Lesson {
  readonly candidates: readonly Candidate[]
  /** For each candidate whether it is right; all false when the expected value is null. */
  readonly right: readonly boolean[]
  /** Whether the expected value is not null. */
  readonly isValued: boolean
  /** The value that the embedded engine extracts. */
  readonly read: Json
  /** The value that the reader's calibrated score finds likeliest; null: none. */
  readonly likeliest: unknown
}

/** How a program finds a field. */
export type Rule =
  | { readonly by: 'marks'; readonly marks: readonly string[] }
  /** A best candidate without a sufficient lead is still used when the embedded engine extracts the same value. */
  | { readonly by: 'points'; readonly points: Readonly<Record<string, number>>; readonly lead: number }

/** A rule and its result on each example, learned without that example. */
export interface LearnedField {
  readonly rule: Rule
  readonly kept: readonly Verdict[]
  /** Examples whose best candidate was right, with or without a sufficient lead. */
  readonly firstRight: number
  /** Whether a value is given only if the reader's calibrated score finds it likeliest too. */
  readonly isSeconded: boolean
}

/** The result of a rule on an example. */
export type Verdict = 'right' | 'wrong' | 'none'

const marksMax = 12
/** Scale of the points: ten points are one unit of log-odds. */
const pointsPerUnit = 10
/** Weaker marks are dropped. */
const pointsMin = 2
const rounds = 200
const step = 2
const ridge = 0.01
/** A wrong value costs as much as this many missing ones, which only cost a run of the agent. */
const wrongWeighs = 5

const choose = (rule: Rule, candidates: readonly Candidate[]): Candidate | undefined =>
  rule.by === 'marks' ? firstMarked(candidates, rule.marks) : mostPoints(candidates, rule.points, rule.lead)

function confirmed(rule: Rule, candidates: readonly Candidate[], read: Json): Candidate | undefined {
  const first = rule.by === 'points' ? mostPoints(candidates, rule.points, 0) : undefined
  return first && read !== null && sameValue(first.value, read) ? first : undefined
}

/** The result of a rule on an example. When the expected value is null, no value is right. */
function judge(rule: Rule, { candidates, right, isValued, read }: Lesson): Verdict {
  const chosen = choose(rule, candidates) ?? confirmed(rule, candidates, read)
  if (chosen === undefined) return isValued ? 'none' : 'right'
  return right[candidates.indexOf(chosen)] ? 'right' : 'wrong'
}

/**
 * Learns how to find a field. Two kinds of rules are tried, the simpler first: an ordered list of marks, and points for
 * marks. Each is cross-validated on the examples. Points are only chosen when they give at least one more right answer,
 * because a list of marks is easier to read and to check.
 */
export function learnField(lessons: readonly Lesson[]): LearnedField {
  const listed = leftOut(lessons, learnMarks)
  const listVerdicts = listed.map(({ rule, lesson }) => judge(rule, lesson))
  // A list that is always right cannot be improved, and learning points is slow.
  if (listVerdicts.every((one) => one === 'right'))
    return { rule: learnMarks(lessons), ...seconding(listed), firstRight: lessons.length }
  const weighed = leftOut(lessons, (some) => ({ by: 'points', points: learnPoints(some), lead: 0 }))
  const lead = leadOf(weighed)
  const withLead = weighed.map(({ rule, lesson }) => judge({ ...rule, lead } as Rule, lesson))
  const firstRight = (left: typeof listed) => left.filter(({ rule, lesson }) => judge(rule, lesson) === 'right').length
  if (worth(withLead) >= worth(listVerdicts) + 1) {
    const rule: Rule = { by: 'points', points: learnPoints(lessons), lead }
    const kept = weighed.map(({ rule: one, lesson }) => ({ rule: { ...one, lead } as Rule, lesson }))
    return { rule, ...seconding(kept), firstRight: firstRight(weighed) }
  }
  return { rule: learnMarks(lessons), ...seconding(listed), firstRight: firstRight(listed) }
}

/** A second opinion is needed where rule and score agree on the right value in at least this share of the examples. */
const secondedShareMin = 0.75

/**
 * Whether a rule is seconded by the reader's score, and its verdicts. From few examples a rule is wrong in what they lack, and the score in what
 * it has not seen elsewhere: where both know the field, a value is given if they agree, and no lead over the next one is needed.
 */
function seconding(left: readonly { rule: Rule; lesson: Lesson }[]): Pick<LearnedField, 'kept' | 'isSeconded'> {
  const kept = left.map(({ rule, lesson }) => judgeSeconded(rule, lesson))
  const isSeconded = kept.filter((one) => one === 'right').length >= left.length * secondedShareMin
  return { kept: isSeconded ? kept : left.map(({ rule, lesson }) => judge(rule, lesson)), isSeconded }
}

function judgeSeconded(rule: Rule, { candidates, right, isValued, likeliest }: Lesson): Verdict {
  const first = choose(withoutLead(rule), candidates)
  if (first === undefined) return isValued ? 'none' : 'right'
  if (first.value !== likeliest) return 'none'
  return right[candidates.indexOf(first)] ? 'right' : 'wrong'
}

const withoutLead = (rule: Rule): Rule => (rule.by === 'points' ? { ...rule, lead: 0 } : rule)

const worth = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce((sum, one) => sum + (one === 'right' ? 1 : one === 'wrong' ? -wrongWeighs : 0), 0)

/** Folds of the cross-validation: leave-one-out for up to this many examples. */
const foldsMax = 20

/** Each lesson with the rule learned from the other folds. */
function leftOut(lessons: readonly Lesson[], learn: (some: readonly Lesson[]) => Rule) {
  const folds = Math.min(foldsMax, lessons.length)
  const rules = Array.from({ length: folds }, (_, fold) => learn(lessons.filter((_one, n) => n % folds !== fold)))
  return lessons.map((lesson, n) => ({ lesson, rule: rules[n % folds] as Rule }))
}

/** The largest lead that is tried, in points. */
const leadMax = 40

/**
 * The required lead over the next value that gives the best result. Among equally good leads the middle one is chosen,
 * because the examples are few and new documents differ slightly.
 */
function leadOf(left: readonly { rule: Rule; lesson: Lesson }[]): number {
  const tried = Array.from({ length: leadMax + 1 }, (_, lead) =>
    worth(left.map(({ rule, lesson }) => judge({ ...rule, lead } as Rule, lesson))),
  )
  const most = Math.max(...tried)
  const best = tried.flatMap((one, lead) => (one === most ? [lead] : []))
  return best[best.length >> 1] ?? 0
}

/**
 * The preference among equally reliable marks: words next to the value, then words above, then position. When a form
 * changes, a rule by words finds nothing, but a rule by position finds a wrong value.
 */
const preferred = ['label ', 'says ', 'under ', 'line above says ', 'line below says ', 'before ']
const rankOf = (mark: string): number => {
  const rank = preferred.findIndex((start) => mark.startsWith(start))
  return rank === -1 ? preferred.length : rank
}

/**
 * Learns an ordered list of marks by separate and conquer (J. Fürnkranz, "Separate-and-Conquer Rule Learning", 1999): takes
 * the mark whose first candidate is most reliably right (Laplace estimate), then repeats with the examples without that mark.
 */
export function learnMarks(lessons: readonly Lesson[]): Rule {
  const marks: string[] = []
  let open = lessons
  while (marks.length < marksMax && open.some(({ isValued }) => isValued)) {
    const tallies = new Map<string, { right: number; wrong: number }>()
    for (const { candidates, right } of open) {
      const seen = new Set<string>()
      candidates.forEach((one, n) => {
        for (const mark of one.marks) {
          if (seen.has(mark)) continue
          seen.add(mark)
          const tally = tallies.get(mark) ?? { right: 0, wrong: 0 }
          tallies.set(mark, tally)
          if (right[n]) tally.right += 1
          else tally.wrong += 1
        }
      })
    }
    const best = [...tallies]
      .map(([mark, { right, wrong }]) => ({ mark, right, wrong, sure: (right + 1) / (right + wrong + 2) }))
      .filter(({ right, wrong }) => right > wrong * 4)
      .toSorted(
        (a, b) =>
          b.sure - a.sure ||
          rankOf(a.mark) - rankOf(b.mark) ||
          a.mark.length - b.mark.length ||
          (a.mark < b.mark ? -1 : 1),
      )[0]
    if (best === undefined) break
    // A mark that is right in only one of many examples is chance.
    if (best.right === 1 && lessons.length > 5 && marks.length > 0) break
    marks.push(best.mark)
    open = open.filter(({ candidates }) => !candidates.some((one) => one.marks.includes(best.mark)))
  }
  return { by: 'marks', marks }
}

/**
 * Learns points for marks with a conditional logit over the candidates of each example (D. McFadden, 1974), in which all
 * right candidates share the likelihood, with a ridge penalty. Gradient ascent from zero makes the result deterministic.
 */
export function learnPoints(lessons: readonly Lesson[]): Record<string, number> {
  const useful = lessons.filter(({ right }) => right.includes(true))
  const support = new Map<string, number>()
  for (const { candidates } of useful)
    for (const mark of new Set(candidates.flatMap((one) => one.marks))) support.set(mark, (support.get(mark) ?? 0) + 1)
  const enough = useful.length > 5 ? 2 : 1
  const names = [...support].filter(([, count]) => count >= enough).map(([mark]) => mark)
  const numberOf = new Map(names.map((name, n) => [name, n]))
  const examples = useful.map(({ candidates, right }) => ({
    right,
    marks: candidates.map((one) => one.marks.flatMap((mark) => numberOf.get(mark) ?? [])),
  }))
  const weights = new Float64Array(names.length)
  for (let round = 0; round < rounds; round += 1) ascend(weights, examples)
  const points = names.map((name, n) => [name, Math.round((weights[n] ?? 0) * pointsPerUnit)] as const)
  return Object.fromEntries(points.filter(([, value]) => Math.abs(value) >= pointsMin).toSorted((a, b) => b[1] - a[1]))
}

type Numbered = { readonly right: readonly boolean[]; readonly marks: readonly (readonly number[])[] }

function ascend(weights: Float64Array, examples: readonly Numbered[]): void {
  const gradient = new Float64Array(weights.length)
  for (const { right, marks } of examples) {
    const scores = marks.map((some) => some.reduce((sum, n) => sum + (weights[n] ?? 0), 0))
    const most = Math.max(...scores)
    const odds = scores.map((score) => Math.exp(score - most))
    const all = odds.reduce((sum, one) => sum + one, 0)
    const good = odds.reduce((sum, one, n) => sum + (right[n] ? one : 0), 0)
    marks.forEach((some, n) => {
      const share = odds[n] ?? 0
      const pull = (right[n] ? share / good : 0) - share / all
      for (const at of some) gradient[at] = (gradient[at] ?? 0) + pull
    })
  }
  for (let n = 0; n < weights.length; n += 1)
    weights[n] = (weights[n] ?? 0) + (step * (gradient[n] ?? 0)) / examples.length - step * ridge * (weights[n] ?? 0)
}
