import { writeFileSync } from 'node:fs'
import { spaced } from '../../src/labels/like-labels.ts'
import { labelTokens } from '../../src/score/label-vectors.ts'
import { type KindWeights, sharesOf, type ValueKind, valueKinds } from '../../src/score/value-kinds.ts'
import { drawsFrom } from '../score/boost.ts'
import { readThings } from './files.ts'

/**
 * Trains how much each word of a field's name speaks for each kind of value: a multinomial logistic regression on the names and the labels
 * of all things, by stochastic gradient descent. The same files give the same weights. Part of `npm run reader:labels`.
 */
interface Example {
  readonly tokens: readonly number[]
  readonly kind: number
  readonly weight: number
}

/** Labels say less than names of what a name asks for. */
const labelWeight = 0.5
const tokenCountMin = 4
const [rounds, rate] = [20, 0.3]
/** Half of it times the square of each weight is added to the sum of the losses. */
const penalty = 2
const unit = 16
const count = valueKinds.length

const written = readThings().flatMap(({ kind, names, labels }) => {
  const at = valueKinds.indexOf(kind as ValueKind)
  return [
    ...names.map((name) => ({ tokens: labelTokens(spaced(name)), kind: at, weight: 1 })),
    ...labels.map((label) => ({ tokens: labelTokens(label), kind: at, weight: labelWeight })),
  ]
})
const counts = new Map<string, number>()
for (const { tokens } of written) for (const token of new Set(tokens)) counts.set(token, (counts.get(token) ?? 0) + 1)
const tokens = [...counts].flatMap(([token, times]) => (times >= tokenCountMin ? [token] : []))
const places = new Map(tokens.map((token, at) => [token, at]))
const examples: Example[] = written.map((one) => ({
  ...one,
  tokens: [...new Set(one.tokens)].flatMap((token) => places.get(token) ?? []),
}))

const visits = tokens.map((token) => counts.get(token) as number)
const weights = new Float64Array(tokens.length * count)
const base = new Float64Array(count)
const next = drawsFrom(1)
for (let round = 0; round < rounds; round++) {
  for (let at = examples.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1))
    ;[examples[at], examples[other]] = [examples[other] as Example, examples[at] as Example]
  }
  const now = rate * (1 - round / rounds)
  let loss = 0
  for (const { tokens, kind, weight } of examples) {
    const shares = sharesOf(
      Array.from(base, (sum, one) =>
        tokens.reduce((all, token) => all + (weights[token * count + one] as number), sum),
      ),
    )
    loss -= weight * Math.log(shares[kind] as number)
    for (let one = 0; one < count; one++) {
      const slope = now * weight * ((shares[one] as number) - (one === kind ? 1 : 0))
      base[one] = (base[one] as number) - slope * 0.1
      for (const token of tokens) {
        const kept = 1 - Math.min(1, (now * penalty) / (visits[token] as number))
        const at = token * count + one
        weights[at] = (weights[at] as number) * kept - slope
      }
    }
  }
  if (round % 5 === 4) console.error(`${round + 1} of ${rounds}: ${(loss / examples.length).toFixed(3)}`)
}

const file: KindWeights = {
  tokens: tokens.join(' '),
  weights: Buffer.from(
    Int8Array.from(weights, (weight) => Math.max(-127, Math.min(127, Math.round(weight * unit)))),
  ).toString('base64'),
  unit,
  base: Array.from(base, (one) => Math.round(one * 1000) / 1000),
}
writeFileSync(new URL('../../src/score/value-kinds.json', import.meta.url), `${JSON.stringify(file)}\n`)
console.error(`${tokens.length} tokens`)
