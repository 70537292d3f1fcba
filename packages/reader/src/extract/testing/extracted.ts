import { assert } from '@skillrun/core/assert.ts'
import { isJsonObject, type Json, type JsonSchema } from '@skillrun/core/json.ts'
import type { Page } from '../../media/document.ts'
import { textDocument } from '../../media/testing/text-document.ts'
import { extract } from '../extract.ts'
import type { Extraction } from '../extraction.ts'

/** What is extracted from a text. */
export const extracted = (text: string, schema: JsonSchema | null, source?: Page['source']): Extraction =>
  extract({ documents: [{ input: 'file', document: textDocument(text, source) }], values: {}, schema })

/** The fields of its answer. */
export function fieldsOf(text: string, schema: JsonSchema, source?: Page['source']): Record<string, Json> {
  const { answer } = extracted(text, schema, source)
  assert(isJsonObject(answer), 'the answer to a schema of an object is one')
  return answer
}
