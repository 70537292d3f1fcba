import Papa from 'papaparse'
import { readLimits } from '../limits.ts'
import { type GridWord, wordsIn } from './grid.ts'

/** Cells between the widest cell of a column and the next column: wider than any space within a cell. */
const columnGap = 4
/** The comma comes last, as it also appears in numbers and sentences. */
const delimiters = ['\t', ';', '|', ','] as const
/** Rare delimiters, which say nothing in a text that is not declared as a table. */
const declaredDelimiters = ['\t', ';', '|', ',', '~', '^'] as const
/** The number of rows, and of characters, that are parsed before the whole text is. */
const rowsLookedAt = 20
const charactersLookedAt = 16_384

/** One field of a delimited table. */
interface Field {
  /** The field as in the source, including quotes. */
  readonly raw: string
  /** Its offset in the source. */
  readonly start: number
}

type Row = readonly Field[]

/** A text recognised as a delimited table. */
export interface DelimitedTable {
  readonly delimiter: string
  readonly rows: readonly Row[]
}

/**
 * Parses a text as a delimited table; undefined if it is not one. A table has at least two rows and two columns, the
 * same number of fields in every row, and nothing that looks like sentences, a form, or numbers split at commas. A text that is
 * declared as CSV needs two columns too; the other checks apply only if its first row is not a header, and a few rows may have fewer
 * fields (titles above the header, remarks, fields left out at the end).
 */
export function delimitedTable(text: string, { isDeclared = false } = {}): DelimitedTable | undefined {
  // Longer texts are refused elsewhere.
  if (text.length > readLimits.textBytesMax) return undefined
  for (const delimiter of isDeclared ? declaredDelimiters : delimiters) {
    const isTable = (rows: readonly Row[] | undefined): rows is readonly Row[] => {
      const all = rows?.filter((row) => !isBlank(row)) ?? []
      const filled = isDeclared ? fullRows(all) : all
      if (rows === undefined || !hasEqualRows(filled) || (!isDeclared && hasGap(rows))) return false
      return (
        (isDeclared && isHeader(filled, { isDeclared }) && !(delimiter === ',' && isCut(filled[0]))) ||
        !(isProse(filled) || isForm(filled) || cutsNumbers(filled, delimiter))
      )
    }
    const start = text.slice(0, charactersLookedAt)
    const first = parseRows(start, delimiter, rowsLookedAt)
    // The last row may be cut at the end of the sample.
    const complete = start.length < text.length && first ? first.slice(0, -1) : first
    const isShort = start.length === text.length && (first?.length ?? 0) < rowsLookedAt
    if (!isTable(complete)) continue
    const rows = isShort ? complete : parseRows(text, delimiter)
    if (isTable(rows)) return { delimiter, rows }
  }
  return undefined
}

/** The words of a delimited table, with the fields of a column aligned. */
export const wordsOfTable = ({ rows }: Pick<DelimitedTable, 'rows'>): GridWord[] =>
  wordsOfCells(rows.map((row) => row.map(cellOf)))

/** The words of rows of cells, with the cells of a column aligned. Rows may be sparse. */
export function wordsOfCells(rows: readonly (readonly CellWords[])[]): GridWord[] {
  const widths: number[] = []
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell))
    })
  }
  const starts = [0]
  for (let index = 0; index < widths.length; index += 1)
    starts.push((starts[index] ?? 0) + (widths[index] ?? 0) + columnGap)
  const words: GridWord[] = []
  rows.forEach((row, rowIndex) => {
    row.forEach((cell, index) => {
      let column = starts[index] ?? 0
      for (const word of cell) {
        words.push({ ...word, row: rowIndex, column })
        column += word.text.length + 1
      }
    })
  })
  return words
}

const widthOf = (cell: CellWords): number => cell.reduce((sum, word) => sum + word.text.length + 1, 0)

/** The rows of a text with the offset of each field; undefined when quotes do not match. Blank lines are rows with one empty field. */
export function parseRows(text: string, delimiter: string, rowsMax = 0): Row[] | undefined {
  const isMarked = text.startsWith('\ufeff')
  // A carriage return before a line feed stays with its field, like a space: some files mix line ends.
  const newline = text.includes('\n') ? '\n' : '\r'
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline, preview: rowsMax })
  if (errors.some(({ type }) => type === 'Quotes')) return undefined
  let at = isMarked ? 1 : 0
  const rows: Row[] = []
  for (const values of data) {
    const row: Field[] = []
    for (const [index, value] of values.entries()) {
      if (index > 0) at += delimiter.length
      const raw = rawField(text, at, value)
      if (raw === undefined) return undefined
      row.push({ raw, start: at })
      at += raw.length
    }
    rows.push(row)
    at += newline.length
  }
  return rows
}

/** The source of a parsed field: the value itself, or the quoted value, possibly followed by white space. */
function rawField(text: string, at: number, value: string): string | undefined {
  const quoted = `"${value.replaceAll('"', '""')}"`
  if (text.startsWith(quoted, at)) {
    let end = at + quoted.length
    while (text[end] === ' ' || text[end] === '\r') end += 1
    return text.slice(at, end)
  }
  return text.startsWith(value, at) ? value : undefined
}

const isBlank = (row: Row): boolean => row.length === 1 && row[0]?.raw.trim() === ''

