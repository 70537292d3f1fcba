import { agreement, labelPart, wordingsOf } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { overlap } from './likeness.ts'

/** How much a text resembles the label of a field, 0 to 1. */
export interface LabelLikeness {
  /** By the names of the field. */
  readonly name: number
  /** By the words of its description. */
  readonly description: number
  /** By what its words mean in seven languages. */
  readonly meaning: number
  /** By the names of the other field that it resembles most. */
  readonly other: number
  /** By what the words of another field mean. */
  readonly otherMeaning: number
}

const none: LabelLikeness = { name: 0, description: 0, meaning: 0, other: 0, otherMeaning: 0 }

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

type OwnLikeness = Omit<LabelLikeness, 'other' | 'otherMeaning'>

/** The field that a text resembles best, how much, and how much the next one. */
interface Best {
  readonly field: Field | null
  readonly first: number
  readonly second: number
}

interface TextLikeness {
  readonly byField: ReadonlyMap<Field, OwnLikeness>
  readonly byName: Best
  readonly byMeaning: Best
}

/** The fields by the beginnings of their words, and by the meanings of the words of their labels. */
interface WantedIndex {
  readonly wanted: ReadonlyMap<Field, Wanted>
  readonly byStem: ReadonlyMap<string, ReadonlySet<Field>>
  readonly byMeaning: ReadonlyMap<string, ReadonlySet<Field>>
}

function indexOf(fields: readonly Field[]): WantedIndex {
  const wanted = new Map(fields.map((field) => [field, wantedOf(field)]))
  const byStem = new Map<string, Set<Field>>()
  const byMeaning = new Map<string, Set<Field>>()
  const add = (index: Map<string, Set<Field>>, key: string, field: Field) =>
    index.set(key, (index.get(key) ?? new Set()).add(field))
  for (const [field, { phrases, description, wordings }] of wanted) {
    for (const word of [...phrases.flatMap(({ words }) => words), ...description])
      add(byStem, word.slice(0, stemLetters), field)
    for (const { words } of wordings)
      for (const { word, meanings } of words) {
        for (const meaning of meanings) add(byMeaning, meaning, field)
        add(byStem, word.slice(0, stemLetters), field)
      }
  }
  return { wanted, byStem, byMeaning }
}

/** Compares texts with the labels that fields may have. Each text is compared once, with the fields that share a meaning or the beginning of a word. */
export function labelComparer(fields: readonly Field[]): (text: string, field: Field) => LabelLikeness {
  const index = indexOf(fields)
  const known = new Map<string, TextLikeness>()
  return (text, field) => {
    if (text === '') return none
    let found = known.get(text)
    if (found === undefined) {
      found = compare(text, index)
      known.set(text, found)
    }
    const { byField, byName, byMeaning } = found
    const [other, otherMeaning] = [otherThan(field, byName), otherThan(field, byMeaning)]
    const { name, description, meaning } = byField.get(field) ?? none
    return { name, description, meaning, other, otherMeaning }
  }
}

const otherThan = (own: Field, { field, first, second }: Best): number => (field === own ? second : first)

function compare(text: string, { wanted, byStem, byMeaning }: WantedIndex): TextLikeness {
  const words = tokensOf(text)
    .map((token) => token.text)
    .slice(-wordsMax)
  const meant = meantWords(nearestLabel(text)).slice(-wordsMax)
  const near = new Set(
    [
      ...[...words, ...meant.map(({ word }) => word)].map((word) => byStem.get(word.slice(0, stemLetters))),
      ...meant.flatMap(({ meanings }) => [...meanings].map((meaning) => byMeaning.get(meaning))),
    ].flatMap((found) => [...(found ?? [])]),
  )
  const telling = words.filter((word) => !commonWords.has(word))
  const byField = new Map<Field, OwnLikeness>()
  for (const field of near) {
    const own = wanted.get(field)
    if (own === undefined) continue
    let name = 0
    for (const phrase of own.phrases) {
      const { recall, precision } = overlap(phrase.words, words)
      name = Math.max(name, phrase.weight * recall * (0.4 + 0.6 * precision))
    }
    const about = overlap(own.description, telling)
    const description = (about.recall + about.precision) / 2
    byField.set(field, { name, description, meaning: meaningOf(meant, own) })
  }
  return { byField, byName: bestOf(byField, 'name'), byMeaning: bestOf(byField, 'meaning') }
}

const meaningOf = (words: readonly MeantWord[], { wordings }: Wanted): number =>
  wordings.reduce((best, wording) => Math.max(best, wording.weight * agreement(words, wording.words)), 0)

/** The label in a text that is nearest to what follows it: its words after the last colon or figure, else the label that it starts with. */
function nearestLabel(text: string): string {
  const tail =
    text
      .replace(/[^\p{L}\p{N})]+$/u, '')
      .split(/[:：\d]/u)
      .at(-1) ?? ''
  return /\p{L}{2}/u.test(tail) ? tail : (labelPart(text)?.label ?? '')
}

function bestOf(byField: ReadonlyMap<Field, OwnLikeness>, by: 'name' | 'meaning'): Best {
  let [best, first, second]: [Field | null, number, number] = [null, 0, 0]
  for (const [field, { [by]: now }] of byField)
    if (now > first) [best, first, second] = [field, now, first]
    else second = Math.max(second, now)
  return { field: best, first, second }
}
