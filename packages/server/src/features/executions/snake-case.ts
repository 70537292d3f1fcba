import { isJsonObject, type Json } from '@skillrun/core/json.ts'

/**
 * Members of a step with foreign content, which keeps its names: arguments and results of tools, answers, output of programs, evidence by
 * JSON Pointer, and opaque provider state.
 */
const verbatim: ReadonlySet<string> = new Set([
  'input',
  'output',
  'answer',
  'response',
  'value',
  'evidence',
  'continuation',
])

/** The wire format of a part of a step: our names in snake_case, content of callers, models and tools unchanged. */
export function snakeCased(part: Json): Json {
  if (Array.isArray(part)) return part.map(snakeCased)
  if (!isJsonObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [snakeName(name), verbatim.has(name) ? value : snakeCased(value)]),
  )
}

export const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
