import type { GridWord } from './grid.ts'
import { type HtmlElement, type HtmlNode, type HtmlText, isElement, parseHtml } from './html-tree.ts'

/** Words on a grid, with its size in cells. */
interface Layout {
  readonly words: readonly GridWord[]
  readonly width: number
  readonly height: number
}

/** Cells between two columns of a table: wider than any space within a cell. */
const columnGap = 4
/** The maximum colspan and rowspan; browsers allow 1000, which makes a hostile table too costly here. */
const columnSpanMax = 100
const rowSpanMax = 65_534
const tabColumns = 8

/** Block elements. */
const blocks = new Set(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre section select summary table textarea ul'.split(
    ' ',
  ),
)
/** Blocks with an empty line before and after them. */
const spaced = new Set('blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre table ul'.split(' '))

/** The words of an HTML source as displayed: blocks below each other, table columns side by side. */
export function wordsOfHtml(source: string): readonly GridWord[] {
  return layOut(parseHtml(source).children, false).words
}

/** Lays out nodes below each other; `kept` preserves white space like `<pre>`. */
function layOut(nodes: readonly HtmlNode[], kept: boolean): Layout {
  const flow = new Flow(kept)
  for (const node of nodes) addTo(flow, node, kept)
  return flow.end()
}

function addTo(flow: Flow, node: HtmlNode, kept: boolean): void {
  if (!isElement(node)) flow.text(node)
  else if (node.tag === 'br') flow.newLine()
  else if (node.tag === 'table') flow.block(layOutTable(node), true)
  else if (blocks.has(node.tag)) flow.block(layOut(node.children, kept || node.tag === 'pre'), spaced.has(node.tag))
  else if (node.tag === 'td' || node.tag === 'th') flow.block(layOut(node.children, kept), false)
  else {
    for (const child of node.children) addTo(flow, child, kept)
    if (node.tag === 'input') flow.gap()
  }
}

/** Places text in lines, and blocks below them. */
class Flow {
  readonly #kept: boolean
  readonly #words: GridWord[] = []
  #row = 0
  #column = 0
  #width = 0
  /** Empty lines due before the next content, and whether there is anything above. */
  #spacing = 0
  #empty = true
  #word: { text: string; column: number; start: number; end: number } | undefined
  #blank = false

  constructor(kept: boolean) {
    this.#kept = kept
  }

  text({ text, start, end }: HtmlText): void {
    // An entity is shorter than its source: all its characters map to the whole source range.
    const exact = text.length === end - start
    for (let at = 0; at < text.length; at += 1) {
      const character = text[at] ?? ''
      if (/[\s\ufeff]/u.test(character)) this.#space(character)
      else this.#add(character, exact ? start + at : start, exact ? start + at + 1 : end)
    }
  }

  newLine(): void {
    this.#endWord()
    this.#row += 1
    this.#column = 0
    this.#blank = false
  }

  /** A gap within a line, as wide as that between columns. */
  gap(): void {
    this.#endWord()
    this.#column += columnGap
  }

