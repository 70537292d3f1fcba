import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import type { SchemaProblem } from './schema.ts'
import { mapSchema, type SchemaMap, type SchemaPlace } from './schema-places.ts'

/**
 * The problem of a schema's references: without a target; circular without a step into a property or an item, so that
 * validation would never end; or too long a chain.
 */
export function findReferenceProblem(schema: JsonSchema): SchemaProblem | undefined {
  const map = mapSchema(schema)
  for (const place of map.places) {
    const lost = map.references(place).find(({ to }) => to === undefined)
    if (lost) return { pointer: lost.pointer, message: 'A $ref should point to a place in the schema' }
  }
  const walk: Walk = { map, open: new Set(), depths: new Map() }
  for (const place of map.places) {
    const found = measure(walk, place, { steps: 0, reference: place.pointer })
    if (typeof found !== 'number') return found
  }
  return undefined
}

interface Walk {
  readonly map: SchemaMap
  /** Schemas on the current path. */
  readonly open: Set<JsonObject>
  /** The longest path onward from schemas that were already walked, in steps. */
  readonly depths: Map<JsonObject, number>
}

/** The length of the longest path from a place by steps that apply to the same value, or the problem found on it. */
function measure(
  walk: Walk,
  place: SchemaPlace,
  from: { readonly steps: number; readonly reference: string },
): number | SchemaProblem {
  if (walk.open.has(place.schema))
    return {
      pointer: from.reference,
      message: 'A $ref should not refer back to itself without a property or an item in between',
    }
  const known = walk.depths.get(place.schema)
  if (from.steps + (known ?? 0) > limits.schemaDepthMax)
    return {
      pointer: from.reference,
      message: `References and alternatives should apply at most ${limits.schemaDepthMax} schemas to one value`,
    }
  if (known !== undefined) return known
  walk.open.add(place.schema)
  let deepest = 0
  for (const { to, reference } of walk.map.sameValueSteps(place)) {
    const found = measure(walk, to, { steps: from.steps + 1, reference: reference ?? from.reference })
    if (typeof found !== 'number') return found
    deepest = Math.max(deepest, found + 1)
  }
  walk.open.delete(place.schema)
  walk.depths.set(place.schema, deepest)
  return deepest
}
