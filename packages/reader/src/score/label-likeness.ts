import { pointerSteps } from '@skillrun/core/json.ts'
import { agreement, labelPart, spaced, wordingsOf } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { cosine, vectorOf } from './label-vectors.ts'
import { overlap } from './likeness.ts'

/** Words that are part of many labels, and say little alone. */
const commonWords = new Set(
  'the of a an in on for by and or de del der des la le les el il da do di du to as is its it which with that this whose their any no value field printed name number date amount total'.split(
    ' ',
  ),
)

interface Wanted {
  readonly phrases: readonly { readonly words: readonly string[]; readonly weight: number }[]
  readonly description: readonly string[]
  readonly wordings: ReturnType<typeof wordingsOf>
}

function wantedOf(field: Field): Wanted {
  const { meaning, schema } = field.plan
  const text = typeof schema['description'] === 'string' ? schema['description'] : ''
  const words = tokensOf(text).flatMap((token) => (commonWords.has(token.text) ? [] : [token.text]))
  return {
    phrases: [...meaning.phrases].map(([phrase, weight]) => ({ words: phrase.split(' '), weight })),
    description: [...new Set(words)],
    wordings: wordingsOf(field),
  }
}

/** Only the last words of a text are compared with labels: those nearest to the value. */
const wordsMax = 8

/** Words with this many common initial letters may be alike. */
const stemLetters = 3

/** The best likeness of a text to each field that it resembles, the most, whose that is, and the most of the other fields. */
interface Scores {
  readonly byField: ReadonlyMap<Field, number>
  readonly best: Field | null
  readonly first: number
  readonly second: number
}

/** What the labels of fields say, by the beginnings of the words and by their meanings. */
interface WantedIndex {
  readonly phrases: ReadonlyMap<string, readonly WantedPhrase[]>
  readonly descriptions: ReadonlyMap<string, readonly WantedDescription[]>
  readonly wordings: ReadonlyMap<string, readonly WantedWording[]>
  readonly vectors: readonly (Float32Array | null)[]
  /** The place of each field in `vectors`. */
  readonly places: ReadonlyMap<Field, number>
}

type WantedPhrase = Wanted['phrases'][number] & { readonly field: Field }
type WantedDescription = { readonly field: Field; readonly words: readonly string[] }
type WantedWording = Wanted['wordings'][number] & { readonly field: Field }

const stemOf = (word: string): string => word.slice(0, stemLetters)

function indexOf(fields: readonly Field[]): WantedIndex {
  const phrases = new Map<string, WantedPhrase[]>()
  const descriptions = new Map<string, WantedDescription[]>()
  const wordings = new Map<string, WantedWording[]>()
  const add = <Entry>(index: Map<string, Entry[]>, keys: Iterable<string>, entry: Entry) => {
    for (const key of new Set(keys)) {
      const known = index.get(key)
      if (known === undefined) index.set(key, [entry])
      else known.push(entry)
    }
  }
  for (const field of fields) {
    const wanted = wantedOf(field)
    for (const phrase of wanted.phrases) add(phrases, phrase.words.map(stemOf), { field, ...phrase })
    add(descriptions, wanted.description.map(stemOf), { field, words: wanted.description })
    for (const wording of wanted.wordings) add(wordings, wording.words.flatMap(keysOf), { field, ...wording })
  }
  const vectors = fields.map((field) => vectorOf.inNames(nameOfField(field)))
  const places = new Map(fields.map((field, at) => [field, at]))
  return { phrases, descriptions, wordings, vectors, places }
}

/** The words of a field's name, after those of its parent. */
export const nameOfField = ({ pointer }: Field): string =>
  spaced(
    pointerSteps(pointer)
      .filter((step) => !/^[\d*]*$/.test(step))
      .slice(-2)
      .join(' '),
  )

/** A space keeps the beginnings of words apart from meanings. */
const keyOf = (word: string): string => ` ${stemOf(word)}`
const keysOf = ({ word, meanings }: MeantWord): readonly string[] => [keyOf(word), ...meanings]

/** Compares texts with the labels that fields may have, each text once. */
export function labelComparer(fields: readonly Field[]): (text: string) => TextLikeness {
  const index = indexOf(fields)
  const known = new Map<string, TextLikeness>()
  return (text) => {
    let found = known.get(text)
    if (found === undefined) {
      found = new TextLikeness(text, index)
      known.set(text, found)
    }
    return found
  }
}

/** How much a text resembles the labels of fields, 0 to 1. Values are compared with names only, so each part is computed when it is asked for. */
export class TextLikeness {
  readonly #text: string
  readonly #index: WantedIndex
  #words: readonly string[] | undefined
  #nearest: string | undefined
  #names: Scores | undefined
  #descriptions: Scores | undefined
  #meanings: Scores | undefined
  #likely: Cosines | undefined

  constructor(text: string, index: WantedIndex) {
    this.#text = text
    this.#index = index
  }

  /** By the names of the field. */
  name(field: Field): number {
    return this.#byName().byField.get(field) ?? 0
  }

