import { type EvidenceMap, isJsonObject, type Json } from '../wire.ts'

const header = ['path', 'value', 'evidence', 'confidence', 'input', 'page', 'quote']

/** One line for each value of an answer with its evidence (RFC 4180); pages count from 1. */
export function valuesAsCsv(answer: Json, evidence: EvidenceMap): string {
  const rows = leavesOf(answer, '').map(([pointer, value]) => {
    const found = evidence[pointer]
    const page = found?.page === undefined ? '' : found.page + 1
    return [pointer, value, found?.status, found?.confidence, found?.input, page, found?.quote]
  })
  return [header, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function leavesOf(value: Json, pointer: string): [string, Json][] {
  if (!Array.isArray(value) && !isJsonObject(value)) return [[pointer, value]]
  return Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
}

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cellOf(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value.replace(/^[=+\-@\t\r]/, "'$&") : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
