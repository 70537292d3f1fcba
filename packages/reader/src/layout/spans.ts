import type { Cell } from './layout.ts'
import type { PlacedWord } from './placed-words.ts'

/** A text with the words that it consists of. */
export interface Span {
  readonly text: string
  readonly words: readonly PlacedWord[]
  /** The offset of each word in the text; negative for a first word whose front was cut off. */
  readonly starts: readonly number[]
  readonly cells: readonly Cell[]
}

/** True when a word is hyphenated at the end of its line: the next word joins it without a space. */
export function isBrokenAtHyphen(word: PlacedWord, next: PlacedWord): boolean {
  const isBelow = (next.y0 + next.y1) / 2 > word.y1
  return isBelow && /[\p{L}\p{N}][-\u2010\u2011]$/u.test(word.word.text) && /^[\p{L}\p{N}]/u.test(next.word.text)
}

/** The span of some words, joined by spaces except at hyphenated line ends, without the first `skip` characters. */
export function spanOf(words: readonly PlacedWord[], cells: readonly Cell[], skip = 0): Span {
  const starts: number[] = []
  let text = ''
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]
    if (before !== undefined && !isBrokenAtHyphen(before, word)) text += ' '
    const cut = at === 0 ? skip : 0
    starts.push(text.length - cut)
    text += word.word.text.slice(cut)
  }
  return { text, words, starts, cells }
}

export const spanOfCell = (cell: Cell): Span => spanOf(cell.words, [cell])

/** The span of consecutive cells. */
export const spanOfCells = (cells: readonly Cell[]): Span =>
  spanOf(
    cells.flatMap((cell) => cell.words),
    cells,
  )

/** The words that the range `[start, end)` of a span touches. */
export function wordsWithin(span: Span, start: number, end: number): PlacedWord[] {
  return span.words.filter((word, index) => {
    const from = span.starts[index] ?? 0
    return from < end && from + word.word.text.length > start
  })
}

/** The part of a span from an offset on. */
export function spanFrom(span: Span, start: number): Span {
  const first = span.words.findIndex((word, index) => (span.starts[index] ?? 0) + word.word.text.length > start)
  if (first < 0) return { text: '', words: [], starts: [], cells: span.cells }
  const skip = Math.max(0, start - (span.starts[first] ?? 0))
  return spanOf(span.words.slice(first), span.cells, skip)
}

/** The part of a span before an offset. */
export function spanUntil(span: Span, end: number): Span {
  const words = span.words.filter((_, index) => (span.starts[index] ?? 0) < end)
  return {
    text: span.text.slice(0, end).trimEnd(),
    words,
    starts: span.starts.slice(0, words.length),
    cells: span.cells,
  }
}
