import { findJsonBreak } from '@skillrun/core/json-break.ts'
import { damaged } from '../faults.ts'
import { type GridWord, wordsIn } from './grid.ts'

/** A string, a bracket, a comma, a colon, or another value. */
export const jsonToken = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu
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
  for (const match of text.matchAll(jsonToken)) {
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

/** Throws `unreadable_document` with the place of the first error unless a text is JSON; `line` is the number of its first line. */
export function requireJson(text: string, line = 1): void {
  try {
    JSON.parse(text)
  } catch {
    const at = findJsonBreak(text)
    const before = text.slice(0, at).split('\n')
    const place = `line ${line + before.length - 1}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw damaged(`The JSON is damaged at ${place}: ${at < text.length ? 'unexpected text' : 'it ends too early'}.`)
  }
}

/** The words of a string, number or other single value that starts at `start`. */
export function wordsOfToken(token: string, start: number): Pick<GridWord, 'text' | 'span'>[] {
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
