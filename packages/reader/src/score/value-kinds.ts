import { readFileSync } from 'node:fs'
import { madeOnce, remembered } from '../layout/remembered.ts'
import { labelTokens } from './label-vectors.ts'

/** What the value of a field may be. `somebody` is a person or an organisation, `choice` one of few words. */
export const valueKinds = [
  ...['person', 'organisation', 'somebody', 'address', 'place', 'date', 'time', 'code', 'money', 'number'],
  ...['contact', 'role', 'choice', 'text'],
] as const

export type ValueKind = (typeof valueKinds)[number]

/** How much each word of a name speaks for each kind (`npm run reader:labels`). */
export interface KindWeights {
  /** The tokens, parted by spaces, in the order of their weights. */
  readonly tokens: string
  /** Base64 of a signed byte for each token and kind, in units of 1 / `unit`. */
  readonly weights: string
  readonly unit: number
  /** What speaks for each kind whatever the words. */
  readonly base: readonly number[]
}

const count = valueKinds.length

const shipped = madeOnce(() => {
  const file = readFileSync(new URL('./value-kinds.json', import.meta.url), 'utf8')
  const { tokens, weights, unit, base } = JSON.parse(file) as KindWeights
  return {
    places: new Map(tokens.split(' ').map((token, at) => [token, at])),
    weights: Float32Array.from(new Int8Array(Buffer.from(weights, 'base64')), (weight) => weight / unit),
    base,
  }
})

/** Shares that sum up to 1, of the kinds of value that a name asks for, in the order of `valueKinds`. */
export const kindsAskedBy = remembered((name): readonly number[] => {
  const { places, weights, base } = shipped()
  const sums = [...base]
  for (const token of labelTokens(name)) {
    const place = places.get(token)
    if (place === undefined) continue
    for (let kind = 0; kind < count; kind++)
      sums[kind] = (sums[kind] as number) + (weights[place * count + kind] as number)
  }
  return sharesOf(sums)
})

/** The shares of the exponentials of numbers: softmax. */
export function sharesOf(sums: readonly number[]): number[] {
  const most = Math.max(...sums)
  const odds = sums.map((sum) => Math.exp(sum - most))
  const all = odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / all)
}

/** The share of one kind among those that a name asks for. */
export const asksFor = (name: string, kind: ValueKind): number => kindsAskedBy(name)[valueKinds.indexOf(kind)] ?? 0
