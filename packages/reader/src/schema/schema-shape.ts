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

/** A step of a reference's fragment, unescaped; as it stands where it is not valid. */
export function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return step
  }
}

/** A schema with references and alternatives resolved. */
export interface ResolvedSchema {
  readonly schema: JsonObject
  readonly nullable: boolean
  /** The schema objects that it is made of: itself, and what it refers to. */
  readonly parts: readonly JsonObject[]
}

const isNullSchema = (schema: Json): boolean =>
  isJsonObject(schema) && (schema['type'] === 'null' || schema['const'] === null)

/** Merges two parts of an `allOf`, including properties and required names. */
function together(one: JsonObject, other: JsonObject): JsonObject {
  const both = (key: 'properties' | 'required' | 'allOf'): JsonObject => {
    const [left, right] = [one[key], other[key]]
    if (isJsonObject(left) && isJsonObject(right)) return { [key]: { ...left, ...right } }
    if (Array.isArray(left) && Array.isArray(right)) return { [key]: [...new Set([...left, ...right])] }
    return {}
  }
  return { ...one, ...other, ...both('properties'), ...both('required'), ...both('allOf') }
}

/** Replaces `$ref` by its target and records it. A reference to another reference is left to the next round. */
function followed(root: JsonSchema, schema: JsonObject, parts: JsonObject[]): JsonObject {
  const { $ref: ref, ...own } = schema
  if (typeof ref !== 'string') return schema
  const target = resolvePointer(root, ref)
  if (target) parts.push(target)
  return { ...target, ...own }
}

/** Follows `$ref`, merges `allOf`, and takes the first non-null branch of `anyOf` and `oneOf`. */
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

/** Several scalar branches become one place with all their types; else the first branch counts. */
function mergeBranches(branches: readonly Json[]): JsonObject {
  const objects = branches.filter(isJsonObject)
  const first = objects[0] ?? {}
  const scalar = objects.every(
    (branch) => typeof branch['type'] === 'string' && branch['type'] !== 'object' && branch['type'] !== 'array',
  )
  if (objects.length < 2 || !scalar) return first
  return { ...first, type: objects.map((branch) => branch['type'] ?? 'string') }
}

/** The types that a schema allows besides null; empty means any. */
export const typesOf = (schema: JsonObject): string[] => {
  const type = schema['type']
  const list = Array.isArray(type) ? type : type === undefined ? [] : [type]
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== 'null')
}