function hasEqualRows(rows: readonly Row[]): boolean {
  const columns = rows[0]?.length ?? 0
  return rows.length >= 2 && columns >= 2 && rows.every((row) => row.length === columns)
}

/** The share of rows that may have fewer fields than the others, in a longer table and in a short one. */
const shortShareMax = 0.1
const shortRowsMax = 4

/** The rows with the most fields, if the others can be titles and remarks; otherwise all rows. */
function fullRows(rows: readonly Row[]): readonly Row[] {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const full = rows.filter((row) => row.length === columns)
  const short = rows.filter((row) => row.length < columns)
  const areFew = short.length <= Math.max(shortRowsMax, rows.length * shortShareMax) && short.length < full.length
  // Under a shorter header, the longer rows are those with a delimiter inside a field.
  return areFew && !short.some((row) => row.length > 1 && isHeader([row])) ? full : rows
}

/** True when there is a blank line between rows, as between the paragraphs of a letter. */
function hasGap(rows: readonly Row[]): boolean {
  const blank = rows.findIndex(isBlank)
  return blank >= 0 && rows.slice(blank).some((row) => !isBlank(row))
}

/** `Q1 2026`, `Area m2`, `2nd address`. */
const nameWithDigits = /^(?=.*\p{L})\D*\d{1,4}(?:\D+\d{1,4})?\D*$/u
const year = /^(?:19|20)\d\d$/

/**
 * True when the first row has column names: distinct texts without digits. Names with a few digits, and years beside names, are such where
 * the text is declared as a table, or has only numbers below them.
 */
function isHeader([first, ...below]: readonly Row[], { isDeclared = false } = {}): boolean {
  const names = first?.map(({ raw }) => raw.trim()) ?? []
  const isAboveNumbers = (at: number): boolean =>
    isDeclared || (below.length > 0 && below.every((row) => !/\p{L}/u.test(row[at]?.raw ?? '')))
  const isName = (name: string, at: number): boolean =>
    /\d/.test(name) ? (nameWithDigits.test(name) || year.test(name)) && isAboveNumbers(at) : /\p{L}/u.test(name)
  return names.every(isName) && names.some((name) => /\p{L}/u.test(name)) && new Set(names).size === names.length
}

/** True when the fields are parts of sentences: prose has a space after a comma, tables seldom do. */
function isProse(rows: readonly Row[]): boolean {
  const later = rows.flatMap((row) => row.slice(1))
  const spaced = later.filter(({ raw }) => raw === '' || /^ \S/.test(raw)).length
  return spaced > later.length * 0.6
}

/** True when rows start with a label and a colon: `Total: EUR 12`. */
function isForm(rows: readonly Row[]): boolean {
  const labelled = rows.filter((row) => /^[^\d"]*\p{L}[^\d"]*:(?:\s|$)/u.test(row[0]?.raw ?? '')).length
  return labelled * 2 >= rows.length
}

/** A number with thousands or decimal commas that is not part of a date or time. */
const numberWithComma =
  /(?<![\d.,]|\d[-/:])(?:\d{1,3}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d{1,3}(?:[.']\d{3})+,\d+|\d+,\d{1,2}|0,\d+)(?!\d)/u
/** `May 3,2026`. */
const dateWithComma = /\p{L}{3,}\.? \d{1,2},\d{4}(?!\d)/u

/** True when the delimiter is, or may be, inside a number or date: between digits without a header that names the columns. */
function cutsNumbers(rows: readonly Row[], delimiter: string): boolean {
  if (delimiter !== ',') return false
  const isNamed = isHeader(rows)
  return rows.some((row) => isCut(row) || (!isNamed && runsOfBareFields(row).some((run) => /\d,\d/.test(run))))
}

/** True when a comma between the fields of a row is inside a number or a date. */
const isCut = (row: Row = []): boolean =>
  runsOfBareFields(row).some((run) => dateWithComma.test(run) || run.split(/\s+/u).some((token) => isOneNumber(token)))

/** True when all commas of a token are in one number: `$1,131.00`, but not `x,1,131` or `15,2,999`. */
function isOneNumber(token: string): boolean {
  const number = numberWithComma.exec(token)
  return number !== null && !token.replace(number[0], '').includes(',')
}

/** The source of consecutive unquoted fields. */
function runsOfBareFields(row: Row): string[] {
  const runs: string[][] = [[]]
  for (const { raw } of row) {
    if (raw.startsWith('"')) runs.push([])
    else runs.at(-1)?.push(raw)
  }
  return runs.map((fields) => fields.join(','))
}

/** The words of a cell. */
export type CellWords = readonly Pick<GridWord, 'text' | 'span'>[]

function cellOf({ raw, start }: Field): CellWords {
  const quotes = /^"[\s\S]*"\s*$/.test(raw)
  return wordsIn(raw).flatMap(({ text, start: from, end }) => {
    const plain = quotes ? unquote(text, { first: from === 0, last: end >= raw.trimEnd().length }) : text
    return plain === '' ? [] : [{ text: plain, span: [start + from, start + end] as const }]
  })
}

function unquote(word: string, { first, last }: { first: boolean; last: boolean }): string {
  return word.slice(first ? 1 : 0, last ? -1 : undefined).replaceAll('""', '"')
}