  block({ words, width, height }: Layout, isSpaced: boolean): void {
    this.#endLine()
    if (words.length === 0) return
    const spacing = isSpaced ? 1 : 0
    if (!this.#empty) this.#row += Math.max(this.#spacing, spacing)
    for (const word of words) this.#words.push({ ...word, row: word.row + this.#row })
    this.#row += height
    this.#width = Math.max(this.#width, width)
    this.#spacing = spacing
    this.#empty = false
  }

  end(): Layout {
    this.#endLine()
    return { words: this.#words, width: this.#width, height: this.#row }
  }

  #space(character: string): void {
    this.#endWord()
    if (!this.#kept) this.#blank = this.#column > 0
    else if (character === '\n') this.newLine()
    else if (character === '\t') this.#column += tabColumns - (this.#column % tabColumns)
    else this.#column += 1
  }

  #add(character: string, start: number, end: number): void {
    if (this.#word === undefined) {
      if (this.#column === 0 && !this.#empty && this.#spacing > 0) {
        this.#row += this.#spacing
        this.#spacing = 0
      }
      if (this.#blank) this.#column += 1
      this.#blank = false
      this.#empty = false
      this.#word = { text: '', column: this.#column, start, end }
    }
    this.#word.text += character
    this.#word.end = end
    this.#column += 1
  }

  #endWord(): void {
    if (this.#word === undefined) return
    const { text, column, start, end } = this.#word
    this.#words.push({ text, row: this.#row, column, span: [start, end] })
    this.#width = Math.max(this.#width, column + text.length)
    this.#word = undefined
  }

  #endLine(): void {
    this.#endWord()
    if (this.#column > 0) this.newLine()
  }
}

interface TableCell {
  readonly row: number
  readonly column: number
  readonly columnSpan: number
  readonly layout: Layout
}

/** Lays out a table: cells start at their column, and rows below the tallest cell of the previous row. */
function layOutTable(table: HtmlElement): Layout {
  const cells = cellsOf(rowsOf(table))
  const starts = columnStarts(cells)
  const heights: number[] = []
  for (const { row, layout } of cells) heights[row] = Math.max(heights[row] ?? 0, layout.height)
  const tops: number[] = []
  let height = 0
  for (let row = 0; row < heights.length; row += 1) {
    tops[row] = height
    height += heights[row] ?? 0
  }
  const words: GridWord[] = []
  let width = 0
  for (const { row, column, layout } of cells) {
    const left = starts[column] ?? 0
    const top = tops[row] ?? 0
    for (const word of layout.words) words.push({ ...word, row: word.row + top, column: word.column + left })
    width = Math.max(width, left + layout.width)
  }
  return { words, width, height }
}

/** The rows of a table as lists of cells; content outside cells becomes a cell. */
function rowsOf(element: HtmlElement): HtmlElement[][] {
  const rows: HtmlElement[][] = []
  for (const child of element.children) {
    if (isElement(child) && child.tag === 'tr') rows.push(child.children.flatMap(asCell))
    else if (isElement(child) && /^t(?:head|body|foot)$/.test(child.tag)) rows.push(...rowsOf(child))
    else if (!isElement(child) || child.tag !== 'colgroup') rows.push(asCell(child))
  }
  return rows.filter((row) => row.length > 0)
}

function asCell(node: HtmlNode): HtmlElement[] {
  if (isElement(node)) return [node.tag === 'td' || node.tag === 'th' ? node : { ...node, attributes: {} }]
  return node.text.trim() === '' ? [] : [{ tag: 'td', attributes: {}, children: [node] }]
}

function cellsOf(rows: readonly (readonly HtmlElement[])[]): TableCell[] {
  const cells: TableCell[] = []
  /** For each column, the first free row below a cell with a rowspan. */
  const freeFrom: number[] = []
  rows.forEach((row, rowIndex) => {
    let column = 0
    for (const element of row) {
      while ((freeFrom[column] ?? 0) > rowIndex) column += 1
      const columnSpan = spanOf(element.attributes['colspan'], columnSpanMax)
      const rowSpan = spanOf(element.attributes['rowspan'], rowSpanMax)
      const layout = layOut(element.children, false)
      cells.push({ row: rowIndex, column, columnSpan, layout })
      for (let spanned = 0; spanned < columnSpan; spanned += 1) freeFrom[column + spanned] = rowIndex + rowSpan
      column += columnSpan
    }
  })
  return cells
}

function spanOf(written: string | undefined, max: number): number {
  const span = Number.parseInt(written ?? '1', 10)
  return span >= 1 ? Math.min(span, max) : 1
}

/** The start of each column, after the widest cell of the previous one; a cell with a colspan widens the last. */
function columnStarts(cells: readonly TableCell[]): number[] {
  const columns = cells.reduce((most, cell) => Math.max(most, cell.column + cell.columnSpan), 0)
  const ending: TableCell[][] = []
  for (const cell of cells) {
    const end = cell.column + cell.columnSpan
    ending[end] = [...(ending[end] ?? []), cell]
  }
  const starts = [0]
  for (let column = 1; column <= columns; column += 1) {
    let start = starts[column - 1] ?? 0
    for (const cell of ending[column] ?? []) {
      if (cell.layout.width > 0) start = Math.max(start, (starts[cell.column] ?? 0) + cell.layout.width + columnGap)
    }
    starts[column] = start
  }
  return starts
}
