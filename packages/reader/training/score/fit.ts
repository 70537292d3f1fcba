import { choiceFeatures } from '../../src/score/choice.ts'
import { featureNames } from '../../src/score/features.ts'
import { type CalibratedSource, type Curve, type ScoreModel, type Threshold, valueOn } from '../../src/score/model.ts'
import { type Forest, probabilityOf } from '../../src/score/trees.ts'
import { type BoostOptions, boost, type Examples } from './boost.ts'
import { type Group, width } from './collect.ts'
import { shareOf } from './questions.ts'

const candidateOptions: BoostOptions = {
  ...{ trees: 120, depth: 5, rate: 0.12, leafMin: 20, bins: 40, lambda: 2 },
  ...{ rowShare: 0.6, featureShare: 0.4 },
}
const choiceOptions: BoostOptions = {
  ...{ trees: 60, depth: 3, rate: 0.1, leafMin: 40, bins: 48, lambda: 5 },
  ...{ rowShare: 0.8, featureShare: 0.7 },
}

/**
 * Wrong candidates of one group that are trained on, near some label of the field and others; right ones and that of the rules always
 * are.
 */
const nearMax = 10
const farMax = 5

export const folds = 3

export const foldOf = ({ document }: Group): number => Math.floor(shareOf(document) * folds)

/** The sets are of very different sizes; each weighs by the root of its size. */
function weightBySet(groups: readonly Group[]): (group: Group) => number {
  const sizes = new Map<string, number>()
  for (const { set } of groups) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  const mean = groups.length / sizes.size
  return ({ set }) => Math.min(3, Math.sqrt(mean / (sizes.get(set) ?? mean)))
}

const ruleAt = featureNames.indexOf('cut.rules')
const nameAt = featureNames.indexOf('best.name')
const ownAt = featureNames.indexOf('best.own')

function examplesOf(groups: readonly Group[]): Examples {
  const weightOf = weightBySet(groups)
  const picked: { group: Group; at: number }[] = []
  for (const group of groups) {
    const valueAt = (at: number, feature: number): number => group.rows[at * width + feature] as number
    const isNear = (at: number): boolean => valueAt(at, nameAt) > 0.2 || valueAt(at, ownAt) > 0.2
    const all = [...group.keys.keys()]
    const near = all.filter(isNear).length
    for (const at of all) {
      const share = isNear(at) ? nearMax / near : farMax / (all.length - near)
      const isSure = group.right[at] === 1 || valueAt(at, ruleAt) === 1
      if (isSure || shareOf(`${group.document}/${group.field}/${at}`) < share) picked.push({ group, at })
    }
  }
  const rows = new Float32Array(picked.length * width)
  const labels = new Uint8Array(picked.length)
  const weights = new Float32Array(picked.length)
  for (const [n, { group, at }] of picked.entries()) {
    rows.set(group.rows.subarray(at * width, (at + 1) * width), n * width)
    labels[n] = group.right[at] as number
    const all = group.right.reduce((sum, one) => sum + one, 0)
    weights[n] = weightOf(group) * (labels[n] === 1 ? 1 / Math.sqrt(all) : 1)
  }
  return { width, rows, labels, weights }
}

/** What a forest that has not seen a group says of it. */
export interface Choice {
  readonly group: Group
  readonly features: Float32Array
  /** Whether the likeliest value is right. */
  readonly isRight: boolean
  readonly isOfRules: boolean
  /** Score of the next values and whether each is right. */
  readonly others: readonly (readonly [score: number, right: boolean])[]
}

