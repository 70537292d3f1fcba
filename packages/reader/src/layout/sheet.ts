import type { LabelIndex } from '../labels/labels.ts'
import type { LeafPlan } from '../schema/plan.ts'
import type { LayoutTable, Table } from '../tables/table.ts'
import type { Conventions, ParsedValue } from '../values/parsed-values.ts'
import type { PeriodMatch } from '../values/periods.ts'
import type { Cell, Line, PageLayout } from './layout.ts'
import type { Extent } from './panels.ts'
import type { PlacedWord } from './placed-words.ts'
import type { Span } from './spans.ts'

/** A period printed on a page. */
export interface PeriodSighting {
  readonly cell: Cell
  readonly span: Span
  readonly match: PeriodMatch
}

/** Everything known about the documents before single fields are searched. */
export interface Sheet {
  readonly pages: readonly PageLayout[]
  readonly labels: LabelIndex
  readonly conventions: Conventions
  /** Every period that the pages print. */
  readonly periods: readonly PeriodSighting[]
  readonly tables: readonly Table[]
  /** Tables found by alignment alone, whatever their headings, when first needed; for lists that have no better table. */
  readonly grids: () => readonly Table[]
  /** Tables of any layout, each once for each of its rows that may be the headings; found when first needed. */
  readonly layoutTables: () => readonly LayoutTable[]
  /** Lines of tables and the part that the table takes; no single field is read there. */
  readonly tableLines: ReadonlyMap<Line, Extent>
  /** Lines that start with the label of a sum. */
  readonly sumLines: ReadonlySet<Line>
}

/** A single field of the answer. */
export interface Field {
  readonly id: number
  /** JSON Pointer of its place in the answer. */
  readonly pointer: string
  readonly plan: LeafPlan
}

/** The position of a value relative to its label. */
export type Relation = 'same-cell' | 'right' | 'below' | 'block' | 'unlabelled' | 'column' | 'sum' | 'sentence'

/** A possible value of a field, and its position. */
export interface Candidate {
  readonly field: Field
  readonly reading: ParsedValue
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  /** The label's words; empty without a label. */
  readonly label: readonly PlacedWord[]
  readonly relation: Relation
  /** 0 to 1. */
  readonly score: number
  readonly note?: string
  /** True when the value is the sum of the amounts in its words. */
  readonly isSum?: boolean
}

/** The sheet with what one column shows of its numbers: their style, and whether their signs matter. */
export const inStyle = (sheet: Sheet, numbers = sheet.conventions.numbers, keepsSigns = false): Sheet =>
  numbers === sheet.conventions.numbers && !keepsSigns
    ? sheet
    : { ...sheet, conventions: { ...sheet.conventions, numbers, keepsSigns } }

/** True when a cell is in a table. */
export function inTable(sheet: Sheet, cell: Cell): boolean {
  const extent = sheet.tableLines.get(cell.line)
  return extent !== undefined && cell.x1 > extent.left && cell.x0 < extent.right
}

/** The reading confidence of some words, dominated by the lowest. */
export function wordConfidence(words: readonly PlacedWord[]): number {
  if (words.length === 0) return 1
  let least = 1
  let sum = 0
  for (const word of words) {
    least = Math.min(least, word.word.confidence)
    sum += word.word.confidence
  }
  return (least + sum / words.length) / 2
}

/** The lowest OCR confidence of some words; no property for text without OCR. */
export function ocrConfidenceOf(words: readonly PlacedWord[], page: PageLayout): { readonly ocrConfidence?: number } {
  if (page.page.source !== 'ocr' || words.length === 0) return {}
  return { ocrConfidence: Math.min(...words.map((word) => word.word.confidence)) }
}

/** The horizontal overlap of `a` and `b` as a share of the narrower one. */
export function overlapAcross(a: Pick<Cell, 'x0' | 'x1'>, b: Pick<Cell, 'x0' | 'x1'>): number {
  const overlap = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)
  return overlap / Math.max(Math.min(a.x1 - a.x0, b.x1 - b.x0), 1e-9)
}
