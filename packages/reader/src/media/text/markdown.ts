import { type CellWords, wordsOfCells } from './csv.ts'
import { type GridWord, wordsIn } from './grid.ts'
import { wordsOfText } from './plain.ts'

/** A line of a text, or a part of one. */
interface Part {
  readonly text: string
  /** Its offset in the source. */
  readonly start: number
}

/** The words of a Markdown text at their positions, those of its tables (GitHub Flavored Markdown) with the cells of a column aligned. */
export function wordsOfMarkdown(text: string): GridWord[] {
  const lines = linesOf(text)
  const words: GridWord[] = []
  const others: string[] = []
  for (let at = 0; at < lines.length; ) {
    const end = endOfTable(lines, at)
    if (end === undefined) {
      others.push(lines[at]?.text ?? '')
      at += 1
      continue
    }
    const table = lines.slice(at, end).map(cellsOf)
    // The words of the second row are only dashes.
    table.splice(1, 1, [])
    for (const word of wordsOfCells(table.map((cells) => cells.map(wordsOf))))
      words.push({ ...word, row: at + word.row })
    for (const line of lines.slice(at, end)) others.push(' '.repeat(line.text.length))
    at = end
  }
  return [...wordsOfText(others.join('\n')), ...words].toSorted((a, b) => a.row - b.row || a.column - b.column)
}

function linesOf(text: string): Part[] {
  let start = 0
  return text.split('\n').map((line) => {
    const at = start
    start += line.length + 1
    return { text: line, start: at }
  })
}

/** The line behind the table whose header is at a line; undefined where there is none. */
function endOfTable(lines: readonly Part[], header: number): number | undefined {
  const [names, dashes] = [lines[header], lines[header + 1]]
  if (!names?.text.includes('|') || !dashes?.text.includes('|')) return undefined
  const cells = cellsOf(dashes)
  if (cells.length !== cellsOf(names).length || !cells.every(({ text }) => /^\s*:?-+:?\s*$/.test(text)))
    return undefined
  let end = header + 2
  while (lines[end]?.text.includes('|')) end += 1
  return end
}

/** The cells of a row, which pipes part that no backslash escapes. Pipes at the edges are optional. */
function cellsOf({ text, start }: Part): Part[] {
  const cells: Part[] = []
  let from = 0
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '|') {
      cells.push({ text: text.slice(from, at), start: start + from })
      from = at + 1
    }
  }
  cells.push({ text: text.slice(from), start: start + from })
  const isBlank = (cell: Part | undefined): boolean => cell?.text.trim() === ''
  return cells.slice(isBlank(cells[0]) ? 1 : 0, isBlank(cells.at(-1)) ? -1 : undefined)
}

const wordsOf = ({ text, start }: Part): CellWords =>
  wordsIn(text).map((word) => ({
    text: word.text.replaceAll('\\|', '|'),
    span: [start + word.start, start + word.end] as const,
  }))
