import { pointerSteps } from '@skillrun/core/json.ts'
import { agreement } from '../labels/like-labels.ts'
import { meantWords } from '../languages/form-words.ts'
import { type Line, lineText, type PageLayout } from '../layout/layout.ts'
import type { Sheet } from '../layout/sheet.ts'
import { namePhrase } from '../layout/text.ts'
import type { ListField } from '../schema/fields.ts'
import type { LayoutTable, Table } from './table.ts'

/** A longer line is prose and no title. */
const titleWordsMax = 7
/** From this agreement on, a title names a list. */
const namedMin = 0.5

/**
 * The list whose section a line is in: below a title that names it better than the others, up to the next one of these. Null where fewer than
 * two lists are named.
 */
export function listSections(
  pages: readonly PageLayout[],
  lists: readonly ListField[],
): ((line: Line) => ListField | undefined) | null {
  const wanted = lists.map((list) => ({ list, words: meantWords(namePhrase(pointerSteps(list.pointer).at(-1) ?? '')) }))
  const named = (line: Line): ListField | undefined => {
    if (line.cells.length > 1) return undefined
    const text = lineText(line)
    if (text.split(/\s+/u).length > titleWordsMax) return undefined
    const words = meantWords(text)
    const [first, second] = wanted
      .map(({ list, words: own }) => ({ list, weight: agreement(words, own) }))
      .toSorted((a, b) => b.weight - a.weight)
    return first && first.weight >= namedMin && first.weight > (second?.weight ?? 0) ? first.list : undefined
  }
  const starts = new Map(
    pages.map((page) => [
      page,
      page.lines.flatMap((line) => ({ at: line.index, list: named(line) })).filter(({ list }) => list),
    ]),
  )
  if (new Set([...starts.values()].flatMap((own) => own.map(({ list }) => list))).size < 2) return null
  const before = new Map<PageLayout, ListField | undefined>()
  let last: ListField | undefined
  for (const [at, page] of pages.entries()) {
    if (page.document !== pages[at - 1]?.document) last = undefined
    before.set(page, last)
    last = starts.get(page)?.at(-1)?.list ?? last
  }
  return ({ page, index }) => starts.get(page)?.findLast(({ at }) => at < index)?.list ?? before.get(page)
}

/** The tables of a sheet without rows that are in a section of another list. */
export function inOwnSections(sheet: Sheet, isOwn: (line: Line) => boolean): Sheet {
  const ofTable = <T extends Table | LayoutTable>(table: T): T => ({
    ...table,
    rows: table.rows.filter(({ lines }) => lines.every(isOwn)),
  })
  const filled = (tables: readonly Table[]): Table[] => tables.map(ofTable).filter(({ rows }) => rows.length > 0)
  const layout = (): LayoutTable[] =>
    sheet.layoutTables().map((table) => ({ ...ofTable(table), readings: filled(table.readings) }))
  return { ...sheet, tables: filled(sheet.tables), grids: () => filled(sheet.grids()), layoutTables: layout }
}
