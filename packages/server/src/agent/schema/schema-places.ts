import { isJsonObject, type Json, type JsonObject, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { decodeStep } from '@skillrun/reader/schema/schema-shape.ts'

/** A subschema. */
export interface SchemaPlace {
  readonly schema: JsonObject
  /** JSON Pointer from the root. */
  readonly pointer: string
  /** The base of `#`: the nearest enclosing schema with an `$id`, or the root. */
  readonly base: { readonly schema: JsonObject; readonly pointer: string }
}

const one = [
  'items',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
] as const
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'] as const
const maps = ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions'] as const

/** Keywords whose subschemas apply to the same value as the schema itself. */
const sameValue: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependencies',
])

const referenceKeywords = ['$ref', '$dynamicRef', '$recursiveRef'] as const

/**
 * The keyword whose value contains the place of a pointer; undefined when the pointer is at a schema itself, such as
 * `/properties/total`.
 */
export function keywordAt(pointer: string): string | undefined {
  let keyword: string | undefined
  for (const step of pointer.split('/').slice(1)) {
    const leadsToSchema = keyword !== undefined && (has(maps, keyword) || (has(lists, keyword) && /^\d+$/.test(step)))
    if (leadsToSchema) keyword = undefined
    else if (keyword === undefined || has(one, keyword)) keyword = step
    // Deeper steps stay in the value of the same keyword.
  }
  return keyword
}

const has = (keywords: readonly string[], keyword: string): boolean => keywords.includes(keyword)

interface Child extends SchemaPlace {
  readonly keyword: string
}

function childrenOf({ schema, pointer, base }: SchemaPlace): Child[] {
  const children: Child[] = []
  const add = (keyword: string, value: Json | undefined, path: string): void => {
    if (isJsonObject(value)) children.push({ keyword, ...placeAt(value, pointer + path, base) })
  }
  for (const keyword of one) add(keyword, schema[keyword], pointerStep(keyword))
  for (const keyword of lists) {
    const list = schema[keyword]
    if (!Array.isArray(list)) continue
    list.forEach((item: Json, index) => {
      add(keyword, item, pointerStep(keyword) + pointerStep(index))
    })
  }
  for (const keyword of maps) {
    const map = schema[keyword]
    if (!isJsonObject(map)) continue
    for (const [name, item] of Object.entries(map)) add(keyword, item, pointerStep(keyword) + pointerStep(name))
  }
  return children
}

function placeAt(schema: JsonObject, pointer: string, base: SchemaPlace['base']): SchemaPlace {
  const id = schema['$id']
  return typeof id === 'string' && !id.startsWith('#')
    ? { schema, pointer, base: { schema, pointer } }
    : { schema, pointer, base }
}

const rootPlace = (root: JsonSchema): SchemaPlace => ({
  schema: root,
  pointer: '',
  base: { schema: root, pointer: '' },
})

/** A step from a schema to another that applies to the same value; `reference` is the pointer of the `$ref`, if it is one. */
export interface SameValueStep {
  readonly to: SchemaPlace
  readonly reference?: string
}

/** A reference and its target; undefined when it has none. */
export interface Reference {
  readonly pointer: string
  readonly to: SchemaPlace | undefined
}

/** All subschemas, including those reachable only by a reference, and their connections. */
export interface SchemaMap {
  readonly places: readonly SchemaPlace[]
  references(place: SchemaPlace): readonly Reference[]
  sameValueSteps(place: SchemaPlace): readonly SameValueStep[]
}

/** Collects the subschemas of a schema. */
export function mapSchema(root: JsonSchema): SchemaMap {
  const anchors = new Map<string, SchemaPlace>()
  const places: SchemaPlace[] = []
  const seen = new Set<JsonObject>()
  const references = (place: SchemaPlace): Reference[] =>
    referenceKeywords.flatMap((keyword) => {
      const text = place.schema[keyword]
      if (typeof text !== 'string') return []
      return [{ pointer: place.pointer + pointerStep(keyword), to: follow(place, text, anchors) }]
    })
  const visitFrom = (first: readonly SchemaPlace[]): void => {
    const pending = [...first]
    for (let place = pending.pop(); place; place = pending.pop()) {
      if (seen.has(place.schema)) continue
      seen.add(place.schema)
      places.push(place)
      for (const name of anchorsIn(place.schema)) if (!anchors.has(name)) anchors.set(name, place)
      pending.push(...childrenOf(place))
    }
  }
  visitFrom([rootPlace(root)])
  // Grows while it is iterated: references can lead outside known keywords, such as `#/components/schemas/x`.
  for (let index = 0; index < places.length; index += 1) {
    const place = places[index]
    if (place) visitFrom(references(place).flatMap(({ to }) => (to ? [to] : [])))
  }
  return {
    places,
    references,
    sameValueSteps: (place) => [
      ...references(place).flatMap(({ pointer, to }) => (to ? [{ to, reference: pointer }] : [])),
      ...childrenOf(place).flatMap((child) => (sameValue.has(child.keyword) ? [{ to: child }] : [])),
    ],
  }
}

