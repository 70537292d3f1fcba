import { type GridWord, wordsIn } from './grid.ts'

/** A string, a bracket, a comma, a colon, or another value. */
export const jsonToken = /"(?:[^"\\]+|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu

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
