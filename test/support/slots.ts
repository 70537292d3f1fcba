import { isJsonObject, type Json, type JsonObject } from '../../packages/core/src/json.ts'

/** A place in a request that takes text of the caller: in the path, the query, a header or, at any depth, in the body. */
export interface Slot {
  readonly operation: string
  readonly method: string
  readonly path: string
  /** `path.id`, `query.session_id`, `body.inputs.*.file_id`. */
  readonly name: string
  /**
   * A request to the operation with `value` in this place and the required minimum in the others: in the path what
   * `fill` returns, else a minimal value of the schema.
   */
  request(value: string, fill: Fill): SlotRequest
}

export interface SlotRequest {
  readonly path: string
  readonly body?: Json
}

/** Deeper than any real body; recursive schemas end here. */
const depthMax = 12

/** Every slot of every operation of an OpenAPI document. `bases` are bodies by operation with more than the required minimum. */
export function slotsOf(document: JsonObject, bases: Readonly<Record<string, JsonObject>> = {}): Slot[] {
  return operationsOf(document).flatMap(({ method, path, operation }) => {
    const name = String(operation['operationId'])
    const resolve = resolver(document)
    const parameters = (operation['parameters'] ?? []) as unknown as Parameter[]
    const bodySchema = bodySchemaOf(operation)
    const least = bodySchema === undefined ? undefined : sampleOf(resolve, bodySchema)
    const base = merged(least, bases[name])
    const filled = (value: (name: string) => string | undefined): string => {
      const textOf = (one: Parameter): string =>
        encodeURIComponent(value(`${one.in}.${one.name}`) ?? String(sampleOf(resolve, one.schema)))
      const address = parameters
        .filter((one) => one.in === 'path')
        .reduce((address, one) => address.replace(`{${one.name}}`, textOf(one)), path)
      const query = parameters
        .filter((one) => one.in === 'query' && (one.required || value(`query.${one.name}`) !== undefined))
        .map((one) => `${one.name}=${textOf(one)}`)
      return query.length ? `${address}?${query.join('&')}` : address
    }
    const at = { operation: name, method, path }
    const placed = parameters
      .filter((one) => takesText(resolve, one.schema))
      .map((one) => ({
        ...at,
        name: `${one.in}.${one.name}`,
        request: (value: string, fill: Fill) => ({
          path: filled((name) => (name === `${one.in}.${one.name}` ? value : fill(name))),
          ...(base === undefined ? {} : { body: base }),
        }),
      }))
    const nested =
      bodySchema === undefined
        ? []
        : leavesOf(resolve, bodySchema).map((leaf) => ({
            ...at,
            name: `body.${leaf.name}`,
            request: (value: string, fill: Fill) => ({
              path: filled(fill),
              body: merged(base, leaf.holding(value)) ?? null,
            }),
          }))
    return [...placed, ...nested]
  })
}

type Fill = (name: string) => string | undefined

interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema: Json
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
}

/** The operations of an OpenAPI document. */
export function operationsOf(document: JsonObject): Operation[] {
  return Object.entries((document['paths'] ?? {}) as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as JsonObject).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: operation as JsonObject,
    })),
  )
}

/** The schema of an operation's JSON body, if it has one. */
export function bodySchemaOf(operation: JsonObject): Json | undefined {
  const content = (operation['requestBody'] as JsonObject | undefined)?.['content'] as JsonObject | undefined
  return (content?.['application/json'] as JsonObject | undefined)?.['schema']
}

type Resolve = (schema: Json) => JsonObject

/** Follows `$ref` within the document. */
export function resolver(document: JsonObject): Resolve {
  return (schema) => {
    let at = schema
    while (isJsonObject(at) && typeof at['$ref'] === 'string') {
      const steps = at['$ref'].slice(2).split('/')
      at = steps.reduce<Json>((place, step) => (isJsonObject(place) ? (place[step] ?? {}) : {}), document)
    }
    return isJsonObject(at) ? at : {}
  }
}

