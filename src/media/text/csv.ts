import { type GridWord, wordsIn } from './grid.ts'

/** Cells between one column's widest cell and the next column: wider than any space within a cell. */
const columnGap = 4
const delimiters = [',', ';', '\t', '|'] as const
/** Rows that are looked at for their delimiter. */
const rowsLookedAt = 20

interface Cell {
  readonly words: { readonly text: string; readonly span: readonly [number, number] }[]
  readonly width: number
}

/**
 * The character that parts the cells of a table in text; undefined where the text is none: at least two rows, two
 * cells in each, the same number in all of the first rows, and no sentences.
 */
export function delimiterOf(text: string): string | undefined {
  return delimiters.find((delimiter) => {
    const rows = splitRows(text, delimiter, rowsLookedAt + 1).filter(
      (row) => row.length > 1 || row[0]?.raw.trim() !== '',
    )
    // The last row may be cut off where the text was.
    const whole = rows.length > rowsLookedAt ? rows.slice(0, rowsLookedAt) : rows
    const cells = whole[0]?.length ?? 0
    return whole.length >= 2 && cells >= 2 && whole.every((row) => row.length === cells) && !isProse(whole)
  })
}

/** Whether the cells are parts of sentences: a writer puts a space after a comma, a table seldom does. */
function isProse(rows: readonly (readonly RawCell[])[]): boolean {
  const later = rows.flatMap((row) => row.slice(1))
  const spaced = later.filter((cell) => cell.raw === '' || /^ \S/.test(cell.raw)).length
  return spaced > later.length * 0.6
}

/** The words of a delimited table (RFC 4180 with any delimiter), the cells of a column one below the other. */
export function wordsOfCsv(text: string, delimiter = delimiterOf(text) ?? ','): GridWord[] {
  const rows = splitRows(text, delimiter).map((row) => row.map(cellOf))
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, cell.width)
    })
  }
  const words: GridWord[] = []
  rows.forEach((row, rowIndex) => {
    let column = 0
    row.forEach((cell, index) => {
      let at = column
      for (const word of cell.words) {
        words.push({ ...word, row: rowIndex, column: at })
        at += word.text.length + 1
      }
      column += (widths[index] ?? 0) + columnGap
    })
  })
  return words
}

interface RawCell {
  /** The cell as it stands in the source, quotes included, and where it begins. */
  readonly raw: string
  readonly start: number
}

function splitRows(text: string, delimiter: string, rowsMax = Number.POSITIVE_INFINITY): RawCell[][] {
  const rows: RawCell[][] = []
  let row: RawCell[] = []
  let start = 0
  let quoted = false
  const endCell = (at: number): void => {
    row.push({ raw: text.slice(start, at), start })
    start = at + 1
  }
  for (let at = 0; at < text.length && rows.length < rowsMax; at += 1) {
    const character = text[at]
    if (character === '"') quoted = quoted ? false : at === start || text[at - 1] === '"'
    else if (quoted) continue
    else if (character === delimiter) endCell(at)
    else if (character === '\n') {
      endCell(at)
      rows.push(row)
      row = []
    }
  }
  if (rows.length < rowsMax && (start < text.length || row.length > 0)) {
    endCell(text.length)
    rows.push(row)
  }
  return rows
}

function cellOf({ raw, start }: RawCell): Cell {
  const quotes = /^"[\s\S]*"\s*$/.test(raw)
  const words = wordsIn(raw).flatMap(({ text, start: from, end }) => {
    const plain = quotes ? unquote(text, { first: from === 0, last: end >= raw.trimEnd().length }) : text
    return plain === '' ? [] : [{ text: plain, span: [start + from, start + end] as const }]
  })
  const width = words.reduce((sum, word) => sum + word.text.length + 1, 0)
  return { words, width }
}

function unquote(word: string, { first, last }: { first: boolean; last: boolean }): string {
  return word.slice(first ? 1 : 0, last ? -1 : undefined).replaceAll('""', '"')
}
