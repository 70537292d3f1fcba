import type { LabelIndex } from '../labels/labels.ts'
import type { LeafPlan } from '../schema/plan.ts'
import type { Table } from '../tables/table.ts'
import type { NumberStyle } from '../values/numbers.ts'
import type { Conventions, Reading } from '../values/readings.ts'
import type { Cell, Line, PageLayout } from './layout.ts'
import type { Extent } from './panels.ts'
import type { PlacedWord } from './placed-words.ts'

/** Everything that is known of the documents before single fields are looked for. */
export interface Sheet {
  readonly pages: readonly PageLayout[]
  readonly labels: LabelIndex
  readonly conventions: Conventions
  readonly tables: readonly Table[]
  /** Tables found by what stands under each other, whatever their headings: for lists that find nothing better. */
  readonly grids: readonly Table[]
  /** Lines that belong to tables and how much of them; no single field is read there. */
  readonly tableLines: ReadonlyMap<Line, Extent>
  /** Lines that open with the label of a sum. */
  readonly sumLines: ReadonlySet<Line>
}

/** A single field of the answer that is looked for in the documents. */
export interface Field {
  readonly id: number
  /** JSON Pointer of its place in the answer. */
  readonly pointer: string
  readonly plan: LeafPlan
}

/** How a value stands to its label. */
export type Relation = 'same-cell' | 'right' | 'below' | 'block' | 'unlabelled' | 'column' | 'sum' | 'sentence'

/** A value that a field may have, and where it stands. */
export interface Candidate {
  readonly field: Field
  readonly reading: Reading
  readonly words: readonly PlacedWord[]
  readonly page: PageLayout
  /** The label's words, none for what has no label. */
  readonly label: readonly PlacedWord[]
  readonly relation: Relation
  /** How much speaks for it, 0 to 1. */
  readonly score: number
  readonly note?: string
  /** True where the value is what the words add up to. */
  readonly isSum?: boolean
}

/** A sheet whose numbers are read in a style of their own: those of one column. */
export const inStyle = (sheet: Sheet, numbers: NumberStyle | undefined): Sheet =>
  numbers === undefined || numbers === sheet.conventions.numbers
    ? sheet
    : { ...sheet, conventions: { ...sheet.conventions, numbers } }

/** True when a cell stands in a table. */
export function inTable(sheet: Sheet, cell: Cell): boolean {
  const extent = sheet.tableLines.get(cell.line)
  return extent !== undefined && cell.x1 > extent.left && cell.x0 < extent.right
}

/** How sure the reader was of some words: its least sure one counts most. */
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

/** How sure the recogniser was of the least clear of some words; nothing for text that needed no recognition. */
export function surenessOf(words: readonly PlacedWord[], page: PageLayout): { readonly sureness?: number } {
  if (page.page.source !== 'ocr' || words.length === 0) return {}
  return { sureness: Math.min(...words.map((word) => word.word.confidence)) }
}

/** The share of `a` and `b` across the page that overlaps, of the narrower one. */
export function overlapAcross(a: Pick<Cell, 'x0' | 'x1'>, b: Pick<Cell, 'x0' | 'x1'>): number {
  const overlap = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0)
  return overlap / Math.max(Math.min(a.x1 - a.x0, b.x1 - b.x0), 1e-9)
}
