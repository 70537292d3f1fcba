import { z } from 'zod'
import { mcpTool } from './tool.ts'

/** Skills per page of a list. */
export const skillsPerPage = 100

/** A skill as `GET /v1/skills` lists it. */
export interface Listed {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly skill_version: string
  readonly is_public: boolean
}

export const listSkillsTool = mcpTool({
  name: 'list_skills',
  title: 'List skills',
  description:
    'Lists the skills of the workspace and the public ones, the latest version of each, newest first. Read a skill with the resource or the prompt of its name, and run it with run_skill.',
  input: z.strictObject({
    offset: z.int().min(0).max(1_000_000).default(0).describe('Number of skills to skip'),
    limit: z.int().min(1).max(1_000).default(skillsPerPage),
  }),
  output: z.object({
    skills: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string(),
        skill_version: z.string(),
        is_public: z.boolean(),
      }),
    ),
  }),
  isReadOnly: true,
  async run({ offset, limit }, { route }) {
    const { json } = await route('listSkills', { query: { grouped: true, offset, limit } })
    return {
      structured: {
        skills: (json as readonly Listed[]).map(({ id, name, description, skill_version, is_public }) => ({
          id,
          name,
          description,
          skill_version,
          is_public,
        })),
      },
    }
  },
})
