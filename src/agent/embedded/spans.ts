import type { Cell } from './layout.ts'
import type { PlacedWord } from './placed-words.ts'

/** A text together with the words that it was put together from. */
export interface Span {
  readonly text: string
  readonly words: readonly PlacedWord[]
  /** Where each word starts in the text; the first may start before it when its front was cut off. */
  readonly starts: readonly number[]
  readonly cells: readonly Cell[]
}

/** The span of some words with one space between them, `skip` characters of the first left out. */
export function spanOf(words: readonly PlacedWord[], cells: readonly Cell[], skip = 0): Span {
  const starts: number[] = []
  const pieces: string[] = []
  let length = 0
  for (const word of words) {
    const cut = starts.length === 0 ? skip : 0
    starts.push(length - cut)
    const piece = word.word.text.slice(cut)
    pieces.push(piece)
    length += piece.length + 1
  }
  return { text: pieces.join(' '), words, starts, cells }
}

/** The span of a whole cell. */
export const spanOfCell = (cell: Cell): Span => spanOf(cell.words, [cell])

/** The span of cells one after the other. */
export const spanOfCells = (cells: readonly Cell[]): Span =>
  spanOf(
    cells.flatMap((cell) => cell.words),
    cells,
  )

/** The words that the characters `[start, end)` of a span touch. */
export function wordsWithin(span: Span, start: number, end: number): PlacedWord[] {
  return span.words.filter((word, index) => {
    const from = span.starts[index] ?? 0
    return from < end && from + word.word.text.length > start
  })
}

/** The part of a span from a character on. */
export function spanFrom(span: Span, start: number): Span {
  const first = span.words.findIndex((word, index) => (span.starts[index] ?? 0) + word.word.text.length > start)
  if (first < 0) return { text: '', words: [], starts: [], cells: span.cells }
  const skip = Math.max(0, start - (span.starts[first] ?? 0))
  return spanOf(span.words.slice(first), span.cells, skip)
}

/** The part of a span before a character. */
export function spanUntil(span: Span, end: number): Span {
  const words = span.words.filter((_, index) => (span.starts[index] ?? 0) < end)
  return {
    text: span.text.slice(0, end).trimEnd(),
    words,
    starts: span.starts.slice(0, words.length),
    cells: span.cells,
  }
}
