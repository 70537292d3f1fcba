import { readFile } from 'node:fs/promises'
import { Fault } from '../src/kit/fault.ts'
import { isJsonObject, type JsonSchema } from '../src/kit/json.ts'
import { limits } from '../src/kit/limits.ts'

/**
 * Reads a JSON schema from a file. Throws Fault `invalid` with the line and column of what is wrong when it can't be read, is not
 * JSON, or is no object. `name` is as the caller wrote it. Whether it is a good schema is the server's to say.
 */
export async function readSchemaFile(path: string, name: string): Promise<JsonSchema> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Fault(
      'invalid',
      'bad_schema',
      `The schema ${name} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    )
  })
  if (Buffer.byteLength(text) > limits.schemaBytesMax) {
    throw new Fault('invalid', 'bad_schema', `The schema ${name} is larger than ${limits.schemaBytesMax} bytes`)
  }
  const value = parseJson(text.replace(/^\uFEFF/, ''), name)
  if (!isJsonObject(value))
    throw new Fault(
      'invalid',
      'bad_schema',
      `The schema ${name} should be a JSON object, such as {"type": "object", "properties": {…}}`,
    )
  return value
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Fault('invalid', 'bad_schema', `The schema ${name} is not JSON: ${placeOf(error as SyntaxError, text)}`)
  }
}

function placeOf(error: SyntaxError, text: string): string {
  const position = / at position (\d+)/.exec(error.message)?.[1]
  if (position === undefined) return text.trim() === '' ? 'it is empty' : 'it ends too early'
  const before = text.slice(0, Number(position)).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
