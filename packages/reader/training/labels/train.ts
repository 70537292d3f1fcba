import { writeFileSync } from 'node:fs'
import { spaced } from '../../src/labels/like-labels.ts'
import { meanings } from '../../src/languages/form-meanings.ts'
import { type LabelVectors, labelTokens, logUnits } from '../../src/score/label-vectors.ts'
import { kindsOf } from '../forms/kinds.ts'
import { drawsFrom } from '../score/boost.ts'
import { parts, readThings } from './files.ts'

/**
 * Trains the vectors of the words of labels and of names of fields.
 *
 *     npm run reader:labels
 *
 * From the files of this folder (names of a field, then the labels that stand before it in seven languages), the kinds of forms, and the
 * words of forms by meaning. Names and labels of one line shall point the same way, and those of other lines elsewhere: of a batch, each
 * name chooses its label among all, and each label its name (the loss of A. Radford et al., Learning Transferable Visual Models From
 * Natural Language Supervision, ICML 2021, figure 3). The same files give the same vectors.
 */
interface Line<Token> {
  readonly names: readonly (readonly Token[])[]
  readonly labels: readonly (readonly Token[])[]
  readonly weight: number
  /** Lines that share a name are not held against each other. */
  readonly things: ReadonlySet<string>
}

const size = 32
const [batch, epochs, rate, dropped] = [384, 5, 0.015, 0.25]
/** The words of a meaning are not all labels of the others. */
const meaningWeight = 0.4

const place = new URL('../../src/score/label-vectors.json', import.meta.url)

const lineOf = (names: readonly string[], labels: readonly string[], weight = 1): Line<string> => ({
  names: names.map((name) => labelTokens(spaced(name))),
  labels: labels.map(labelTokens),
  weight,
  things: new Set(names.map((name) => spaced(name).toLowerCase())),
})

const isPiece = (token: string): boolean => /^-|-$|\+/.test(token)

/** The tokens of lines, but pieces of words and pairs that one line alone has, and the lines with their places. */
function indexed(lines: readonly Line<string>[]): { tokens: readonly string[]; lines: readonly Line<number>[] } {
  const counts = new Map<string, number>()
  for (const { names, labels } of lines)
    for (const token of new Set([...names, ...labels].flat())) counts.set(token, (counts.get(token) ?? 0) + 1)
  const tokens = [...counts].flatMap(([token, count]) => (count > 1 || !isPiece(token) ? [token] : []))
  const places = new Map(tokens.map((token, at) => [token, at]))
  const bagsOf = (bags: readonly (readonly string[])[]) =>
    bags.map((bag) => bag.flatMap((token) => places.get(token) ?? [])).filter((bag) => bag.length > 0)
  return {
    tokens,
    lines: lines
      .map(({ names, labels, ...rest }) => ({ ...rest, names: bagsOf(names), labels: bagsOf(labels) }))
      .filter(({ names, labels }) => names.length > 0 && labels.length > 0),
  }
}

function readLines(): Line<string>[] {
  const written = readThings().map(({ names, labels }) => lineOf(names, labels))
  const ofForms = [...kindsOf('train').values()].flatMap(({ fields }) =>
    fields.map(({ names, labels }) => lineOf(names, Object.values(labels).flat())),
  )
  const ofMeanings = parts(meanings, '\n').map((line) => {
    const [meaning = '', words = ''] = line.split(':')
    const all = parts(words, ',')
    return lineOf([meaning, ...all], all, meaningWeight)
  })
  return [...written, ...ofForms, ...ofMeanings]
}

/** A table of numbers and what Adam keeps of each (D. Kingma and J. Ba, Adam, ICLR 2015, algorithm 1). */
class Table {
  readonly values: Float32Array
  readonly gradient: Float32Array
  readonly #mean: Float32Array
  readonly #square: Float32Array

  constructor(length: number, draw: () => number) {
    this.values = Float32Array.from({ length }, draw)
    this.gradient = new Float32Array(length)
    this.#mean = new Float32Array(length)
    this.#square = new Float32Array(length)
  }

