import { isJsonObject, isLegible, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { parseDocument } from 'yaml'
import { badBundle } from './bundle.ts'

/** Most uses of aliases in one document: more indicate a bomb. */
const aliasesMax = 20
const depthMax = 32

/**
 * Parses a YAML 1.2 mapping, core schema: no custom tags, no duplicate keys, no merge keys. Empty text is an empty mapping. Throws Fault
 * `bad_bundle`; `where` begins its message.
 */
export function readYaml(text: string, where: string): JsonObject {
  const refuse = (why: string) => badBundle(`${where} ${why}`)
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    customTags: null,
    merge: false,
    uniqueKeys: true,
    stringKeys: true,
    logLevel: 'error',
  })
  // Warnings are unknown tags or directives: neither is allowed.
  const problem = document.errors[0] ?? document.warnings[0]
  if (problem) throw refuse(`is not valid YAML: ${firstLine(problem.message)}`)
  let value: unknown
  try {
    value = document.toJS({ maxAliasCount: aliasesMax })
  } catch (error) {
    throw refuse(`is not valid YAML: ${error instanceof Error ? firstLine(error.message) : 'unknown'}`)
  }
  if (value === null || value === undefined) return {}
  if (!isJsonObject(value)) throw refuse('must be a mapping of names to values')
  const kept = plainJson(value, depthMax)
  if (kept === undefined)
    throw refuse('contains values other than strings, numbers, booleans, lists and mappings, or is nested too deeply')
  // An escape in quotes can produce characters that the file must not hold and a database cannot store.
  if (!isLegible(kept)) throw refuse('must not contain NUL characters or unpaired surrogates')
  return kept as JsonObject
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200).replace(/[.:]$/, '')

/** The value as plain JSON, or undefined. */
function plainJson(value: unknown, depth: number): Json | undefined {
  if (depth === 0) return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (Array.isArray(value)) {
    const items = value.map((item) => plainJson(item, depth - 1))
    return items.includes(undefined) ? undefined : (items as Json[])
  }
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const entries = Object.entries(value).map(([key, item]) => [key, plainJson(item, depth - 1)] as const)
  const isPlain = entries.every(([key, item]) => item !== undefined && key !== '__proto__')
  return isPlain ? (Object.fromEntries(entries) as JsonObject) : undefined
}
