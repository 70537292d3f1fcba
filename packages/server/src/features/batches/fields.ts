import type { Json } from '@skillrun/core/json.ts'
import type { BatchItem, ItemEvidence } from './batch.ts'
import { visit } from './exports/columns.ts'

/** One value of an answer with its evidence, as a table cell. */
export interface Field {
  /** JSON Pointer. */
  readonly path: string
  readonly value: Json
  readonly confidence: number | null
  readonly evidence: 'verified' | 'normalised' | 'derived' | 'unsupported' | null
  readonly page: number | null
  readonly input: string | null
  readonly needsLook: boolean
}

/** The values of an answer in its order: one per leaf, and one per list. */
export function fieldsOf({
  response,
  evidence,
  needsLook,
}: Pick<BatchItem, 'response' | 'evidence' | 'needsLook'>): Field[] {
  const fields: Field[] = []
  if (response === null) return fields
  const looks = new Set(needsLook.flatMap(upwards))
  visit(response, '', (path, value) => {
    const found = evidence?.[path] ?? (Array.isArray(value) ? leastSureWithin(evidence, path) : undefined)
    fields.push({
      path,
      value,
      confidence: found?.confidence ?? null,
      evidence: (found?.status as Field['evidence']) ?? null,
      page: found?.page ?? null,
      input: found?.input ?? null,
      needsLook: looks.has(path),
    })
  })
  // Required fields that the answer lacks.
  const shown = new Set(fields.map(({ path }) => path))
  const around = new Set([...shown].flatMap(upwards))
  for (const path of needsLook)
    if (!around.has(path) && !upwards(path).some((one) => shown.has(one)))
      fields.push({ path, value: null, confidence: null, evidence: null, page: null, input: null, needsLook: true })
  return fields
}

/** A pointer and those of what it is within, without the whole. */
function upwards(path: string): readonly string[] {
  const found = [path]
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) found.push(path.slice(0, end))
  return found
}

/** The evidence of the least confident value of a list. */
function leastSureWithin(evidence: BatchItem['evidence'], path: string): ItemEvidence | undefined {
  let least: ItemEvidence | undefined
  for (const [pointer, one] of Object.entries(evidence ?? {}))
    if (pointer.startsWith(`${path}/`) && (least === undefined || one.confidence < least.confidence)) least = one
  return least
}
