import { assert } from '@skillrun/core/assert.ts'

/** How sure a bound is: the true rate lies beyond it in at most one of twenty samples. */
export const boundConfidence = 0.95
/** Halvings of [0, 1]: beyond what a double can tell apart. */
const halvings = 60

/**
 * The one-sided upper bound on a rate of which `n` trials showed `k` cases: the largest rate at which so few would still be
 * seen in more than `1 - confidence` of all samples. Exact binomial; 1 where nothing was tried.
 *
 * Source: C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
 * Biometrika 26 (1934), 404-413. Its coverage is at least the confidence at every rate and size.
 */
export function upperBound({ k, n }: Sample, confidence = boundConfidence): number {
  assert(Number.isInteger(k) && Number.isInteger(n) && k >= 0 && k <= n, 'a sample has 0 <= k <= n, both whole')
  if (k === n) return 1
  let low = k / n
  let high = 1
  for (let i = 0; i < halvings; i += 1) {
    const middle = (low + high) / 2
    if (atMost(k, n, middle) > 1 - confidence) low = middle
    else high = middle
  }
  return high
}

/** The one-sided lower bound on a rate: at least this, with the same confidence and from the same source. 0 where k is 0. */
export const lowerBound = ({ k, n }: Sample, confidence = boundConfidence): number =>
  1 - upperBound({ k: n - k, n }, confidence)

/** `k` cases in `n` trials. */
export interface Sample {
  readonly k: number
  readonly n: number
}

/** P(X <= k) of a binomial with n trials of rate p, 0 < p < 1, summed in logarithms so that no term runs out of range. */
function atMost(k: number, n: number, p: number): number {
  const odds = Math.log(p) - Math.log1p(-p)
  let term = n * Math.log1p(-p)
  let sum = Math.exp(term)
  for (let i = 1; i <= k; i += 1) {
    term += Math.log((n - i + 1) / i) + odds
    sum += Math.exp(term)
  }
  return Math.min(1, sum)
}
