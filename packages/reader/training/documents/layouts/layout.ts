import type { Canvas } from '../canvas.ts'
import type { Random } from '../random.ts'
import type { Locale } from '../words.ts'

/** One way to lay out the facts of a kind of document. */
export interface Layout<Facts> {
  readonly name: string
  /** True for landscape pages. */
  readonly sideways?: true
  /** The relative frequency of this layout; default 1. */
  readonly weight?: number
  /** Adapts the facts to this layout: null for what it omits, or different sums. */
  revise?(facts: Facts, random: Random, locale: Locale): Facts
  draw(canvas: Canvas, facts: Facts): void
}
