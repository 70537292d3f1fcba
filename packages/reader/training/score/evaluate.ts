import type { CalibratedSource, Curve, Threshold } from '../../src/score/model.ts'
import { valueOn } from '../../src/score/model.ts'
import { type Choice, calibrate, foldOf, folds, type Scored, scoreHeldOut, thresholdsOf } from './fit.ts'

/** A held-out choice with its calibrated probability, and the threshold that it is held against. */
export interface Judged {
  readonly choice: Choice
  readonly probability: number
  readonly thresholds: readonly Threshold[]
}

type Calibrated = {
  readonly calibration: Record<CalibratedSource, Curve>
  readonly thresholds: Record<CalibratedSource, readonly Threshold[]>
}

function calibratedOn(scored: readonly Scored[]): Calibrated {
  const calibration = calibrate(scored)
  const of = (source: CalibratedSource) => thresholdsOf(scored, calibration, source)
  return { calibration, thresholds: { text: of('text'), recognised: of('recognised') } }
}

const judgedBy = ({ calibration, thresholds }: Calibrated, { choice, score }: Scored): Judged => {
  const { source } = choice.group
  const probability = Math.max(0.01, Math.min(0.99, valueOn(calibration[source], score)))
  return { choice, probability: Math.round(probability * 100) / 100, thresholds: thresholds[source] }
}

/** Held-out choices, scored and calibrated by the other folds of `all`. */
export function judgeByFold(own: readonly Choice[], all: readonly Choice[]): Judged[] {
  const scored = scoreHeldOut(own, all)
  const calibrating = scoreHeldOut(all)
  return Array.from({ length: folds }, (_, fold) => {
    const calibrated = calibratedOn(calibrating.filter(({ choice }) => foldOf(choice.group) !== fold))
    return scored.filter(({ choice }) => foldOf(choice.group) === fold).map((one) => judgedBy(calibrated, one))
  }).flat()
}

/** Choices of sets that nothing was trained on, scored and calibrated by those of `all` that are of other sets. */
export function judgeStrange(strange: readonly Choice[], all: readonly Choice[]): Judged[] {
  const bySet = Map.groupBy(strange, ({ group }) => group.set)
  return [...bySet.values()].flatMap((own) => {
    const documents = new Set(own.map(({ group }) => group.document))
    const others = all.filter(({ group }) => !documents.has(group.document))
    const calibrated = calibratedOn(scoreHeldOut(others))
    return scoreHeldOut(own, others).map((one) => judgedBy(calibrated, one))
  })
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : ((100 * part) / whole).toFixed(1))

/** Right, wrong and abstained answers by set, of the rules and of the score at some rates of wrong answers. */
export function table(judged: readonly Judged[], rates: readonly number[]): string {
  const head = ['set', 'fields', 'rules right %', 'rules wrong %', 'likeliest right %']
  for (const rate of rates) head.push(`right % at ${rate}`, `wrong of given % at ${rate}`)
  head.push('calibration error')
  const lines = [...Map.groupBy(judged, ({ choice }) => choice.group.set)].map(([set, all]) => row(set, all, rates))
  lines.push(row('all', judged, rates))
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function row(set: string, all: readonly Judged[], rates: readonly number[]): string[] {
  const there = all.filter(({ choice }) => choice.group.isThere)
  const byRules = all.filter(({ choice }) => choice.group.ruleKey !== null)
  const rightByRules = there.filter(({ choice }) => choice.group.rule === 'right').length
  const cells = [
    set,
    String(there.length),
    percent(rightByRules, there.length),
    percent(byRules.length - rightByRules, byRules.length),
    percent(there.filter(({ choice }) => choice.isRight).length, there.length),
  ]
  for (const rate of rates) {
    const given = all.filter(({ probability, thresholds }) => {
      const found = thresholds.find(({ maxWrongRate }) => maxWrongRate === rate)
      return found !== undefined && probability >= found.probability
    })
    const right = given.filter(({ choice }) => choice.isRight).length
    cells.push(percent(right, there.length), percent(given.length - right, given.length))
  }
  return [...cells, calibrationError(all).toFixed(3)]
}

/** The mean distance of probability and share of right answers in ten bins, by their sizes. */
function calibrationError(all: readonly Judged[]): number {
  const bins = Map.groupBy(all, ({ probability }) => Math.min(9, Math.floor(probability * 10)))
  let sum = 0
  for (const own of bins.values()) {
    const mean = own.reduce((total, { probability }) => total + probability, 0) / own.length
    const right = own.filter(({ choice }) => choice.isRight).length / own.length
    sum += Math.abs(mean - right) * own.length
  }
  return sum / Math.max(1, all.length)
}

/** By set, how many of the answers of each range of probability were right: what the probability says, and what was. */
export function reliability(all: readonly Judged[]): string {
  const bins = [0, 0.5, 0.7, 0.8, 0.9, 0.95]
  const head = ['set', ...bins.map((from, at) => `${from} to ${bins[at + 1] ?? 1}`)]
  const lines = [...Map.groupBy(all, ({ choice }) => choice.group.set)].map(([set, own]) => [
    set,
    ...bins.map((from, at) => {
      const inBin = own.filter(({ probability }) => probability >= from && probability < (bins[at + 1] ?? 2))
      const mean = inBin.reduce((sum, { probability }) => sum + probability, 0) / Math.max(1, inBin.length)
      const right = inBin.filter(({ choice }) => choice.isRight).length
      return inBin.length === 0 ? '–' : `${mean.toFixed(2)}: ${right} of ${inBin.length}`
    }),
  ])
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
