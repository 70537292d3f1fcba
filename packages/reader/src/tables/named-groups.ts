import type { Finding } from '../extract/assemble.ts'
import type { Field } from '../layout/sheet.ts'
import { fold } from '../layout/text.ts'
import type { ColumnMap } from './columns/map-columns.ts'
import type { Row } from './table.ts'

/** A row of a table with the values that were read of it. */
export interface ReadRow {
  readonly row: Row
  readonly map: ColumnMap
  readonly item: Map<string, Finding>
}

/** The minimum share of rows without a value for a column to name groups once. */
const bareShare = 0.2
const bareMin = 2
/** A column with values in this share of the rows that name a group has one in each of the others, too. */
const fullShare = 0.9

const note = 'The value of the row above also applies to this row.'

const isName = ({ plan }: Field): boolean => /^(?:text|name|id|date)$/.test(plan.meaning.kind)

/**
 * Fills in what columns name once for several rows, such as merged cells: the first columns of a table, bare in rows that have all the others,
 * and with another name wherever there is one. A column that is bare beside a name to its left is only sparse. Modifies the items.
 */
export function carryGroups(rows: readonly ReadRow[]): void {
  // Another table begins its groups anew.
  const tables = new Set(rows.map(({ map }) => map))
  for (const table of tables) carryWithin(rows.filter(({ map }) => map === table))
}

function carryWithin(rows: readonly ReadRow[]): void {
  const fields = new Set(rows.flatMap(({ map }) => [...map.values()]))
  const carried = [...fields].filter((field) => isName(field) && namesGroups(rows, field))
  for (const { pointer } of carried) {
    let last: Finding | undefined
    for (const { item } of rows) {
      const own = item.get(pointer)
      if (own) last = own
      else if (last) item.set(pointer, { ...last, evidence: { ...last.evidence, status: 'derived', note } })
    }
  }
}

function namesGroups(rows: readonly ReadRow[], field: Field): boolean {
  const placed = rows.map(({ row, map, item }) => {
    const at = [...map].find(([, other]) => other === field)?.[0] ?? 0
    const before = row.cells.slice(0, at).some((cell) => cell !== null)
    return { isBare: !row.cells[at], name: fold(row.cells[at]?.text ?? ''), isBehind: before, item }
  })
  const [named, bare] = [placed.filter(({ isBare }) => !isBare), placed.filter(({ isBare }) => isBare)]
  if (placed[0]?.isBare !== false || bare.length < Math.max(bareMin, rows.length * bareShare)) return false
  if (bare.some(({ isBehind }) => isBehind)) return false
  if (named.slice(1).some(({ name, isBehind }, at) => name === named[at]?.name && !isBehind)) return false
  const shareOf = (own: typeof placed, pointer: string): number =>
    own.filter(({ item }) => item.has(pointer)).length / own.length
  const inOrder = [...(rows[0]?.map ?? [])].toSorted(([one], [other]) => one - other)
  const pointers = inOrder.map(([, { pointer }]) => pointer)
  const behind = pointers.slice(pointers.indexOf(field.pointer) + 1)
  // Columns beside it may name groups, too.
  const first = behind.findIndex((pointer) => shareOf(bare, pointer) > 0)
  const full = first < 0 ? [] : behind.slice(first).filter((pointer) => shareOf(named, pointer) >= fullShare)
  return full.length > 1 && full.every((pointer) => shareOf(bare, pointer) >= fullShare)
}
