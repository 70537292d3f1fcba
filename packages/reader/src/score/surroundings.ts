import type { Cell, Line, PageLayout } from '../layout/layout.ts'
import { topicOf } from '../layout/running-text.ts'

/** Lines above a cell that are searched for a label, and for a heading. */
const aboveMax = 4
const headingMax = 25

/** What stands around a cell. */
export interface Surroundings {
  readonly left: Cell | undefined
  readonly left2: Cell | undefined
  readonly above: Cell | undefined
  readonly above2: Cell | undefined
  readonly before: string
  readonly heading: Cell | undefined
  readonly section: Cell | undefined
  readonly wordsOnLine: number
  /** The heading of its paragraph or clause. */
  readonly topic: string
}

export function surroundingsOf(cell: Cell): Surroundings {
  const { line } = cell
  const above = cellAbove(cell)
  return {
    left: line.cells[cell.index - 1],
    left2: line.cells[cell.index - 2],
    above,
    above2: above === undefined ? undefined : cellAbove(above),
    before: line.page.lines[line.index - 1]?.cells.at(-1)?.text ?? '',
    heading: headingOf(line.page, line),
    section: sectionOf(line.page, line),
    wordsOnLine: line.cells.reduce((sum, one) => sum + one.words.length, 0),
    topic: topicOf(cell),
  }
}

/** The cell directly above another, within a few lines. */
function cellAbove(cell: Cell): Cell | undefined {
  const { line } = cell
  for (let at = line.index - 1; at >= Math.max(0, line.index - aboveMax); at--) {
    const above = line.page.lines[at]
    if (above === undefined || line.y0 - above.y1 > line.height * 5) return undefined
    const found = above.cells.find((one) => Math.min(one.x1, cell.x1) > Math.max(one.x0, cell.x0))
    if (found !== undefined) return found
  }
  return undefined
}

/** The nearest line above with few words and no value: `Seller` above the lines about the seller. */
function sectionOf(page: PageLayout, line: Line): Cell | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - headingMax); at--) {
    const above = page.lines[at]
    const only = above?.cells.length === 1 ? above.cells[0] : undefined
    if (only !== undefined && only.words.length <= 4 && /^[^\d:;,.]{3,40}$/u.test(only.text)) return only
  }
  return undefined
}

/** The nearest line above that is alone in larger or capital letters. */
function headingOf(page: PageLayout, line: Line): Cell | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - headingMax); at--) {
    const above = page.lines[at]
    const only = above?.cells.length === 1 ? above.cells[0] : undefined
    if (above === undefined || only === undefined || only.words.length > 6) continue
    if (above.height > line.height * 1.15 || /^[\p{Lu}\s\d&.,:-]{4,}$/u.test(only.text)) return only
  }
  return undefined
}
