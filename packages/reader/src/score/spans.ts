import type { Json } from '@skillrun/core/json.ts'
import type { Kind } from '../languages/concept.ts'
import { isOtherMeasure } from '../languages/units.ts'
import type { Cell } from '../layout/layout.ts'
import { numberingOf } from '../layout/numbering.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { partEnd, squeeze, tokensOf, trimMarks } from '../layout/text.ts'
import { withoutRegistration } from '../parties/headings.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { findSpacedCodes } from '../values/identifiers.ts'
import { type Conventions, type ParsedValue, readAs } from '../values/parsed-values.ts'
import { settle, valueFor } from '../values/values.ts'

/** How the text of a candidate was cut from the page. */
export type Cut = 'typed' | 'cell' | 'after-colon' | 'after-label' | 'block' | 'name-in-prose' | 'rules'

/** A text on a page that fields may take as their value. */
export interface Span {
  readonly printed: string
  readonly words: readonly PlacedWord[]
  readonly cell: Cell
  /** Characters `[start, end)` of the cell's text. */
  readonly start: number
  readonly end: number
  readonly cut: Cut
  /** How well the text fits the kind of the field, 0 to 1. */
  readonly fit: number
  /** Lines that it takes. */
  readonly lines: number
  readonly derived: boolean
}

/** A text on a page that a field may take as its value. */
export interface SpanCandidate extends Span {
  readonly value: Json
  /** The same for all fields that may take it. */
  readonly span: Span
}

const textMax = 160

/** The words of a cell that characters `[start, end)` of its text touch. */
function wordsBetween(cell: Cell, start: number, end: number): PlacedWord[] {
  const found: PlacedWord[] = []
  let at = 0
  for (const word of cell.words) {
    const to = at + word.word.text.length
    if (at < end && to > start) found.push(word)
    at = to + 1
  }
  return found
}

const isTyped = (kind: string) => !/^(?:text|name|address|id)$/.test(kind)

/** Finds the candidates of a field in reading order, at most `most`. What the texts of a line are is found once for all fields of a kind. */
export type SpanFinder = (plan: LeafPlan, most: number) => SpanCandidate[]

/** Finds candidates on these pages. */
export function spanFinder({ pages, conventions }: Pick<Sheet, 'pages' | 'conventions'>): SpanFinder {
  const known = new Map<string, Map<Cell, CellSpans>>()
  return (plan, most) => {
    const { kind } = plan.meaning
    const ofKind = known.get(kind) ?? new Map<Cell, CellSpans>()
    known.set(kind, ofKind)
    const found: SpanCandidate[] = []
    const add = ({ reading, span }: ReadSpan) => {
      const value = valueFor(plan, settle(plan, reading))
      if (value === undefined || found.length >= most) return
      const { printed, words, cell, start, end, cut, fit, lines, derived } = span
      if (isOtherMeasure(plan, cell.text, { start, end })) return
      found.push({ value, printed, words, cell, start, end, cut, fit, lines, derived, span })
    }
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
          const labelled = isTyped(kind) || kind === 'id' ? undefined : afterLabel(cell, spans.colon, plan)
          if (labelled) add(labelled)
          for (const span of spans.rest) add(span)
        }
      }
    }
    return found
  }
}

interface ReadSpan {
  readonly reading: ParsedValue
  readonly span: Span
}

/** The candidates of a kind in a cell, in order: those before and after what follows a label of the field. */
interface CellSpans {
  readonly first: readonly ReadSpan[]
  readonly rest: readonly ReadSpan[]
  /** The length of its text up to what follows a colon; 0 without one. */
  readonly colon: number
}

function spansOf(cell: Cell, kind: Kind, conventions: Conventions): CellSpans {
  if (isTyped(kind) || kind === 'id') {
    const readings = kind === 'id' ? idsIn(cell.text) : readAs(kind, cell.text, conventions)
    const numbering = numberingOf(cell)
    const first = readings.filter(({ end }) => end > numbering).map((reading) => spanOf(cell, 'typed', reading))
    return { first, rest: [], colon: 0 }
  }
  const { first, rest, colon } = textsIn(cell, kind)
  const blocks = blocksFrom(cell, kind).map(({ reading, words, lines }) =>
    spanOf(cell, 'block', reading, { words, lines }),
  )
  return { first, rest: [...rest, ...blocks], colon }
}

