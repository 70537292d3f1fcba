// Error bounds that are read after every observation: how often one is ever below the true rate, how wide it is, and how soon programs are
// withdrawn. `node bench/bounds.ts [--streams 20000] [--looks 1000]`. Seeded; a few seconds.
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { boundMethod, type Sample, upperBound } from '../packages/server/src/core/confidence-sequence.ts'
import { exceedsWrongRate, type Recent, withOutcome } from '../packages/server/src/core/demotion.ts'
import { shadowDefaults } from '../packages/server/src/features/programs/shadow-share.ts'
import { optionsOf } from './options.ts'

const { streams, looks } = optionsOf({ streams: 20_000, looks: 1000 })
const rates = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]

const everBelow = rates.map((rate) => ({
  rate,
  ...shareBelow(rate, upperBound, boundMethod),
  ...shareBelow(rate, clopperPearson, 'clopper_pearson'),
}))
const widths = [30, 100, 300, 1_000].flatMap((n) =>
  [0, ...rates].map((rate) => {
    const sample = { k: Math.round(rate * n), n }
    const [ours, fixed, observed] = [upperBound(sample), clopperPearson(sample), sample.k / n]
    return { ...sample, bound: ours, fixed, interval: ours / fixed, margin: (ours - observed) / (fixed - observed) }
  }),
)
console.table(everBelow)
console.table(widths.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]))))
console.table(demotions())

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}

/** The share of simulated streams in which the bound, read after each trial, is below the rate at least once; and the exact probability. */
function shareBelow(rate: number, bound: (sample: Sample) => number, name: string): Record<string, number> {
  // For each number of trials the greatest count whose bound is below the rate: it never falls.
  const belowUpTo = [-1]
  for (let n = 1; n <= looks; n += 1) {
    let k = belowUpTo[n - 1] ?? -1
    while (k < n && bound({ k: k + 1, n }) < rate) k += 1
    belowUpTo.push(k)
  }
  const random = createRandom(`bounds ${rate}`)
  let below = 0
  for (let stream = 0; stream < streams; stream += 1) {
    let k = 0
    for (let n = 1; n <= looks; n += 1) {
      if (random.next() < rate) k += 1
      if (k <= (belowUpTo[n] ?? -1)) {
        below += 1
        break
      }
    }
  }
  let counts = [1]
  for (let n = 1; n <= looks; n += 1) {
    counts = Array.from({ length: n + 1 }, (_, k) => (counts[k] ?? 0) * (1 - rate) + (counts[k - 1] ?? 0) * rate)
    counts.fill(0, 0, (belowUpTo[n] ?? -1) + 1)
  }
  const exact = 1 - counts.reduce((sum, one) => sum + one, 0)
  return { [name]: round(below / streams), [`${name}_exact`]: round(exact) }
}

/** The exact binomial bound for one look at a fixed number of trials. */
function clopperPearson({ k, n }: Sample): number {
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

/** When programs with a constant error rate are withdrawn, by the number of checked answers. */
function demotions() {
  const random = createRandom('demotions')
  const checksMax = 5_000
  return [0.002, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].map((rate) => {
    const checks = Array.from({ length: 1_000 }, () => {
      let recent: Recent = []
      let n = 0
      while (n < checksMax && !exceedsWrongRate(recent, shadowDefaults.wrongRateMax)) {
        recent = withOutcome(recent, random.next() < rate)
        n += 1
      }
      return n
    }).toSorted((one, other) => one - other)
    const within300 = checks.filter((n) => n <= 300).length / checks.length
    return {
      rate,
      within_300: within300,
      median: checks[500],
      mean_capped: checks.reduce((sum, n) => sum + n, 0) / 1_000,
    }
  })
}
