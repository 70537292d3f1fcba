import { expect, test } from 'vitest'
import {
  afterAsking,
  afterJudgements,
  areRulesSure,
  checkShare,
  isDropped,
  isModelSure,
  type JudgedAnswer,
  judgedByPerson,
  type Standings,
  type Support,
  standingOf,
  supports,
} from './standing.ts'

/** The operator's default share of checks. */
const share = 0.1
/** Micro-dollars a call. */
const prices = { small: 800, large: 12_000 }

/** A field as the scripted models answer it; the large model is always right. */
interface Script {
  /** Share of documents where the rules are sure, and how often they are wrong there. */
  readonly rules: { readonly sure: number; readonly wrong: number }
  /** Share of the small model's answers with each support, and how often it is wrong with it. */
  readonly small: Readonly<Record<Support, { readonly share: number; readonly wrong: number }>>
}

const field = (wrong: number, rules: Script['rules'] = { sure: 0, wrong: 0 }): Script => ({
  rules,
  small: { same: { share: 0.6, wrong }, found: { share: 0.35, wrong }, unfound: { share: 0.05, wrong } },
})

/** A field whose wrong answers are seldom the value that the rules read. */
const telling = (wrong: number): Script => ({
  rules: { sure: 0, wrong: 0 },
  small: {
    same: { share: 1 - wrong, wrong: 0.0005 },
    found: { share: wrong / 2, wrong: 0.98 },
    unfound: { share: wrong / 2, wrong: 0.99 },
  },
})

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Stream {
  readonly scripts: readonly Script[]
  readonly maxWrongRate: number
  readonly documents: number
  readonly seed: number
  /** The scripts from a document on. */
  readonly changed?: { readonly at: number; readonly scripts: readonly Script[] }
}

interface Outcome {
  /** Share of documents about which the large model was asked. */
  readonly asked: number
  readonly agreement: number
  readonly isMissed: boolean
  readonly micros: number
  /** Wrong values given after the change. */
  readonly wrongAfter: number
  /** Values of the rules, of those that were planned and those that were checked. */
  readonly read: number
}

/** A stream of documents through the rules of the path. */
function run({ scripts, maxWrongRate, documents, seed, changed }: Stream): Outcome {
  const random = randomOf(seed)
  const target = { maxWrongRate, fields: scripts.length }
  let standings: Standings = {}
  const calls = { small: 0, large: 0 }
  let [checks, wrong, wrongAfter, read] = [0, 0, 0, 0]
  const given = scripts.map(() => ({ answers: 0, wrong: 0 }))
  for (let n = 0; n < documents; n += 1) {
    const isChanged = changed !== undefined && n >= changed.at
    const isChecked = random() < checkShare(checks, share)
    const judged: JudgedAnswer[] = []
    const asks = { small: false, large: isChecked }
    for (const [at, script] of (isChanged ? changed.scripts : scripts).entries()) {
      const field = `/${at}`
      const isReadable = random() < script.rules.sure
      const reading = { field, support: null, isWrong: isReadable && random() < script.rules.wrong }
      const isRead = isReadable && areRulesSure(standings, field)
      const ofModel = { field, ...ofSmall(script, random) }
      const { support, isWrong } = isRead ? reading : ofModel
      const isSure = support === null || isModelSure(standings, field, support)
      asks.small ||= !isRead
      asks.large ||= !isSure
      read += Number(isRead)
      if (isChecked || !isSure) judged.push(...(isReadable ? [reading] : []), ...(isRead ? [] : [ofModel]))
      else {
        wrong += Number(isWrong)
        wrongAfter += Number(isWrong && isChanged)
        const ofField = given[at]
        if (ofField && support !== null) {
          ofField.answers += 1
          ofField.wrong += Number(isWrong)
        }
      }
    }
    standings = afterJudgements(standings, judged, target)
    checks += Number(judged.length > 0)
    calls.small += Number(asks.small)
    calls.large += Number(asks.large)
  }
  return {
    asked: calls.large / documents,
    agreement: 1 - wrong / (documents * scripts.length),
    // A few answers say nothing of a share.
    isMissed: given.some((one) => one.answers >= 100 && one.wrong / one.answers > maxWrongRate),
    micros: calls.small * prices.small + calls.large * prices.large,
    wrongAfter,
    read,
  }
}

