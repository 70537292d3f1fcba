/** Wrong answers of one document, among those that are given of it. */
export interface Counted {
  readonly answers: number
  readonly wrong: number
}

/**
 * One-sided 95 % bound on a share of wrong answers (C. Clopper and E. Pearson, 1934). Answers of one document are wrong together: their
 * number is divided by the design effect of documents, as for a sample of clusters (L. Kish, 1965).
 */
export function wrongBound(documents: readonly Counted[], share?: number): number {
  const answers = documents.reduce((sum, one) => sum + one.answers, 0)
  const wrong = documents.reduce((sum, one) => sum + one.wrong, 0)
  const rate = share ?? wrong / Math.max(1, answers)
  const effective = answers / designEffect(documents, { answers, rate: wrong / Math.max(1, answers) })
  return clopperPearson(rate * effective, effective)
}

/** How much more the share varies than that of answers which are each on their own, at least 1. */
function designEffect(documents: readonly Counted[], { answers, rate }: { answers: number; rate: number }): number {
  if (rate <= 0 || rate >= 1) return 1
  const spread = documents.reduce((sum, one) => sum + (one.wrong - rate * one.answers) ** 2, 0)
  return Math.max(1, spread / (answers * rate * (1 - rate)))
}

const level = 0.95

/** The share at which so few wrong answers or fewer have a chance of 5 %; the counts need not be whole. */
export function clopperPearson(wrong: number, answers: number): number {
  if (answers <= 0 || wrong >= answers) return 1
  let [low, high] = [0, 1]
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2
    if (betaShare(middle, wrong + 1, answers - wrong) < level) low = middle
    else high = middle
  }
  return high
}

/** The regularised incomplete beta function, by its continued fraction (W. Press and others, Numerical Recipes, 6.4). */
function betaShare(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - betaShare(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x)) / a
  const tiny = 1e-30
  const sound = (value: number): number => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / sound(1 - ((a + b) * x) / (a + 1))
  let sum = d
  for (let m = 1; m <= 500; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / sound(1 + even * d)
    c = sound(1 + even / c)
    sum *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / sound(1 + odd * d)
    c = sound(1 + odd / c)
    sum *= d * c
    if (Math.abs(d * c - 1) < 1e-12) break
  }
  return front * sum
}

/** Stirling's series, after steps up to where it is exact. */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x)
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + 1 / (12 * x) - 1 / (360 * x ** 3)
}