const branchesOf = (schema: JsonObject): readonly Json[] => (schema['anyOf'] ?? schema['oneOf'] ?? []) as Json[]

/** True when a schema accepts any text: no enum, no date-time. */
function takesText(resolve: Resolve, schema: Json): boolean {
  const at = resolve(schema)
  if (at['enum'] !== undefined || at['const'] !== undefined) return false
  if (at['format'] === 'date-time' || at['format'] === 'date') return false
  if (at['type'] === 'string') return true
  return branchesOf(at).some((branch) => takesText(resolve, branch))
}

/** A minimal value of a schema. */
function sampleOf(resolve: Resolve, schema: Json, depth = 0): Json {
  const at = resolve(schema)
  if (at['const'] !== undefined) return at['const']
  if (Array.isArray(at['enum'])) return at['enum'][0] ?? null
  if (at['default'] !== undefined) return at['default']
  const branch = branchesOf(at).find((one) => resolve(one)['type'] !== 'null')
  if (branch !== undefined) return sampleOf(resolve, branch, depth + 1)
  switch (at['type']) {
    case 'string':
      return at['format'] === 'date-time' ? '2026-01-02T03:04:05.000Z' : 'a text'
    case 'integer':
    case 'number':
      return typeof at['minimum'] === 'number' ? at['minimum'] : 1
    case 'boolean':
      return true
    case 'array':
      return Number(at['minItems'] ?? 0) > 0 && depth < depthMax
        ? [sampleOf(resolve, at['items'] ?? {}, depth + 1)]
        : []
    default:
      return leastObject(resolve, at, depth)
  }
}

function leastObject(resolve: Resolve, at: JsonObject, depth: number): JsonObject {
  const required = Array.isArray(at['required']) && depth < depthMax ? at['required'] : []
  const properties = (at['properties'] ?? {}) as JsonObject
  return Object.fromEntries(
    required.map((name) => [String(name), sampleOf(resolve, properties[String(name)] ?? {}, depth + 1)]),
  )
}

interface Leaf {
  readonly name: string
  readonly holding: (value: string) => Json
}

/** Every place within a body that takes text, with the minimum around it. */
function leavesOf(resolve: Resolve, schema: Json, depth = 0): Leaf[] {
  if (depth > depthMax) return []
  const at = resolve(schema)
  const found: Leaf[] = []
  if (at['type'] === 'string' && takesText(resolve, at)) found.push({ name: '', holding: (value) => value })
  for (const branch of branchesOf(at)) found.push(...leavesOf(resolve, branch, depth + 1))
  const inside = (step: string, child: Json, around: (value: Json) => Json): void => {
    for (const leaf of leavesOf(resolve, child, depth + 1))
      found.push({
        name: leaf.name === '' ? step : `${step}.${leaf.name}`,
        holding: (value) => around(leaf.holding(value)),
      })
  }
  // The minimum of the body as a whole is in its base.
  const least = depth === 0 ? {} : leastObject(resolve, at, depth)
  for (const [name, child] of Object.entries((at['properties'] ?? {}) as JsonObject))
    inside(name, child, (value) => ({ ...least, [name]: value }))
  if (isJsonObject(at['additionalProperties'])) inside('*', at['additionalProperties'], (value) => ({ slot: value }))
  if (at['items'] !== undefined) inside('[]', at['items'], (value) => [value])
  const seen = new Set<string>()
  return found.filter((leaf) => !seen.has(leaf.name) && seen.add(leaf.name))
}

/** Merges objects recursively; other values of `over` replace those of `under`. */
function merged(under: Json | undefined, over: Json | undefined): Json | undefined {
  if (over === undefined) return under
  if (!isJsonObject(under) || !isJsonObject(over)) return over
  const laid = Object.entries(over).map(([name, value]) => [name, merged(under[name], value) ?? null] as const)
  return { ...under, ...Object.fromEntries(laid) }
}
