import { choiceFeatureNames, choiceFeatures, chosen, rivalsOf, type Standing } from '../../src/score/choice.ts'
import { featureNames } from '../../src/score/features.ts'
import {
  type CalibratedSource,
  type Curve,
  clamped,
  rounded,
  type StoredModel,
  type Threshold,
  valueOn,
} from '../../src/score/model.ts'
import { type Forest, type PackedForest, packed, probabilitiesOf } from '../../src/score/trees.ts'
import type { BoostOptions, Examples } from './boost.ts'
import { type Counted, wrongBound } from './bounds.ts'
import { type Group, width } from './collect.ts'
import { shareOf } from './questions.ts'
import { kindOf } from './sets.ts'
import { grow } from './workers.ts'

const candidateOptions: BoostOptions = {
  ...{ trees: 300, depth: 6, rate: 0.09, leafMin: 20, bins: 32, lambda: 3 },
  ...{ rowShare: 0.5, featureShare: 0.3 },
}
const choiceOptions: BoostOptions = {
  ...{ trees: 300, depth: 4, rate: 0.05, leafMin: 30, bins: 24, lambda: 4 },
  ...{ rowShare: 0.5, featureShare: 0.4 },
}

/**
 * Wrong candidates of one group that are trained on, near some label of the field and others; right ones and that of the rules always
 * are.
 */
const nearMax = 20
const farMax = 12

export const folds = 3

export const foldOf = ({ document }: Group): number => Math.floor(shareOf(document) * folds)

/** Sets of real documents, without printed pages, which people made up. */
export const isReal = ({ set }: Group): boolean => !/made-|printed/.test(set)
export const isPrinted = ({ set }: Group): boolean => set.startsWith('printed')

/**
 * The sets are of very different sizes; each weighs by the root of its size. Printed pages, each of another kind, count twice, and generated
 * documents, which are alike, half.
 */
