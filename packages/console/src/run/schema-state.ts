import { isJsonObject, type JsonObject } from '../wire.ts'
import { type Field, formFieldsOf, problemOf, schemaOf } from './schema-form.ts'

/** A schema being edited: two views of one state. */
export interface SchemaState {
  /** The text of the JSON view, valid or not. */
  readonly schemaText: string
  /** The fields of the form; undefined if the form cannot show the schema. */
  readonly fields: readonly Field[] | undefined
  readonly schemaProblem: string
}

export const emptySchema: SchemaState = { schemaText: '', fields: [], schemaProblem: '' }

/** The server's limit for a schema. */
export const schemaBytesMax = 1024 * 1024

/** The changes after an edit of the JSON text. */
export function schemaFromText(schemaText: string): Partial<SchemaState> {
  if (schemaText.trim() === '') return { schemaText, fields: [], schemaProblem: '' }
  if (schemaText.length > schemaBytesMax)
    return { schemaProblem: 'A schema can have at most 1 MiB. The text is longer and was not used.' }
  try {
    const schema = JSON.parse(schemaText)
    if (!isJsonObject(schema))
      return { schemaText, fields: undefined, schemaProblem: 'A schema must be a JSON object.' }
    return { schemaText, fields: formFieldsOf(schema), schemaProblem: '' }
  } catch (error) {
    return { schemaText, schemaProblem: `This is not valid JSON: ${error instanceof Error ? error.message : ''}` }
  }
}

/** The changes after an edit of the form's fields; what the form does not show stays as in `schemaText`. */
export function schemaFromFields(fields: readonly Field[], schemaText: string): SchemaState {
  const schema = fields.length === 0 ? undefined : schemaOf(fields, schemaIn(schemaText))
  return { fields, schemaText: JSON.stringify(schema, null, 2) ?? '', schemaProblem: problemOf(fields) }
}

/** The schema in a text; empty if it has none. */
export function schemaIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}