function ofSmall({ small }: Script, random: () => number): { support: Support; isWrong: boolean } {
  const drawn = random()
  const support = drawn < small.same.share ? 'same' : drawn < small.same.share + small.found.share ? 'found' : 'unfound'
  return { support, isWrong: random() < small[support].wrong }
}

const draws = (count: number, of: (seed: number, random: () => number) => Outcome): Outcome[] =>
  Array.from({ length: count }, (_, draw) => of(draw + 1, randomOf((draw + 1) * 7919)))
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length
const missedIn = (outcomes: readonly Outcome[]): number => mean(outcomes.map(({ isMissed }) => Number(isMissed)))

/** Right in three fields, wrong in 0.5 % in two and in 0.5 to 5 % in one; the rules read two more, wrong in 0.5 and 1 %. */
const eightFields = (random: () => number): Script[] => [
  ...[field(0, { sure: 0.9, wrong: 0.005 }), field(0, { sure: 0.7, wrong: 0.01 })],
  ...[field(0), field(0), field(0), field(0.005), field(0.005), telling(0.005 + 0.045 * random())],
]

test.each([
  { maxWrongRate: 0.05, documents: 8_000, count: 100 },
  { maxWrongRate: 0.02, documents: 20_000, count: 20 },
])(
  'at $maxWrongRate, streams of $documents documents ask the large model about at most a fifth, and agree with it in 99 %',
  ({ maxWrongRate, documents, count }) => {
    const outcomes = draws(count, (seed, random) =>
      run({ scripts: eightFields(random), maxWrongRate, documents, seed }),
    )
    expect(mean(outcomes.map(({ asked }) => asked))).toBeLessThanOrEqual(0.2)
    expect(mean(outcomes.map(({ micros }) => micros))).toBeLessThan(documents * prices.large * 0.3)
    for (const { agreement } of outcomes) expect(agreement).toBeGreaterThanOrEqual(0.99)
    expect(missedIn(outcomes)).toBeLessThanOrEqual(0.05)
  },
)

test.each([1.05, 1.2, 1.5, 2])(
  'a field that is wrong %d times as often as accepted is given in at most 5 % of 200 streams',
  (times) => {
    const maxWrongRate = 0.1
    const scripts = [field(0), field(maxWrongRate * times)]
    const outcomes = draws(200, (seed) => run({ scripts, maxWrongRate, documents: 2_000, seed }))
    expect(missedIn(outcomes)).toBeLessThanOrEqual(0.05)
  },
)

test('a small model that turns wrong in a quarter of one field is noticed by the checks of a twentieth of the documents', () => {
  const scripts = [field(0), field(0.002)]
  const changed = { at: 4_000, scripts: [field(0), field(0.25)] }
  const outcomes = draws(100, (seed) => run({ scripts, maxWrongRate: 0.05, documents: 6_000, seed, changed }))
  const wrong = outcomes.map(({ wrongAfter }) => wrongAfter).toSorted((left, right) => left - right)
  expect(wrong[50]).toBeLessThanOrEqual(25)
})

test('rules that were wrong once answer again after some right answers', () => {
  const scripts = [field(0, { sure: 1, wrong: 0.002 })]
  const outcomes = draws(20, (seed) => run({ scripts, maxWrongRate: 0.05, documents: 4_000, seed }))
  for (const { read } of outcomes) expect(read).toBeGreaterThan(2_000)
})

test('with a hundred fields that are wrong more often than accepted, one is given in at most 5 % of 200 streams; with a bound for each field alone, in more', () => {
  const [fields, maxWrongRate, documents] = [100, 0.2, 100]
  const rate = maxWrongRate * 1.02
  const isAnyGiven = (seed: number, target: { maxWrongRate: number; fields: number }): boolean => {
    const random = randomOf(seed)
    return Array.from({ length: fields }).some((_, at) => {
      let standings: Standings = {}
      for (let n = 0; n < documents; n += 1) {
        const { support, isWrong } = ofSmall(field(rate), random)
        standings = afterJudgements(standings, [{ field: `/${at}`, support, isWrong }], target)
        if (supports.some((one) => isModelSure(standings, `/${at}`, one))) return true
      }
      return false
    })
  }
  const missed = (target: number) =>
    Array.from({ length: 200 }, (_, draw) => draw + 1).filter((seed) =>
      isAnyGiven(seed, { maxWrongRate, fields: target }),
    ).length
  expect(missed(fields)).toBeLessThanOrEqual(10)
  expect(missed(1)).toBeGreaterThan(10)
})

