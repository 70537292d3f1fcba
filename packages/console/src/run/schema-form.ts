import { isJsonObject, type Json, type JsonObject } from '../wire.ts'

/** Field kinds of the form. `other` is any other schema, kept unchanged. */
export const kinds = {
  text: 'Text',
  date: 'Date',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  texts: 'List',
  rows: 'Table',
  group: 'Group of fields',
  other: 'Other (see JSON)',
} as const
export type Kind = keyof typeof kinds

/** A field of a schema in the form. */
export interface Field {
  /** Identifies fields while their names change. */
  readonly number: number
  readonly name: string
  readonly kind: Kind
  readonly description: string
  /** Whether null is allowed: a missing required field fails the execution. */
  readonly mayBeMissing: boolean
  readonly isRequired: boolean
  /** Fields of a group, or of each row. */
  readonly fields: readonly Field[]
  /** The rest of the field's schema, which the form keeps unchanged. */
  readonly rest: JsonObject
}

let lastNumber = 0

export function newField(): Field {
  lastNumber += 1
  return {
    number: lastNumber,
    name: '',
    kind: 'text',
    description: '',
    mayBeMissing: true,
    isRequired: true,
    fields: [],
    rest: {},
  }
}

/** Most fields in the form: more would block the page for seconds. */
export const formFieldsMax = 300

/** The fields of a schema for the form; undefined if there are too many, and as `fieldsOf`. */
export function formFieldsOf(schema: Json): readonly Field[] | undefined {
  const fields = fieldsOf(schema)
  return fields && countOf(fields) <= formFieldsMax ? fields : undefined
}

const countOf = (fields: readonly Field[]): number => fields.reduce((sum, field) => sum + 1 + countOf(field.fields), 0)

/** The fields of a schema; undefined unless it is an object with properties. */
export function fieldsOf(schema: Json): readonly Field[] | undefined {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties'])) return undefined
  const type = schema['type'] ?? 'object'
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return undefined
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(schema['properties']).map(([name, property]) => ({
    ...fieldOf(property),
    name,
    isRequired: required.includes(name),
  }))
}

function fieldOf(property: Json): Field {
  const blank = newField()
  if (!isJsonObject(property)) return { ...blank, kind: 'other', rest: { schema: property } }
  const { type, description, ...rest } = property
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== 'null')
  const text = typeof description === 'string' ? description : ''
  const mayBeMissing = Array.isArray(type) && type.includes('null')
  const known = types.length === 1 ? shapeOf(String(types[0]), rest) : undefined
  if (!known) return { ...blank, kind: 'other', description: text, mayBeMissing, rest: { schema: property } }
  return { ...blank, ...known, description: text, mayBeMissing }
}

function shapeOf(type: string, rest: JsonObject): Pick<Field, 'kind' | 'fields' | 'rest'> | undefined {
  switch (type) {
    case 'string': {
      const { format, ...other } = rest
      return format === 'date' ? { kind: 'date', fields: [], rest: other } : { kind: 'text', fields: [], rest }
    }
    case 'number':
    case 'integer':
    case 'boolean':
      return { kind: type, fields: [], rest }
    case 'object': {
      const fields = fieldsOf({ type, ...rest })
      return fields && { kind: 'group', fields, rest: withoutFields(rest) }
    }
    case 'array': {
      const { items, ...other } = rest
      if (isJsonObject(items) && Object.keys(items).length === 1 && items['type'] === 'string')
        return { kind: 'texts', fields: [], rest: other }
      const fields = isJsonObject(items) && items['type'] === 'object' ? fieldsOf(items) : undefined
      return fields && isJsonObject(items)
        ? { kind: 'rows', fields, rest: { ...other, items: withoutFields(items) } }
        : undefined
    }
    default:
      return undefined
  }
}

function withoutFields({ properties: _properties, required: _required, type: _type, ...rest }: JsonObject): JsonObject {
  return rest
}

/** The object schema with these fields; `before` provides everything else. */
export function schemaOf(fields: readonly Field[], before: JsonObject): JsonObject {
  const rest = withoutFields(before)
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)])),
    required: fields.filter((field) => field.isRequired).map((field) => field.name),
    ...('additionalProperties' in rest ? {} : { additionalProperties: false }),
  }
}

function propertyOf({ kind, description, mayBeMissing, fields, rest }: Field): Json {
  if (kind === 'other') return rest['schema'] ?? {}
  const typed = (type: string): JsonObject => ({
    type: mayBeMissing ? [type, 'null'] : type,
    ...(description === '' ? {} : { description }),
  })
  switch (kind) {
    case 'text':
      return { ...typed('string'), ...rest }
    case 'date':
      return { ...typed('string'), format: 'date', ...rest }
    case 'texts':
      return { ...typed('array'), items: { type: 'string' }, ...rest }
    case 'rows': {
      const { items, ...other } = rest
      return { ...typed('array'), ...other, items: schemaOf(fields, isJsonObject(items) ? items : {}) }
    }
    case 'group': {
      const { type: _type, ...group } = schemaOf(fields, rest)
      return { ...typed('object'), ...group }
    }
    default:
      return { ...typed(kind), ...rest }
  }
}

/** Why the form cannot represent a schema; empty if it can. */
export function problemOf(fields: readonly Field[]): string {
  const names = fields.map((field) => field.name)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) return `Two fields are named ${twice}.`
  if (names.includes('')) return 'Enter a name for every field.'
  return fields.map((field) => problemOf(field.fields)).find((problem) => problem !== '') ?? ''
}
