// Error bounds that are read after every observation: how often one is ever below the true rate (exact, over all streams), how wide it is,
// and how soon programs are withdrawn. `node bench/bounds.ts [--looks 1000]`. Seeded; a few seconds.
import { createRandom } from '../packages/reader/training/documents/random.ts'
import { upperBound } from '../packages/server/src/core/confidence-sequence.ts'
import { exceedsWrongRate, type Recent, withOutcome } from '../packages/server/src/core/demotion.ts'
import { clopperPearson, everBelow } from '../packages/server/src/core/testing/exact-bounds.ts'
import { shadowDefaults } from '../packages/server/src/features/programs/shadow-share.ts'
import { optionsOf } from './options.ts'

const { looks } = optionsOf({ looks: 1000 })
const rates = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2]

const below = rates.map((rate) => ({
  rate,
  ours: round(everBelow(rate, looks, upperBound)),
  fixed: round(everBelow(rate, looks, clopperPearson)),
}))
const widths = [30, 100, 300, 1_000].flatMap((n) =>
  [0, ...rates].map((rate) => {
    const sample = { k: Math.round(rate * n), n }
    const [ours, fixed, observed] = [upperBound(sample), clopperPearson(sample), sample.k / n]
    return { ...sample, bound: ours, fixed, interval: ours / fixed, margin: (ours - observed) / (fixed - observed) }
  }),
)
console.table(below)
console.table(widths.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]))))
console.table(demotions())

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
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
