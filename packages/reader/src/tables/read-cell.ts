import type { Finding } from '../extract/assemble.ts'
import type { Kind } from '../languages/concept.ts'
import { meantWords } from '../languages/form-words.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { type Span, wordsWithin } from '../layout/spans.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { findIdentifier } from '../values/identifiers.ts'
import { type ParsedValue, readCellAs, readChoices, widerKind } from '../values/parsed-values.ts'
import { settle, valueFor } from '../values/values.ts'
import { readRange } from './cells/ranges.ts'

const cellTextMax = 600

/** What a schema that asks for a text gets as it is printed. */
const asPrinted = /^(?:id|number|integer|percent)$/
/** A text whose letters are masked: `***7503**`. */
const isMasked = /^\*+[\p{L}\d]+\**$|^[\p{L}\d]+\*+$/u

const momentPatterns: Readonly<Record<string, RegExp>> = { date: /\d:\d\d/, time: /^\d{1,2}:\d\d:\d\d$/ }

/** Parses a table cell as a value of a field. */
export function readCell(
  field: Field,
  span: Span,
  sheet: Sheet,
): { value: Finding['value']; words: Span['words']; fit: number } | null {
  const { plan } = field
  const text = isMasked.test(span.text) ? span.text : squeeze(trimMarks(span.text))
  if (text === '') return null
  const { kind } = plan.meaning
  const isText = plan.types.length > 0 && plan.types.every((type) => type === 'string') && plan.choices.length === 0
  // A day with a time is no date, and a time with seconds may be how long something took.
  const isMoment = isText && plan.schema['format'] === undefined && momentPatterns[kind]?.test(text) === true
  if (
    /^(?:text|name|address)$/.test(kind) ||
    (isText && asPrinted.test(kind)) ||
    isMoment ||
    (kind === 'id' && plan.types.length === 0)
  ) {
    const reading = { start: 0, end: text.length, value: text, printed: text, fit: 0.8 }
    const value = text.length > cellTextMax ? undefined : valueFor(plan, reading)
    return value === undefined ? null : { value, words: span.words, fit: fitAsPrinted(kind, text) }
  }
  const readings =
    plan.choices.length > 0
      ? readChoices(span.text, plan.choices)
      : (readRange(plan, span.text, sheet.conventions) ?? readFigure(field, span.text, sheet))
  for (const found of readings) {
    // A payment in a list is negative where it is taken back.
    const reading = settle(plan, found, plan.meaning.concept?.id === 'amount_paid' || sheet.conventions.keepsSigns)
    const value = valueFor(plan, reading)
    if (value !== undefined) return { value, words: wordsWithin(span, reading.start, reading.end), fit: reading.fit }
  }
  return null
}

/** Reads a cell as the field's kind, else as the wider kind. A field that asks for a tax or discount rate by name gets only rates. */
function readFigure({ plan }: Field, text: string, { conventions }: Sheet): readonly ParsedValue[] {
  const { kind, path, concept } = plan.meaning
  const readings = readCellAs(kind, text, conventions)
  const wider = kind === 'percent' && concept !== null && asksForRate(path) ? undefined : widerKind[kind]
  return readings.length > 0 || wider === undefined ? readings : readCellAs(wider, text, conventions)
}

const asksForRate = (path: string): boolean =>
  /\b(?:percent|percentage|rate|pct)$/.test(path) ||
  meantWords(path).some(({ meanings }) => meanings.has('percent') || meanings.has('vatrate'))

/** How well a text that is given as printed is a value of its kind. */
function fitAsPrinted(kind: Kind, text: string): number {
  if (kind === 'time') return 1
  return kind === 'id' ? idFit(text) : /\p{L}{2}/u.test(text) ? 0.8 : 0.3
}

/** Codes are short and contain digits; names consist of words. */
function idFit(text: string): number {
  if (findIdentifier(text)?.value === text) return 0.85
  return text.split(' ').length > 2 ? 0.2 : /\d/.test(text) ? 0.85 : 0.4
}
