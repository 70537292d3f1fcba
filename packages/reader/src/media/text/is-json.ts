/** The media type of JSON Lines: a JSON value in each line. */
export const jsonLinesType = 'application/jsonl'

/** A line of a text. */
export interface JsonLine {
  readonly text: string
  /** Its offset in the source. */
  readonly start: number
  /** From 1. */
  readonly number: number
}

export function linesOf(text: string): JsonLine[] {
  let start = 0
  return text
    .split('\n')
    .map((line, index) => {
      const at = start
      start += line.length + 1
      return { text: line, start: at, number: index + 1 }
    })
    .filter((line) => line.text.trim() !== '')
}

/** True when a text has several lines and each is a JSON object. */
export function isJsonLines(text: string): boolean {
  const lines = linesOf(text)
  return lines.length > 1 && lines.every((line) => startsObject(line) && isJson(line.text))
}

export const startsObject = ({ text }: JsonLine): boolean => /^\s*\{/.test(text)

/** A text without its byte order mark. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '')

/** True when a text is one JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(withoutMark(text))
    return true
  } catch {
    return false
  }
}
