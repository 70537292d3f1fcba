// Streams of scripted models on the rules of the cheapest path: how often the large model is asked, learning and checks included, and how
// many of the values that it was not asked for are wrong. Prints a line for each rate and length of stream.
// `node bench/cheapest-path.ts [--streams 200] [--documents 500,1000,2000,8000] [--rates 0.02,0.05]`
import {
  draws,
  eightFields,
  mean,
  missedIn,
  prices,
  run,
} from '../packages/server/src/features/cheapest-path/testing/scripted-streams.ts'
import { optionsOf } from './options.ts'

const values = optionsOf({ streams: 200, documents: '500,1000,2000,8000', rates: '0.02,0.05' })
const numbers = (list: string): number[] => list.split(',').map(Number)
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

for (const maxWrongRate of numbers(values.rates))
  for (const documents of numbers(values.documents)) {
    const outcomes = draws(values.streams, (seed, random) =>
      run({ scripts: eightFields(random), maxWrongRate, documents, seed }),
    )
    const [given, wrong] = [mean(outcomes.map((one) => one.given)), mean(outcomes.map((one) => one.wrong))]
    const both = documents * (prices.small + prices.large)
    console.log({
      maxWrongRate,
      documents,
      asked: percent(mean(outcomes.map(({ asked }) => asked))),
      cost: percent(mean(outcomes.map(({ micros }) => micros)) / both),
      agreement: percent(mean(outcomes.map(({ agreement }) => agreement))),
      leastAgreement: percent(Math.min(...outcomes.map(({ agreement }) => agreement))),
      given: given.toFixed(0),
      wrong: wrong.toFixed(1),
      missed: percent(missedIn(outcomes)),
    })
  }