test.each([
  { fields: 1, maxWrongRate: 0.05, epoch: 1 },
  { fields: 8, maxWrongRate: 0.05, epoch: 1 },
  { fields: 8, maxWrongRate: 0.05, epoch: 3 },
  { fields: 40, maxWrongRate: 0.02, epoch: 2 },
])(
  'each kind of answers of $fields fields has its share of 5 %, each epoch half of the one before: at $maxWrongRate in epoch $epoch',
  ({ fields, maxWrongRate, epoch }) => {
    // Five kinds a field. Capital after n right answers, the integral in closed form.
    const errorShare = 0.05 / (5 * fields) / 2 ** epoch
    const capital = (n: number) =>
      (1 - (1 - maxWrongRate) ** (n + 1)) / ((n + 1) * maxWrongRate * (1 - maxWrongRate) ** n)
    let expected = 1
    while (capital(expected) < 1 / errorShare) expected += 1
    const begin = { ...standingOf({}, 'model', '/a'), epoch }
    let standings: Standings = { model: { '/a': begin } }
    let needed = 0
    for (; !standingOf(standings, 'model', '/a').isProven && needed < 5_000; needed += 1)
      standings = afterJudgements(standings, [{ field: '/a', support: 'same', isWrong: false }], {
        maxWrongRate,
        fields,
      })
    expect(needed).toBe(expected)
  },
)

test('a small model that never answers is dropped after nine documents, and asked again once some checks had answers', () => {
  let standings: Standings = {}
  const ask = (...failed: boolean[]) => {
    for (const one of failed) standings = afterAsking(standings, one)
    return isDropped(standings)
  }
  expect(ask(...Array.from({ length: 8 }, () => true))).toBe(false)
  expect(ask(true)).toBe(true)
  expect(ask(...Array.from({ length: 20 }, () => true))).toBe(true)
  expect(ask(false)).toBe(true)
  expect(ask(false, false)).toBe(false)
})

test('a small model that fails in four of ten documents is dropped after a hundred or more on average', () => {
  const until = (seed: number): number => {
    const random = randomOf(seed)
    let standings: Standings = {}
    let n = 0
    for (; n < 2_000 && !isDropped(standings); n += 1) standings = afterAsking(standings, random() < 0.4)
    return n
  }
  expect(mean(Array.from({ length: 100 }, (_, draw) => until(draw + 1)))).toBeGreaterThan(100)
})

test('a review judges what was given, overrules a large model that agreed with a wrong answer, and leaves other answers', () => {
  const answers = [
    { field: '/a', support: null, isWrong: null },
    { field: '/b', support: 'same', isWrong: null },
    { field: '/c', support: 'found', isWrong: false },
    { field: '/d', support: 'found', isWrong: false },
    { field: '/e', support: 'found', isWrong: true },
  ] as const
  const judged = judgedByPerson(answers, (one) => ['/b', '/c', '/e'].includes(one))
  expect(judged).toEqual([
    { field: '/a', support: null, isWrong: false },
    { field: '/b', support: 'same', isWrong: true },
    { field: '/c', support: 'found', isWrong: true, isAgain: true },
  ])
  const target = { maxWrongRate: 0.1, fields: 5 }
  const right = { field: '/c', support: 'found', isWrong: false } as const
  const before = afterJudgements({}, [right, right], target)
  const after = afterJudgements(before, judged, target)
  expect(standingOf(after, 'found', '/c')).toMatchObject({ k: 1, n: 2, recent: [false, false, true] })
  expect(standingOf(after, 'rules', '/a')).toMatchObject({ k: 0, n: 1 })
})
