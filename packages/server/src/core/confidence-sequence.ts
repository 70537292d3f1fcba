import { assert } from '@skillrun/core/assert.ts'

/**
 * Bounds that stay valid under repeated looks: a caller may read one after each new observation, and stop, continue or decide at any time.
 * The probability that a bound is ever wrong, over all looks, is at most `1 - boundConfidence`.
 *
 * Each bound inverts a test by betting. Against a hypothesised rate `p`, capital starts at 1 and is multiplied by the likelihood ratio of
 * an alternative rate to `p`, averaged uniformly over all alternatives on one side of `p`. If `p` is true, this capital is a nonnegative
 * martingale, so by Ville's inequality it ever reaches `1 / alpha` with probability at most `alpha`. The bound is the first rate against
 * which the capital reached that. Whether and when observations are made may depend on earlier ones.
 *
 * Sources: J. Ville, Étude critique de la notion de collectif (1939); H. Robbins, "Statistical methods related to the law of the iterated
 * logarithm", Annals of Mathematical Statistics 41 (1970), 1397-1409 (the method of mixtures); S. R. Howard, A. Ramdas, J. McAuliffe, J.
 * Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49 (2021), 1055-1080 (the one-sided
 * beta-binomial mixture); I. Waudby-Smith, A. Ramdas, "Estimating means of bounded random variables by betting", Journal of the Royal
 * Statistical Society B 86 (2024), 1-27 (means of bounded values).
 */
export const boundConfidence = 0.95

/** The method's name in records. */
export const boundMethod = 'anytime_valid_beta_mixture'

/** `k` cases in `n` trials. */
export interface Sample {
  readonly k: number
  readonly n: number
}

/** Bisection steps: beyond the precision of a double. */
const halvings = 60

/** The one-sided upper bound on a rate after `k` cases in `n` trials; 1 without trials. */
export function upperBound({ k, n }: Sample, confidence = boundConfidence): number {
  assertSample({ k, n })
  if (k === n) return 1
  const capital = 1 / (1 - confidence)
  return halve(k / n, 1, (rate) => capitalAgainstAtLeast({ k, n }, rate, capital) < capital).high
}

/** The one-sided lower bound on a rate; 0 without cases. */
export const lowerBound = ({ k, n }: Sample, confidence = boundConfidence): number =>
  1 - upperBound({ k: n - k, n }, confidence)

/**
 * The capital won against "the rate is at most `rate`", up to about `enough`: the likelihood ratio of each higher rate, averaged uniformly
 * over all higher rates. Its expectation is at most 1 while the hypothesis is true.
 */
export const capitalAgainstAtMost = ({ k, n }: Sample, rate: number, enough: number): number =>
  capitalAgainstAtLeast({ k: n - k, n }, 1 - rate, enough)

/**
 * The same against "the rate is at least `rate`". The integral of `q^k (1 - q)^(n - k)` over q below `rate` is a sum of binomial terms;
 * divided by the likelihood of `rate` it needs neither logarithms nor factorials. All terms are positive with decreasing ratios, so the sum
 * stops when it has reached `enough` or the rest is negligible.
 */
function capitalAgainstAtLeast({ k, n }: Sample, rate: number, enough: number): number {
  const odds = rate / (1 - rate)
  let term = 1 / (k + 1)
  let sum = term
  for (let i = 0; i < n - k && sum < enough; i += 1) {
    const ratio = ((n - k - i) / (k + 2 + i)) * odds
    term *= ratio
    sum += term
    if (ratio < 1 && term * ratio < sum * (1 - ratio) * Number.EPSILON) break
  }
  return sum
}

/** One-sided bounds on the mean of `values` from 0 to 1; from 0 to 1 without values. */
export function boundsOfMean(
  values: readonly number[],
  confidence = boundConfidence,
): { readonly lower: number; readonly upper: number } {
  assert(
    values.every((value) => value >= 0 && value <= 1),
    'values whose mean is bounded lie between 0 and 1',
  )
  return {
    lower: lowerOfMean(values, confidence),
    upper:
      1 -
      lowerOfMean(
        values.map((value) => 1 - value),
        confidence,
      ),
  }
}

/** Shares of the capital to bet; their average represents all. For values that are 0 or 1 the bets are those of `lowerBound`. */
const shares = Array.from({ length: 50 }, (_, i) => (i + 0.5) / 50)

function lowerOfMean(values: readonly number[], confidence: number): number {
  const needed = Math.log(shares.length / (1 - confidence))
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
  if (mean === 0) return 0
  // The same few values recur: each costs one logarithm.
  const counts = [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length] as const)
  // Capital against "the mean is at most m" falls as m grows.
  const isExcluded = (m: number): boolean => {
    const logs = shares.map((share) =>
      counts.reduce((sum, [value, count]) => sum + count * Math.log1p(share * (value / m - 1)), 0),
    )
    const most = Math.max(...logs)
    return most + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - most), 0)) >= needed
  }
  return halve(0, mean, isExcluded).low
}

/** Narrows an interval to the point where `isBelow` turns false. */
function halve(low: number, high: number, isBelow: (middle: number) => boolean): { low: number; high: number } {
  let [from, to] = [low, high]
  for (let i = 0; i < halvings; i += 1) {
    const middle = (from + to) / 2
    if (isBelow(middle)) from = middle
    else to = middle
  }
  return { low: from, high: to }
}

const assertSample = ({ k, n }: Sample): void =>
  assert(Number.isInteger(k) && Number.isInteger(n) && k >= 0 && k <= n, 'a sample has 0 <= k <= n, both whole')
