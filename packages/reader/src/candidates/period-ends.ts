import { agreement, labelPart, wordingsOf } from '../labels/like-labels.ts'
import { type MeantWord, meantWords } from '../languages/form-words.ts'
import type { Cell } from '../layout/layout.ts'
import {
  type Candidate,
  type Field,
  inTable,
  overlapAcross,
  type PeriodSighting,
  type Sheet,
  wordConfidence,
} from '../layout/sheet.ts'
import { wordsWithin } from '../layout/spans.ts'
import { findDates, isoDay } from '../values/dates.ts'
import { fits } from '../values/values.ts'

/** A field for the first or the last day of something: `flight_from`, `valid_until`, `end_of_cover`. */
interface End {
  readonly field: Field
  readonly side: 'start' | 'end'
  /** What it is the first or last day of. */
  readonly of: readonly MeantWord[]
}

const sides = new Set(['from', 'until'])
/** Words of a label that any period may have. */
const plain = new Set(['date', 'period', 'from', 'until', 'term'])

const withoutPlain = (words: readonly MeantWord[]): MeantWord[] =>
  words.filter(({ meanings }) => ![...meanings].every((one) => plain.has(one)))

function endOf(field: Field): End | null {
  const { kind, concept } = field.plan.meaning
  if (kind !== 'date' || concept !== null) return null
  const [words = []] = wordingsOf(field).map((one) => one.words)
  const side = words.flatMap(({ meanings }) => [...meanings].filter((one) => sides.has(one)))
  if (new Set(side).size !== 1) return null
  return { field, side: side[0] === 'from' ? 'start' : 'end', of: withoutPlain(words) }
}

/** Texts that may be the label of a period: in front of it, to its left, above it. */
function labelsOf({ cell, match, span }: PeriodSighting): string[] {
  const left: Cell | undefined = cell.line.cells[cell.index - 1]
  const above = cell.line.page.lines[cell.line.index - 1]?.cells.find((other) => overlapAcross(other, cell) > 0.35)
  return [span.text.slice(0, match.start), left?.text ?? '', above?.text ?? ''].flatMap((text) => {
    const part = labelPart(text)
    return part === null || /\d/.test(text.slice(part.end)) ? [] : [part.label]
  })
}

const namedMin = 0.6
const namedScore = 0.93
const onlyScore = 0.62

/**
 * The ends of a period whose label names what the fields ask for: `Order flight 03/27/20 - 03/31/20`. Where no label does, the only
 * labelled period of the documents.
 */
export function periodEndCandidates(sheet: Sheet, fields: readonly Field[]): Candidate[] {
  const ends = fields.flatMap((field) => endOf(field) ?? [])
  if (ends.length === 0) return []
  const sightings = sheet.periods
    .filter(({ cell }) => !inTable(sheet, cell))
    .map((sighting) => ({ sighting, labels: labelsOf(sighting).map(meantWords) }))
  const labelled = sightings.filter(({ labels }) =>
    labels.some((words) => words.some(({ meanings }) => [...meanings].some((one) => plain.has(one)))),
  )
  const periods = new Set(labelled.map(({ sighting }) => periodOf(sighting)))
  return ends.flatMap((end) => {
    const named = sightings
      .map(({ sighting, labels }) => ({
        sighting,
        like: Math.max(0, ...labels.map((words) => agreement(withoutPlain(words), end.of))),
      }))
      .filter(({ like }) => like >= namedMin)
      .toSorted((a, b) => b.like - a.like)
    const [best] = named
    if (best !== undefined) {
      const rivals = named.filter(({ like }) => like >= best.like - 0.01)
      const agree = new Set(rivals.map(({ sighting }) => periodOf(sighting))).size === 1
      return agree ? candidateOf(end, best.sighting, namedScore * (0.7 + 0.3 * best.like)) : []
    }
    const isPair = ends.some((other) => other.side !== end.side && isSame(other.of, end.of))
    const [only] = labelled
    return only !== undefined && isPair && periods.size === 1 ? candidateOf(end, only.sighting, onlyScore) : []
  })
}

/** True for the two ends of one period: both name the same, or nothing but the period. */
const isSame = (one: readonly MeantWord[], other: readonly MeantWord[]): boolean =>
  one.length + other.length === 0 || agreement(one, other) > 0.99

const periodOf = ({ match: { period } }: PeriodSighting): string => `${isoDay(period.start)}/${isoDay(period.end)}`

function candidateOf({ field, side }: End, { span, match, cell }: PeriodSighting, score: number): Candidate[] {
  const own = match.places[side === 'start' ? 0 : 1]
  const isFull = findDates(span.text.slice(...own)).length > 0
  const [start, end] = isFull ? own : [match.start, match.end]
  const value = isoDay(side === 'start' ? match.period.start : match.period.end)
  const reading = { start, end, value, printed: span.text.slice(start, end), fit: 1, derived: !isFull }
  const words = wordsWithin(span, start, end)
  if (!fits(field.plan, reading)) return []
  const sure = score * (0.6 + 0.4 * wordConfidence(words))
  return [{ field, reading, words, page: cell.line.page, label: [], relation: 'unlabelled', score: sure }]
}
