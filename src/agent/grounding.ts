import { isJsonObject, type Json, type JsonObject, pointerStep } from '../kit/json.ts'
import type { Evidence, EvidenceMap } from './evidence.ts'

/** From these confidences up, evidence reads as `hi` and `med` in the form that existing clients know. */
const highFrom = 0.8
const mediumFrom = 0.5

/**
 * The answer with a sibling `<field>_metadata {confidence, bboxes}` beside each field that has evidence (contract,
 * "Evidence"). A list of plain values has one sibling for all of them.
 */
export function groundedAnswer(answer: Json, evidence: EvidenceMap): Json {
  return grounded(answer, '', evidence)
}

function grounded(value: Json, pointer: string, evidence: EvidenceMap): Json {
  if (Array.isArray(value)) return value.map((item, index) => grounded(item, `${pointer}/${index}`, evidence))
  if (!isJsonObject(value)) return value
  const result: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) {
    const at = pointer + pointerStep(key)
    result[key] = grounded(item, at, evidence)
    const entries = entriesOf(item, at, evidence)
    if (entries.length > 0 && !(`${key}_metadata` in value)) result[`${key}_metadata`] = metadataOf(entries)
  }
  return result
}

function entriesOf(item: Json, at: string, evidence: EvidenceMap): Evidence[] {
  const pointers = Array.isArray(item) ? item.map((_, index) => `${at}/${index}`) : [at]
  if (isJsonObject(item) || (Array.isArray(item) && item.some((one) => isJsonObject(one) || Array.isArray(one))))
    return []
  return pointers.flatMap((one) => evidence[one] ?? [])
}

function metadataOf(entries: readonly Evidence[]): JsonObject {
  const lowest = Math.min(...entries.map((entry) => entry.confidence))
  const bboxes = entries.flatMap((entry) =>
    entry.page === undefined || entry.bbox === undefined
      ? []
      : [{ page: entry.page, content: entry.quote ?? '', bbox: { xywh: [...entry.bbox] } }],
  )
  return { confidence: lowest >= highFrom ? 'hi' : lowest >= mediumFrom ? 'med' : 'lo', bboxes }
}
