import { pointerStep } from '@skillrun/core/json.ts'
import type { EvidenceCandidate } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import { findDates, isAmbiguous, isoDay, readDay } from '../values/dates.ts'
import type { Conventions } from '../values/parsed-values.ts'

/** What is found, mutable, and why places stay empty. */
interface Found {
  readonly single: Map<string, Finding>
  readonly lists: ReadonlyMap<string, readonly Map<string, Finding>[]>
  readonly notes: Map<string, string>
  readonly candidates: Map<string, readonly EvidenceCandidate[]>
}

/** Neither order of day and month is known to be likelier. */
const eitherOrder = 0.5

/** The other day that a date may be: `03/04/2026` in a document that nowhere shows whether the day or the month comes first. */
function otherDay({ value, evidence: { quote = '' } }: Finding, { dates }: Conventions): string | undefined {
  if (dates.sure || typeof value !== 'string') return undefined
  return findDates(quote).flatMap((match) => {
    const day = readDay(match, dates.order)
    const other = dates.order === 'day-first' ? match.monthFirst : match.dayFirst
    // `03.04.2026` has the day first everywhere.
    if (!day || !other || !isAmbiguous(match) || /^\d{1,2}\.\d/.test(quote.slice(match.start))) return []
    return value.startsWith(isoDay(day)) ? [isoDay(other) + value.slice(isoDay(day).length)] : []
  })[0]
}

/**
 * Doubts dates that are another day with the month first, where nothing shows the order. A single one that `mayLeave` leaves out becomes a
 * candidate beside the other day; any other stays, with a note. Modifies `found`.
 */
export function doubtDays(
  found: Found,
  conventions: Conventions,
  mayLeave: (pointer: string) => boolean,
): { readonly unsure: readonly string[]; readonly warnings: readonly Warning[] } {
  const unsure: string[] = []
  const warnings: Warning[] = []
  const doubt = (path: string, finding: Finding, other: string, isFirst: boolean): Finding => {
    const { value, evidence } = finding
    const note = `${JSON.stringify(evidence.quote)} is ${value} or ${other}: nothing in the document says whether the day or the month comes first.`
    unsure.push(path)
    if (isFirst) warnings.push({ code: 'ambiguous_date', path, message: note })
    return { ...finding, evidence: { ...evidence, confidence: Math.min(evidence.confidence, eitherOrder), note } }
  }
  for (const [pointer, finding] of found.single) {
    const other = otherDay(finding, conventions)
    if (other === undefined) continue
    const doubted = doubt(pointer, finding, other, true)
    found.single.set(pointer, doubted)
    if (!mayLeave(pointer)) continue
    const { note = '', ...evidence } = doubted.evidence
    found.single.delete(pointer)
    found.notes.set(pointer, note)
    found.candidates.set(pointer, [
      { ...evidence, value: doubted.value },
      { ...evidence, value: other },
    ])
  }
  for (const [list, rows] of found.lists) {
    const columns = new Set<string>()
    for (const [at, row] of rows.entries()) {
      for (const [pointer, finding] of row) {
        const other = otherDay(finding, conventions)
        if (other === undefined) continue
        row.set(pointer, doubt(list + pointerStep(at) + pointer, finding, other, !columns.has(pointer)))
        columns.add(pointer)
      }
    }
  }
  return { unsure, warnings }
}
