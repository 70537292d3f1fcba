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
  visit(response, '', (path, value) => {
    const found = evidence?.[path] ?? (Array.isArray(value) ? leastSureWithin(evidence, path) : undefined)
    fields.push({
      path,
      value,
      confidence: found?.confidence ?? null,
      evidence: (found?.status as Field['evidence']) ?? null,
      page: found?.page ?? null,
      input: found?.input ?? null,
      needsLook: needsLook.some((look) => look === path || look.startsWith(`${path}/`)),
    })
  })
  return fields
}

/** The evidence of the least confident value of a list. */
function leastSureWithin(evidence: BatchItem['evidence'], path: string): ItemEvidence | undefined {
  let least: ItemEvidence | undefined
  for (const [pointer, one] of Object.entries(evidence ?? {}))
    if (pointer.startsWith(`${path}/`) && (least === undefined || one.confidence < least.confidence)) least = one
  return least
}
