import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'

function resolvePointer(root: JsonSchema, pointer: string): JsonObject | null {
  if (!pointer.startsWith('#')) return null
  let at: Json | undefined = root
  for (const step of pointer.slice(1).split('/').slice(1)) {
    if (Array.isArray(at)) {
      at = at[Number(step)]
      continue
    }
    if (!isJsonObject(at)) return null
    const name = decodeStep(step)
    at = Object.hasOwn(at, name) ? at[name] : undefined
  }
  return isJsonObject(at) ? at : null
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** A schema with its references and alternatives worked in. */
export interface ResolvedSchema {
  readonly schema: JsonObject
  readonly nullable: boolean
  /** What the schema is made of as it stands in the document: itself, and what it refers to. */
  readonly parts: readonly JsonObject[]
}

const isNullSchema = (schema: Json): boolean =>
  isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null)

/** Two parts of an `allOf`: what is said of properties, and which are required, is said by both. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const both = (key: 'properties' | 'required' | 'allOf'): JsonObject => {
    const [left, right] = [one[key], other[key]]
    if (isJsonObject(left) && isJsonObject(right)) return { [key]: { ...left, ...right } }
    if (Array.isArray(left) && Array.isArray(right)) return { [key]: [...new Set([...left, ...right])] }
    return {}
  }
  return { ...one, ...other, ...both('properties'), ...both('required'), ...both('allOf') }
}

/** Puts what `$ref` leads to in its place, and notes it; a reference that leads to another is left to the next round. */
function followed(root: JsonSchema, schema: JsonObject, parts: JsonObject[]): JsonObject {
  const { $ref: ref, ...own } = schema
  if (typeof ref !== 'string') return schema
  const target = resolvePointer(root, ref)
  if (target) parts.push(target)
  return { ...target, ...own }
}

/** Follows `$ref`, merges `allOf`, takes the first real branch of `anyOf` and `oneOf`. */
export function resolveSchema(root: JsonSchema, given: Json): ResolvedSchema {
  let schema: JsonObject = isJsonObject(given) ? given : {}
  const parts = [schema]
  let nullable = false
  for (let step = 0; step < 16; step++) {
    if (typeof schema['$ref'] === 'string') {
      schema = followed(root, schema, parts)
      continue
    }
    const branches = schema['anyOf'] ?? schema['oneOf']
    if (Array.isArray(branches)) {
      const real = branches.filter((branch) => !isNullSchema(branch))
      nullable ||= real.length < branches.length
      const { anyOf: _a, oneOf: _o, ...own } = schema
      schema = { ...mergeBranches(real), ...own }
      continue
    }
    const all = schema['allOf']
    if (Array.isArray(all)) {
      const { allOf: _, ...own } = schema
      schema = all
        .filter(isJsonObject)
        .map((part) => followed(root, part, parts))
        .reduce(together, own)
      continue
    }
    break
  }
  const type = schema['type']
  nullable ||= schema['nullable'] === true || (Array.isArray(type) && type.includes('null')) || type === 'null'
  const choices = schema['enum']
  nullable ||= Array.isArray(choices) && choices.includes(null)
  return { schema, nullable, parts }
}

/** Several plain branches are one place that takes any of their types; else the first branch counts. */
function mergeBranches(branches: readonly Json[]): JsonObject {
  const objects = branches.filter(isJsonObject)
  const first = objects[0] ?? {}
  const scalar = objects.every(
    (branch) => typeof branch['type'] === 'string' && branch['type'] !== 'object' && branch['type'] !== 'array',
  )
  if (objects.length < 2 || !scalar) return first
  return { ...first, type: objects.map((branch) => branch['type'] ?? 'string') }
}

/** The types that a schema allows beside null; empty means any. */
export const typesOf = (schema: JsonObject): string[] => {
  const type = schema['type']
  const list = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== 'null')
}
