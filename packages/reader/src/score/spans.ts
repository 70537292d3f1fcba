import type { Json } from '@skillrun/core/json.ts'
import { otherMeasure } from '../candidates/other-measures.ts'
import type { Kind } from '../languages/concept.ts'
import type { Cell } from '../layout/layout.ts'
import { numberingOf } from '../layout/numbering.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { keptBy } from '../layout/remembered.ts'
import type { Field, Sheet } from '../layout/sheet.ts'
import { partEnd, squeeze, tokensOf, trimMarks } from '../layout/text.ts'
import { withoutRegistration } from '../parties/headings.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { readCombs } from '../values/combs.ts'
import { findMisprintedIbans } from '../values/identifiers.ts'
import { readMultiples } from '../values/multiples.ts'
import { readNumberWords } from '../values/number-words.ts'
import {
  type Conventions,
  type ParsedValue,
  readAs,
  readDoubtfulTimes,
  readNamedDays,
} from '../values/parsed-values.ts'
import { settle, valueFor } from '../values/values.ts'
import { readWrittenDates } from '../values/written-dates.ts'
import { idsApart, type PartSpans, partsOf } from './cell-parts.ts'
import { nameOfField } from './label-likeness.ts'
import type { IsLabelled } from './labels-beside.ts'
import { inRunningText, textsInProse } from './prose-spans.ts'
import {
  idsIn,
  nextCells,
  type ReadSpan,
  readSpanOf,
  type Span,
  sitsBelow,
  spanOver,
  textMax,
  textPart,
} from './read-span.ts'
import { asksFor } from './value-kinds.ts'

/** A text on a page that a field may take as its value. */
export interface SpanCandidate extends Span {
  readonly value: Json
  /** The same for all fields that may take it. */
  readonly span: Span
}

const isTyped = (kind: string) => !/^(?:text|name|address|id)$/.test(kind)

/** Finds the candidates of a field in reading order, at most `most`. What the texts of a line are is found once for all fields of a kind. */
export type SpanFinder = (field: Field, most: number) => SpanCandidate[]

/** Parts are at most so many of the candidates of a field, so that those of later pages are seen too. */
const partsShare = 1 / 3

/** From this share of its name on, a field for text may ask for a code: its candidates are codes too. */
const codeShare = 0.5

const noCodes = (): readonly ReadSpan[] => []

/** Finds candidates on these pages. Texts are taken apart only where a label of the field may stand beside them. */
export function spanFinder(
  { pages, conventions }: Pick<Sheet, 'pages' | 'conventions'>,
  isLabelled: IsLabelled,
): SpanFinder {
  const known = new Map<string, Map<Cell, CellSpans>>()
  const codesOf = keptBy((cell: Cell) => idsIn(cell.text).map((reading) => readSpanOf(cell, 'typed', reading)))
  return (field, most) => {
    const { plan } = field
    const { kind } = plan.meaning
    const ofKind = known.get(kind) ?? new Map<Cell, CellSpans>()
    known.set(kind, ofKind)
    const found: SpanCandidate[] = []
    const add = ({ reading, span }: ReadSpan) => {
      const value = valueFor(plan, settle(plan, reading))
      if (value === undefined || found.length >= most) return
      const { printed, words, cell, start, end, cut, fit, lines, derived } = span
      if (otherMeasure(plan, cell, { start, end }) !== null) return
      found.push({ value, printed, words, cell, start, end, cut, fit, lines, derived, span })
    }
    const codes = kind === 'text' && asksFor(nameOfField(field), 'code') >= codeShare ? codesOf : noCodes
    let parts = 0
    for (const page of pages) {
      for (const line of page.lines) {
        if (found.length >= most) return found
        for (const cell of line.cells) {
          let spans = ofKind.get(cell)
          if (spans === undefined) {
            spans = spansOf(cell, kind, conventions)
            ofKind.set(cell, spans)
          }
          for (const span of spans.first) add(span)
          for (const span of codes(cell)) add(span)
          const labelled = isTyped(kind) || kind === 'id' ? undefined : afterLabel(cell, spans.colon, plan)
          if (labelled) add(labelled)
          for (const span of spans.rest) add(span)
          for (const { place, found: partsHere } of spans.apart) {
            if (parts > most * partsShare || (place !== null && !isLabelled(field, cell, place))) continue
            for (const part of partsHere()) add(part)
            parts += partsHere().length
          }
        }
      }
    }
    return found
  }
}

