import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { notSkillrun } from './http.ts'

/** What may stand behind the `?` of a path. */
export type Query = Readonly<Record<string, string | number | undefined>>

/** The query of a path with its `?`; empty where nothing is asked. */
export function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
  return parameters.size > 0 ? `?${parameters}` : ''
}

/** A JSON object with these texts in it; anything else comes from something that is no Skillrun server. */
export function record(value: unknown, texts: readonly string[], url: string): JsonObject {
  if (!isJsonObject(value) || texts.some((name) => typeof value[name] !== 'string')) throw notSkillrun(url)
  return value
}

/** A JSON array; anything else comes from something that is no Skillrun server. */
export function list(value: unknown, url: string): readonly Json[] {
  if (!Array.isArray(value)) throw notSkillrun(url)
  return value
}
