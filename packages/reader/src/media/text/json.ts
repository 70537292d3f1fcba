import { type GridWord, wordsIn } from './grid.ts'

/** Cells of indentation per level, and between a key and its value. */
const indent = 2
const valueGap = 3
/** The maximum number of indented levels; deeper ones align with the last. */
const indentLevelsMax = 30

/**
 * The words of a JSON text laid out as a form: each key and array item on its own row, values to the right of their
 * keys, without quotes and brackets. Spans refer to the source.
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
  // Escapes differ in length from their characters, so each word gets the span of the whole string.
  return wordsIn(JSON.parse(token) as string).map((word) => ({
    text: word.text,
    span: [start + 1, start + token.length - 1],
  }))
}