/** The candidates of a kind in a cell, in order: those before and after what follows a label of the field. */
interface CellSpans {
  readonly first: readonly ReadSpan[]
  readonly rest: readonly ReadSpan[]
  /** The length of its text up to what follows a colon; 0 without one. */
  readonly colon: number
  /** Parts of it, by where they begin. */
  readonly apart: readonly PartSpans[]
}

function spansOf(cell: Cell, kind: Kind, conventions: Conventions): CellSpans {
  if (isTyped(kind) || kind === 'id') {
    const readings = kind === 'id' ? idsIn(cell.text) : readAs(kind, cell.text, conventions)
    const numbering = numberingOf(cell)
    const first = readings
      .filter(({ end }) => end > numbering)
      .flatMap((reading) => withoutBox(reading, cell, kind, conventions))
      .flatMap(withoutMinus)
      .map((reading) => readSpanOf(cell, 'typed', reading))
    if (kind === 'date') first.push(...datesBeyond(cell, conventions), ...inRunningText(cell, readWrittenDates))
    if (kind === 'time')
      first.push(
        ...readDoubtfulTimes(cell.text).map((reading) => readSpanOf(cell, 'typed', reading)),
        ...textsInProse(cell, kind),
      )
    if (kind === 'iban') first.push(...misprintedIbans(cell))
    if (kind === 'money' || kind === 'number')
      first.push(...readMultiples(cell.text, conventions.numbers).map((reading) => readSpanOf(cell, 'typed', reading)))
    if (kind === 'integer' || kind === 'number')
      first.push(...readNumberWords(cell.text).map((reading) => readSpanOf(cell, 'typed', reading)))
    first.push(...combsIn(cell, kind, conventions))
    return {
      first,
      rest: [],
      colon: 0,
      apart: kind === 'id' ? partsOf(cell, kind) : kind === 'vat' ? idsApart(cell) : [],
    }
  }
  const { first, rest, colon } = textsIn(cell, kind)
  const combs = combsIn(cell, kind, conventions)
  const apart = partsOf(cell, kind)
  const blocks = blocksFrom(cell, kind).map(({ reading, words, lines }) =>
    readSpanOf(cell, 'block', reading, { words, lines }),
  )
  return { first: [...first, ...combs], rest: [...rest, ...blocks], colon, apart }
}

const combsIn = (cell: Cell, kind: Kind, conventions: Conventions): ReadSpan[] =>
  readCombs(kind, cell.text, conventions).map((reading) => readSpanOf(cell, 'typed', reading))

/** Only where the characters are certain: what OCR read with wrong check digits may be misread. */
const misprintedIbans = (cell: Cell): ReadSpan[] =>
  cell.line.page.page.source === 'ocr'
    ? []
    : findMisprintedIbans(cell.text).map(({ start, end, value }) =>
        readSpanOf(cell, 'typed', { start, end, value, printed: cell.text.slice(start, end), fit: 0.5 }),
      )

/** A number, and one with a minus also without it: a deposit is printed as it is taken off. */
const withoutMinus = (reading: ParsedValue): ParsedValue[] =>
  typeof reading.value === 'number' && reading.value < 0
    ? [reading, { ...reading, value: -reading.value, fit: reading.fit / 2 }]
    : [reading]

/** A number, and one with a space behind its first figures also without them: forms print the number of a box there, `10 684,30`. */
function withoutBox(reading: ParsedValue, cell: Cell, kind: Kind, conventions: Conventions): ParsedValue[] {
  const box = Number(reading.value) > 0 ? boxPattern.exec(reading.printed)?.[0] : undefined
  const start = cell.text.indexOf(reading.printed, reading.start)
  if (box === undefined || start < 0) return [reading]
  const from = start + box.length
  const rest = readAs(kind, reading.printed.slice(box.length), conventions)
  return [
    reading,
    ...rest.map((one) => ({ ...one, start: from + one.start, end: from + one.end, fit: reading.fit / 2 })),
  ]
}

