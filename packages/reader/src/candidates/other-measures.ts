import { differs, measureNamed, measureOfLabel, measurePrinted } from '../languages/units.ts'
import type { Cell } from '../layout/layout.ts'
import { type PlacedWord, textOf } from '../layout/placed-words.ts'
import type { Candidate, Field, Sheet } from '../layout/sheet.ts'
import type { LeafPlan } from '../schema/plan.ts'

/** The measure or currency of a number in a cell: beside it, else by what stands before it in its line. */
export function measureOf(
  { text, line, index }: Pick<Cell, 'text' | 'line' | 'index'>,
  place: { start: number; end: number },
) {
  const before = text.slice(0, place.start)
  const label = /\p{L}/u.test(before) ? before : (line.cells[index - 1]?.text ?? '')
  return measurePrinted(text, place) ?? measureOfLabel(label)
}

/** The measure that is stated instead of the one that a field names; null if none is, or the same. */
export function otherMeasure(plan: LeafPlan, cell: Cell, place: { start: number; end: number }): string | null {
  const named = measureNamed(plan)
  const stated = named === null ? null : measureOf(cell, place)
  return named !== null && stated !== null && differs(named, stated) ? stated : null
}

/** Drops candidates whose measure differs from the one that their field names. `notes` says why, by the field's pointer. */
export function inOwnMeasure(
  candidates: readonly Candidate[],
  sheet: Pick<Sheet, 'pages'>,
): { readonly own: readonly Candidate[]; readonly notes: ReadonlyMap<string, string> } {
  const notes = new Map<string, string>()
  const named = candidates.filter(({ field }) => measureNamed(field.plan) !== null)
  if (named.length === 0) return { own: candidates, notes }
  const wanted = new Set(named.flatMap(({ words }) => words))
  const cells = new Map<PlacedWord, Cell>()
  for (const { lines } of sheet.pages)
    for (const { cells: all } of lines)
      for (const cell of all) for (const word of cell.words) if (wanted.has(word)) cells.set(word, cell)
  const own = candidates.filter((candidate) => {
    const stated = statedOf(candidate, cells)
    if (stated === null) return true
    notes.set(candidate.field.pointer, otherMeasureNote(candidate.field, stated, textOf(candidate.words)))
    return false
  })
  return { own, notes }
}

/** In what other measure a candidate is. */
function statedOf({ field, words, label }: Candidate, cells: ReadonlyMap<PlacedWord, Cell>): string | null {
  const [first] = words
  const cell = first && cells.get(first)
  const named = measureNamed(field.plan)
  if (!cell || named === null) return null
  const start = textOf(cell.words.slice(0, cell.words.indexOf(first))).length
  const place = {
    start: start === 0 ? 0 : start + 1,
    end: Math.min(cell.text.length, start + 1 + textOf(words).length),
  }
  const stated = measureOf(cell, place) ?? measureOfLabel(textOf(label))
  return stated !== null && differs(named, stated) ? stated : null
}

const otherMeasureNote = ({ plan }: Field, stated: string, text: string): string =>
  `It asks for ${measureNamed(plan)}, but ${JSON.stringify(text)} is stated in ${stated}.`
