import { readFileSync } from 'node:fs'
import { wordsOfLabel } from '../languages/form-words.ts'
import { madeOnce, remembered } from '../layout/remembered.ts'

/**
 * Vectors of the words of labels and of names of fields, trained on which labels stand before which fields (`npm run reader:labels`). Those
 * of a label and of a field that mean the same point the same way, whatever their language.
 */
export interface LabelVectors {
  /** The number of dimensions. */
  readonly size: number
  /** The tokens, parted by spaces, in the order of their vectors. */
  readonly tokens: string
  /** Base64 of signed bytes, one after the other. */
  readonly vectors: string
  /** Base64 of a signed byte for each token: the logarithm of how much it counts in a name and in a label, in units of 1/32. */
  readonly inNames: string
  readonly inLabels: string
}

/** The side of a text: the name of a field, or what stands on a page. */
export type Side = 'inNames' | 'inLabels'

/** Only the last words of a text are compared: those nearest to the value. */
const wordsMax = 8
/** Longer words are also known by how they begin and end. */
const pieceLetters = 5
const piecedLettersMin = 6

export const logUnits = 32

/**
 * What a label or the name of a field is made of: its last words, what the last that mean something mean, how the longer ones begin
 * and end, and each two beside each other: `bill to` means neither.
 */
export function labelTokens(text: string): string[] {
  const { words: all, meant } = wordsOfLabel(text)
  const words = all.slice(-wordsMax)
  const tokens = [...words]
  for (const { word, meanings } of meant.slice(-wordsMax))
    for (const meaning of meanings) if (meaning !== word) tokens.push(`=${meaning}`)
  for (const word of words)
    if (word.length >= piecedLettersMin) tokens.push(`${word.slice(0, pieceLetters)}-`, `-${word.slice(-pieceLetters)}`)
  for (let at = 1; at < words.length; at++) tokens.push(`${words[at - 1]}+${words[at]}`)
  return tokens
}

interface Known {
  readonly size: number
  readonly places: ReadonlyMap<string, number>
  readonly vectors: Int8Array
  readonly weights: Readonly<Record<Side, Float32Array>>
}

const bytesOf = (text: string): Int8Array => new Int8Array(Buffer.from(text, 'base64'))

const shipped = madeOnce((): Known => {
  const file = readFileSync(new URL('./label-vectors.json', import.meta.url), 'utf8')
  const { size, tokens, vectors, inNames, inLabels } = JSON.parse(file) as LabelVectors
  const weights = (text: string): Float32Array => Float32Array.from(bytesOf(text), (log) => Math.exp(log / logUnits))
  return {
    size,
    places: new Map(tokens.split(' ').map((token, at) => [token, at])),
    vectors: bytesOf(vectors),
    weights: { inNames: weights(inNames), inLabels: weights(inLabels) },
  }
})

const vectorOn = (side: Side) =>
  remembered((text): Float32Array | null => {
    const { size, places, vectors, weights } = shipped()
    const weightOf = weights[side]
    const sum = new Float32Array(size)
    let isKnown = false
    for (const token of labelTokens(text)) {
      const place = places.get(token)
      if (place === undefined) continue
      isKnown = true
      const weight = weightOf[place] as number
      for (let at = 0; at < size; at++) sum[at] = (sum[at] as number) + weight * (vectors[place * size + at] as number)
    }
    let squares = 0
    for (let at = 0; at < size; at++) squares += (sum[at] as number) ** 2
    if (!isKnown || squares === 0) return null
    const length = Math.sqrt(squares)
    for (let at = 0; at < size; at++) sum[at] = (sum[at] as number) / length
    return sum
  })

/** The vector of length 1 of a label, or of the name of a field; null if none of its words is known. */
export const vectorOf: Readonly<Record<Side, (text: string) => Float32Array | null>> = {
  inNames: vectorOn('inNames'),
  inLabels: vectorOn('inLabels'),
}

/** How alike the vectors of a text and of a field are: -1 to 1, 0 if one of them is unknown. */
export function cosine(one: Float32Array | null, other: Float32Array | null): number {
  if (one === null || other === null) return 0
  let sum = 0
  for (let at = 0; at < one.length; at++) sum += (one[at] as number) * (other[at] as number)
  return sum
}
