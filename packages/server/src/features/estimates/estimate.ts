import { tokensOf } from '../../agent/fit-context.ts'
import { type Micros, quotient } from '../../core/money.ts'
import type { ExecutionRequest } from '../executions/executions.ts'
import { costOf, type Rates } from '../models/models.ts'

/** What an execution may cost at the standard rate, in micro-dollars; `low ≤ expected ≤ high`. */
export interface CostRange {
  readonly low: Micros
  readonly expected: Micros
  readonly high: Micros
}

/** The engine, with token prices for a language model. */
export type PricedEngine =
  | { readonly kind: 'embedded' }
  | { readonly kind: 'model'; readonly facts: { readonly rates: Rates } }

/** 10th and 90th percentile: one in five executions may lie outside. */
const lowShare = 0.1
const highShare = 0.9

/**
 * The range of past costs: 10th and 90th percentile by nearest rank, and the mean, clamped between the two against outliers. Undefined
 * without past costs.
 */
export function rangeOf(costs: readonly Micros[]): CostRange | undefined {
  if (costs.length === 0) return undefined
  const sorted = costs.toSorted((left, right) => left - right)
  const rank = (share: number): Micros => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
  const low = rank(lowShare)
  const high = rank(highShare)
  const mean = quotient(
    costs.reduce((sum, one) => sum + one, 0),
    costs.length,
  )
  return { low, expected: Math.min(high, Math.max(low, mean)), high }
}

/** Tokens assumed per document and per answer, without past executions. */
const documentTokens = { low: 500, expected: 3_000, high: 20_000 }
const answerTokens = { low: 100, expected: 600, high: 4_000 }
/** Model turns: an immediate answer; one round of tools; a long search. Each turn reads everything before it. */
const turns = { low: 1, expected: 2, high: 6 }

/**
 * An estimate from prices alone. The embedded engine has fixed prices: reading each document, and answering once. A language model costs by
 * token: those of the request are counted, those of its documents and answers assumed.
 */
export function rangeByPrices(
  request: Pick<ExecutionRequest, 'inputs' | 'values' | 'prompt' | 'schema'>,
  engine: PricedEngine,
  toolPrice: (name: string) => Micros,
): CostRange {
  const reading = request.inputs.length * toolPrice('document.read')
  if (engine.kind === 'embedded') {
    const fixed = reading + toolPrice('embedded')
    return { low: fixed, expected: fixed, high: fixed }
  }
  const texts = request.inputs.flatMap(({ source }) => (source.kind === 'text' ? [source.text] : []))
  const known = tokensOf(JSON.stringify([request.prompt, request.schema, request.values, texts]))
  const unread = request.inputs.length - texts.length
  const cost = (level: keyof CostRange): Micros => {
    const usage = {
      inputTokens: turns[level] * (known + unread * documentTokens[level]),
      cachedInputTokens: 0,
      outputTokens: turns[level] * answerTokens[level],
      reasoningTokens: 0,
    }
    return reading + costOf(usage, engine.facts.rates)
  }
  return { low: cost('low'), expected: cost('expected'), high: cost('high') }
}
