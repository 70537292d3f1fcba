import { type GridWord, wordsIn } from './grid.ts'

/** Cells by which a level is moved in, and between a key and its value. */
const indent = 2
const valueGap = 3
/** Levels that are moved in; deeper ones stand where this one does. */
const indentLevelsMax = 30

/**
 * The words of a JSON text laid out as a form: each key and each item of an array on a row of its own, a value right of
 * its key, quotes and brackets left out. Spans are those of the text as it was given.
 */
export function wordsOfJson(text: string): GridWord[] {
  const words: GridWord[] = []
  let row = -1
  let level = 0
  let column = 0
  for (const match of text.matchAll(/"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu)) {
    const token = match[0]
    if (token === '{' || token === '[') level += 1
    else if (token === '}' || token === ']') level -= 1
    if (/^[{}[\],]$/.test(token)) column = -1
    if (/^[{}[\],:]$/.test(token)) continue
    if (column < 0 || row < 0) {
      row += 1
      column = Math.min(level, indentLevelsMax) * indent
    } else column += valueGap - 1
    for (const word of wordsOfToken(token, match.index)) {
      words.push({ ...word, row, column })
      column += word.text.length + 1
    }
  }
  return words
}

function wordsOfToken(token: string, start: number): Pick<GridWord, 'text' | 'span'>[] {
  if (!token.startsWith('"')) return [{ text: token, span: [start, start + token.length] }]
  if (!token.includes('\\')) {
    return wordsIn(token.slice(1, -1)).map((word) => ({
      text: word.text,
      span: [start + 1 + word.start, start + 1 + word.end],
    }))
  }
  // Escapes have other lengths than what they stand for: each word is said to stand in the whole string.
  return wordsIn(JSON.parse(token) as string).map((word) => ({
    text: word.text,
    span: [start + 1, start + token.length - 1],
  }))
}