function choicesOf(groups: readonly Group[], forest: Forest): Choice[] {
  return groups.flatMap((group) => {
    const best = new Map<string, { key: string; at: number; score: number }>()
    for (const [at, key] of group.keys.entries()) {
      const score = probabilityOf(forest, group.rows.subarray(at * width, (at + 1) * width))
      if (score > (best.get(key)?.score ?? -1)) best.set(key, { key, at, score })
    }
    const ranked = [...best.values()].toSorted((a, b) => b.score - a.score)
    const [first] = ranked
    if (first === undefined) return []
    const withRows = ranked
      .slice(0, 20)
      .concat(ranked.slice(20).filter(({ key }) => key === group.ruleKey))
      .map((one) => ({ ...one, row: group.rows.subarray(one.at * width, (one.at + 1) * width) }))
    return [
      {
        group,
        features: choiceFeatures(withRows, group.ruleKey),
        isRight: group.right[first.at] === 1,
        isOfRules: first.key === group.ruleKey,
        others: ranked.slice(1, 3).map(({ at, score }) => [score, group.right[at] === 1] as const),
      },
    ]
  })
}

function choiceExamples(choices: readonly Choice[]): Examples {
  const weightOf = weightBySet(choices.map(({ group }) => group))
  const size = choices[0]?.features.length ?? 0
  const rows = new Float32Array(choices.length * size)
  for (const [n, { features }] of choices.entries()) rows.set(features, n * size)
  return {
    width: size,
    rows,
    labels: Uint8Array.from(choices, ({ isRight }) => (isRight ? 1 : 0)),
    weights: Float32Array.from(choices, ({ group }) => weightOf(group)),
  }
}

/** The rising curve that is nearest to points, by pooling neighbours that fall (isotonic regression). */
export function isotonic(
  points: readonly { readonly x: number; readonly y: number; readonly weight: number }[],
): Curve {
  const pools: { from: number; to: number; sum: number; weight: number }[] = []
  for (const { x, y, weight } of points.toSorted((a, b) => a.x - b.x)) {
    pools.push({ from: x, to: x, sum: y * weight, weight })
    for (;;) {
      const [before, last] = [pools.at(-2), pools.at(-1)]
      if (before === undefined || last === undefined || before.sum * last.weight < last.sum * before.weight) break
      pools.splice(-2, 2, {
        from: before.from,
        to: last.to,
        sum: before.sum + last.sum,
        weight: before.weight + last.weight,
      })
    }
  }
  const x: number[] = []
  const y: number[] = []
  for (const { from, to, sum, weight } of pools) {
    for (const end of from === to ? [from] : [from, to]) {
      x.push(Number(end.toPrecision(5)))
      // Pools are small at both ends: one more right and one more wrong answer keep them from 0 and 1.
      y.push(Number(((sum + 0.5) / (weight + 1)).toPrecision(4)))
    }
  }
  return { x, y: rising(y) }
}

const rising = (values: readonly number[]): number[] => {
  let most = 0
  return values.map((value) => (most = Math.max(most, value)))
}

/** A choice with the score that forests give it which have not seen its document. */
export interface Scored {
  readonly choice: Choice
  readonly score: number
}

export function calibrate(scored: readonly Scored[]): Record<CalibratedSource, Curve> {
  const weightOf = weightBySet(scored.map(({ choice }) => choice.group))
  const curve = (source: CalibratedSource): Curve =>
    isotonic(
      scored
        .filter(({ choice }) => choice.group.source === source)
        .map(({ choice, score }) => ({ x: score, y: choice.isRight ? 1 : 0, weight: weightOf(choice.group) })),
    )
  return { text: curve('text'), recognised: curve('recognised') }
}

/** One-sided 95 % bound on a share (E. B. Wilson, 1927). */
export function upperBound(wrong: number, count: number): number {
  if (count === 0) return 1
  const z = 1.645
  const share = wrong / count
  const middle = share + z ** 2 / (2 * count)
  const spread = z * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2))
  return (middle + spread) / (1 + z ** 2 / count)
}

const rates = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2]

/**
 * For each rate the least probability above which no more answers are wrong, every set weighing alike: going down from 1, it stops
 * where the share of wrong answers, or its bound for a fifth more, passes the rate.
 */
