import type { Line } from '../layout/layout.ts'
import { median, type PlacedWord } from '../layout/placed-words.ts'

interface PartedLine {
  readonly line: Line
  /** Its words by columns. */
  readonly parts: readonly (readonly PlacedWord[])[]
}

/** Lines as far above a line as others below it may differ by this share of a text height. */
const evenShare = 0.35
/** The minimum number of rows with an even number of lines, whose figures stand between two of these. */
const evenRowsMin = 2
/** The minimum share of the further lines that must have a row. */
const takenShare = 0.9

const middleOf = ({ line }: PartedLine): number => (line.y0 + line.y1) / 2

/**
 * The row of each line of a table whose cells are centred in their rows, so that texts of several lines go as far above the figures as below
 * them; null for a line of none. Undefined for a table whose rows begin with their figures: no figures stand between lines of their texts.
 */
export function centredRows<L extends PartedLine>(
  lines: readonly L[],
  isRow: (line: L) => boolean,
): ReadonlyMap<L, L | null> | undefined {
  const slack = median(lines.map(({ line }) => line.height)) * evenShare
  const rows = lines.flatMap((line, at) => (isRow(line) ? [at] : []))
  const homes = new Map<L, L | null>()
  let evenRows = 0
  let from = 0
  for (const [number, at] of rows.entries()) {
    const row = lines[at] as L
    const below = lines.slice(at + 1, rows[number + 1] ?? lines.length)
    const block = evenBlock(row, lines.slice(from, at), below, slack)
    for (const line of block) homes.set(line, row)
    const isBetween = block.some(({ parts }) =>
      parts.some((words, column) => words.length > 0 && row.parts[column]?.length === 0),
    )
    if (isBetween) evenRows++
    from = at + 1 + below.filter((line) => homes.has(line)).length
  }
  const others = lines.filter((line) => !isRow(line))
  for (const line of others) if (!homes.has(line)) homes.set(line, null)
  const taken = others.filter((line) => homes.get(line) !== null)
  return evenRows >= evenRowsMin && taken.length >= others.length * takenShare ? homes : undefined
}

/** The most lines above and below a row that are centred around it. */
function evenBlock<L extends PartedLine>(row: L, above: readonly L[], below: readonly L[], slack: number): L[] {
  const middle = middleOf(row)
  for (const [at, first] of above.entries()) {
    const reach = middle - middleOf(first)
    const own = below.filter((line) => middleOf(line) - middle <= reach + slack)
    const last = own.at(-1)
    if (last && Math.abs(middleOf(last) - middle - reach) <= slack) return [...above.slice(at), ...own]
  }
  return []
}
