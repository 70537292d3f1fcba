import { Fault } from '@skillrun/core/fault.ts'
import type { Job } from '@skillrun/core/job.ts'
import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import { patternsOf } from './schema-places.ts'

/** A problem with a schema or an answer: a JSON Pointer and one sentence. */
export interface SchemaProblem {
  readonly pointer: string
  readonly message: string
}

/** Checks the references of a schema and compiles it, in the process pool. The result is the first problem, or null. */
export const checkSchemaJob: Job<{ schema: JsonSchema }, SchemaProblem | null> = {
  name: 'check-schema',
  isQuick: true,
  module: new URL('./check-schema.job.ts', import.meta.url),
}

/**
 * Validates an answer, as JSON text, in the process pool; returns the first violations. Throws Fault
 * `schema_too_costly`.
 */
export const checkAnswerJob: Job<{ schema: JsonSchema; json: string }, readonly SchemaProblem[]> = {
  name: 'check-answer',
  isQuick: true,
  module: new URL('../check-answer.job.ts', import.meta.url),
}

/** The Fault of a schema whose validation timed out; `source` is the pattern that was being matched, if any. */
export function schemaTooCostly(schema: JsonSchema, source: string | undefined): Fault {
  const place = patternsOf(schema).find((pattern) => pattern.source === source)?.pointer
  const seconds = limits.schemaPatternWallMs / 1000
  return new Fault(
    'invalid',
    'schema_too_costly',
    place === undefined
      ? `Validating the answer takes more than ${seconds} seconds; use fewer nested alternatives and references`
      : `The pattern at ${place} of the schema takes more than ${seconds} seconds to match; avoid nested repetition, as in (a+)+`,
  )
}

const branchKeywords = ['allOf', 'anyOf', 'oneOf'] as const

/**
 * Fast checks before a schema is compiled in the process pool: size, depth, number of properties and alternatives, references
 * only into the schema itself, and that it names at least one field. Returns the first problem.
 */
export function findSchemaProblem(schema: JsonSchema): SchemaProblem | undefined {
  let properties = 0
  const pending: { value: Json; pointer: string; depth: number }[] = [{ value: schema, pointer: '', depth: 0 }]
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, pointer, depth } = next
    if (depth > limits.schemaDepthMax * 2)
      return { pointer, message: `The schema should not be nested deeper than ${limits.schemaDepthMax} levels` }
    if (Array.isArray(value))
      value.forEach((item, index) => {
        pending.push({ value: item, pointer: `${pointer}/${index}`, depth: depth + 1 })
      })
    if (!isJsonObject(value)) continue
    for (const keyword of ['$ref', '$dynamicRef'] as const) {
      const reference = value[keyword]
      if (typeof reference === 'string' && !reference.startsWith('#')) {
        return {
          pointer: `${pointer}/${keyword}`,
          message: `A ${keyword} should point into the schema itself, such as #/$defs/name; external schemas are not fetched`,
        }
      }
    }
    const crowded = branchKeywords.find((keyword) => lengthOf(value[keyword]) > limits.schemaBranchesMax)
    if (crowded)
      return {
        pointer: `${pointer}/${crowded}`,
        message: `${crowded} should have at most ${limits.schemaBranchesMax} alternatives; an enum may have more values`,
      }
    if (isJsonObject(value['properties'])) properties += Object.keys(value['properties']).length
    if (properties > limits.schemaPropertiesMax)
      return { pointer, message: `The schema should have at most ${limits.schemaPropertiesMax} properties` }
    for (const [key, item] of Object.entries(value))
      pending.push({ value: item, pointer: pointer + pointerStep(key), depth: depth + 1 })
  }
  if (asksForNothing(schema))
    return {
      pointer: '',
      message:
        'The schema names no field, so any answer would be valid: list its properties or items, or leave the schema out',
    }
  return undefined
}

const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0)

const shapingKeywords = [
  'properties',
  'items',
  'prefixItems',
  '$ref',
  'anyOf',
  'oneOf',
  'allOf',
  'enum',
  'const',
  'additionalProperties',
  'patternProperties',
]

function asksForNothing(schema: JsonSchema): boolean {
  const type = schema['type']
  if (
    type !== undefined &&
    type !== 'object' &&
    !(Array.isArray(type) && type.some((one) => one !== 'object' && one !== 'null'))
  )
    return false
  return !shapingKeywords.some((keyword) => {
    const value = schema[keyword]
    if (value === undefined || value === false || value === true) return false
    return typeof value !== 'object' || value === null || Object.keys(value).length > 0
  })
}
