import { readFileSync } from 'node:fs'
import { type Forest, type PackedForest, packed } from './trees.ts'

/** The source of a candidate's words; each source is calibrated separately. */
export type CalibratedSource = 'text' | 'recognised'

/** An increasing piecewise linear curve from a score to a probability. */
export interface Curve {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** The output of the training script; see packages/reader/MODEL-CARD.md. */
export interface StoredModel {
  readonly version: string
  /** The names of the features that it was trained on, in their order. */
  readonly features: readonly string[]
  readonly choiceFeatures: readonly string[]
  /** Margins of a candidate against no answer, trained as a choice among the candidates of a field. */
  readonly candidates: Forest
  /** Margins of the likeliest candidates of a field against no answer, from the scores of all fields. */
  readonly choice: Forest
  /** Calibration from the share that `choice` gives to the best candidate to the share that was right on held-out documents. */
  readonly calibration: Readonly<Record<CalibratedSource, Curve>>
  /** The same for candidates that are not the best. */
  readonly others: Curve
  /** For each share of wrong values, the lowest probability of an answer that keeps it. */
  readonly thresholds: Readonly<Record<CalibratedSource, readonly Threshold[]>>
}

export interface Threshold {
  readonly maxWrongRate: number
  readonly probability: number
  /** The number of held-out answers behind it, and of wrong ones above it. */
  readonly answers: number
  readonly wrong: number
}

/** A model whose forests are packed. */
export interface ScoreModel extends Omit<StoredModel, 'candidates' | 'choice'> {
  readonly candidates: PackedForest
  readonly choice: PackedForest
}

let read: ScoreModel | undefined

/** The bundled model, loaded on first use. */
export function shippedModel(): ScoreModel {
  if (read === undefined) {
    const stored = JSON.parse(readFileSync(new URL('./model.json', import.meta.url), 'utf8')) as StoredModel
    read = { ...stored, candidates: packed(stored.candidates), choice: packed(stored.choice) }
  }
  return read
}

/** The lowest probability of an answer for a share of wrong values: that of the nearest smaller calibrated share. */
export function thresholdFor(
  model: Pick<ScoreModel, 'thresholds'>,
  source: CalibratedSource,
  maxWrongRate: number,
): Threshold {
  const all = model.thresholds[source]
  const found = all.findLast((one) => one.maxWrongRate <= maxWrongRate + 1e-9) ?? all[0]
  return found ?? { maxWrongRate: 0, probability: 1, answers: 0, wrong: 0 }
}

/** The value of a curve at `x`, interpolated linearly. */
export function valueOn({ x, y }: Curve, at: number): number {
  const next = x.findIndex((corner) => corner >= at)
  if (next < 0) return y.at(-1) ?? at
  if (next === 0) return y[0] ?? at
  const [x0 = 0, x1 = 0, y0 = 0, y1 = 0] = [x[next - 1], x[next], y[next - 1], y[next]]
  return x1 === x0 ? y1 : y0 + ((at - x0) / (x1 - x0)) * (y1 - y0)
}

/** Nothing is certain. */
export const clamped = (probability: number): number => Math.max(0.005, Math.min(0.995, probability))

export const rounded = (probability: number): number => Math.round(probability * 1000) / 1000
