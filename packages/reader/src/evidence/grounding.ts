import { least } from '@skillrun/core/extremes.ts'
import { isJsonObject, type Json, type JsonObject, type JsonSchema, pointerStep } from '@skillrun/core/json.ts'
import { type Evidence, type EvidenceMap, likelyFrom } from './evidence.ts'

/** Minimum confidence that existing clients see as `hi`; `med` is a likely one. */
const highFrom = 0.8

/**
 * The answer with a sibling `<field>_metadata {confidence, bboxes}` beside each field with evidence. A list of plain
 * values has one sibling for all of them.
 */
export function groundedAnswer(answer: Json, evidence: EvidenceMap): Json {
  return grounded(answer, '', evidence)
}

/** Removes `<field>_metadata` properties that the schema does not name: only the server writes them. */
export function withoutClaims(answer: Json, schema: JsonSchema | null): Json {
  const named = namesIn(schema)
  const without = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(without)
    if (!isJsonObject(value)) return value
    const isClaim = (key: string): boolean =>
      key.endsWith(suffix) && Object.hasOwn(value, key.slice(0, -suffix.length)) && !named.has(key)
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (isClaim(key) ? [] : [[key, without(item)]])),
    )
  }
  return without(answer)
}

const suffix = '_metadata'

/** Property names of a schema, at all depths. */
function namesIn(schema: JsonSchema | null): ReadonlySet<string> {
  const names = new Set<string>()
  const pending: unknown[] = [schema]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const { properties } = next as { properties?: unknown }
    if (typeof properties === 'object' && properties !== null)
      for (const name of Object.keys(properties)) names.add(name)
    for (const value of Object.values(next)) pending.push(value)
  }
  return names
}

function grounded(value: Json, pointer: string, evidence: EvidenceMap): Json {
  if (Array.isArray(value)) return value.map((item, index) => grounded(item, `${pointer}/${index}`, evidence))
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    const at = pointer + pointerStep(key)
    const own: [string, Json] = [key, grounded(item, at, evidence)]
    const entries = entriesOf(item, at, evidence)
    return entries.length === 0 || Object.hasOwn(value, key + suffix)
      ? [own]
      : [own, [key + suffix, metadataOf(entries)]]
  })
  return Object.fromEntries(members)
}

function entriesOf(item: Json, at: string, evidence: EvidenceMap): Evidence[] {
  const pointers = Array.isArray(item) ? item.map((_, index) => `${at}/${index}`) : [at]
  if (isJsonObject(item) || (Array.isArray(item) && item.some((one) => isJsonObject(one) || Array.isArray(one))))
    return []
  return pointers.flatMap((one) => evidence[one] ?? [])
}

function metadataOf(entries: readonly Evidence[]): JsonObject {
  const lowest = least(entries.map((entry) => entry.confidence))
  const bboxes = entries.flatMap((entry) =>
    entry.page === undefined || entry.bbox === undefined
      ? []
      : [{ page: entry.page, content: entry.quote ?? '', bbox: { xywh: [...entry.bbox] } }],
  )
  return { confidence: lowest >= highFrom ? 'hi' : lowest >= likelyFrom ? 'med' : 'lo', bboxes }
}