function weightBySet(groups: readonly Group[]): (group: Group) => number {
  const sizes = new Map<string, number>()
  for (const { set } of groups) sizes.set(set, (sizes.get(set) ?? 0) + 1)
  const mean = groups.length / sizes.size
  return (group) =>
    Math.min(3, Math.sqrt(mean / (sizes.get(group.set) ?? mean))) * (isPrinted(group) ? 2 : isReal(group) ? 1 : 0.5)
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

/** A value of a group, and whether it is right. */
interface Option extends Standing {
  readonly isRight: boolean
}

/** What a forest that has not seen a group says of it. */
export interface Choice {
  readonly group: Group
  /** The values that are chosen among, and the features of each. */
  readonly values: readonly Option[]
  readonly features: readonly Float32Array[]
}

function choicesOf(groups: readonly Group[], forest: Forest): Choice[] {
  const trees = packed(forest)
  const byQuestion = Map.groupBy(groups, ({ set, document, asking }) => `${set} ${document} ${asking}`)
  return [...byQuestion.values()].flatMap((asked) => {
    const rankings = asked.map((group) => rankingOf(group, trees))
    const rivals = rivalsOf(rankings)
    return asked.flatMap((group, at): Choice[] => {
      const ranked = rankings[at] ?? []
      const features = choiceFeatures(ranked, group.ruleKey, rivals[at] ?? [])
      return ranked.length === 0 ? [] : [{ group, values: ranked.slice(0, features.length), features }]
    })
  })
}

function rankingOf(group: Group, forest: PackedForest): Option[] {
  const best = new Map<string, Option>()
  const rows = group.keys.map((_, at) => group.rows.subarray(at * width, (at + 1) * width))
  const scores = probabilitiesOf(forest, rows)
  for (const [at, key] of group.keys.entries()) {
    const [row, score] = [rows[at], scores[at]]
    if (row === undefined || score === undefined) continue
    const [cell, start = 0, end = 0] = group.spots.subarray(at * 3, at * 3 + 3)
    if (score <= (best.get(key)?.score ?? -1)) continue
    best.set(key, { key, score, row, cell, start, end, isRight: group.right[at] === 1 })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

function choiceExamples(choices: readonly Choice[]): Examples {
  const weightOf = weightBySet(choices.map(({ group }) => group))
  const size = choices[0]?.features[0]?.length ?? 0
  const starts: number[] = []
  const all = choices.flatMap(({ group, values, features }, at) => {
    starts.push((starts.at(-1) ?? 0) + (choices[at - 1]?.features.length ?? 0))
    return features.map((row, n) => ({ row, group, isRight: values[n]?.isRight === true }))
  })
  const rows = new Float32Array(all.length * size)
  for (const [n, { row }] of all.entries()) rows.set(row, n * size)
  return {
    width: size,
    rows,
    labels: Uint8Array.from(all, ({ isRight }) => (isRight ? 1 : 0)),
    weights: Float32Array.from(all, ({ group }) => weightOf(group)),
    starts: Int32Array.from(starts),
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

/** A choice by forests that have not seen its document. */
export interface Scored {
  readonly choice: Choice
  /** The share of the chosen value. */
  readonly score: number
  /** Whether the chosen value is right. */
  readonly isRight: boolean
  /** The next values. */
  readonly others: readonly (Option & { readonly share: number })[]
}

function calibrate(scored: readonly Scored[]): Record<CalibratedSource, Curve> {
  const weightOf = weightBySet(scored.map(({ choice }) => choice.group))
  const curve = (source: CalibratedSource): Curve =>
    isotonic(
      scored
        .filter(({ choice }) => choice.group.source === source)
        .map(({ choice, score, isRight }) => ({ x: score, y: isRight ? 1 : 0, weight: weightOf(choice.group) })),
    )
  return { text: curve('text'), recognised: curve('recognised') }
}

export const rates = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2]

/** Probabilities are rounded to three decimals before they are reported or compared with thresholds. */
export const probabilityAt = (curve: Curve, score: number): number => rounded(clamped(valueOn(curve, score)))

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
      for (const { choice, isRight } of all) {
        const { document } = choice.group
        const before = documents.get(document) ?? { answers: 0, wrong: 0 }
        const isWrong = isRight ? 0 : 1
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
  const families = [...new Set(groups.map(({ set }) => kindOf(set)))]
  const parts = families.map(async (family) => {
    const isOwn = ({ set }: Group): boolean => kindOf(set) === family
    const forest = await grow(examplesOf(groups.filter((group) => !isOwn(group))), candidateOptions)
    log(`without ${family}`)
    return choicesOf(groups.filter(isOwn), forest)
  })
  return (await Promise.all(parts)).flat()
}

/** Scores of choices by a choice forest that was trained on others. */
export async function scoreBy(train: readonly Choice[], choices: readonly Choice[]): Promise<Scored[]> {
  const forest = packed(await grow(choiceExamples(train), choiceOptions))
  return choices.flatMap((choice): Scored[] => {
    const [first, ...others] = chosen(choice.values, choice.features, forest)
    return first === undefined ? [] : [{ choice, score: first.share, isRight: first.isRight, others }]
  })
}

export const familyOfChoice = ({ group }: Choice): string => kindOf(group.set)

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
export type Calibration = Pick<StoredModel, 'calibration' | 'thresholds'>

export function calibrationOn(scored: readonly Scored[]): Calibration {
  const calibration = calibrate(scored)
  const of = (source: CalibratedSource) => thresholdsOf(scored, calibration, source)
  return { calibration, thresholds: { text: of('text'), recognised: of('recognised') } }
}

/** The model of all groups, calibrated on choices for sets that forests were trained without. */
export async function fit(groups: readonly Group[], strange: readonly Choice[], version: string): Promise<StoredModel> {
  const scored = await scoreStrange(strange)
  const next = scored.flatMap(({ others }) => others.slice(0, 2))
  return {
    version,
    features: featureNames,
    choiceFeatures: choiceFeatureNames,
    candidates: await grow(examplesOf(groups), candidateOptions),
    choice: await grow(choiceExamples(strange), choiceOptions),
    others: isotonic(next.map(({ share, isRight }) => ({ x: share, y: isRight ? 1 : 0, weight: 1 }))),
    ...calibrationOn(scored),
  }
}
