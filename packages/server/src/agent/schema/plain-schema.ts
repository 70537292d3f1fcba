import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'

/** Comparisons in total, some tenths of a millisecond, so that the main thread is not blocked. */
const comparisonsMax = 5_000

/** Keywords that do not affect validity. */
const silentKeywords = new Set(['title', 'description', 'default', 'examples', '$comment', '$schema', 'deprecated'])

/**
 * Whether an answer is certainly valid: true only when the schema uses nothing but types, properties, items, scalar enums and
 * bounds, and the answer is small. False means unknown: a job of the process pool must validate it. Runs in bounded time and
 * evaluates no patterns or references of the schema.
 */
export function surelyHolds(schema: JsonSchema, answer: Json): boolean {
  return holds(schema, answer, { left: comparisonsMax })
}

const typeNames = new Set(['object', 'array', 'string', 'boolean', 'null', 'number', 'integer'])
const textKeywords = new Set(['title', 'description', '$comment'])
const formats = new Set(['date', 'date-time', 'time', 'email', 'uri', 'uuid'])
const boundKeywords = new Set(['minItems', 'maxItems', 'minimum', 'maximum'])

/**
 * Whether a schema can certainly be compiled: true only when it is small and its keywords are those that `surelyHolds` knows, or common
 * formats, in their usual form. False means unknown: a job of the process pool must compile it.
 */
export function surelyCompiles(schema: JsonSchema): boolean {
  const { $schema: dialect, ...rest } = schema
  const isKnown = dialect === undefined || dialect === 'https://json-schema.org/draft/2020-12/schema'
  return isKnown && compiles(rest, { left: comparisonsMax })
}

function compiles(schema: Json | undefined, budget: Budget): boolean {
  if (!isJsonObject(schema) || !('type' in schema || 'enum' in schema)) return false
  return Object.entries(schema).every(
    ([keyword, operand]) => spend(budget, 1) && keywordCompiles(keyword, operand, budget),
  )
}

function keywordCompiles(keyword: string, operand: Json, budget: Budget): boolean {
  if (textKeywords.has(keyword)) return typeof operand === 'string'
  if (boundKeywords.has(keyword)) return Number.isSafeInteger(operand) && Number(operand) >= 0
  switch (keyword) {
    case 'type': {
      const names = Array.isArray(operand) ? operand : [operand]
      return isList(names, budget) && names.every(isTypeName)
    }
    case 'enum':
      return isList(operand, budget) && operand.every(isScalar)
    case 'format':
      return typeof operand === 'string' && formats.has(operand)
    case 'required':
      return (
        Array.isArray(operand) &&
        (operand.length === 0 || isList(operand, budget)) &&
        operand.every((name) => typeof name === 'string')
      )
    case 'properties':
      return (
        isJsonObject(operand) &&
        Object.entries(operand).every(([name, one]) => !(name in Object.prototype) && compiles(one, budget))
      )
    case 'additionalProperties':
      return typeof operand === 'boolean' || compiles(operand, budget)
    case 'items':
      return compiles(operand, budget)
    default:
      return false
  }
}

const isTypeName = (name: Json): boolean => typeof name === 'string' && typeNames.has(name)

/** A list with members that are all different. */
const isList = (operand: Json, budget: Budget): operand is Json[] =>
  Array.isArray(operand) &&
  operand.length > 0 &&
  spend(budget, operand.length) &&
  new Set(operand).size === operand.length

interface Budget {
  left: number
}

function spend(budget: Budget, comparisons: number): boolean {
  budget.left -= comparisons
  return budget.left >= 0
}

function holds(schema: Json | undefined, value: Json, budget: Budget): boolean {
  if (!isJsonObject(schema) || !spend(budget, 1)) return false
  // Without one of these keywords, the others could leave values of other types unconstrained.
  let isTyped = false
  for (const [keyword, operand] of Object.entries(schema)) {
    if (silentKeywords.has(keyword)) continue
    if (!spend(budget, 1) || !keywordHolds(keyword, operand, { schema, value, budget })) return false
    if (keyword === 'type' || keyword === 'enum' || keyword === 'const') isTyped = true
  }
  return isTyped
}

function keywordHolds(
  keyword: string,
  operand: Json,
  { schema, value, budget }: { schema: Readonly<Record<string, Json>>; value: Json; budget: Budget },
): boolean {
  switch (keyword) {
    case 'type':
      return isOfTypes(operand, value)
    case 'nullable':
      // `nullable` beside a type also allows null; checking the type alone is stricter.
      return typeof operand === 'boolean'
    case 'enum':
      return Array.isArray(operand) && spend(budget, operand.length) && isScalar(value) && operand.includes(value)
    case 'const':
      return isScalar(value) && operand === value
    case 'properties':
    case 'required':
    case 'additionalProperties':
      // Checked together, at the first of the three.
      return keyword === firstOf(schema) ? !isJsonObject(value) || objectHolds(schema, value, budget) : true
    case 'items':
      return !Array.isArray(value) || value.every((item) => holds(operand, item, budget))
    case 'minItems':
      return typeof operand === 'number' && (!Array.isArray(value) || value.length >= operand)
    case 'maxItems':
      return typeof operand === 'number' && (!Array.isArray(value) || value.length <= operand)
    case 'minimum':
      return typeof operand === 'number' && (typeof value !== 'number' || value >= operand)
    case 'maximum':
      return typeof operand === 'number' && (typeof value !== 'number' || value <= operand)
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
    // Names of Object.prototype are left to the process pool.
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
