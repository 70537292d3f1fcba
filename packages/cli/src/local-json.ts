import { readFile } from 'node:fs/promises'
import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type JsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import { findJsonBreak } from '@skillrun/core/json-break.ts'
import { limits } from '@skillrun/server/core/limits.ts'
import { callerPath } from './paths.ts'
import type { Terminal } from './terminal.ts'

/**
 * Reads a JSON object from a file. Throws Fault `invalid` when it cannot be read, is not JSON (with line and column), or is not
 * an object. `name` is as the caller wrote it; `what` says in one word what it should be. The server validates the content.
 */
export async function readJsonFile(
  name: string,
  { environment }: Pick<Terminal, 'environment'>,
  what: string,
): Promise<JsonObject> {
  const refused = (why: string) => new Fault('invalid', `bad_${what}`, `The ${what} ${name} ${why}`)
  const text = await readFile(callerPath(name, environment), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refused(`cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`)
  })
  const bytesMax = bytesMaxOf[what] ?? limits.schemaBytesMax
  if (Buffer.byteLength(text) > bytesMax) throw refused(`is larger than ${bytesMax} bytes`)
  let value: unknown
  const json = text.replace(/^\uFEFF/, '')
  try {
    value = JSON.parse(json)
  } catch {
    throw refused(`is not JSON: ${placeOf(json)}`)
  }
  if (isJsonObject(value)) return value
  throw refused(`must be a JSON object, such as ${examples[what] ?? '{}'}`)
}

/** What may be larger than the server's limit for a schema, which is enough for a configuration or a response. */
const bytesMaxOf: Readonly<Record<string, number>> = {
  capsule: limits.jsonBodyBytesMax,
  // It only leaves the file to be hashed.
  record: Number.POSITIVE_INFINITY,
}

const examples: Readonly<Record<string, string>> = {
  schema: '{"type": "object", "properties": {…}}',
  configuration: '{"max_steps": 20}',
  response: '{"total": 12.5}',
  keys: '{"keys": […]}',
}

/** Reads a JSON schema from a file; throws as `readJsonFile`. */
export const readSchemaFile = (name: string, terminal: Pick<Terminal, 'environment'>): Promise<JsonSchema> =>
  readJsonFile(name, terminal, 'schema')

function placeOf(text: string): string {
  const at = findJsonBreak(text)
  if (at === text.length) return text.trim() === '' ? 'it is empty' : 'it is incomplete'
  const before = text.slice(0, at).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
