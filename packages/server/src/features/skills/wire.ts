import { z } from 'zod'
import { queryBoolean, queryInteger } from '../../adapters/http/query.ts'
import { roles } from '../../adapters/http/route.ts'
import { limits } from '../../core/limits.ts'

const reference = z.string().trim().min(1).max(400)
const version = z
  .union([z.int().min(1).max(1_000_000_000), z.string().min(1).max(100)])
  .describe('The number of a version, a version string, or latest; not case-sensitive')

const withoutColon = (name: string): boolean => !name.includes(':')
const colonRefused = 'The name must not contain a colon, because name:version refers to a version of a skill'

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
    name: z.string().max(limits.skillNameCharactersMax).refine(withoutColon, colonRefused).nullish(),
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

const uuidText = z.string().min(1).max(400)
const skillName = z.string().trim().min(1).max(limits.skillNameCharactersMax).refine(withoutColon, colonRefused)
const description = z.string().trim().min(1).max(limits.skillDescriptionCharactersMax)
const prompt = z.string().trim().min(1).max(limits.promptCharactersMax)
const jsonSchema = z.looseObject({}).describe('A JSON Schema, 2020-12 or draft-07')

/** Body of POST /v1/skills/create: exactly one of file_id, prompt and session_id. */
export const createRequest = z
  .object({
    name: skillName
      .nullish()
      .describe(
        'Required with file_id; otherwise the server creates one. If a skill has this name, it gets a new version',
      ),
    description: description.nullish().describe('Required with file_id; otherwise the server creates one'),
    file_id: uuidText
      .nullish()
      .describe('Id of an uploaded zip with SKILL.md at its root or in its only top-level folder'),
    prompt: prompt.nullish().describe('Becomes the instructions'),
    json_schema: jsonSchema.nullish().describe('Only with prompt; becomes schema.json'),
    session_id: z.string().min(1).max(255).nullish().describe('Session that the skill is created from'),
    is_public: z.boolean().nullish(),
  })
  .meta({ id: 'SkillCreateRequest' })
export type CreateRequest = z.infer<typeof createRequest>

/** Body of POST /v1/skills/{id}/update: the changes of the next version. */
export const updateRequest = z
  .object({
    file_id: uuidText
      .nullish()
      .describe('Id of a zip that replaces the whole bundle; not together with prompt or json_schema'),
    description: description.nullish(),
    prompt: prompt.nullish(),
    json_schema: jsonSchema.nullish(),
    is_public: z.boolean().nullish(),
  })
  .meta({ id: 'SkillUpdateRequest' })
export type UpdateRequest = z.infer<typeof updateRequest>

/** Body of POST /v1/skills/lookup: by id, or by name and optional version. */
export const lookupRequest = z
  .object({
    id: uuidText.nullish(),
    name: reference.nullish().describe('A name, or name:version'),
    skill_version: version.nullish(),
    version: version.nullish().meta({ deprecated: true, description: 'Use skill_version' }),
  })
  .meta({ id: 'SkillLookupRequest' })

/** Query of GET /v1/skills. */
export const listQuery = z.object({
  limit: queryInteger({ min: 1, max: 1000, fallback: 50 }, 'Maximum number of items to return'),
  offset: queryInteger({ min: 0, max: 1_000_000_000, fallback: 0 }, 'Number of items to skip'),
  order_by: z.enum(['created_at', 'updated_at', 'name']).default('created_at'),
  descending: queryBoolean(true, 'Reverse the order'),
  grouped: queryBoolean(false, 'Only the latest version of each skill'),
})

const expiresSecondsMax = 7 * 24 * 60 * 60

/** Query of GET /v1/skills/{id}/download. */
export const downloadQuery = z.object({
  expires: queryInteger(
    { min: 1, max: expiresSecondsMax, fallback: expiresSecondsMax },
    'Lifetime of download_url in seconds',
  ),
})

/** The path of every route on one skill. Accepts any text: a malformed id is unknown, not invalid. */
export const skillParams = z.object({ id: z.string() })

/** Query of a signed URL. A missing or wrong part makes the skill unknown, not the request invalid. */
export const signedQuery = z.object({
  workspace: z.string().default(''),
  expires: z.string().default(''),
  signature: z.string().default(''),
})

const publicFields = {
  id: z.string(),
  name: z.string(),
  description: z.string(),
  skill_version: z.string(),
  skill_uri: z.string().nullable(),
  is_public: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
}

/** A skill in lists, and as everyone sees a public one. */
export const listedSkill = z.object(publicFields).meta({ id: 'ListedSkill' })
export type WireListedSkill = z.infer<typeof listedSkill>

const reviewNote = z.object({
  kind: z.enum(['hidden_unicode', 'undeclared_script', 'network', 'secret', 'front_matter']),
  path: z.string(),
  line: z.int().nullable(),
  message: z.string(),
})

const proof = z.object({
  original_id: z.string(),
  execution_id: z.string().nullable(),
  agreement: z.number().nullable().describe('Share of fields that are equal in both answers, 0 to 1'),
  disagreements: z.array(z.string()),
})

/** A skill as its owner sees it; others see the fields of ListedSkill. */
export const skillRecord = z
  .object({
    ...publicFields,
    status: z.enum(['pending', 'running', 'completed', 'failed']).optional(),
    error: z.object({ code: z.string(), message: z.string() }).nullable().optional(),
    number: z
      .int()
      .nullable()
      .optional()
      .describe('Counts 1, 2, 3 … per skill name; null until the version is completed'),
    is_latest: z.boolean().optional(),
    is_held: z.boolean().optional().describe('The version waits for an evaluation that passes its publish_gate'),
    bundle_sha256: z
      .string()
      .optional()
      .describe('Hash of the content: SHA-256 over one line `<sha256>  <path>` per file, sorted'),
    bytes: z.int().optional().describe('Of the zip'),
    files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })).optional(),
    json_schema: jsonSchema.nullable().optional(),
    model: z.string().nullable().optional(),
    toolsets: z.array(z.string()).nullable().optional(),
    allowed_tools: z.array(z.string()).nullable().optional(),
    hosts: z.array(z.string()).optional(),
    publish_gate: z.unknown().optional(),
    require_approval: z
      .object({
        completion: z.boolean(),
        tools: z.array(z.string()),
        timeout_seconds: z.number().nullable(),
        on_timeout: z.enum(['approve', 'reject']).nullable(),
        approvers: z.array(z.enum(roles)).nullable().optional(),
      })
      .nullable()
      .optional()
      .describe('What a person must approve in every execution with this skill'),
    review: z.array(reviewNote).optional().describe('What to review before you trust the bundle'),
    session_id: z.string().nullable().optional(),
    proof: proof
      .nullable()
      .optional()
      .describe('For a skill created from a session: how its test run agreed with the session'),
    warnings: z
      .array(z.object({ code: z.string(), path: z.string(), message: z.string() }))
      .optional()
      .describe('proof_differs: the test run gave a valid answer that differs from the session. Often empty'),
  })
  .meta({ id: 'Skill' })
export type SkillRecord = z.infer<typeof skillRecord>

/** Where to download the zip of a skill. */
export const downloadRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    skill_version: z.string(),
    download_url: z.string().describe('Signed URL that works without a key'),
    expires_in: z.int().describe('Seconds'),
  })
  .meta({ id: 'SkillDownload' })