export function thresholdsOf(
  scored: readonly Scored[],
  calibration: Record<CalibratedSource, Curve>,
  source: CalibratedSource,
): Threshold[] {
  const own = scored.filter(({ choice }) => choice.group.source === source)
  const weightOf = weightBySet(own.map(({ choice }) => choice.group))
  const sorted = own
    .map(({ choice, score }) => ({
      probability: Math.round(100 * Math.max(0.01, Math.min(0.99, valueOn(calibration[source], score)))) / 100,
      isWrong: !choice.isRight,
      weight: weightOf(choice.group),
    }))
    .toSorted((a, b) => b.probability - a.probability)
  const steps: { probability: number; answers: number; wrong: number; share: number }[] = []
  let [answers, wrong, weight, wrongWeight] = [0, 0, 0, 0]
  for (const [n, one] of sorted.entries()) {
    answers++
    weight += one.weight
    if (one.isWrong) {
      wrong++
      wrongWeight += one.weight
    }
    if (sorted[n + 1]?.probability !== one.probability)
      steps.push({ probability: one.probability, answers, wrong, share: wrongWeight / weight })
  }
  return rates.map((maxWrongRate) => {
    const end = steps.findIndex(
      ({ share, answers }) => answers >= 50 && upperBound(share * answers, answers) > maxWrongRate,
    )
    const found = steps[(end < 0 ? steps.length : end) - 1]
    return found === undefined
      ? { maxWrongRate, probability: 1, answers: 0, wrong: 0 }
      : { maxWrongRate, probability: found.probability, answers: found.answers, wrong: found.wrong }
  })
}

/** Choices for groups by forests that were trained without their documents. */
export function heldOutChoices(groups: readonly Group[], tell: (text: string) => void): Choice[] {
  const held: Choice[] = []
  for (let fold = 0; fold < folds; fold++) {
    const forest = boost(examplesOf(groups.filter((group) => foldOf(group) !== fold)), candidateOptions)
    held.push(
      ...choicesOf(
        groups.filter((group) => foldOf(group) === fold && !group.isReworded),
        forest,
      ),
    )
    tell(`fold ${fold + 1} of ${folds}`)
  }
  return held
}

/** Choices for the groups of each set by a forest that was trained without the whole set. */
export function strangeChoices(
  groups: readonly Group[],
  sets: readonly string[],
  tell: (text: string) => void,
): Choice[] {
  const held: Choice[] = []
  for (const set of sets) {
    const documents = new Set(groups.flatMap((group) => (group.set === set ? [group.document] : [])))
    const forest = boost(examplesOf(groups.filter(({ document }) => !documents.has(document))), candidateOptions)
    held.push(
      ...choicesOf(
        groups.filter((group) => group.set === set && !group.isReworded),
        forest,
      ),
    )
    tell(`without ${set}`)
  }
  return held
}

/** Scores by choice forests that were trained without the documents that they score. */
export function scoreHeldOut(choices: readonly Choice[], train: readonly Choice[] = choices): Scored[] {
  const scored: Scored[] = []
  for (let fold = 0; fold < folds; fold++) {
    const forest = boost(choiceExamples(train.filter(({ group }) => foldOf(group) !== fold)), choiceOptions)
    for (const choice of choices)
      if (foldOf(choice.group) === fold) scored.push({ choice, score: probabilityOf(forest, choice.features) })
  }
  return scored
}

/** The model of all groups, calibrated on held-out choices of them. */
export function fit(groups: readonly Group[], choices: readonly Choice[], version: string): ScoreModel {
  const scored = scoreHeldOut(choices)
  const calibration = calibrate(scored)
  return {
    version,
    features: featureNames,
    candidates: boost(examplesOf(groups), candidateOptions),
    choice: boost(choiceExamples(choices), choiceOptions),
    calibration,
    others: isotonic(choices.flatMap(({ others }) => others.map(([x, right]) => ({ x, y: right ? 1 : 0, weight: 1 })))),
    thresholds: {
      text: thresholdsOf(scored, calibration, 'text'),
      recognised: thresholdsOf(scored, calibration, 'recognised'),
    },
  }
}