function anchorsIn(schema: JsonObject): string[] {
  const named = [schema['$anchor'], schema['$dynamicAnchor']].filter((name) => typeof name === 'string')
  const id = schema['$id']
  return typeof id === 'string' && id.startsWith('#') ? [...named, id.slice(1)] : named
}

/** Resolves a reference within the schema. */
function follow(from: SchemaPlace, text: string, anchors: ReadonlyMap<string, SchemaPlace>): SchemaPlace | undefined {
  if (!text.startsWith('#')) return undefined
  const fragment = text.slice(1)
  if (fragment !== '' && !fragment.startsWith('/')) return anchors.get(fragment)
  let { pointer } = from.base
  let at: Json | undefined = from.base.schema
  let { base } = from
  for (const step of fragment.split('/').slice(1).map(decodeStep)) {
    at = Array.isArray(at) ? at[Number(step)] : isJsonObject(at) && Object.hasOwn(at, step) ? at[step] : undefined
    if (at === undefined) return undefined
    pointer += pointerStep(step)
    if (isJsonObject(at)) ({ base } = placeAt(at, pointer, base))
  }
  // `true` and `false` are schemas without content.
  return typeof at === 'boolean'
    ? { schema: {}, pointer, base }
    : isJsonObject(at)
      ? { schema: at, pointer, base }
      : undefined
}

/**
 * Finds the names of the properties that an object may have, by the steps to its place in an answer. Null where the schema leaves them open, or
 * says nothing of the place.
 */
export function nameFinder(root: JsonSchema): (steps: readonly string[]) => readonly string[] | null {
  const { sameValueSteps } = mapSchema(root)
  return (steps) => {
    let places = ofSameValue([rootPlace(root)], sameValueSteps)
    for (const step of steps) {
      const next = places.flatMap((place) => childrenOf(place).filter((child) => leadsTo(child, place, step)))
      places = ofSameValue(next, sameValueSteps)
    }
    const isOpen = openKeywords.some((keyword) => places.some(({ schema }) => (schema[keyword] ?? false) !== false))
    const names = new Set(
      places.flatMap(({ schema: { properties } }) => (isJsonObject(properties) ? Object.keys(properties) : [])),
    )
    return isOpen || names.size === 0 ? null : [...names]
  }
}

const openKeywords = ['additionalProperties', 'unevaluatedProperties', 'patternProperties'] as const

/** Places and those that apply to the same values. */
function ofSameValue(first: readonly SchemaPlace[], stepsFrom: SchemaMap['sameValueSteps']): SchemaPlace[] {
  const found = new Map(first.map((place) => [place.schema, place]))
  // Grows while it is iterated.
  for (const place of found.values())
    for (const { to } of stepsFrom(place)) if (!found.has(to.schema)) found.set(to.schema, to)
  return [...found.values()]
}

/** Whether a subschema is of the property or item that a step of a pointer to a value names. */
function leadsTo({ keyword, pointer }: Child, place: SchemaPlace, step: string): boolean {
  if (keyword === 'properties' || keyword === 'prefixItems')
    return pointer === place.pointer + pointerStep(keyword) + pointerStep(step)
  return (keyword === 'items' || keyword === 'additionalItems') && /^\d+$/.test(step)
}

/** All patterns of a schema, with their pointers. */
export function patternsOf(root: JsonSchema): { readonly pointer: string; readonly source: string }[] {
  return mapSchema(root).places.flatMap(({ schema, pointer }) => {
    const own = schema['pattern']
    const named = schema['patternProperties']
    return [
      ...(typeof own === 'string' ? [{ pointer: `${pointer}/pattern`, source: own }] : []),
      ...(isJsonObject(named) ? Object.keys(named) : []).map((source) => ({
        pointer: `${pointer}/patternProperties${pointerStep(source)}`,
        source,
      })),
    ]
  })
}
