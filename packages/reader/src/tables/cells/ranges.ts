import { meantWords } from '../../languages/form-words.ts'
import type { Field } from '../../layout/sheet.ts'
import type { LeafPlan } from '../../schema/plan.ts'
import { type Conventions, type ParsedValue, readCellAs } from '../../values/parsed-values.ts'

const spaced = /\s(?:[-–—]|to|bis|à|a|al|tot|até|until|till)\s/gu
/** Days have hyphens of their own. */
const unspaced = /(?<=\d)[-–—](?=\d)/gu

/** Which end of a range a field asks for: `reference_low`, `period_end`; null if it says neither or both. */
export function endOfRange(path: string): 'low' | 'high' | null {
  const meanings = new Set(meantWords(path).flatMap((word) => [...word.meanings]))
  const isLow = ['low', 'minimum', 'from'].some((one) => meanings.has(one)) || /(?:^| )min$/.test(path)
  const isHigh = ['high', 'maximum', 'until'].some((one) => meanings.has(one)) || /(?:^| )to$/.test(path)
  return isLow === isHigh ? null : isLow ? 'low' : 'high'
}

/** A path without the words that say which end of a range it asks for. */
const stemOf = ({ plan }: Field): string =>
  plan.meaning.path
    .split(' ')
    .filter((word) => endOfRange(word) === null)
    .join(' ')

/** The field that asks for the other end of the same range: `reference_high` for `reference_low`. */
export function otherEnd(fields: readonly Field[], field: Field): Field | undefined {
  const end = endOfRange(field.plan.meaning.path)
  if (end === null) return undefined
  const [stem, { kind }] = [stemOf(field), field.plan.meaning]
  return fields.find((other) => {
    const { meaning } = other.plan
    const its = endOfRange(meaning.path)
    return its !== null && its !== end && meaning.kind === kind && stemOf(other) === stem
  })
}

/**
 * The end of a range that a field asks for, such as 15.5 of `12.0 - 15.5` for `reference_high`; none where it asks for neither. Undefined:
 * the text is no range of values of its kind.
 */
export function readRange(
  { meaning: { kind, path } }: LeafPlan,
  text: string,
  conventions: Conventions,
): readonly ParsedValue[] | undefined {
  if (!/^(?:number|integer|money|percent|date)$/.test(kind)) return undefined
  const parted = [...text.matchAll(spaced)]
  const marks = parted.length > 0 || kind === 'date' ? parted : [...text.matchAll(unspaced)]
  const [mark] = marks
  if (mark === undefined || marks.length > 1) return undefined
  const start = mark.index + mark[0].length
  const [low] = readCellAs(kind, text.slice(0, mark.index), conventions)
  const [high] = readCellAs(kind, text.slice(start), conventions)
  if (low === undefined || high === undefined) return undefined
  const end = endOfRange(path)
  if (end === null) return []
  return [end === 'low' ? low : { ...high, start: high.start + start, end: high.end + start }]
}
