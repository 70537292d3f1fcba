import { choiceFeatures, rivalsOf, type Standing } from '../../src/score/choice.ts'
import { featureNames } from '../../src/score/features.ts'
import {
  type CalibratedSource,
  type Curve,
  clamped,
  rounded,
  type ScoreModel,
  type Threshold,
  valueOn,
} from '../../src/score/model.ts'
import { type Forest, probabilityOf } from '../../src/score/trees.ts'
import type { BoostOptions, Examples } from './boost.ts'
import { type Counted, wrongBound } from './bounds.ts'
import { type Group, width } from './collect.ts'
import { shareOf } from './questions.ts'
import { familyOf } from './sets.ts'
import { grow } from './workers.ts'

const candidateOptions: BoostOptions = {
  ...{ trees: 140, depth: 5, rate: 0.12, leafMin: 20, bins: 32, lambda: 3 },
  ...{ rowShare: 0.5, featureShare: 0.3 },
}
const choiceOptions: BoostOptions = {
  ...{ trees: 80, depth: 4, rate: 0.12, leafMin: 30, bins: 24, lambda: 8 },
  ...{ rowShare: 0.7, featureShare: 0.5 },
}

/**
 * Wrong candidates of one group that are trained on, near some label of the field and others; right ones and that of the rules always
 * are.
 */
const nearMax = 12
const farMax = 8

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
const meaningAt = featureNames.indexOf('best.meaning')
const likelyAt = featureNames.indexOf('likely.own')

function examplesOf(groups: readonly Group[]): Examples {
  const weightOf = weightBySet(groups)
  const picked: { group: Group; at: number }[] = []
  const starts: number[] = []
  for (const group of groups) {
    starts.push(picked.length)
    const valueAt = (at: number, feature: number): number => group.rows[at * width + feature] as number
    const isNear = (at: number): boolean =>
      valueAt(at, likelyAt) > 0.4 || [nameAt, ownAt, meaningAt].some((one) => valueAt(at, one) > 0.2)
    const all = [...group.keys.keys()]
    const near = all.filter(isNear).length
    for (const at of all) {
      const share = isNear(at) ? nearMax / near : farMax / (all.length - near)
      const isSure = group.right[at] === 1 || valueAt(at, ruleAt) === 1
      if (isSure || shareOf(`${group.document}/${group.field}/${at}`) < share) picked.push({ group, at })
    }
    if (starts.at(-1) === picked.length) starts.pop()
  }
  const rows = new Float32Array(picked.length * width)
  const labels = new Uint8Array(picked.length)
  const weights = new Float32Array(picked.length)
  for (const [n, { group, at }] of picked.entries()) {
    rows.set(group.rows.subarray(at * width, (at + 1) * width), n * width)
    labels[n] = group.right[at] as number
    weights[n] = weightOf(group)
  }
  return { width, rows, labels, weights, starts: Int32Array.from(starts) }
}

/** What a forest that has not seen a group says of it. */
export interface Choice {
  readonly group: Group
  readonly features: Float32Array
  /** Whether the likeliest value is right. */
  readonly isRight: boolean
  readonly isOfRules: boolean
  readonly key: string
  /** Score of the next values and whether each is right. */
  readonly others: readonly (readonly [score: number, right: boolean])[]
}

function choicesOf(groups: readonly Group[], forest: Forest): Choice[] {
  const byQuestion = Map.groupBy(groups, ({ set, document, asking }) => `${set} ${document} ${asking}`)
  return [...byQuestion.values()].flatMap((asked) => {
    const rankings = asked.map((group) => rankingOf(group, forest))
    const rivals = rivalsOf(rankings)
    return asked.flatMap((group, at): Choice[] => {
      const ranked = rankings[at] ?? []
      const [first] = ranked
      const ofOthers = rivals[at]
      if (first === undefined || ofOthers === undefined) return []
      return [
        {
          group,
          features: choiceFeatures(ranked, group.ruleKey, ofOthers),
          isRight: group.right[first.at] === 1,
          isOfRules: first.key === group.ruleKey,
          key: first.key,
          others: ranked.slice(1, 3).map(({ at, score }) => [score, group.right[at] === 1] as const),
        },
      ]
    })
  })
}

