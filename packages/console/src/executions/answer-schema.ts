import { call } from '../api.ts'
import { useLoaded } from '../live.ts'
import { type Execution, isJsonObject, type Json, type JsonObject, type Skill } from '../wire.ts'

/** The schema that an answer follows: that of its request, or else of the first of its skills that has one. Null `of`: nothing is loaded. */
export function useAnswerSchema(of: Execution | null, own: Json | undefined): JsonObject | undefined {
  const skills = of === null || isJsonObject(own) ? [] : of.skills.filter(({ id }) => id !== null)
  const asked = skills.map(({ name, skill_version }) => ({ name, skill_version }))
  const { data } = useLoaded<JsonObject | null>(asked.length === 0 ? null : JSON.stringify(asked), {
    load: async (_, signal) => {
      for (const body of asked) {
        const { json_schema } = await call<Skill>('/v1/skills/lookup', { method: 'POST', body, signal })
        if (isJsonObject(json_schema)) return json_schema
      }
      return null
    },
  })
  return isJsonObject(own) ? own : (data ?? undefined)
}
