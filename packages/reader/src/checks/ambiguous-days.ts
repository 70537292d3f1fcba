import { pointerStep } from '@skillrun/core/json.ts'
import type { EvidenceCandidate } from '../evidence/evidence.ts'
import type { Warning } from '../evidence/warnings.ts'
import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import type { Fields } from '../schema/fields.ts'
import { type DateOrder, dateOrder, findDates, isAmbiguous, isoDay, readDay } from '../values/dates.ts'
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

/** `DD/MM/YYYY`, `TT.MM.JJJJ`, `jj/mm/aaaa`, `gg/mm/aaaa`, `%d/%m/%Y`, `day first`; no year before it. */
const dayFirstPattern = /(?<!\p{L}|\p{L}[./-]%?)(?:[dtjg]{1,2}[./-]%?m{1,2}(?!\p{L})|day[./ -](?:first|month)\b)/iu
const monthFirstPattern = /(?<!\p{L}|\p{L}[./-]%?)(?:m{1,2}[./-]%?[dtjg]{1,2}(?!\p{L})|month[./ -](?:first|day)\b)/iu
/** Such words tell how to write the answer, not how the document writes the date. */
const answerPattern = /\b(?:return|output|convert|normali[sz]e|format(?:ted)? (?:as|to|in))\b/i

const fieldAt = (fields: readonly Field[], pointer: string): Field | undefined =>
  fields.find((field) => field.pointer === pointer)

/** A date in the order that its field states; undefined where it states none. */
function inStatedOrder(
  finding: Finding,
  other: string,
  { field, dates }: { readonly field: Field | undefined; readonly dates: Conventions['dates'] },
): Finding | undefined {
  const order = statedOrder(field)
  if (order === undefined) return undefined
  const { value, evidence } = finding
  const first = order === 'day-first' ? 'day' : 'month'
  const note = `${JSON.stringify(evidence.quote)} has the ${first} first, as the description of the field says.`
  return { ...finding, value: order === dates.order ? value : other, evidence: { ...evidence, note } }
}

/** The order of day and month that the description of a field states, as a pattern or by an example. */
function statedOrder(field: Field | undefined): DateOrder | undefined {
  const { description } = field?.plan.schema ?? {}
  if (typeof description !== 'string' || answerPattern.test(description)) return undefined
  const [isDayFirst, isMonthFirst] = [dayFirstPattern.test(description), monthFirstPattern.test(description)]
  if (isDayFirst !== isMonthFirst) return isDayFirst ? 'day-first' : 'month-first'
  const shown = dateOrder({ texts: [description], lean: 0 })
  return shown.sure ? shown.order : undefined
}

/**
 * Doubts dates that are another day with the month first, where nothing shows the order. Where the description of the
 * field states the order, the date is of that order and has a note. A single one that `mayLeave` leaves out becomes a
 * candidate beside the other day; any other stays, with a note. Modifies `found`.
 */
export function doubtDays(
  found: Found,
  { conventions, fields }: { readonly conventions: Conventions; readonly fields: Fields },
  mayLeave: (pointer: string) => boolean,
): { readonly unsure: readonly string[]; readonly warnings: readonly Warning[] } {
  const { dates } = conventions
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
    const stated = inStatedOrder(finding, other, { field: fieldAt(fields.single, pointer), dates })
    if (stated) {
      found.single.set(pointer, stated)
      continue
    }
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
        const field = fieldAt(fields.lists.find((one) => one.pointer === list)?.columns ?? [], pointer)
        const stated = inStatedOrder(finding, other, { field, dates })
        row.set(pointer, stated ?? doubt(list + pointerStep(at) + pointer, finding, other, !columns.has(pointer)))
        if (!stated) columns.add(pointer)
      }
    }
  }
  return { unsure, warnings }
}