  /** By the names of the other field that it resembles most. */
  otherName(field: Field): number {
    return otherThan(field, this.#byName())
  }

  /** By the words of its description. */
  description(field: Field): number {
    this.#descriptions ??= likeDescriptions(this.#wordsIn(), this.#index)
    return this.#descriptions.byField.get(field) ?? 0
  }

  /** By what its words mean in seven languages. */
  meaning(field: Field): number {
    return this.#byMeaning().byField.get(field) ?? 0
  }

  /** By what the words of another field mean. */
  otherMeaning(field: Field): number {
    return otherThan(field, this.#byMeaning())
  }

  /** By the vectors of its words and of the field's: -1 to 1. */
  likely(field: Field): number {
    return this.#byVector().each[this.#index.places.get(field) ?? -1] ?? 0
  }

  /** By how much that is more, or less, than for the other field that it most likely means. */
  likelyLead(field: Field): number {
    const { best, first, second } = this.#byVector()
    return this.likely(field) - (best === this.#index.places.get(field) ? second : first)
  }

  #wordsIn(): readonly string[] {
    this.#words ??= tokensOf(this.#text)
      .slice(-wordsMax)
      .map((token) => token.text)
    return this.#words
  }

  #byName(): Scores {
    this.#names ??= likeNames(this.#wordsIn(), this.#index)
    return this.#names
  }

  #byVector(): Cosines {
    this.#likely ??= cosinesOf(this.#nearestLabel(), this.#index)
    return this.#likely
  }

  #byMeaning(): Scores {
    this.#meanings ??= likeMeanings(this.#nearestLabel(), this.#index)
    return this.#meanings
  }

  #nearestLabel(): string {
    this.#nearest ??= this.#text === '' ? '' : nearestLabel(this.#text)
    return this.#nearest
  }
}

const otherThan = (own: Field, { best, first, second }: Scores): number => (best === own ? second : first)

function likeNames(words: readonly string[], { phrases }: WantedIndex): Scores {
  const found = new Set<WantedPhrase>()
  for (const word of words) addAll(found, phrases.get(stemOf(word)))
  return scoresOf(found, (phrase) => {
    const { recall, precision } = overlap(phrase.words, words)
    return phrase.weight * recall * (0.4 + 0.6 * precision)
  })
}

function likeDescriptions(words: readonly string[], { descriptions }: WantedIndex): Scores {
  const telling = words.filter((word) => !commonWords.has(word))
  const found = new Set<WantedDescription>()
  for (const word of telling) addAll(found, descriptions.get(stemOf(word)))
  return scoresOf(found, (description) => {
    const { recall, precision } = overlap(description.words, telling)
    return (recall + precision) / 2
  })
}

function likeMeanings(label: string, { wordings }: WantedIndex): Scores {
  const words = label === '' ? [] : meantWords(label).slice(-wordsMax)
  const found = new Set<WantedWording>()
  for (const { word, meanings } of words) {
    addAll(found, wordings.get(keyOf(word)))
    for (const meaning of meanings) addAll(found, wordings.get(meaning))
  }
  return scoresOf(found, (wording) => wording.weight * agreement(words, wording.words))
}

function addAll<Entry>(found: Set<Entry>, entries: readonly Entry[] | undefined): void {
  if (entries !== undefined) for (const entry of entries) found.add(entry)
}

/** The cosines of a text and each field by its place, the place of the highest above 0, that one, and the next. */
interface Cosines {
  readonly each: Float64Array
  readonly best: number | undefined
  readonly first: number
  readonly second: number
}

const noCosines: Cosines = { each: new Float64Array(0), best: undefined, first: 0, second: 0 }

function cosinesOf(label: string, { vectors }: WantedIndex): Cosines {
  const own = label === '' ? null : vectorOf.inLabels(label)
  if (own === null) return noCosines
  const each = new Float64Array(vectors.length)
  let [best, first, second]: [number | undefined, number, number] = [undefined, 0, 0]
  for (let at = 0; at < vectors.length; at++) {
    const now = cosine(own, vectors[at] ?? null)
    each[at] = now
    if (now > first) [best, first, second] = [at, now, first]
    else second = Math.max(second, now)
  }
  return { each, best, first, second }
}

const noScores: Scores = { byField: new Map(), best: null, first: 0, second: 0 }

/** The likeness of what shares the beginning or the meaning of a word with a text; all else is not like it. */
function scoresOf<Entry extends { readonly field: Field }>(
  found: ReadonlySet<Entry>,
  likeness: (entry: Entry) => number,
): Scores {
  if (found.size === 0) return noScores
  const byField = new Map<Field, number>()
  for (const entry of found) byField.set(entry.field, Math.max(byField.get(entry.field) ?? 0, likeness(entry)))
  let [best, first, second]: [Field | null, number, number] = [null, 0, 0]
  for (const [field, now] of byField)
    if (now > first) [best, first, second] = [field, now, first]
    else second = Math.max(second, now)
  return { byField, best, first, second }
}

/** The label in a text that is nearest to what follows it: its words after the last colon or figure, else the label that it starts with. */
function nearestLabel(text: string): string {
  const tail =
    text
      .replace(/[^\p{L}\p{N})]+$/u, '')
      .split(/[:：\d]/u)
      .at(-1) ?? ''
  return /\p{L}{2}/u.test(tail) ? tail : (labelPart(text)?.label ?? '')
}
