import { z } from 'zod'
import { limits } from '../../kit/limits.ts'

const reference = z.string().min(1).max(400)
const version = z
  .union([z.int().min(1).max(1_000_000_000), z.string().min(1).max(100)])
  .describe('n, the n-th version; a version string; or latest')

/** An entry of `config.skills`: a stored skill by id or name, or a bundle in the request itself. */
export const skillEntry = z
  .object({
    type: z
      .enum(['skill_reference', 'inline', 'vlm-run'])
      .nullish()
      .describe('skill_reference where it is absent; vlm-run reads as skill_reference'),
    skill_id: reference.nullish().describe('UUID, name, or name:version'),
    skill_name: reference.nullish().meta({ deprecated: true, description: 'Use skill_id' }),
    skill_version: version.nullish(),
    version: version.nullish().meta({ deprecated: true, description: 'Use skill_version' }),
    name: z.string().max(limits.skillNameCharactersMax).nullish(),
    description: z.string().max(limits.skillDescriptionCharactersMax).nullish(),
    source: z
      .object({
        type: z.literal('base64').nullish(),
        media_type: z.literal('application/zip').nullish(),
        data: z.string(),
      })
      .nullish(),
    bundle: z.string().nullish().meta({ deprecated: true, description: 'Use source.data' }),
  })
  .meta({ id: 'SkillEntry' })
export type SkillEntry = z.infer<typeof skillEntry>
