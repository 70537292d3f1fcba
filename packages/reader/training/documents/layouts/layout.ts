import type { Canvas } from '../canvas.ts'
import type { Random } from '../random.ts'
import type { Locale } from '../words.ts'

/** One way to lay out the facts of a kind of document. */
export interface Layout<Facts> {
  readonly name: string
  /** On pages that are wider than high. */
  readonly sideways?: true
  /** How often it is taken beside the others; 1 where it is left out. */
  readonly weight?: number
  /** Makes the facts those that this layout prints: null where it leaves something out, sums of its own kind. */
  revise?(facts: Facts, random: Random, locale: Locale): Facts
  draw(canvas: Canvas, facts: Facts): void
}
