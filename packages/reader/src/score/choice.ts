import { edgeNames } from './block-edges.ts'
import type { FieldCandidates } from './candidates.ts'
import { featureNames, keyOf } from './features.ts'
import { type CalibratedSource, clamped, rounded, type ScoreModel, valueOn } from './model.ts'
import type { SpanCandidate } from './spans.ts'
import { probabilityOf } from './trees.ts'

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
  for (const [at, candidate] of candidates.entries()) {
    const row = rows[at]
    if (row === undefined) continue
    const score = probabilityOf(model.candidates, row)
    const key = keyOf(candidate.value)
    const { cell, start, end } = candidate
    if (score > (best.get(key)?.score ?? -1)) best.set(key, { key, candidate, row, score, cell, start, end })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** Evidence of the other fields of a request about the choice for one field. */
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

/** Values of another field that are compared with the likeliest one. */
const comparedMax = 3

/** For each field, the evidence of the others about its likeliest value. */
export function rivalsOf(all: readonly (readonly Standing[])[]): Rivals[] {
  const mean = all.reduce((sum, ranked) => sum + (ranked[0]?.score ?? 0), 0) / Math.max(1, all.length)
  return all.map((own, at) => {
    const [first] = own
    let [forPlace, forValue, isTheirFirst] = [0, 0, false]
    for (const [other, ranked] of all.entries()) {
      if (other === at || first === undefined) continue
      for (const [order, { score, cell, start, end }] of ranked.slice(0, comparedMax).entries()) {
        if (cell !== first.cell || start >= first.end || first.start >= end || score <= forPlace) continue
        forPlace = score
        isTheirFirst = order === 0
      }
      if (ranked[0]?.key === first.key) forValue = Math.max(forValue, ranked[0].score)
    }
    return { forPlace, isTheirFirst, forValue, mean, fields: all.length }
  })
}

/** Features of the likeliest candidate that indicate the certainty of the choice. */
const keptFeatures = [
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
].map((name) => featureNames.indexOf(name))

const logit = (p: number): number => Math.log(Math.max(p, 1e-6) / Math.max(1 - p, 1e-6))

/**
 * The share of the first value if the odds of all values and of no value are added up. The trees were trained on a sample of the wrong ones, so
 * it falls with the number of values; only the second stage reads it.
 */
function shareOfFirst(ranked: readonly Standing[]): number {
  const odds = (score: number): number => Math.exp(logit(score))
  const all = ranked.reduce((sum, { score }) => sum + odds(score), 1)
  return odds(ranked[0]?.score ?? 0) / all
}

/** The features that indicate the certainty of choosing the first ranked value. */
export function choiceFeatures(ranked: readonly Standing[], ruleKey: string | null, rivals: Rivals): Float32Array {
  const [first, second, third] = ranked
  const ofRule = ranked.find(({ key }) => key === ruleKey)
  return new Float32Array([
    logit(first?.score ?? 0),
    logit(second?.score ?? 0),
    logit(third?.score ?? 0),
    logit(first?.score ?? 0) - logit(second?.score ?? 0),
    logit(shareOfFirst(ranked)),
    ranked.slice(1, 20).reduce((sum, { score }) => sum + score, 0),
    ofRule === undefined ? -20 : logit(ofRule.score),
    logit(rivals.forPlace),
    rivals.isTheirFirst ? 1 : 0,
    logit(rivals.forPlace) - logit(first?.score ?? 0),
    logit(rivals.forValue),
    logit(rivals.mean),
    rivals.fields,
    ranked.filter(({ score }) => score > 0.1).length,
    ...keptFeatures.map((at) => first?.row[at] ?? 0),
  ])
}

export const calibratedSource = ({ cell }: SpanCandidate): CalibratedSource =>
  cell.line.page.page.source === 'ocr' ? 'recognised' : 'text'

/** The calibrated probability that the first of the ranked values is right. */
export function confidenceOf(
  ranked: readonly Ranked[],
  ruleKey: string | null,
  { rivals, model }: { rivals: Rivals; model: ScoreModel },
): number {
  const [first] = ranked
  if (first === undefined) return 0
  const score = probabilityOf(model.choice, choiceFeatures(ranked, ruleKey, rivals))
  return rounded(clamped(valueOn(model.calibration[calibratedSource(first.candidate)], score)))
}
