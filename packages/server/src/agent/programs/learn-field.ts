import type { Json } from '@skillrun/core/json.ts'
import { sameValue } from '../same-value.ts'
import { type Candidate, firstMarked, mostPoints } from './candidates.ts'

/** The candidates of a field in one example, and which of them are its known answer. */
export interface Lesson {
  readonly candidates: readonly Candidate[]
  /** For each candidate whether it is right; none where the answer is known to be null. */
  readonly right: readonly boolean[]
  /** The known answer is a value. */
  readonly isValued: boolean
  /** What the embedded engine reads there by itself. */
  readonly read: Json
}

/** How a program finds a field. */
export type Rule =
  | { readonly by: 'marks'; readonly marks: readonly string[] }
  /** A first choice that does not lead by enough still stands where the engine's own reading says the same. */
  | { readonly by: 'points'; readonly points: Readonly<Record<string, number>>; readonly lead: number }

/** A rule with how it fared on each example when it had been learned from the others. */
export interface LearnedField {
  readonly rule: Rule
  readonly kept: readonly Verdict[]
  /** Examples on which its first choice was right, sure or not. */
  readonly firstRight: number
}

/** What a rule said of an example: the right value, another one, or none. */
export type Verdict = 'right' | 'wrong' | 'none'

const marksMax = 12
/** Scale of the points: ten points are one unit of log-odds. */
const pointsPerUnit = 10
/** Fewer points than this say next to nothing. */
const pointsMin = 2
const rounds = 200
const step = 2
const ridge = 0.01
/** One wrong answer served weighs as much as so many answers not given: those go on as an agent, at its price. */
const wrongWeighs = 5

const choose = (rule: Rule, candidates: readonly Candidate[]): Candidate | undefined =>
  rule.by === 'marks' ? firstMarked(candidates, rule.marks) : mostPoints(candidates, rule.points, rule.lead)

function confirmed(rule: Rule, candidates: readonly Candidate[], read: Json): Candidate | undefined {
  const first = rule.by === 'points' ? mostPoints(candidates, rule.points, 0) : undefined
  return first && read !== null && sameValue(first.value, read) ? first : undefined
}

/** What a rule says of an example. Where the answer is null, silence is right. */
function judge(rule: Rule, { candidates, right, isValued, read }: Lesson): Verdict {
  const chosen = choose(rule, candidates) ?? confirmed(rule, candidates, read)
  if (chosen === undefined) return isValued ? 'none' : 'right'
  return right[candidates.indexOf(chosen)] ? 'right' : 'wrong'
}

/**
 * Learns where a field stands. Two kinds of rules are tried, the simpler first: an ordered list of marks, and points for
 * marks. Each is judged on every example by what was learned from the others; points are taken only where
 * they serve better by at least one right answer, since a list of marks is easier to read and to check.
 */
export function learnField(lessons: readonly Lesson[]): LearnedField {
  const listed = leftOut(lessons, learnMarks)
  const listVerdicts = listed.map(({ rule, lesson }) => judge(rule, lesson))
  // Nothing can serve better than a list that is always right, and points take long to learn.
  if (listVerdicts.every((one) => one === 'right'))
    return { rule: learnMarks(lessons), kept: listVerdicts, firstRight: lessons.length }
  const weighed = leftOut(lessons, (some) => ({ by: 'points', points: learnPoints(some), lead: 0 }))
  const lead = leadOf(weighed)
  const withLead = weighed.map(({ rule, lesson }) => judge({ ...rule, lead } as Rule, lesson))
  const firstRight = (left: typeof listed) => left.filter(({ rule, lesson }) => judge(rule, lesson) === 'right').length
  if (worth(withLead) >= worth(listVerdicts) + 1) {
    const rule: Rule = { by: 'points', points: learnPoints(lessons), lead }
    return { rule, kept: withLead, firstRight: firstRight(weighed) }
  }
  return { rule: learnMarks(lessons), kept: listVerdicts, firstRight: firstRight(listed) }
}

const worth = (verdicts: readonly Verdict[]): number =>
  verdicts.reduce((sum, one) => sum + (one === 'right' ? 1 : one === 'wrong' ? -wrongWeighs : 0), 0)

/** Parts that the lessons are held back in: each alone where there are no more, as long as that is quick. */
const foldsMax = 20

/** Each lesson with the rule that was learned from those of the other parts. */
function leftOut(lessons: readonly Lesson[], learn: (some: readonly Lesson[]) => Rule) {
  const folds = Math.min(foldsMax, lessons.length)
  const rules = Array.from({ length: folds }, (_, fold) => learn(lessons.filter((_one, n) => n % folds !== fold)))
  return lessons.map((lesson, n) => ({ lesson, rule: rules[n % folds] as Rule }))
}

/** Leads that are tried, in points. */
const leadMax = 40

/**
 * The lead over the next value that must be asked for, so that what is served is worth the most. Where several are worth as
 * much it is the one in their middle: the examples are few, and what comes is a little otherwise.
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
 * Of marks that are equally sure, one that goes by words beside the value comes first, then words above, then the place:
 * on a form that changed, words fall silent where a place goes on and takes what now stands there.
 */
const preferred = ['label ', 'says ', 'under ', 'line above says ', 'line below says ', 'before ']
const rankOf = (mark: string): number => {
  const rank = preferred.findIndex((start) => mark.startsWith(start))
  return rank === -1 ? preferred.length : rank
}

/**
 * An ordered list of marks by separate and conquer (J. Fürnkranz, "Separate-and-Conquer Rule Learning", 1999): the mark
 * whose first bearer is right most surely (Laplace's estimate), then again on the examples that it is silent about.
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
    // What was seen in a single example of many is chance.
    if (best.right === 1 && lessons.length > 5 && marks.length > 0) break
    marks.push(best.mark)
    open = open.filter(({ candidates }) => !candidates.some((one) => one.marks.includes(best.mark)))
  }
  return { by: 'marks', marks }
}

/**
 * Points for marks: a conditional logit over the candidates of each example (D. McFadden, 1974), whose right answers share
 * their likelihood, with a ridge penalty; by plain gradient ascent from zero, so the same examples give the same points.
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
