import type { JsonObject, JsonSchema } from '@skillrun/core/json.ts'
import { limits } from '../../core/limits.ts'
import type { SchemaProblem } from './schema.ts'
import { mapSchema, type SchemaMap, type SchemaPlace } from './schema-places.ts'

/**
 * What is wrong with the references of a schema: one that leads nowhere; one that comes back to itself without a step into
 * a property or an item, so that no value could ever be judged; or too many in a row.
 */
export function findReferenceProblem(schema: JsonSchema): SchemaProblem | undefined {
  const map = mapSchema(schema)
  for (const place of map.places) {
    const lost = map.references(place).find(({ to }) => to === undefined)
    if (lost) return { pointer: lost.pointer, message: 'A $ref should point at a place that the schema has' }
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
  /** On the way that is being walked. */
  readonly open: Set<JsonObject>
  /** The longest way onward from what was walked already, in steps. */
  readonly depths: Map<JsonObject, number>
}

/** The longest way from a place by steps that stay with one value, or what is wrong on it. */
function measure(
  walk: Walk,
  place: SchemaPlace,
  from: { readonly steps: number; readonly reference: string },
): number | SchemaProblem {
  if (walk.open.has(place.schema))
    return {
      pointer: from.reference,
      message: 'A $ref should pass through a property or an item before it comes back to itself',
    }
  const known = walk.depths.get(place.schema)
  if (from.steps + (known ?? 0) > limits.schemaDepthMax)
    return {
      pointer: from.reference,
      message: `References and alternatives should lead through at most ${limits.schemaDepthMax} schemas for one value`,
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
