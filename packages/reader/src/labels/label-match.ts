import type { Kind } from '../languages/concept.ts'
import { isLabelByWords } from '../languages/form-words.ts'
import { isOtherMeasure } from '../languages/units.ts'
import type { Cell } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import {
  type Candidate,
  type Field,
  overlapAcross,
  type Relation,
  type Sheet,
  wordConfidence,
} from '../layout/sheet.ts'
import { type Span, spanOfCell, wordsWithin } from '../layout/spans.ts'
import { type ParsedValue, readAs, readChoices } from '../values/parsed-values.ts'
import { fits, settle } from '../values/values.ts'
import type { LabelHit } from './labels.ts'

/** The number of lines searched below a label. */
export const belowLinesMax = 3
/** The maximum distance between a label and a value below it, in text heights. */
export const belowHeights = 2.6

/** A label matched to a field. */
export interface Match {
  readonly sheet: Sheet
  readonly field: Field
  readonly hit: LabelHit
  /** How surely the label means the field, 0 to 1. */
  readonly weight: number
}

/** Kinds of values that are words. */
export const isWordy = (kind: Kind): boolean => kind === 'text' || kind === 'name' || kind === 'address'
/** Kinds of values that are numbers. */
export const isAmount = (kind: Kind): boolean => kind === 'money' || kind === 'number' || kind === 'integer'

/** True when a cell is in the column of a label. */
export function isUnder(label: Cell, cell: Cell): boolean {
  const slack = label.line.height
  return (
    overlapAcross(label, cell) > 0.35 ||
    Math.abs(label.x0 - cell.x0) < slack * 0.8 ||
    Math.abs(label.x1 - cell.x1) < slack * 0.6
  )
}

/** All ways to parse a text as the field. */
export const readField = (field: Field, text: string, sheet: Sheet): ParsedValue[] =>
  field.plan.meaning.kind === 'enum' || field.plan.choices.length > 0
    ? readChoices(text, field.plan.choices)
    : readAs(field.plan.meaning.kind, text, sheet.conventions).map((reading) => settle(field.plan, reading))

/** True for a value in brackets: `120.00 (incl. 20.00 tax)`. */
const isAside = (text: string, { start }: ParsedValue): boolean => /\([^)]*$/.test(text.slice(0, start))

/** Of several readings of a text, the one that suits the field's kind: the last amount of a row, else the first. */
function pickReading(
  field: Field,
  text: string,
  of: { readings: readonly ParsedValue[]; relation: Relation },
): ParsedValue | undefined {
  const { readings, relation } = of
  const isPerson = /^(?:contact_name|cashier)$/.test(field.plan.meaning.concept?.id ?? '')
  // A question is not a value.
  const all = readings.filter(
    (reading) =>
      fits(field.plan, reading) && !(isPerson && /\d/.test(reading.printed)) && !reading.printed.endsWith('?'),
  )
  const inMeasure = all.filter((reading) => !isOtherMeasure(field.plan, text, reading))
  const fitting = inMeasure.length > 0 ? inMeasure : all
  if (field.plan.meaning.kind !== 'money' || relation === 'below') return fitting[0]
  const main = fitting.filter((reading) => !isAside(text, reading))
  const amounts = main.length > 0 ? main : fitting
  const best = Math.max(0, ...amounts.map((reading) => reading.fit))
  return amounts.findLast((reading) => reading.fit >= best)
}

/** The candidate from a text beside a label; null when the text is no valid value of the field. */
export function candidate(match: Match, span: Span, relation: Relation, factor: number): Candidate | null {
  const { field, sheet, hit } = match
  if (isWordy(field.plan.meaning.kind) && isLabelByWords(span.text)) return null
  const reading = pickReading(field, span.text, { readings: readField(field, span.text, sheet), relation })
  if (reading === undefined) return null
  const words = wordsWithin(span, reading.start, reading.end)
  const page = hit.cell.line.page
  const score = match.weight * factor * (0.35 + 0.65 * reading.fit) * (0.6 + 0.4 * wordConfidence(words))
  return { field, reading, words, page, label: labelWords(hit), relation, score }
}

function labelWords(hit: LabelHit): PlacedWord[] {
  return wordsWithin(spanOfCell(hit.cell), hit.start, hit.end)
}
