import { readFileSync } from 'node:fs'
import type { Forest } from './trees.ts'

/** Where the words of a candidate come from; each source is calibrated on its own. */
export type CalibratedSource = 'text' | 'recognised'

/** A rising curve from a score to a probability, by its corners. */
export interface Curve {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

/** What the training script writes; see packages/reader/MODEL-CARD.md. */
export interface ScoreModel {
  readonly version: string
  /** The names of the features that it was trained on, in their order. */
  readonly features: readonly string[]
  /** The probability that a candidate is the answer, each on its own. */
  readonly candidates: Forest
  /** The probability that the best candidate of a field is the answer, from the scores of all of them. */
  readonly choice: Forest
  /** From the probability of `choice` to the share that was right on documents kept out of training. */
  readonly calibration: Readonly<Record<CalibratedSource, Curve>>
  /** The same for candidates that are not the best. */
  readonly others: Curve
  /** For each share of wrong values the least probability of an answer that keeps to it. */
  readonly thresholds: Readonly<Record<CalibratedSource, readonly Threshold[]>>
}

export interface Threshold {
  readonly maxWrongRate: number
  readonly probability: number
  /** Answers kept out of training on which it was found, and how many of those above it were wrong. */
  readonly answers: number
  readonly wrong: number
}

let read: ScoreModel | undefined

/** The model that ships with the reader, read when it is first needed. */
export function shippedModel(): ScoreModel {
  read ??= JSON.parse(readFileSync(new URL('./model.json', import.meta.url), 'utf8')) as ScoreModel
  return read
}

/** The least probability of an answer for a share of wrong values: that of the nearest smaller share which was calibrated. */
export function thresholdFor(model: ScoreModel, source: CalibratedSource, maxWrongRate: number): Threshold {
  const all = model.thresholds[source]
  const found = all.findLast((one) => one.maxWrongRate <= maxWrongRate + 1e-9) ?? all[0]
  return found ?? { maxWrongRate: 0, probability: 1, answers: 0, wrong: 0 }
}

/** The value of a curve at `x`, between its corners on a straight line. */
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
