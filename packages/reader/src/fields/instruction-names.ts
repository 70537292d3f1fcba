import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { concepts, phrasesOf } from '../languages/concepts.ts'
import { namePhrase, phraseOf } from '../layout/text.ts'
import { meaningOf } from '../schema/meaning.ts'
import { typesOf } from '../schema/schema-shape.ts'
import { headSenses, isSynonym, pluralsOf, sensesOf, singularOf } from './instruction-synonyms.ts'
import { plays } from './instruction-words.ts'

/** A field of the schema. */
interface Field {
  readonly parent: Field | null
  readonly hasParts: boolean
  readonly isList: boolean
  readonly isNumber: boolean
}

export interface Called {
  readonly field: Field
  /** True for the plural: "totals". */
  readonly isPlural: boolean
}

/** The names that the request provides. */
export interface Names {
  readonly hasSchema: boolean
  readonly hasChoices: boolean
  /** Fields that a folded phrase names; without a schema, any label that the engine knows. */
  readonly fields: (phrase: string) => readonly Called[]
  /** True when a folded phrase is the title of the schema or the name of an input. */
  readonly isDocument: (phrase: string) => boolean
  readonly isChoice: (phrase: string) => boolean
  /** True when any name contains a folded word. */
  readonly hasWord: (word: string) => boolean
}

/** The maximum number of words of a description that is a name rather than prose. */
const descriptionWordsMax = 5

/** Names of a request's schema and inputs. Without a schema: every label that the engine knows. */
export function namesOf({ schema, inputs }: { schema: JsonSchema | null; inputs: readonly string[] }): Names {
  const documents = new Set(inputs.map(namePhrase))
  const choices = new Set<string>()
  const own = new Map<string, Called[]>()
  const bySense = new Map<string, Field[]>()
  const walk = (node: Json, parent: Field | null, path: readonly string[]): void => {
    if (Array.isArray(node)) for (const item of node) walk(item, parent, path)
    if (!isJsonObject(node)) return
    const { properties, title, enum: listed, const: only, ...rest } = node
    if (parent === null && typeof title === 'string') documents.add(namePhrase(title))
    for (const choice of Array.isArray(listed) ? listed : [only])
      if (typeof choice === 'string') choices.add(namePhrase(choice))
    if (isJsonObject(properties))
      for (const [name, property] of Object.entries(properties)) {
        const field = fieldOf(property, parent)
        const inner = [...path, name]
        const phrases = ownPhrases(inner, property, field)
        for (const phrase of phrases) push(own, phrase, { field, isPlural: field.isList })
        for (const phrase of phrases.flatMap(pluralsOf))
          if (!isSynonym(phrase)) push(own, phrase, { field, isPlural: true })
        for (const sense of sensesOfField(inner, property, { field, phrases })) push(bySense, sense, field)
        walk(property, field, inner)
      }
    for (const value of Object.values(rest)) walk(value, parent, path)
  }
  if (schema !== null) walk(schema, null, [])
  const fields = (phrase: string): readonly Called[] => [
    ...(own.get(phrase) ?? []),
    ...sensesOf(phrase).flatMap(({ sense, isPlural }) =>
      (bySense.get(sense) ?? []).map((field) => ({ field, isPlural: isPlural || field.isList })),
    ),
  ]
  const words = new Set([own.keys(), documents, choices].flatMap((all) => [...all].flatMap((one) => one.split(' '))))
  return {
    hasSchema: schema !== null,
    hasChoices: choices.size > 0,
    fields: schema === null ? knownLabel : fields,
    isDocument: (phrase) => documents.has(phrase),
    isChoice: (phrase) => choices.has(phrase),
    hasWord: (word) => words.has(word) || fields(word).length > 0,
  }
}

function push<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const plain = { hasParts: false, isList: false, isNumber: false }

const isOfType = (schema: JsonObject, type: string): boolean => typesOf(schema).includes(type)

function fieldOf(schema: Json, parent: Field | null): Field {
  if (!isJsonObject(schema)) return { parent, ...plain }
  const isList = isOfType(schema, 'array') || schema['items'] !== undefined
  return {
    parent,
    isList,
    hasParts: isList || isOfType(schema, 'object') || schema['properties'] !== undefined,
    isNumber: isOfType(schema, 'number') || isOfType(schema, 'integer'),
  }
}

