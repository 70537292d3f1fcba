import type { Cell } from '../layout/layout.ts'
import type { PlacedWord } from '../layout/placed-words.ts'
import { keptWeakly } from '../layout/remembered.ts'
import { squeeze, trimMarks } from '../layout/text.ts'
import { findSpacedCodes } from '../values/identifiers.ts'
import type { ParsedValue } from '../values/parsed-values.ts'

/** How the text of a candidate was cut from the page. */
export type Cut = 'typed' | 'cell' | 'after-colon' | 'after-label' | 'block' | 'name-in-prose' | 'part' | 'rules'

/** A text on a page that fields may take as their value. */
export interface Span {
  readonly printed: string
  readonly words: readonly PlacedWord[]
  readonly cell: Cell
  /** Characters `[start, end)` of the cell's text. */
  readonly start: number
  readonly end: number
  readonly cut: Cut
  /** How well the text fits the kind of the field, 0 to 1. */
  readonly fit: number
  /** Lines that it takes. */
  readonly lines: number
  readonly derived: boolean
}

export interface ReadSpan {
  readonly reading: ParsedValue
  readonly span: Span
}

export const textMax = 160

/** Where each word of a cell ends in its text. */
const endsOf = keptWeakly(({ words }: Cell): readonly number[] => {
  let at = -1
  return words.map(({ word }) => {
    at += 1 + word.text.length
    return at
  })
})

/** The words of a cell that characters `[start, end)` of its text touch. */
export function wordsBetween(cell: Cell, start: number, end: number): PlacedWord[] {
  const ends = endsOf(cell)
  let [first, last] = [0, ends.length]
  while (first < last) {
    const middle = (first + last) >> 1
    if ((ends[middle] as number) > start) last = middle
    else first = middle + 1
  }
  let to = first
  while (to < ends.length && (to === 0 ? 0 : (ends[to - 1] as number) + 1) < end) to++
  return cell.words.slice(first, to)
}

/** The cells in which a text may go on: the next one on its line, or the one below. */
export function nextCells(cell: Cell): Cell[] {
  const { line, index } = cell
  const beside = line.cells[index + 1]
  const below = line.page.lines[line.index + 1]
  const under = below?.cells.find((one) => sitsBelow(cell, one)) ?? (beside === undefined ? below?.cells[0] : undefined)
  return [beside, under].filter((next) => next !== undefined)
}

export function readSpanOf(
  cell: Cell,
  cut: Cut,
  reading: ParsedValue,
  { words, lines }: Pick<Span, 'words' | 'lines'> = { words: wordsBetween(cell, reading.start, reading.end), lines: 1 },
): ReadSpan {
  const { printed, start, end, fit, derived = false } = reading
  return { reading, span: { printed, words, cell, start, end, cut, fit, lines, derived } }
}

/** What is read of the text of a cell and the next, a space between them, where it begins in the first and goes on in the second. */
export function spanOver(cell: Cell, next: Cell, cut: Cut, reading: ParsedValue): ReadSpan {
  const { length } = cell.text
  const words = [...wordsBetween(cell, reading.start, length), ...wordsBetween(next, 0, reading.end - length - 1)]
  return readSpanOf(cell, cut, { ...reading, end: length }, { words, lines: next.line === cell.line ? 1 : 2 })
}

/** A part of a cell's text without the marks around it; nothing where it is no text. */
export function textPart(cell: Cell, start: number, end: number, cut: Cut, fit: number): ReadSpan[] {
  const raw = cell.text.slice(start, end)
  const value = squeeze(trimMarks(raw))
  if (!isValue(value)) return []
  const from = start + Math.max(0, raw.indexOf(value.slice(0, 6)))
  return [readSpanOf(cell, cut, { start: from, end: from + value.length, value, printed: value, fit })]
}

/** Tokens that may be an identifier: they contain a digit, or are all capitals. */
export function idsIn(text: string): ParsedValue[] {
  const readings: ParsedValue[] = []
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}./_&-]*[\p{L}\p{N}]|\d/gu)) {
    const value = match[0]
    if (!/\d/.test(value) || value.length > 40) continue
    const isAmount = /^\d{1,3}(?:[.,]\d{3})*[.,]\d{2}$/.test(value)
    const isDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/.test(value)
    const fit = isAmount || isDate ? 0.2 : value.length < 3 ? 0.4 : 0.9
    readings.push({ start: match.index, end: match.index + value.length, value, printed: value, fit })
  }
  for (const { start, end, value } of findSpacedCodes(text))
    readings.push({ start, end, value, printed: value, fit: 0.6 })
  return readings
}

/** Whether a text, without the marks around it, may be a value. */
export const isValue = (text: string): boolean => text !== '' && text.length <= textMax && wordy(text)

export const wordy = (text: string) => /\p{L}/u.test(text)

/** Whether a cell continues below another: their left edges or their centres are aligned. */
export function sitsBelow(above: Cell, below: Cell): boolean {
  const height = above.line.height
  const middles = Math.abs(above.x0 + above.x1 - below.x0 - below.x1) / 2
  return Math.abs(above.x0 - below.x0) < height * 0.8 || middles < height * 0.8
}
