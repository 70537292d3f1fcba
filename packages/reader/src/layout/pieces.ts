import { type Conventions, readCellAs } from '../values/parsed-values.ts'
import { type Cell, type Line, spaceOn } from './layout.ts'
import { type PlacedWord, textOf } from './placed-words.ts'

/** The kind of content of a piece. */
export type PieceKind = 'date' | 'amount' | 'number' | 'percent' | 'text'

/** Adjacent words of a line with one kind of content. */
export interface Piece {
  readonly words: readonly PlacedWord[]
  readonly text: string
  readonly x0: number
  readonly x1: number
  readonly kind: PieceKind
}

/** The maximum gap between numbers and words of one text, in text heights; a space is 0.2 to 0.4. */
const apartHeights = 0.45
/** Monospaced type has gaps of at least this many text heights; they are then measured in its spaces. */
const wideSpaceHeights = 0.42
const apartSpaces = 1.4
/** The minimum share of a text that its date takes. */
const dateShare = 0.7

const amountPattern =
  /^[^\p{L}\d]*(?:(?![xX]\s)\p{L}{1,3}[.$]?\s?|\p{Sc}\s?)?[-–−+(]?\s?\p{Sc}?\s?\d[\d.,'’ \u00a0\u202f]*[.,]\d{2}\)?\s?(?:\p{Sc}\s?\p{L}{0,3}|[A-Z]{1,3}\.?|[-–−+*])?\s?[-–−+*]?$/u
const numberPattern = /^[-–−+]?(?:\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+|\d+)(?:[.,]\d+)?$/u
const percentPattern = /^[-–−+]?\d[\d.,]*\s?%$/u

/** The kind of content of a text. */
export function kindOfText(text: string, conventions: Conventions): PieceKind {
  if (!/\d/.test(text) || text.length > 40) return 'text'
  if (percentPattern.test(text)) return 'percent'
  if (amountPattern.test(text)) {
    // A date without a year is not an amount: `01.12`.
    const isDay = /^\d{1,2}[./]\d{2}\.?$/.test(text) && readCellAs('date', text, conventions).length > 0
    return isDay ? 'date' : 'amount'
  }
  const [date] = readCellAs('date', text, conventions)
  if (date !== undefined && date.end - date.start >= text.length * dateShare) return 'date'
  return numberPattern.test(text) ? 'number' : 'text'
}

const pieceOf = (words: readonly PlacedWord[], conventions: Conventions): Piece => {
  const text = textOf(words)
  return { words, text, x0: words[0]?.x0 ?? 0, x1: words.at(-1)?.x1 ?? 0, kind: kindOfText(text, conventions) }
}

/** Splits a cell where numbers are slightly apart from words or other numbers. */
function partCell(cell: Cell, conventions: Conventions): Piece[] {
  const whole = pieceOf(cell.words, conventions)
  if (whole.kind !== 'text' || !/\d/.test(whole.text)) return [whole]
  const { height, page } = cell.line
  const space = spaceOn(page)
  const apart = space > wideSpaceHeights * height ? apartSpaces * space : apartHeights * height
  for (let at = 1; at < cell.words.length; at++) {
    const [left, right] = [cell.words[at - 1], cell.words[at]]
    if (left === undefined || right === undefined || right.x0 - left.x1 < apart) continue
    const before = pieceOf(cell.words.slice(0, at), conventions)
    const after = pieceOf(cell.words.slice(at), conventions)
    if (before.kind === 'text' && after.kind === 'text') continue
    return [before, ...(after.kind === 'text' ? partCell({ ...cell, words: after.words }, conventions) : [after])]
  }
  return [whole]
}

/** The pieces of a line from left to right. */
export const piecesOfLine = (line: Line, conventions: Conventions): Piece[] =>
  line.cells.flatMap((cell) => partCell(cell, conventions))
