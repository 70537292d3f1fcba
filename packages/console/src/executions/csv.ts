import { pointerStep } from '@skillrun/core/json.ts'
import { originalPlace, originsOf } from '@skillrun/core/list-rows.ts'
import { type EvidenceMap, type Execution, isJsonObject, type Json, type ListedExecution } from '../wire.ts'

const header = ['path', 'value', 'evidence', 'confidence', 'input', 'page', 'quote']

/** The corrected answer, if a person reviewed it. */
export const answerOf = ({ response, reviewed_response }: Pick<Execution, 'response' | 'reviewed_response'>): Json =>
  (reviewed_response ?? response) as Json

/** One line per value of the answer (RFC 4180), with its evidence or that a person set it; pages count from 1. */
export function valuesAsCsv(
  execution: Pick<Execution, 'response' | 'reviewed_response' | 'review' | 'evidence'>,
): string {
  const evidence: EvidenceMap = execution.evidence ?? {}
  const changes = execution.review?.changes ?? []
  const origins = originsOf(changes)
  // A list whose rows were corrected keeps the evidence of those that stay.
  const set = changes.filter(({ kind, rows }) => kind !== 'confirmed' && !rows)
  const rows = leavesOf(answerOf(execution), '').map(([pointer, value]) => {
    const place = originalPlace(origins, pointer)
    if (place === undefined) return [pointer, value, 'corrected', null, null, null, null]
    const change = set.findLast(({ path }) => place === path || place.startsWith(`${path}/`))
    if (change) return [pointer, value, change.kind, null, null, null, null]
    const found = evidence[place]
    const page = found?.page === undefined ? '' : found.page + 1
    return [pointer, value, found?.status, found?.confidence, found?.input, page, found?.quote]
  })
  return linesOf([header, ...rows])
}

/** One line per execution with a column for each value outside lists. */
export function executionsAsCsv(executions: readonly ListedExecution[]): string {
  const rows = executions.map((one) => ({
    one,
    values: new Map(leavesOf(answerOf(one), '').filter(([pointer]) => !/\/\d+(\/|$)/.test(pointer))),
  }))
  const pointers = [...new Set(rows.flatMap(({ values }) => [...values.keys()]))]
  return linesOf([
    ['id', 'files', 'agent', 'status', 'created_at', ...pointers.map((pointer) => pointer.slice(1) || 'answer')],
    ...rows.map(({ one, values }) => [
      one.id,
      one.file_names.join('; '),
      one.name,
      one.status,
      one.created_at,
      ...pointers.map((pointer) => values.get(pointer)),
    ]),
  ])
}

const linesOf = (rows: readonly (readonly (Json | undefined)[])[]): string =>
  rows.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')

function leavesOf(value: Json, pointer: string): [string, Json][] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [[pointer, value]]
  return Object.entries(value).flatMap(([key, one]) => leavesOf(one, pointer + pointerStep(key)))
}

/** Text that a spreadsheet would run as a formula gets a leading apostrophe. */
function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const text =
    typeof value === 'string' ? value.replace(/^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/, "'$&") : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
