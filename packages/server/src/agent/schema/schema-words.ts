import { keywordAt } from './schema-places.ts'

const aSchema = 'a schema: an object, or true or false'
const schemas = 'an object whose values are schemas'
const aList = 'a list of at least one schema'
const aCount = 'a whole number from 0'
const aNumber = 'a number'
const aText = 'a text'
const aFlag = 'true or false'

/** What each keyword takes (JSON Schema 2020-12, and what draft-07 has besides). */
const allowed: Readonly<Record<string, string>> = {
  type: 'one of array, boolean, integer, null, number, object, string, or a list of these without repetition',
  properties: schemas,
  patternProperties: `${schemas} and whose names are patterns`,
  dependentSchemas: schemas,
  dependencies: 'an object whose values are schemas or lists of names',
  $defs: schemas,
  definitions: schemas,
  items: aSchema,
  additionalItems: aSchema,
  unevaluatedItems: aSchema,
  contains: aSchema,
  additionalProperties: aSchema,
  unevaluatedProperties: aSchema,
  propertyNames: aSchema,
  contentSchema: aSchema,
  not: aSchema,
  if: aSchema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nobody awaits this.
  then: aSchema,
  else: aSchema,
  allOf: aList,
  anyOf: aList,
  oneOf: aList,
  prefixItems: aList,
  required: 'a list of names without repetition',
  dependentRequired: 'an object whose values are lists of names without repetition',
  enum: 'a list of values',
  minLength: aCount,
  maxLength: aCount,
  minItems: aCount,
  maxItems: aCount,
  minProperties: aCount,
  maxProperties: aCount,
  minContains: aCount,
  maxContains: aCount,
  minimum: aNumber,
  maximum: aNumber,
  exclusiveMinimum: aNumber,
  exclusiveMaximum: aNumber,
  multipleOf: 'a number above 0',
  uniqueItems: aFlag,
  deprecated: aFlag,
  readOnly: aFlag,
  writeOnly: aFlag,
  pattern: 'a regular expression of ECMAScript, as text',
  format: aText,
  title: aText,
  description: aText,
  examples: 'a list of values',
  $ref: 'a place in the schema itself, as #/$defs/name',
  $id: 'an address, as text',
  $anchor: 'a name of letters, digits, -, _ and .',
}

/** One sentence on what should stand at a place of a schema. */
export function whatShouldStandAt(pointer: string): string {
  const keyword = keywordAt(pointer)
  if (keyword === undefined) return `Each schema should be ${aSchema.slice('a schema: '.length)}`
  return Object.hasOwn(allowed, keyword)
    ? `${keyword} should be ${allowed[keyword]}`
    : `${keyword} should have a value that JSON Schema allows there`
}
