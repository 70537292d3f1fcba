import type { Place } from '../blocks.ts'
import type { Party } from '../parties.ts'
import type { Press } from '../press.ts'
import type { Random } from '../random.ts'
import { drawTable, type Table } from '../table.ts'
import type { Locale } from '../words/locale.ts'

/** One way to lay out the facts of a kind of document. */
export interface Layout<Facts> {
  readonly name: string
  /** Only in the kept-out part. */
  readonly keptOut: boolean
  /** The round in which it was kept out before. Those of the last round are in the released part; all are in the train part. */
  readonly released?: 1 | 2
  /** The round of a kept-out layout that is not of the third. */
  readonly round?: 4
  /** On pages that are wider than high. */
  readonly sideways?: true
  /** Makes the facts those that this layout prints: null where it leaves a thing out, sums of its own kind. */
  revise?(facts: Facts, random: Random, locale: Locale): Facts
  draw(press: Press, facts: Facts): void
}

/** The room between the margins of a page. */
export interface Frame extends Place {
  readonly right: number
  readonly bottom: number
}

export function frameOf(press: Press): Frame {
  const { doc, style } = press
  return {
    x: style.margin,
    y: style.margin,
    width: doc.page.width - 2 * style.margin,
    right: doc.page.width - style.margin,
    bottom: doc.page.height - style.margin,
  }
}

/** Draws a table that goes on over pages, then makes sure that `room` points are left under it. */
export function flowTable(
  press: Press,
  table: Omit<Table, 'bottom' | 'newPage'> & { room: number; startPage?: () => number },
): number {
  const frame = frameOf(press)
  const newPage = () => {
    press.doc.addPage()
    return table.startPage?.() ?? frame.y
  }
  const y = drawTable(press, { ...table, bottom: frame.bottom - 30, newPage })
  return y + table.room > frame.bottom ? newPage() : y
}

/** A party with its name and address only, as in delivery addresses. */
export function nameAndAddress(party: Party): Party {
  return { ...party, email: null, phone: null, fax: null, website: null, vatId: null, contact: null }
}