function spanOf(
  cell: Cell,
  cut: Cut,
  reading: ParsedValue,
  { words, lines }: Pick<Span, 'words' | 'lines'> = { words: wordsBetween(cell, reading.start, reading.end), lines: 1 },
): ReadSpan {
  const { printed, start, end, fit, derived = false } = reading
  return { reading, span: { printed, words, cell, start, end, cut, fit, lines, derived } }
}

/** Tokens that may be an identifier: they contain a digit, or are all capitals. */
function idsIn(text: string): ParsedValue[] {
  const readings: ParsedValue[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}./_&-]*[\p{L}\p{N}]|\d/gu)) {
    const value = match[0]
    if (!/\d/.test(value) || value.length > 40) continue
    const isAmount = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(value)
    const isDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(value)
    const fit = isAmount || isDate ? 0.2 : value.length < 3 ? 0.4 : 0.9
    readings.push({ start: match.index, end: match.index + value.length, value, printed: value, fit })
  }
  for (const { start, end, value } of findSpacedCodes(text))
    readings.push({ start, end, value, printed: value, fit: 0.6 })
  return readings
}

const wordy = (text: string) => /\p{L}/u.test(text)

/** A part of a cell's text without the marks around it; nothing where it is no text. */
function textPart(cell: Cell, start: number, end: number, cut: Cut, fit: number): ReadSpan[] {
  const raw = cell.text.slice(start, end)
  const value = squeeze(trimMarks(raw))
  if (value === '' || value.length > textMax || !wordy(value)) return []
  const from = start + Math.max(0, raw.indexOf(value.slice(0, 6)))
  return [spanOf(cell, cut, { start: from, end: from + value.length, value, printed: value, fit })]
}

function afterLabel(cell: Cell, colon: number, plan: LeafPlan): ReadSpan | undefined {
  const labelled = lengthOfLabel(cell.text, plan)
  if (labelled === 0 || labelled === colon) return undefined
  return textPart(cell, labelled, partEnd(cell.text, labelled), 'after-label', 0.8)[0]
}

function textsIn(cell: Cell, kind: string): CellSpans {
  const { text } = cell
  const first: ReadSpan[] = []
  if (text.length <= textMax) first.push(...textPart(cell, 0, text.length, 'cell', 0.7))
  const bare = kind === 'name' ? withoutRegistration(text) : text
  if (bare !== text && bare.length <= textMax) first.push(...textPart(cell, 0, bare.length, 'cell', 0.7))
  const colon = /^([^:]{2,40}):\s*(?=\S)/u.exec(text)?.[0].length ?? 0
  if (colon > 0) first.push(...textPart(cell, colon, partEnd(text, colon), 'after-colon', 0.8))
  return { first, rest: namesInProse(cell), colon }
}

/** Names and periods in running text: consecutive capitalised words, and `30 days`. */
function namesInProse(cell: Cell): ReadSpan[] {
  const { text } = cell
  const found: ReadSpan[] = []
  if (text.split(' ').length < 5) return found
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’&.-]*(?:,? (?:of|and|the|de|van|von|&|\p{Lu}[\p{L}\p{N}'’&.-]*))*(?<=[\p{L}\p{N}.])/gu,
  )) {
    const value = match[0]
    if (value.length < 3 || value.length > 80) continue
    const end = match.index + value.length
    found.push(...textPart(cell, match.index, end, 'name-in-prose', 0.6))
    const of = / of (?:the )?/u.exec(value)
    if (of) found.push(...textPart(cell, match.index + of.index + of[0].length, end, 'name-in-prose', 0.6))
  }
  for (const match of text.matchAll(/\b(?:\p{L}+ )?\(?\d{1,3}\)? (?:days?|weeks?|months?|years?)\b/giu))
    found.push(...textPart(cell, match.index, match.index + match[0].length, 'name-in-prose', 0.6))
  return found
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

/** Whether a cell continues below another: their left edges or their centres are aligned. */
function sitsBelow(above: Cell, below: Cell): boolean {
  const height = above.line.height
  const middles = Math.abs(above.x0 + above.x1 - below.x0 - below.x1) / 2
  return Math.abs(above.x0 - below.x0) < height * 0.8 || middles < height * 0.8
}
