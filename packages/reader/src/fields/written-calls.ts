import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'

/** A tool call written out in an instruction: `document.redact({"terms": ["Smith"]})`. */
export interface WrittenCall {
  /** The name of the tool: `document.redact`. */
  readonly name: string
  readonly input: JsonObject
}

const callsMax = 20
const callStart = /\s*`{0,3}\s*([a-z][\w-]{0,60}\.[a-z][\w-]{0,60})\s*(\(?)\s*(?=\{)/y
const callEnd = /\s*\)/y
const between = /[\s;`]*/y

/**
 * The calls in a text that consists only of calls. The arguments are a JSON object, in parentheses or after the name.
 * Undefined when there is any other text.
 */
export function writtenCalls(text: string): readonly WrittenCall[] | undefined {
  const calls: WrittenCall[] = []
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match) at = pattern.lastIndex
    return match
  }
  while (at < text.length) {
    const start = take(callStart)
    if (!start || calls.length >= callsMax) return undefined
    const end = endOfObject(text, at)
    const input = end === undefined ? undefined : parsed(text.slice(at, end))
    if (end === undefined || input === undefined) return undefined
    at = end
    if (start[2] === '(' && !take(callEnd)) return undefined
    take(between)
    calls.push({ name: start[1] ?? '', input })
  }
  return calls.length > 0 ? calls : undefined
}

/** The offset after the brace that closes the object starting at `from`. */
function endOfObject(text: string, from: number): number | undefined {
  let depth = 0
  let inText = false
  for (let at = from; at < text.length; at++) {
    const letter = text[at]
    if (inText && letter === '\\') at++
    else if (letter === '"') inText = !inText
    else if (!inText && letter === '{') depth++
    else if (!inText && letter === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