  step(count: number, rate: number): void {
    const scale = (rate * Math.sqrt(1 - 0.999 ** count)) / (1 - 0.9 ** count)
    const { values, gradient } = this
    for (let at = 0; at < values.length; at++) {
      const slope = gradient[at] as number
      const mean = 0.9 * (this.#mean[at] as number) + 0.1 * slope
      const square = 0.999 * (this.#square[at] as number) + 0.001 * slope * slope
      this.#mean[at] = mean
      this.#square[at] = square
      values[at] = (values[at] as number) - (scale * mean) / (Math.sqrt(square) + 1e-8)
      gradient[at] = 0
    }
  }
}

interface Side {
  readonly bags: readonly (readonly number[])[]
  readonly logs: Table
  /** The vectors of the bags, of length 1, and the lengths that they had. */
  readonly units: Float32Array
  readonly lengths: Float32Array
}

function sideOf(bags: readonly (readonly number[])[], vectors: Table, logs: Table): Side {
  const units = new Float32Array(bags.length * size)
  const lengths = new Float32Array(bags.length)
  for (const [n, bag] of bags.entries()) {
    const own = units.subarray(n * size, (n + 1) * size)
    for (const token of bag) {
      const weight = Math.exp(logs.values[token] as number)
      for (let at = 0; at < size; at++)
        own[at] = (own[at] as number) + weight * (vectors.values[token * size + at] as number)
    }
    const length = Math.max(1e-6, Math.hypot(...own))
    lengths[n] = length
    for (let at = 0; at < size; at++) own[at] = (own[at] as number) / length
  }
  return { bags, logs, units, lengths }
}

/** Adds the slopes of the tables for slopes of the units of a side. */
function passBack({ bags, logs, units, lengths }: Side, slopes: Float32Array, vectors: Table): void {
  const ofSum = new Float32Array(size)
  for (const [n, bag] of bags.entries()) {
    let along = 0
    for (let at = 0; at < size; at++) along += (slopes[n * size + at] as number) * (units[n * size + at] as number)
    for (let at = 0; at < size; at++)
      ofSum[at] =
        ((slopes[n * size + at] as number) - along * (units[n * size + at] as number)) / (lengths[n] as number)
    for (const token of bag) {
      const weight = Math.exp(logs.values[token] as number)
      let ofLog = 0
      for (let at = 0; at < size; at++) {
        const place = token * size + at
        ofLog += (ofSum[at] as number) * (vectors.values[place] as number)
        vectors.gradient[place] = (vectors.gradient[place] as number) + weight * (ofSum[at] as number)
      }
      logs.gradient[token] = (logs.gradient[token] as number) + weight * ofLog
    }
  }
}

/** Writes the slopes of the loss by the similarities, and returns the loss. Lines that name the same thing are not held against each other. */
function slopesOf(alike: Float32Array, picked: readonly Line<number>[], slopes: Float32Array): number {
  const count = picked.length
  const isSame = picked.map((one) =>
    picked.map((other) => one === other || [...one.things].some((name) => other.things.has(name))),
  )
  let loss = 0
  slopes.fill(0)
  for (const isByName of [true, false])
    for (let own = 0; own < count; own++) {
      const placeOf = (other: number): number => (isByName ? own * count + other : other * count + own)
      let [most, all] = [Number.NEGATIVE_INFINITY, 0]
      const isHeld = (other: number): boolean => other === own || !isSame[own]?.[other]
      for (let other = 0; other < count; other++)
        if (isHeld(other)) most = Math.max(most, alike[placeOf(other)] as number)
      for (let other = 0; other < count; other++)
        if (isHeld(other)) all += Math.exp((alike[placeOf(other)] as number) - most)
      for (let other = 0; other < count; other++) {
        if (!isHeld(other)) continue
        const share = Math.exp((alike[placeOf(other)] as number) - most) / all
        const place = placeOf(other)
        slopes[place] = (slopes[place] as number) + (share - (other === own ? 1 : 0)) / count
        if (other === own) loss -= Math.log(share) / count
      }
    }
  return loss
}

function train(lines: readonly Line<number>[], count: number): { vectors: Table; inNames: Table; inLabels: Table } {
  const next = drawsFrom(1)
  // The sum of twelve even numbers is nearly a normal one.
  const normal = (): number => Array.from({ length: 12 }, next).reduce((sum, one) => sum + one, -6) / Math.sqrt(size)
  const vectors = new Table(count * size, normal)
  const [inNames, inLabels, warmth] = [count, count, 1].map((length) => new Table(length, () => 0)) as [
    Table,
    Table,
    Table,
  ]
  warmth.values[0] = 2.5
  const upTo: number[] = []
  for (const { labels, weight } of lines) upTo.push((upTo.at(-1) ?? 0) + labels.length * weight)
  const all = upTo.at(-1) ?? 0
  const pick = (): number => {
    const at = next() * all
    let [low, high] = [0, upTo.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] as number) > at) high = middle
      else low = middle + 1
    }
    return low
  }
  const drawn = (bags: Line<number>['names']): readonly number[] => {
    const bag = bags[Math.floor(next() * bags.length)] ?? []
    const kept = bag.length < 2 ? bag : bag.filter(() => next() >= dropped)
    return kept.length > 0 ? kept : bag
  }
  const steps = Math.floor((epochs * lines.reduce((sum, { labels }) => sum + labels.length, 0)) / batch)
  const [alike, slopes] = [new Float32Array(batch * batch), new Float32Array(batch * batch)]
  for (let step = 0; step < steps; step++) {
    const picked = Array.from({ length: batch }, () => lines[pick()] as Line<number>)
    const names = sideOf(
      picked.map(({ names }) => drawn(names)),
      vectors,
      inNames,
    )
    const labels = sideOf(
      picked.map(({ labels }) => drawn(labels)),
      vectors,
      inLabels,
    )
    const warm = Math.exp(warmth.values[0] as number)
    for (let a = 0; a < batch; a++)
      for (let b = 0; b < batch; b++) {
        let sum = 0
        for (let at = 0; at < size; at++)
          sum += (names.units[a * size + at] as number) * (labels.units[b * size + at] as number)
        alike[a * batch + b] = warm * sum
      }
    const loss = slopesOf(alike, picked, slopes)
    const [ofNames, ofLabels] = [new Float32Array(batch * size), new Float32Array(batch * size)]
    let ofWarmth = 0
    for (let a = 0; a < batch; a++)
      for (let b = 0; b < batch; b++) {
        const slope = slopes[a * batch + b] as number
        ofWarmth += slope * (alike[a * batch + b] as number)
        for (let at = 0; at < size; at++) {
          const [inName, inLabel] = [a * size + at, b * size + at]
          ofNames[inName] = (ofNames[inName] as number) + slope * warm * (labels.units[inLabel] as number)
          ofLabels[inLabel] = (ofLabels[inLabel] as number) + slope * warm * (names.units[inName] as number)
        }
      }
    passBack(names, ofNames, vectors)
    passBack(labels, ofLabels, vectors)
    warmth.gradient[0] = ofWarmth
    const now = rate * (1 - (0.97 * step) / steps)
    for (const table of [vectors, inNames, inLabels, warmth]) table.step(step + 1, now)
    if (step % 100 === 0 || step === steps - 1) console.error(`${step} of ${steps}: ${loss.toFixed(3)}`)
  }
  return { vectors, inNames, inLabels }
}

const bytes = (values: Float32Array, unit: number): string =>
  Buffer.from(Int8Array.from(values, (value) => Math.max(-127, Math.min(127, Math.round(value / unit))))).toString(
    'base64',
  )

const { lines, tokens } = indexed(readLines())
console.error(`${lines.length} lines, ${tokens.length} tokens`)
const { vectors, inNames, inLabels } = train(lines, tokens.length)
const deviation = Math.sqrt(vectors.values.reduce((sum, value) => sum + value ** 2, 0) / vectors.values.length)
const file: LabelVectors = {
  size,
  tokens: tokens.join(' '),
  vectors: bytes(vectors.values, (deviation * 4) / 127),
  inNames: bytes(inNames.values, 1 / logUnits),
  inLabels: bytes(inLabels.values, 1 / logUnits),
}
writeFileSync(place, `${JSON.stringify(file)}\n`)
