import type { Json, JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { randomDay } from '../documents/dates.ts'
import { createRandom } from '../documents/random.ts'
import { localesOf, type Split } from '../documents/words.ts'
import { commonFields, type FieldWords, type KindWords, kindsOf, type SectionWords } from './kinds.ts'
import { type Content, drawLetter, drawSheet, type Part } from './papers.ts'
import { drawForm, type Pair, type Pen } from './pen.ts'
import { type Facts, languageOf, printedOf } from './values.ts'

export const formKinds = (split: Split): readonly string[] => [...kindsOf(split).keys()]

const schemaOf = (type: string): JsonObject =>
  /^(?:count|number|money|percent)/.test(type)
    ? { type: ['number', 'null'] }
    : { type: ['string', 'null'], ...(type === 'day' && { format: 'date' }) }

/** A form with its schema and its answer. */
export interface MadeForm {
  readonly pdf: Buffer
  readonly schema: JsonSchema
  readonly truth: JsonObject
}

/** Of the fields of a kind, the share that is printed, and of printed ones and others the share that is asked for. */
const printedShare = 0.85
const askedShare = 0.7
const askedAbsentShare = 0.4
/** Of the forms, those with some labels whose value nobody filled in, and the share of such labels there. */
const unfilledForms = 0.3
const unfilledShare = 0.15

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The ways in which callers write names. */
const writings: readonly (readonly [number, (name: string, kind: string) => string])[] = [
  [6, (name) => name],
  [2, (name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
  [1, (name, kind) => `${kind.replace(/_.*/, '')}_${name}`],
  [1, (name) => `${name}_value`],
  [1, (name) => capital(name.replaceAll('_', ' '))],
]

/** Collects what is asked of a document, and the answer. */
export function asking() {
  const properties: Record<string, JsonObject> = {}
  const truth: Record<string, Json> = {}
  const ask = (name: string, schema: JsonObject, value: Json, parent: string | null): void => {
    if (parent === null) {
      if (Object.hasOwn(properties, name)) return
      properties[name] = schema
      truth[name] = value
      return
    }
    const within = (properties[parent] ?? { type: 'object', properties: {} }) as { properties: JsonObject }
    properties[parent] = { ...within, properties: { ...within.properties, [name]: schema } }
    truth[parent] = { ...((truth[parent] ?? {}) as JsonObject), [name]: value }
  }
  return { schema: { type: 'object', properties } satisfies JsonSchema, truth, ask }
}

/** A form of a kind; the same seed gives the same form. */
export async function makeForm(kind: string, seed: number, split: Split = 'train'): Promise<MadeForm> {
  const random = createRandom(`form/${kind}/${seed}`)
  const { titles, fields } = kindsOf(split).get(kind) as KindWords
  const locale = random.pick(localesOf(split).filter((one) => languageOf(one) in titles))
  const language = languageOf(locale)
  const facts: Facts = { random, locale, dateForm: random.pick(locale.dateForms), from: randomDay(random) }
  const { schema, truth, ask } = asking()
  const isNested = random.chance(0.5)
  const isDescribed = random.chance(0.6)
  const written = random.weighted(...writings)
  const unfilled = random.chance(unfilledForms) ? unfilledShare : 0
  const sections = new Map<SectionWords | null, { readonly name: string; readonly pairs: Pair[] }>()
  for (const { section, type, names, description, labels } of fields) {
    const part = sections.get(section) ?? { name: section === null ? '' : random.pick(section.names), pairs: [] }
    sections.set(section, part)
    const isPrinted = random.chance(printedShare)
    const isFilled = isPrinted && !random.chance(unfilled)
    const [printed, value] = printedOf(type, facts)
    const label = random.pick(labels[language] ?? [])
    if (isPrinted) part.pairs.push([label, isFilled ? printed : random.pick(['', '', '________', '–'])])
    if (!random.chance(isPrinted ? askedShare : askedAbsentShare)) continue
    // Some are asked for by their label, in the language of the form.
    const own = random.chance(0.15) ? snake(label) : written(random.pick(names), kind)
    const text = description ?? `${names[0]?.replaceAll('_', ' ')}`
    const told = isDescribed && { [random.chance(0.15) ? 'title' : 'description']: text }
    const name = section === null || isNested ? own : `${part.name}_${own}`
    ask(name, { ...schemaOf(type), ...told }, isFilled ? value : null, section !== null && isNested ? part.name : null)
  }
  const content: Content = {
    facts,
    title: random.pick(titles[language] ?? []),
    parts: [...sections].map(([section, { pairs }]): Part => {
      const heading = section === null ? null : random.pick(section.labels[language] ?? [])
      return { heading, pairs: section === null ? random.sample(pairs, pairs.length) : pairs }
    }),
    others: othersFor(fields, facts),
  }
  const draw = (pen: Pen) => (random.chance(0.2) ? drawLetter(pen, content) : drawSheet(pen, content))
  return { pdf: await drawForm(draw), schema, truth }
}

/** Labels and values of common fields that a kind does not have, which no schema asks for. */
function othersFor(fields: readonly FieldWords[], facts: Facts): Pair[] {
  const { random, locale } = facts
  const known = new Set(fields.flatMap(({ names, type }) => [...names, type]))
  const free = commonFields.filter(({ names, type }) => !known.has(type) && !names.some((name) => known.has(name)))
  return random
    .sample(free, random.weighted([3, 0], [2, 1], [2, 2], [1, 4]))
    .map(({ type, labels }) => [random.pick(labels[languageOf(locale)] ?? []), printedOf(type, facts)[0]])
}

const snake = (label: string): string =>
  label
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
