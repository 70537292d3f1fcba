import type { Sample } from '../confidence-sequence.ts'

/** Exact: the probability that a bound lies below the true rate at some look, over all streams of so many. */
export function everBelow(rate: number, looks: number, bound: (sample: Sample) => number): number {
  // Of the streams that were never below yet: the probability of each count.
  let counts = [1]
  let isBelowUpTo = -1
  for (let n = 1; n <= looks; n += 1) {
    counts = Array.from({ length: n + 1 }, (_, k) => (counts[k] ?? 0) * (1 - rate) + (counts[k - 1] ?? 0) * rate)
    // With more trials only a higher count can be below, and a bound grows with the count.
    while (isBelowUpTo < n && bound({ k: isBelowUpTo + 1, n }) < rate) isBelowUpTo += 1
    counts.fill(0, 0, isBelowUpTo + 1)
  }
  return 1 - counts.reduce((sum, one) => sum + one, 0)
}

/** Exact binomial for one look at a fixed number of trials: C. J. Clopper, E. S. Pearson, Biometrika 26 (1934). */
export function clopperPearson({ k, n }: Sample): number {
  if (k === n) return 1
  let [low, high] = [k / n, 1]
  for (let i = 0; i < 50; i += 1) {
    const rate = (low + high) / 2
    let term = n * Math.log1p(-rate)
    let sum = Math.exp(term)
    for (let j = 1; j <= k; j += 1) {
      term += Math.log((n - j + 1) / j) + Math.log(rate / (1 - rate))
      sum += Math.exp(term)
    }
    if (sum > 0.05) low = rate
    else high = rate
  }
  return high
}
