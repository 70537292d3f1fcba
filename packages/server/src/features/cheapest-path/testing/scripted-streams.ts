import {
  afterJudgements,
  areRulesSure,
  checkShare,
  isModelSure,
  type JudgedAnswer,
  type Standings,
  type Support,
} from '../standing.ts'

/** The operator's default share of checks. */
const share = 0.1
/** Micro-dollars a call. */
export const prices = { small: 800, large: 12_000 }

/** A field as the scripted models answer it; the large model is always right. */
export interface Script {
  /** Share of documents where the rules are sure, and how often they are wrong there. */
  readonly rules: { readonly sure: number; readonly wrong: number }
  /** Share of the small model's answers with each support, and how often it is wrong with it. */
  readonly small: Readonly<Record<Support, { readonly share: number; readonly wrong: number }>>
}

export const field = (wrong: number, rules: Script['rules'] = { sure: 0, wrong: 0 }): Script => ({
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
export function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Stream {
  readonly scripts: readonly Script[]
  readonly maxWrongRate: number
  readonly documents: number
  readonly seed: number
  /** The scripts from a document on. */
  readonly changed?: { readonly at: number; readonly scripts: readonly Script[] }
}

export interface Outcome {
  /** Share of documents about which the large model was asked. */
  readonly asked: number
  readonly agreement: number
  readonly isMissed: boolean
  readonly micros: number
  /** Wrong values given after the change. */
  readonly wrongAfter: number
  /** Values that a lower rung gave unjudged, and how many of these were wrong. */
  readonly given: number
  readonly wrong: number
  /** Values of the rules, of those that were planned and those that were checked. */
  readonly read: number
}

/** A stream of documents through the rules of the path. */
export function run({ scripts, maxWrongRate, documents, seed, changed }: Stream): Outcome {
  const random = randomOf(seed)
  const target = { maxWrongRate, fields: scripts.length }
  let standings: Standings = {}
  const calls = { small: 0, large: 0 }
  let [checks, values, wrong, wrongAfter, read] = [0, 0, 0, 0, 0]
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
        values += 1
        wrong += Number(isWrong)
        wrongAfter += Number(isWrong && isChanged)
        const ofField = given[at]
        if (ofField && support !== null) {
          ofField.answers += 1
          ofField.wrong += Number(isWrong)
        }
      }
    }
    if (judged.length > 0) standings = afterJudgements(standings, judged, target)
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
    given: values,
    wrong,
    wrongAfter,
    read,
  }
}

export function ofSmall({ small }: Script, random: () => number): { support: Support; isWrong: boolean } {
  const drawn = random()
  const support = drawn < small.same.share ? 'same' : drawn < small.same.share + small.found.share ? 'found' : 'unfound'
  return { support, isWrong: random() < small[support].wrong }
}

/** Runs `count` streams. Each has its own random generator, for what its script leaves open. */
export const draws = (count: number, of: (seed: number, random: () => number) => Outcome): Outcome[] =>
  Array.from({ length: count }, (_, draw) => of(draw + 1, randomOf((draw + 1) * 7919)))

export const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

export const missedIn = (outcomes: readonly Outcome[]): number => mean(outcomes.map(({ isMissed }) => Number(isMissed)))

/** Right in three fields, wrong in 0.5 % in two and in 0.5 to 5 % in one; the rules read two more, wrong in 0.5 and 1 %. */
export const eightFields = (random: () => number): Script[] => [
  ...[field(0, { sure: 0.9, wrong: 0.005 }), field(0, { sure: 0.7, wrong: 0.01 })],
  ...[field(0), field(0), field(0), field(0.005), field(0.005), telling(0.005 + 0.045 * random())],
]
