import type { Field } from '../layout/sheet.ts'
import { tokensOf } from '../layout/text.ts'
import { overlap } from './likeness.ts'

/** How much a text resembles the label of a field, 0 to 1. */
export interface LabelLikeness {
  /** By the names of the field. */
  readonly name: number
  /** By the words of its description. */
  readonly description: number
  /** By the names of the other field that it resembles most. */
  readonly other: number
}

const none: LabelLikeness = { name: 0, description: 0, other: 0 }

/** Words that are part of many labels, and say little alone. */
const commonWords = new Set(
  'the of a an in on for by and or de del der des la le les el il da do di du to as is its it which with that this whose their any no value field printed name number date amount total'.split(
    ' ',
  ),
)

interface Wanted {
  readonly phrases: readonly { readonly words: readonly string[]; readonly weight: number }[]
  readonly description: readonly string[]
}

function wantedOf({ plan: { meaning, schema } }: Field): Wanted {
  const text = typeof schema['description'] === 'string' ? schema['description'] : ''
  const words = tokensOf(text).flatMap((token) => (commonWords.has(token.text) ? [] : [token.text]))
  return {
    phrases: [...meaning.phrases].map(([phrase, weight]) => ({ words: phrase.split(' '), weight })),
    description: [...new Set(words)],
  }
}

/** Only the last words of a text are compared with labels: those nearest to the value. */
const wordsMax = 8

/** Words with this many common initial letters may be alike. */
const stemLetters = 3

interface TextLikeness {
  readonly byField: ReadonlyMap<Field, Pick<LabelLikeness, 'name' | 'description'>>
  /** The field that the text names best, and how well it names the next one. */
  readonly best: Field | null
  readonly first: number
  readonly second: number
}

/** Compares texts with the labels that fields may have. Each text is compared once, with the fields that share the beginning of a word. */
export function labelComparer(fields: readonly Field[]): (text: string, field: Field) => LabelLikeness {
  const wanted = new Map(fields.map((field) => [field, wantedOf(field)]))
  const byStem = new Map<string, Set<Field>>()
  for (const [field, { phrases, description }] of wanted)
    for (const word of [...phrases.flatMap(({ words }) => words), ...description]) {
      const stem = word.slice(0, stemLetters)
      byStem.set(stem, (byStem.get(stem) ?? new Set()).add(field))
    }
  const known = new Map<string, TextLikeness>()
  return (text, field) => {
    if (text === '') return none
    let found = known.get(text)
    if (found === undefined) {
      found = compare(text, wanted, byStem)
      known.set(text, found)
    }
    const own = found.byField.get(field)
    const other = found.best === field ? found.second : found.first
    return own === undefined ? { ...none, other } : { ...own, other }
  }
}

function compare(
  text: string,
  wanted: ReadonlyMap<Field, Wanted>,
  byStem: ReadonlyMap<string, ReadonlySet<Field>>,
): TextLikeness {
  const words = tokensOf(text)
    .map((token) => token.text)
    .slice(-wordsMax)
  const near = new Set(words.flatMap((word) => [...(byStem.get(word.slice(0, stemLetters)) ?? [])]))
  const telling = words.filter((word) => !commonWords.has(word))
  const byField = new Map<Field, Pick<LabelLikeness, 'name' | 'description'>>()
  let best: Field | null = null
  let first = 0
  let second = 0
  for (const field of near) {
    const { phrases, description } = wanted.get(field) ?? { phrases: [], description: [] }
    let name = 0
    for (const phrase of phrases) {
      const { recall, precision } = overlap(phrase.words, words)
      name = Math.max(name, phrase.weight * recall * (0.4 + 0.6 * precision))
    }
    const about = overlap(description, telling)
    byField.set(field, { name, description: (about.recall + about.precision) / 2 })
    if (name > first) {
      second = first
      first = name
      best = field
    } else second = Math.max(second, name)
  }
  return { byField, best, first, second }
}
