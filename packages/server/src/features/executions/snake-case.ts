import { isJsonObject, type Json } from '@skillrun/core/json.ts'

/**
 * Members of a step whose content is not ours: arguments and results of tools, answers, what a program returned, evidence by JSON
 * Pointer, and what a provider wants back unchanged.
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

/** A part of a step as the wire shows it: our own names in snake_case, and what callers, models and tools wrote as it is. */
export function snakeCased(part: Json): Json {
  if (Array.isArray(part)) return part.map(snakeCased)
  if (!isJsonObject(part)) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [snakeName(name), verbatim.has(name) ? value : snakeCased(value)]),
  )
}

const snakeName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
