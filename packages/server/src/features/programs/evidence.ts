import { isJsonObject, type Json, pointerStep } from '@skillrun/core/json.ts'
import type { Evidence, EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { DocumentLine, LineCell } from '../../agent/programs/candidates.ts'

/** One value of an answer. */
interface Leaf {
  /** JSON Pointer. */
  readonly pointer: string
  /** The pointer with `*` for every index of a list: all items of a list count as one field. */
  readonly field: string
  readonly value: Json
}

/** Every leaf of an answer. */
export function leavesOf(answer: Json, pointer = '', field = ''): Leaf[] {
  if (Array.isArray(answer)) return answer.flatMap((item: Json, n) => leavesOf(item, `${pointer}/${n}`, `${field}/*`))
  if (isJsonObject(answer))
    return Object.entries(answer).flatMap(([name, member]) =>
      leavesOf(member, pointer + pointerStep(name), field + pointerStep(name)),
    )
  return [{ pointer, field, value: answer }]
}

const nothing: Evidence = { status: 'unsupported', confidence: 0, note: 'No value was found.' }

/** The evidence of leaves without a value. */
export const unfound = (leaves: readonly { readonly pointer: string }[]): EvidenceMap =>
  Object.fromEntries(leaves.map(({ pointer }) => [pointer, nothing]))

/**
 * The evidence of the leaves that a program cited. The program's word does not count: the cited place must be one that it was given, and
 * the value must occur in the text there. An invalid citation has no entry.
 */
export function citedEvidence(
  answer: Json,
  cites: ReadonlyMap<string, Json>,
  lines: readonly DocumentLine[],
): EvidenceMap {
  const cells = new Map<string, LineCell>()
  for (const line of lines) for (const cell of line.cells) cells.set(keyOf(line.input, line.page, cell.box), cell)
  const found: Record<string, Evidence> = {}
  for (const { pointer, value } of leavesOf(answer)) {
    const place = cites.get(pointer)
    if (value === null || !isJsonObject(place)) continue
    const { input, page } = place
    const cell = cells.get(keyOf(String(input), Number(page), place['box'] ?? null))
    const status = cell && holds(cell, value)
    if (cell && status)
      found[pointer] = {
        status,
        input: String(input),
        page: Number(page),
        bbox: cell.box,
        ...(cell.seconds ? { seconds: cell.seconds } : {}),
        quote: cell.text,
        confidence: status === 'verified' ? 1 : 0.95,
      }
  }
  return found
}

const keyOf = (input: string, page: number, box: Json): string => JSON.stringify([input, page, box])

function holds({ text, values }: LineCell, value: Json): 'verified' | 'normalised' | undefined {
  if (typeof value === 'string' && squeezed(text).includes(squeezed(value))) return 'verified'
  for (const one of values) {
    if (one.kind === 'amount' && one.value === value) return one.printed === String(value) ? 'verified' : 'normalised'
    if (one.kind === 'date' && [one.value, one.dayFirst, one.monthFirst].includes(String(value))) return 'normalised'
  }
  return undefined
}

const squeezed = (text: string): string => text.replace(/\s+/gu, ' ').trim()