/** A field's own name, title and short description, folded. */
function ownPhrases(path: readonly string[], schema: Json, field: Field): readonly string[] {
  const name = namePhrase(path.at(-1) ?? '')
  const outer = path.at(-2)
  const phrases = [name]
  if (outer !== undefined) phrases.push(`${namePhrase(outer)} ${name}`, `${singularOf(namePhrase(outer))} ${name}`)
  if (name.endsWith(' name')) phrases.push(name.slice(0, -' name'.length))
  if (field.isList) phrases.push(singularOf(name))
  const { title, description } = isJsonObject(schema) ? schema : {}
  if (typeof title === 'string') phrases.push(namePhrase(title))
  if (typeof description === 'string') {
    const words = phraseOf(description.split(/[.,;:(]/u)[0] ?? '').split(' ')
    if (words.length <= descriptionWordsMax) phrases.push(words.join(' '))
  }
  return [...new Set(phrases)].filter(Boolean)
}

/** The meanings of a field, which other phrases with the same meaning also name. */
function sensesOfField(
  path: readonly string[],
  schema: Json,
  { field, phrases }: { field: Field; phrases: readonly string[] },
): ReadonlySet<string> {
  const senses = new Set(phrases.flatMap((phrase) => sensesOf(phrase).map(({ sense }) => sense)))
  for (const sense of headSenses(phrases[0]?.split(' ').at(-1) ?? '')) senses.add(sense)
  if (!isJsonObject(schema)) return senses
  const inItem = field.parent !== null && isOfList(field.parent)
  const { concept } = meaningOf({ path, schema, types: typesOf(schema), inItem })
  if (concept) senses.add(concept.id)
  const { items } = schema
  if (field.isList && isJsonObject(items) && items['properties'] !== undefined) senses.add('rows')
  return senses
}

/** Whether a field is a list or stands in one. */
export const isOfList = (field: Field): boolean => field.isList || (field.parent !== null && isOfList(field.parent))

/** The field at the top of the schema that a field is in. */
export const topOf = (field: Field): Field => (field.parent === null ? field : topOf(field.parent))

/** Whether a folded phrase is a name of any kind of thing: "name", "number". */
export const isGenericName = (phrase: string): boolean => headSenses(phrase).length > 0

/** The labels that are known, and whether each is the heading of a column only. */
let labels: ReadonlyMap<string, boolean> | undefined

const unknownField: Called = { field: { parent: null, ...plain }, isPlural: false }
const unknownColumn: Called = {
  field: { parent: { parent: null, ...plain, isList: true }, ...plain },
  isPlural: false,
}

const smallParts = [
  'determiner',
  'adverb',
  'of',
  'inside',
  'for',
  'with',
  'as',
  'and',
  'it',
  'paper',
  'papers',
  'carrier',
  'carriers',
] as const
const isSmall = (phrase: string): boolean => smallParts.some((part) => plays(part, phrase))

/** Without a schema, the document must print the label itself, so any known label may be requested. */
function knownLabel(phrase: string): readonly Called[] {
  labels ??= new Map(
    concepts
      .toSorted((one, other) => Number(other.column ?? false) - Number(one.column ?? false))
      .flatMap(({ labels, weak, column = false }) =>
        [...phrasesOf(labels), ...phrasesOf(weak)].map((one): [string, boolean] => [phraseOf(one), column]),
      ),
  )
  const isColumn = labels.get(phrase)
  return isColumn === undefined || isSmall(phrase) ? [] : [isColumn ? unknownColumn : unknownField]
}

/** True when one thing belongs to another: parts of one object, a column of a list, or two names of the same field. */
export const isPartOf = (part: readonly Called[], whole: readonly Called[], oneByOne: boolean): boolean =>
  part.some((inner) =>
    whole.some((outer) => {
      if (inner.field === outer.field) return true
      const { parent } = inner.field
      if (oneByOne && parent && isOfList(parent) && parent === outer.field.parent) return true
      const isWithin = ancestorsOf(inner.field).includes(outer.field)
      // The amount of the items is a sum, unless each item's amount is meant.
      return isWithin && (oneByOne || inner.isPlural || !outer.field.isList || !inner.field.isNumber)
    }),
  )

/** True when one thing is part of another. */
export const isWithin = (part: readonly Called[], whole: readonly Called[]): boolean =>
  part.some((inner) => whole.some((outer) => ancestorsOf(inner.field).includes(outer.field)))

const ancestorsOf = ({ parent }: Field): Field[] => (parent === null ? [] : [parent, ...ancestorsOf(parent)])
