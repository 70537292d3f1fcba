import { isJsonObject, type Json, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'

/** A field that a program can fill. */
export interface LeafField {
  readonly pointer: string
  readonly path: readonly string[]
  /** A unique variable name in the program: `/seller/name` → `the_seller_name`. */
  readonly name: string
  /** A single value to find in the document: not an array, an enum or a boolean, which have no text of their own there. */
  readonly isScalar: boolean
  readonly isDate: boolean
}

const scalarTypes = new Set(['string', 'number', 'integer', 'null'])
const depthMax = 8

/** The fields of an object schema, including nested ones; undefined for any other schema. */
export function leafFieldsOf(schema: JsonSchema): LeafField[] | undefined {
  if (!isJsonObject(schema['properties']) || Object.keys(schema['properties']).length === 0) return undefined
  const fields: LeafField[] = []
  const visit = (shape: JsonSchema, path: readonly string[]): void => {
    const properties = isJsonObject(shape['properties']) ? shape['properties'] : {}
    for (const [name, value] of Object.entries(properties)) {
      const below = isJsonObject(value) ? value : {}
      const at = [...path, name]
      if (isJsonObject(below['properties']) && at.length < depthMax) visit(below, at)
      else
        fields.push({ pointer: at.map(pointerStep).join(''), path: at, name: freshName(at, fields), ...kindOf(below) })
    }
  }
  visit(schema, [])
  return fields
}

function freshName(path: readonly string[], others: readonly LeafField[]): string {
  const name = `the_${path.join('_').replace(/[^A-Za-z0-9_]/g, '_')}`
  const taken = new Set(others.map((other) => other.name))
  let fresh = name
  for (let number = 2; taken.has(fresh); number += 1) fresh = `${name}_${number}`
  return fresh
}

function kindOf(shape: JsonSchema): { isScalar: boolean; isDate: boolean } {
  const types = [shape['type'] ?? []].flat()
  const isScalar =
    types.length > 0 &&
    types.every((type) => scalarTypes.has(String(type))) &&
    !('enum' in shape) &&
    !('const' in shape)
  return { isScalar, isDate: shape['format'] === 'date' }
}

/** The value at a path; null when there is none. */
export function readPath(value: Json, path: readonly string[]): Json {
  let at: Json = value
  for (const step of path) at = isJsonObject(at) && Object.hasOwn(at, step) ? (at[step] ?? null) : null
  return at
}
