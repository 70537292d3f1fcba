import { keywordAt } from './schema-places.ts'

const aSchema = 'a schema: an object, or true or false'
const schemas = 'an object whose values are schemas'
const aList = 'a non-empty array of schemas'
const aCount = 'a non-negative integer'
const aNumber = 'a number'
const aText = 'a string'
const aFlag = 'true or false'

/** Allowed values by keyword (JSON Schema 2020-12, and keywords that only draft-07 has). */
const allowed: Readonly<Record<string, string>> = {
  type: 'one of array, boolean, integer, null, number, object, string, or an array of these without duplicates',
  properties: schemas,
  patternProperties: `${schemas}, with patterns as names`,
  dependentSchemas: schemas,
  dependencies: 'an object whose values are schemas or arrays of names',
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
  required: 'an array of names without duplicates',
  dependentRequired: 'an object whose values are arrays of names without duplicates',
  enum: 'an array of values',
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
  multipleOf: 'a number greater than 0',
  uniqueItems: aFlag,
  deprecated: aFlag,
  readOnly: aFlag,
  writeOnly: aFlag,
  pattern: 'an ECMAScript regular expression, as a string',
  format: aText,
  title: aText,
  description: aText,
  examples: 'an array of values',
  $ref: 'a reference into the schema itself, such as #/$defs/name',
  $id: 'a URI, as a string',
  $anchor: 'a name of letters, digits, -, _ and .',
}

/** A sentence that says what a place in a schema should contain. */
export function whatShouldStandAt(pointer: string): string {
  const keyword = keywordAt(pointer)
  if (keyword === undefined) return `Each schema should be ${aSchema.slice('a schema: '.length)}`
  return Object.hasOwn(allowed, keyword)
    ? `${keyword} should be ${allowed[keyword]}`
    : `${keyword} should have a value that JSON Schema allows`
}
