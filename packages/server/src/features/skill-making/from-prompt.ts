import type { JsonSchema } from '@skillrun/core/json.ts'
import { invalid } from '../../adapters/http/validation.ts'
import type { AnswerParts } from '../executions/executions.ts'
import {
  type Asker,
  type CreateRequest,
  checkBundle,
  descriptionFromInstructions,
  promptFiles,
  refusedAt,
  type SkillParts,
  type SkillVersion,
  storeVersion,
} from '../skills/skills.ts'
import { makeNamed, nameByModel } from './name-skill.ts'

/** Dependencies of making a skill whose name a model may choose. */
export type NamingParts = SkillParts & AnswerParts

/** The three ways to make a skill, by the field that selects each. */
const modes = ['file_id', 'prompt', 'session_id'] as const

/** The chosen way. Throws a ValidationFailure that names the given fields, unless it is exactly one. */
export function modeOf(body: CreateRequest): (typeof modes)[number] {
  const given = modes.filter((mode) => body[mode] !== null && body[mode] !== undefined)
  const [mode, second] = given
  if (mode === undefined || second !== undefined) {
    const what = given.length === 0 ? 'none of them' : given.join(' and ')
    throw invalid(
      ['body', ...(given.length > 0 ? [given[1] ?? ''] : [])],
      `Give exactly one of ${modes.join(', ')}; the request has ${what}`,
      {
        type: given.length === 0 ? 'missing' : 'value_error',
      },
    )
  }
  if (body.json_schema && mode !== 'prompt')
    throw invalid(
      ['body', 'json_schema'],
      `json_schema is only allowed with prompt; with ${mode} the schema comes from there`,
    )
  return mode
}

/** Makes a skill from a prompt and an optional schema. A language model chooses a missing name if there is one; otherwise a rule does. */
export async function createFromPrompt(parts: NamingParts, asker: Asker, body: CreateRequest): Promise<SkillVersion> {
  const prompt = body.prompt ?? ''
  const schema = (body.json_schema ?? null) as JsonSchema | null
  // Check the schema first: a refused one must not cost a model call.
  if (schema && !(body.name && body.description))
    await refusedAt(
      ['body', 'json_schema'],
      checkBundle(parts, asker, { files: promptFiles({ name: 'draft', description: 'draft', prompt, schema }) }),
    )
  const made =
    body.name && body.description ? undefined : await nameByModel(parts, asker, { instructions: prompt, schema })
  const description = body.description ?? made?.description ?? descriptionFromInstructions(prompt)
  return makeNamed(
    parts,
    asker,
    { name: body.name, made, subject: prompt, instructions: prompt },
    async (name, reserveName) => {
      const files = promptFiles({ name, description, prompt, schema })
      const checked = await refusedAt(['body', schema ? 'json_schema' : 'prompt'], checkBundle(parts, asker, { files }))
      const isPublic = body.is_public ?? false
      return storeVersion(parts, asker, {
        ...{ name, description, isPublic, checked, beforeInsert: reserveName },
        origin: 'prompt',
        action: 'skill.create',
      })
    },
  )
}