function rankingOf(group: Group, forest: Forest): (Standing & { readonly at: number })[] {
  const best = new Map<string, Standing & { readonly at: number }>()
  for (const [at, key] of group.keys.entries()) {
    const row = group.rows.subarray(at * width, (at + 1) * width)
    const score = probabilityOf(forest, row)
    const [cell, start = 0, end = 0] = group.spots.subarray(at * 3, at * 3 + 3)
    if (score > (best.get(key)?.score ?? -1)) best.set(key, { key, at, score, row, cell, start, end })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
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

/**
 * The rising curve that is nearest to points, by pooling neighbours that fall (isotonic regression), through the middles of the pools:
 * between two of them it rises.
 */
export function isotonic(
  points: readonly { readonly x: number; readonly y: number; readonly weight: number }[],
): Curve {
  const pools: { x: number; y: number; weight: number }[] = []
  for (const point of points.toSorted((a, b) => a.x - b.x)) {
    pools.push({ x: point.x * point.weight, y: point.y * point.weight, weight: point.weight })
    for (;;) {
      const [before, last] = [pools.at(-2), pools.at(-1)]
      if (before === undefined || last === undefined || before.y * last.weight < last.y * before.weight) break
      const both = { x: before.x + last.x, y: before.y + last.y, weight: before.weight + last.weight }
      pools.splice(-2, 2, both)
    }
  }
  // Pools are small at both ends: one more right and one more wrong answer keep them from 0 and 1.
  const y = pools.map((pool) => Number(((pool.y + 0.5) / (pool.weight + 1)).toPrecision(4)))
  return { x: pools.map(({ x, weight }) => Number((x / weight).toPrecision(5))), y: rising(y) }
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

function calibrate(scored: readonly Scored[]): Record<CalibratedSource, Curve> {
  const weightOf = weightBySet(scored.map(({ choice }) => choice.group))
  const curve = (source: CalibratedSource): Curve =>
    isotonic(
      scored
        .filter(({ choice }) => choice.group.source === source)
        .map(({ choice, score }) => ({ x: score, y: choice.isRight ? 1 : 0, weight: weightOf(choice.group) })),
    )
  return { text: curve('text'), recognised: curve('recognised') }
}

const rates = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2]

/** Probabilities are rounded to three decimals before they are reported or compared with thresholds. */
export const probabilityAt = (curve: Curve, score: number): number => rounded(clamped(valueOn(curve, score)))

/** Sets of real documents, without printed pages, which people made up. */
export const isReal = ({ set }: Group): boolean => !/made-|printed/.test(set)
export const isPrinted = ({ set }: Group): boolean => set.startsWith('printed')

/** The kinds of documents on which a threshold holds by themselves: generated ones are many and alike, and bring the average down. */
const deciding: readonly ((group: Group) => boolean)[] = [isReal, isPrinted]

/** Whether a share of wrong answers is at most a rate, to a tenth of a percent. */
const keepsTo = (maxWrongRate: number, { answers, wrong }: Counted): boolean =>
  Math.round((1000 * wrong) / Math.max(1, answers)) <= 1000 * maxWrongRate + 1e-9

/**
 * For each rate the least probability above which the share of wrong answers stays below it: over all documents with its bound, where
 * sets weigh by the root of their size; on each kind of `deciding` the share itself, for some of them are few.
 */
function thresholdsOf(
  scored: readonly Scored[],
  calibration: Record<CalibratedSource, Curve>,
  source: CalibratedSource,
): Threshold[] {
  const own = scored.filter(({ choice }) => choice.group.source === source)
  const weightOf = weightBySet(own.map(({ choice }) => choice.group))
  const byProbability = Map.groupBy(own, ({ score }) => probabilityAt(calibration[source], score))
  const documents = new Map<string, { answers: number; wrong: number }>()
  const kinds = deciding.map((isIn) => ({ isIn, answers: 0, wrong: 0 }))
  let [answers, wrong, weight, wrongWeight] = [0, 0, 0, 0]
  const steps = [...byProbability]
    .toSorted(([a], [b]) => b - a)
    .map(([probability, all]) => {
      for (const { choice } of all) {
        const { document } = choice.group
        const before = documents.get(document) ?? { answers: 0, wrong: 0 }
        const isWrong = choice.isRight ? 0 : 1
        documents.set(document, { answers: before.answers + 1, wrong: before.wrong + isWrong })
        for (const kind of kinds.filter(({ isIn }) => isIn(choice.group))) {
          kind.answers++
          kind.wrong += isWrong
        }
        answers++
        wrong += isWrong
        weight += weightOf(choice.group)
        wrongWeight += weightOf(choice.group) * isWrong
      }
      const bound = wrongBound([...documents.values()], wrongWeight / weight)
      return { probability, answers, wrong, bound, kinds: kinds.map(({ answers, wrong }) => ({ answers, wrong })) }
    })
  return rates.map((maxWrongRate) => {
    const found = steps.findLast(
      ({ bound, kinds }) => bound <= maxWrongRate && kinds.every((kind) => keepsTo(maxWrongRate, kind)),
    )
    return found === undefined
      ? { maxWrongRate, probability: 1, answers: 0, wrong: 0 }
      : { maxWrongRate, probability: found.probability, answers: found.answers, wrong: found.wrong }
  })
}

/** Choices for groups by forests that were trained without their documents. */
export async function heldOutChoices(groups: readonly Group[], log: (text: string) => void): Promise<Choice[]> {
  const parts = Array.from({ length: folds }, async (_, fold) => {
    const forest = await grow(examplesOf(groups.filter((group) => foldOf(group) !== fold)), candidateOptions)
    const own = groups.filter((group) => foldOf(group) === fold && group.asking !== 'reworded')
    log(`fold ${fold + 1} of ${folds}`)
    return choicesOf(own, forest)
  })
  return (await Promise.all(parts)).flat()
}

/** Choices for the groups of each family of sets by a forest that was trained without the whole family. */
export async function strangeChoices(groups: readonly Group[], log: (text: string) => void): Promise<Choice[]> {
  const families = [...new Set(groups.map(({ set }) => familyOf(set)))]
  const parts = families.map(async (family) => {
    const isOwn = ({ set }: Group): boolean => familyOf(set) === family
    const forest = await grow(examplesOf(groups.filter((group) => !isOwn(group))), candidateOptions)
    log(`without ${family}`)
    return choicesOf(groups.filter(isOwn), forest)
  })
  return (await Promise.all(parts)).flat()
}

/** Scores of choices by a choice forest that was trained on others. */
export async function scoreBy(train: readonly Choice[], choices: readonly Choice[]): Promise<Scored[]> {
  const forest = await grow(choiceExamples(train), choiceOptions)
  return choices.map((choice) => ({ choice, score: probabilityOf(forest, choice.features) }))
}

export const familyOfChoice = ({ group }: Choice): string => familyOf(group.set)

/** Scores of the choices of each family of sets by choice forests that were trained on those of the others. */
export async function scoreStrange(choices: readonly Choice[]): Promise<Scored[]> {
  const parts = [...Map.groupBy(choices, familyOfChoice)].map(([family, own]) =>
    scoreBy(
      choices.filter((choice) => familyOfChoice(choice) !== family),
      own.filter(isAskedAsIs),
    ),
  )
  return (await Promise.all(parts)).flat()
}

/** Reworded questions are for training: what is measured and calibrated on are the names of the sets themselves. */
export const isAskedAsIs = ({ group }: Choice): boolean => group.asking !== 'reworded'

/** What turns scores into probabilities, and probabilities into answers. */
export type Calibration = Pick<ScoreModel, 'calibration' | 'thresholds'>

export function calibrationOn(scored: readonly Scored[]): Calibration {
  const calibration = calibrate(scored)
  const of = (source: CalibratedSource) => thresholdsOf(scored, calibration, source)
  return { calibration, thresholds: { text: of('text'), recognised: of('recognised') } }
}

/** The model of all groups, calibrated on choices for sets that forests were trained without. */
export async function fit(groups: readonly Group[], strange: readonly Choice[], version: string): Promise<ScoreModel> {
  return {
    version,
    features: featureNames,
    candidates: await grow(examplesOf(groups), candidateOptions),
    choice: await grow(choiceExamples(strange), choiceOptions),
    others: isotonic(strange.flatMap(({ others }) => others.map(([x, right]) => ({ x, y: right ? 1 : 0, weight: 1 })))),
    ...calibrationOn(await scoreStrange(strange)),
  }
}
