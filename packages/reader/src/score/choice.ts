import { edgeNames } from './block-edges.ts'
import type { FieldCandidates } from './candidates.ts'
import { featureNames, lookNames } from './features.ts'
import type { CalibratedSource, ScoreModel } from './model.ts'
import type { SpanCandidate } from './spans.ts'
import { textEdgeNames } from './text-edges.ts'
import { marginOf, type PackedForest, probabilitiesOf } from './trees.ts'
import { keyOf } from './value-features.ts'
import { valueKinds } from './value-kinds.ts'

/** The place of a candidate: characters `[start, end)` of a cell. */
export interface Spot {
  readonly cell: unknown
  readonly start: number
  readonly end: number
}

/** Candidates of one field with the same value, represented by the best. */
export interface Standing extends Spot {
  readonly key: string
  readonly row: Float32Array
  readonly score: number
}

export interface Ranked extends Standing {
  readonly candidate: SpanCandidate
}

/** The distinct values that a field may have, the likeliest first. */
export function rank({ candidates, rows }: Pick<FieldCandidates, 'candidates' | 'rows'>, model: ScoreModel): Ranked[] {
  const best = new Map<string, Ranked>()
  const scores = probabilitiesOf(model.candidates, rows)
  for (const [at, candidate] of candidates.entries()) {
    const [row, score] = [rows[at], scores[at]]
    if (row === undefined || score === undefined) continue
    const key = keyOf(candidate.value)
    const { cell, start, end } = candidate
    if (score > (best.get(key)?.score ?? -1)) best.set(key, { key, candidate, row, score, cell, start, end })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

const overlap = (one: Spot, other: Spot): boolean =>
  one.cell === other.cell && one.start < other.end && other.start < one.end

/** Evidence of the other fields of a request about a value of one field. */
export interface Rivals {
  /** The best score of another field for the same place. */
  readonly forPlace: number
  /** Whether it is also the likeliest of that field. */
  readonly isTheirFirst: boolean
  /** The best score of another field with the same likeliest value, wherever it is. */
  readonly forValue: number
  /** The mean score of the likeliest values of all fields. */
  readonly mean: number
  readonly fields: number
}

/** Values of a field that the second stage chooses among. */
const chosenAmong = 8

/** Values of another field that are compared with them. */
const comparedMax = 3

/** For each field, the evidence of the others about each of its first values. */
export function rivalsOf(all: readonly (readonly Standing[])[]): Rivals[][] {
  const mean = all.reduce((sum, ranked) => sum + (ranked[0]?.score ?? 0), 0) / Math.max(1, all.length)
  const ofOne = (one: Standing, field: number): Rivals => {
    let [forPlace, forValue, isTheirFirst] = [0, 0, false]
    for (const [other, ranked] of all.entries()) {
      if (other === field) continue
      for (const [order, { score, cell, start, end }] of ranked.slice(0, comparedMax).entries()) {
        if (!overlap({ cell, start, end }, one) || score <= forPlace) continue
        forPlace = score
        isTheirFirst = order === 0
      }
      if (ranked[0]?.key === one.key) forValue = Math.max(forValue, ranked[0].score)
    }
    return { forPlace, isTheirFirst, forValue, mean, fields: all.length }
  }
  return all.map((own, field) => own.slice(0, chosenAmong).map((one) => ofOne(one, field)))
}

/** Features of a candidate that indicate whether it is the one to choose. */
const keptNames = [
  ...[
    'best.name',
    'best.description',
    'best.own',
    'best.otherField',
    'best.meaning',
    'best.otherMeaning',
    'best.joint',
    'fit',
    'lines',
    'pages',
    'isRecognised',
    'isPlain',
  ],
  ...['ocrConfidence', 'countOfCandidates', 'cut.rules', 'rule.same', 'rule.confidence', 'rule.none', 'rule.withdrawn'],
  ...['rule.confirmed', 'rule.named', 'field.known', 'inTable', 'cellsOnLine'],
  ...['date', 'money', 'number', 'id', 'name', 'address', 'text'].map((kind) => `kind.${kind}`),
  ...['sum.isSum', 'sum.isAddend', 'sum.isRepeated', 'hasCurrency', 'hasCents', 'isCompany', 'words', 'wordsInCell'],
  ...[
    'label',
    'label.lead',
    'label.rivals',
    'label.ofField',
    'label.isWhole',
    'label.repeats',
    'wordsPerLine',
    'wordsOnLine',
  ],
  ...[
    'cut.block',
    'cut.name-in-prose',
    'cut.cell',
    'rankOfValue',
    'sameValue',
    'labelness',
    'y',
    'section.own',
    'section.other',
    'section.otherField',
    'label.mentions',
    'label.place',
    'label.twin',
  ],
  ...['own', 'lead', 'behind', 'most'].map((part) => `likely.${part}`),
  ...edgeNames,
  'cut.part',
  ...textEdgeNames,
  'isNegative',
  ...valueKinds.map((kind) => `asks.${kind}`),
  ...lookNames,
]
const keptFeatures = keptNames.map((name) => featureNames.indexOf(name))

/** Each value is compared with at most so many others of its field. */
const comparedWith = 20

const logit = (p: number): number => Math.log(Math.max(p, 1e-6) / Math.max(1 - p, 1e-6))

/** The names of the features of a choice. */
export const choiceFeatureNames: readonly string[] = [
  ...[
    'own',
    'first',
    'second',
    'ahead',
    'share',
    'others',
    'rules',
    'order',
    'forPlace',
    'isTheirFirst',
    'aheadOfPlace',
  ],
  ...[
    'forValue',
    'mean',
    'fields',
    'likely',
    'aheadOfApart',
    'aheadOfVariant',
    'othersApart',
    'variants',
    ...keptNames,
  ],
]

/** For each of the first ranked values, the features that indicate whether it is the one to choose. */
export function choiceFeatures(
  ranked: readonly Standing[],
  ruleKey: string | null,
  rivals: readonly Rivals[],
): Float32Array[] {
  const odds = ranked.map(({ score }) => Math.exp(logit(score)))
  const allOdds = odds.reduce((sum, one) => sum + one, 1)
  const compared = ranked.slice(0, comparedWith)
  const others = compared.reduce((sum, { score }) => sum + score, 0)
  const ofRule = ranked.find(({ key }) => key === ruleKey)
  const likely = ranked.filter(({ score }) => score > 0.1).length
  const [first = 0, second = 0] = ranked.map(({ score }) => score)
  return rivals.flatMap(({ forPlace, isTheirFirst, forValue, mean, fields }, order): Float32Array[] => {
    const one = ranked[order]
    if (one === undefined) return []
    const own = logit(one.score)
    const variants = compared.filter((other) => other !== one && overlap(other, one))
    const apart = compared.filter((other) => !overlap(other, one))
    return [
      Float32Array.of(
        own,
        logit(first),
        logit(second),
        own - logit(order === 0 ? second : first),
        logit((odds[order] ?? 0) / allOdds),
        others - one.score,
        ofRule === undefined ? -20 : logit(ofRule.score),
        order,
        logit(forPlace),
        isTheirFirst ? 1 : 0,
        logit(forPlace) - own,
        logit(forValue),
        logit(mean),
        fields,
        likely,
        own - logit(apart[0]?.score ?? 0),
        own - logit(variants[0]?.score ?? 0),
        apart.reduce((sum, { score }) => sum + score, 0),
        variants.length,
        ...keptFeatures.map((at) => one.row[at] ?? 0),
      ),
    ]
  })
}

/**
 * The values in the order of the second stage, each with its share. The stage chooses among the first values and no value; the other values
 * follow with a share of 0.
 */
export function chosen<Value extends Standing>(
  ranked: readonly Value[],
  features: readonly Float32Array[],
  forest: PackedForest,
): (Value & { readonly share: number })[] {
  const odds = features.map((row) => Math.exp(Math.min(50, marginOf(forest, row))))
  const all = odds.reduce((sum, one) => sum + one, 1)
  return ranked.map((value, at) => ({ ...value, share: (odds[at] ?? 0) / all })).toSorted((a, b) => b.share - a.share)
}

export const calibratedSource = ({ cell }: SpanCandidate): CalibratedSource =>
  cell.line.page.page.source === 'ocr' ? 'recognised' : 'text'
