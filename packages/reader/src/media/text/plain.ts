import type { GridWord } from './grid.ts'

/** The distance of tab stops in columns. */
const tabColumns = 8

/** The words of plain text at their positions: one row per line, tabs expanded. */
export function wordsOfText(text: string): GridWord[] {
  const words: GridWord[] = []
  let row = 0
  let column = 0
  let start = -1
  let startColumn = 0
  const end = (at: number): void => {
    const word = start >= 0 ? text.slice(start, at) : ''
    // Skip the lines of drawn tables.
    if (word !== '' && !/^[|+:=_-]*(?:\||[=_+-]{3})[|+:=_-]*$/.test(word)) {
      words.push({ text: word, row, column: startColumn, span: [start, at] })
    }
    start = -1
  }
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '\n' || (character === '\r' && text[at + 1] !== '\n') || character === '\f') {
      end(at)
      row += 1
      column = 0
    } else if (character === '\t') {
      end(at)
      column += tabColumns - (column % tabColumns)
    } else if (/\s/u.test(character) || character === '\ufeff') {
      end(at)
      column += 1
    } else {
      if (start < 0) {
        start = at
        startColumn = column
      }
      column += 1
    }
  }
  end(text.length)
  return words
}
