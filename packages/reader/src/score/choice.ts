import type { FieldCandidates } from './candidates.ts'
import { featureNames, keyOf } from './features.ts'
import { type CalibratedSource, type ScoreModel, valueOn } from './model.ts'
import type { SpanCandidate } from './spans.ts'
import { probabilityOf } from './trees.ts'

/** Candidates of one field that say the same, by the best of them. */
export interface Ranked {
  readonly key: string
  readonly candidate: SpanCandidate
  readonly row: Float32Array
  readonly score: number
}

/** The distinct values that a field may have, the likeliest first. */
export function rank({ candidates, rows }: Pick<FieldCandidates, 'candidates' | 'rows'>, model: ScoreModel): Ranked[] {
  const best = new Map<string, Ranked>()
  for (const [at, candidate] of candidates.entries()) {
    const row = rows[at]
    if (row === undefined) continue
    const score = probabilityOf(model.candidates, row)
    const key = keyOf(candidate.value)
    if (score > (best.get(key)?.score ?? -1)) best.set(key, { key, candidate, row, score })
  }
  return [...best.values()].toSorted((a, b) => b.score - a.score)
}

/** Features of the likeliest candidate that tell how sure the choice is. */
const keptFeatures = [
  ...[
    'best.name',
    'best.description',
    'best.own',
    'best.otherField',
    'fit',
    'lines',
    'pages',
    'isRecognised',
    'isPlain',
  ],
  ...['sureness', 'countOfCandidates', 'cut.rules', 'rule.same', 'rule.confidence', 'rule.none', 'rule.withdrawn'],
  ...['rule.confirmed', 'rule.named', 'field.known', 'inTable', 'cellsOnLine'],
  ...['date', 'money', 'number', 'id', 'name', 'address', 'text'].map((kind) => `kind.${kind}`),
].map((name) => featureNames.indexOf(name))

const logit = (p: number): number => Math.log(Math.max(p, 1e-6) / Math.max(1 - p, 1e-6))

/** What tells how sure the choice of the first of the ranked values is. */
export function choiceFeatures(
  ranked: readonly Pick<Ranked, 'key' | 'score' | 'row'>[],
  ruleKey: string | null,
): Float32Array {
  const [first, second, third] = ranked
  const ofRule = ranked.find(({ key }) => key === ruleKey)
  return Float32Array.from([
    logit(first?.score ?? 0),
    logit(second?.score ?? 0),
    logit(third?.score ?? 0),
    logit(first?.score ?? 0) - logit(second?.score ?? 0),
    ranked.slice(1, 20).reduce((sum, { score }) => sum + score, 0),
    ofRule === undefined ? -20 : logit(ofRule.score),
    ...keptFeatures.map((at) => first?.row[at] ?? 0),
  ])
}

export const calibratedSource = ({ cell }: SpanCandidate): CalibratedSource =>
  cell.line.page.page.source === 'ocr' ? 'recognised' : 'text'

/** The calibrated probability that the first of the ranked values is right. */
export function confidenceOf(ranked: readonly Ranked[], ruleKey: string | null, model: ScoreModel): number {
  const [first] = ranked
  if (first === undefined) return 0
  const score = probabilityOf(model.choice, choiceFeatures(ranked, ruleKey))
  return Math.max(0.01, Math.min(0.99, valueOn(model.calibration[calibratedSource(first.candidate)], score)))
}
