import type { DataPlace, Page, Word } from '../document.ts'

/** A word on a character grid: row and column of its first character. */
export interface GridWord {
  readonly text: string
  readonly row: number
  readonly column: number
  /** Offsets `[start, end)` in the source. */
  readonly span: readonly [start: number, end: number]
  readonly data?: DataPlace
}

/** A page of words on a grid with one cell per character, sized to fit. */
export function gridPage(gridWords: readonly GridWord[]): Page {
  let width = 1
  let height = 1
  for (const { text, row, column } of gridWords) {
    width = Math.max(width, column + text.length)
    height = Math.max(height, row + 1)
  }
  const words: Word[] = gridWords.map(({ text, row, column, span, data }) => ({
    text,
    box: [column / width, row / height, text.length / width, 1 / height],
    confidence: 1,
    span,
    ...(data && { data }),
  }))
  return { index: 0, width, height, source: 'plain', words, turnedDegrees: 0 }
}

/** A page of words without positions in a text: its source is not a text. */
export const withoutSpans = (page: Page): Page => ({
  ...page,
  words: page.words.map(({ text, box, confidence }): Word => ({ text, box, confidence })),
})

/** The words of a text with their offsets. */
export function wordsIn(text: string): { text: string; start: number; end: number }[] {
  return [...text.matchAll(/[^\s\ufeff]+/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }))
}
