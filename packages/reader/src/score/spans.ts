import type { Json } from '@skillrun/core/json.ts'
import type { Cell, PageLayout } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import type { Sheet } from '../layout/sheet.ts'
import { squeeze, tokensOf, trimMarks } from '../layout/text.ts'
import { withoutRegistration } from '../parties/headings.ts'
import type { LeafPlan } from '../schema/plan.ts'
import { type Reading, readAs } from '../values/readings.ts'
import { settle, valueFor } from '../values/values.ts'

/** How the text of a candidate was cut from the page. */
export type Cut = 'typed' | 'cell' | 'after-colon' | 'after-label' | 'block' | 'name-in-prose' | 'rules'

/** A text on a page that a field may take as its value. */
export interface SpanCandidate {
  readonly value: Json
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

/** The candidates of a field on these pages in reading order, at most `most`. */
export function spansFor(
  plan: LeafPlan,
  { pages, conventions }: Pick<Sheet, 'pages' | 'conventions'>,
  most: number,
): SpanCandidate[] {
  const { kind } = plan.meaning
  const found: SpanCandidate[] = []
  const add = (cell: Cell, cut: Cut, reading: Reading, words?: readonly PlacedWord[], lines = 1) => {
    const value = valueFor(plan, settle(plan, reading))
    if (value === undefined || found.length >= most) return
    found.push({
      value,
      printed: reading.printed,
      words: words ?? wordsBetween(cell, reading.start, reading.end),
      cell,
      start: reading.start,
      end: reading.end,
      cut,
      fit: reading.fit,
      lines,
      derived: reading.derived === true,
    })
  }
  for (const page of pages) {
    for (const [lineAt, line] of page.lines.entries()) {
      if (found.length >= most) return found
      for (const cell of line.cells) {
        if (isTyped(kind)) for (const reading of readAs(kind, cell.text, conventions)) add(cell, 'typed', reading)
        else if (kind === 'id') for (const reading of idsIn(cell.text)) add(cell, 'typed', reading)
        else {
          for (const { reading, cut } of textsIn(cell.text, plan)) add(cell, cut, reading)
          for (const block of blocksFrom(page, lineAt, cell, kind))
            add(cell, 'block', block.reading, block.words, block.lines)
        }
      }
    }
  }
  return found
}

/** Tokens that may be an identifier: they contain a digit, or are all capitals. */
function idsIn(text: string): Reading[] {
  const readings: Reading[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}./_&-]*[\p{L}\p{N}]|\d/gu)) {
    const value = match[0]
    if (!/\d/.test(value) || value.length > 40) continue
    const isAmount = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(value)
    const isDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(value)
    const fit = isAmount || isDate ? 0.2 : value.length < 3 ? 0.4 : 0.9
    readings.push({ start: match.index, end: match.index + value.length, value, printed: value, fit })
  }
  // Groups of digits and letters that belong together: `GB 384 2915 06`, `KR 2026 0318`.
  const clean = squeeze(trimMarks(text))
  if (/^[\p{Lu}\d][\p{Lu}\d ./-]{3,30}$/u.test(clean) && /\d/.test(clean) && clean.includes(' ')) {
    const start = Math.max(0, text.indexOf(clean.slice(0, 4)))
    readings.push({ start, end: start + clean.length, value: clean, printed: clean, fit: 0.6 })
  }
  return readings
}

const wordy = (text: string) => /\p{L}/u.test(text)

function textsIn(text: string, plan: LeafPlan): { reading: Reading; cut: Cut }[] {
  const found: { reading: Reading; cut: Cut }[] = []
  const push = (start: number, end: number, cut: Cut, fit: number) => {
    const raw = text.slice(start, end)
    const value = squeeze(trimMarks(raw))
    if (value === '' || value.length > textMax || !wordy(value)) return
    const from = start + Math.max(0, raw.indexOf(value.slice(0, 6)))
    found.push({ reading: { start: from, end: from + value.length, value, printed: value, fit }, cut })
  }
  if (text.length <= textMax) push(0, text.length, 'cell', 0.7)
  const bare = withoutRegistration(text)
  if (plan.meaning.kind === 'name' && bare !== text && bare.length <= textMax) push(0, bare.length, 'cell', 0.7)
  const colon = /^([^:]{2,40}):\s*(?=\S)/u.exec(text)
  if (colon) push(colon[0].length, text.length, 'after-colon', 0.8)
  const labelled = lengthOfLabel(text, plan)
  if (labelled > 0 && labelled !== colon?.[0].length) push(labelled, text.length, 'after-label', 0.8)
  // Names in running text: consecutive capitalised words.
  const words = text.split(' ').length
  if (words >= 5) {
    for (const match of text.matchAll(
      /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’&.-]*(?:,? (?:of|and|the|de|van|von|&|\p{Lu}[\p{L}\p{N}'’&.-]*))*(?<=[\p{L}\p{N}.])/gu,
    )) {
      const value = match[0]
      if (value.length < 3 || value.length > 80) continue
      push(match.index, match.index + value.length, 'name-in-prose', 0.6)
      const of = / of (?:the )?/u.exec(value)
      if (of) push(match.index + of.index + of[0].length, match.index + value.length, 'name-in-prose', 0.6)
    }
    for (const match of text.matchAll(/\b(?:\p{L}+ )?\(?\d{1,3}\)? (?:days?|weeks?|months?|years?)\b/giu))
      push(match.index, match.index + match[0].length, 'name-in-prose', 0.6)
  }
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
  readonly reading: Reading
  readonly words: readonly PlacedWord[]
  readonly lines: number
}

const blockLinesMax: Readonly<Record<string, number>> = { address: 5, name: 2, text: 3 }

/** Texts of several lines below each other that start with a cell. */
function blocksFrom(page: PageLayout, lineAt: number, cell: Cell, kind: string): Block[] {
  const linesMax = blockLinesMax[kind] ?? 1
  const blocks: Block[] = []
  const texts = [squeeze(trimMarks(cell.text))]
  const words = [...cell.words]
  let last = cell
  for (let at = lineAt + 1; at < page.lines.length && texts.length < linesMax; at++) {
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