const boxPattern = /^\d{1,2}\s(?=\d{3}(?:[.,]\d{1,2})?$)/u

/** Dates that go on in the next cell, `17 September` beside `2025` or at the end of a line, and dates without a year. */
function datesBeyond(cell: Cell, conventions: Conventions): ReadSpan[] {
  if (!/\d/.test(cell.text)) return []
  const { length } = cell.text
  const joined = nextCells(cell).flatMap((next) =>
    readAs('date', `${cell.text} ${next.text}`, conventions)
      .filter(({ start, end, printed }) => start < length && end > length + 1 && /\d{4}/.test(printed))
      .map((reading) => spanOver(cell, next, 'typed', reading)),
  )
  const named = readNamedDays(cell.text, conventions)
    .filter(({ start, end }) => joined.every(({ span }) => end <= span.start || start >= span.end))
    .map((reading) => readSpanOf(cell, 'typed', reading))
  return [...joined, ...named]
}

function afterLabel(cell: Cell, colon: number, plan: LeafPlan): ReadSpan | undefined {
  const labelled = lengthOfLabel(cell.text, plan)
  if (labelled === 0 || labelled === colon) return undefined
  return textPart(cell, labelled, partEnd(cell.text, labelled), 'after-label', 0.8)[0]
}

function textsIn(cell: Cell, kind: string): Omit<CellSpans, 'apart'> {
  const { text } = cell
  const first: ReadSpan[] = []
  if (text.length <= textMax) first.push(...textPart(cell, 0, text.length, 'cell', 0.7))
  const bare = kind === 'name' ? withoutRegistration(text) : text
  if (bare !== text && bare.length <= textMax) first.push(...textPart(cell, 0, bare.length, 'cell', 0.7))
  const colon = /^([^:]{2,40}):\s*(?=\S)/u.exec(text)?.[0].length ?? 0
  if (colon > 0) first.push(...textPart(cell, colon, partEnd(text, colon), 'after-colon', 0.8))
  return { first, rest: textsInProse(cell, kind), colon }
}

/** The length of a label at the start of a text that is one of the field's own names. */
function lengthOfLabel(text: string, plan: LeafPlan): number {
  const tokens = tokensOf(text).slice(0, 6)
  const words = tokens.map((token) => token.text)
  let best = 0
  for (const phrase of plan.meaning.phrases.keys()) {
    const count = phrase.split(' ').length
    if (count < words.length && words.slice(0, count).join(' ') === phrase) best = Math.max(best, count)
  }
  const last = tokens[best - 1]
  return best === 0 || last === undefined ? 0 : last.end
}

interface Block {
  readonly reading: ParsedValue
  readonly words: readonly PlacedWord[]
  readonly lines: number
}

const blockLinesMax: Readonly<Record<string, number>> = { address: 5, name: 2, text: 3 }

/** Texts of several lines below each other that start with a cell. */
function blocksFrom(cell: Cell, kind: string): Block[] {
  const { page, index } = cell.line
  const linesMax = blockLinesMax[kind] ?? 1
  const blocks: Block[] = []
  const texts = [squeeze(trimMarks(cell.text))]
  const words = [...cell.words]
  let last = cell
  for (let at = index + 1; at < page.lines.length && texts.length < linesMax; at++) {
    const line = page.lines[at]
    if (line === undefined || line.y0 - last.line.y1 > last.line.height * 1.3) break
    const next = line.cells.find((one) => sitsBelow(last, one))
    if (next === undefined) {
      if (line.y0 - last.line.y1 > last.line.height * 0.6) break
      continue
    }
    texts.push(squeeze(trimMarks(next.text)))
    words.push(...next.words)
    last = next
    const value = texts.join(kind === 'address' ? ', ' : ' ').replace(/,\s*,/g, ',')
    if (value.length > textMax) break
    blocks.push({
      reading: { start: 0, end: cell.text.length, value, printed: value, fit: 0.6 },
      words: [...words],
      lines: texts.length,
    })
  }
  return blocks
}
