import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'

/** Comparisons in all, so that the main thread is never held: some tenths of a millisecond. */
const comparisonsMax = 5_000

/** Keywords that say nothing about what holds. */
const silentKeywords = new Set(['title', 'description', 'default', 'examples', '$comment', '$schema', 'deprecated'])

/**
 * Whether an answer surely holds against a schema: true only where all that the schema says of it is types, fields, items, scalar
 * enums and bounds, and the answer is small. False says nothing: the workshop, which alone compiles schemas and runs patterns, is
 * to be asked. Takes a bounded time and no expression or reference of the schema's.
 */
export function surelyHolds(schema: JsonSchema, answer: Json): boolean {
  return holds(schema, answer, { left: comparisonsMax })
}

interface Budget {
  left: number
}

function spend(budget: Budget, comparisons: number): boolean {
  budget.left -= comparisons
  return budget.left >= 0
}

function holds(schema: Json | undefined, value: Json, budget: Budget): boolean {
  if (!isJsonObject(schema) || !spend(budget, 1)) return false
  // What else there is says something of numbers, of lists or of objects alone.
  let isTyped = false
  for (const [keyword, said] of Object.entries(schema)) {
    if (silentKeywords.has(keyword)) continue
    if (!spend(budget, 1) || !keywordHolds(keyword, said, { schema, value, budget })) return false
    if (keyword === 'type' || keyword === 'enum' || keyword === 'const') isTyped = true
  }
  return isTyped
}

function keywordHolds(
  keyword: string,
  said: Json,
  { schema, value, budget }: { schema: Readonly<Record<string, Json>>; value: Json; budget: Budget },
): boolean {
  switch (keyword) {
    case 'type':
      return isOfTypes(said, value)
    case 'nullable':
      // With a type beside it, null may stand for it; the type is looked at strictly here.
      return typeof said === 'boolean'
    case 'enum':
      return Array.isArray(said) && spend(budget, said.length) && isScalar(value) && said.includes(value)
    case 'const':
      return isScalar(value) && said === value
    case 'properties':
    case 'required':
    case 'additionalProperties':
      // Together, at the first of them.
      return keyword === firstOf(schema) ? !isJsonObject(value) || objectHolds(schema, value, budget) : true
    case 'items':
      return !Array.isArray(value) || value.every((item) => holds(said, item, budget))
    case 'minItems':
      return typeof said === 'number' && (!Array.isArray(value) || value.length >= said)
    case 'maxItems':
      return typeof said === 'number' && (!Array.isArray(value) || value.length <= said)
    case 'minimum':
      return typeof said === 'number' && (typeof value !== 'number' || value >= said)
    case 'maximum':
      return typeof said === 'number' && (typeof value !== 'number' || value <= said)
    default:
      return false
  }
}

const firstOf = (schema: Readonly<Record<string, Json>>): string | undefined =>
  Object.keys(schema).find(
    (keyword) => keyword === 'properties' || keyword === 'required' || keyword === 'additionalProperties',
  )

function objectHolds(
  { properties = {}, required = [], additionalProperties = true }: Readonly<Record<string, Json>>,
  value: Readonly<Record<string, Json>>,
  budget: Budget,
): boolean {
  if (!isJsonObject(properties) || !Array.isArray(required) || !spend(budget, required.length)) return false
  if (!required.every((name) => typeof name === 'string' && Object.hasOwn(value, name))) return false
  return Object.entries(value).every(([name, item]) => {
    // Names that every object answers to are the workshop's matter.
    if (name in Object.prototype) return false
    if (Object.hasOwn(properties, name)) return holds(properties[name], item, budget)
    return additionalProperties === true ? spend(budget, 1) : holds(additionalProperties, item, budget)
  })
}

const isScalar = (value: Json): boolean => typeof value !== 'object' || value === null

const isOfTypes = (types: Json, value: Json): boolean =>
  Array.isArray(types) ? types.some((type) => isOfType(type, value)) : isOfType(types, value)

function isOfType(type: Json, value: Json): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value)
    case 'array':
      return Array.isArray(value)
    case 'string':
      return typeof value === 'string'
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'number':
      return Number.isFinite(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return false
  }
}
