import { z } from 'zod'
import { queryInteger } from '../../adapters/http/query.ts'
import { arrayOf, recordOf } from '../../adapters/http/schemas.ts'
import { callbackUrl } from '../../adapters/http/url-schemas.ts'
import { limits } from '../../core/limits.ts'

const isSaid = (text: string): boolean => text.trim() !== ''

const agentName = z
  .string()
  .min(1)
  .max(255)
  .refine(isSaid, 'The name must not be blank')
  .refine((name) => !name.includes(':'), 'The name must not contain a colon; the server adds the version after it')

/** Body of POST /v1/agent/create. */
export const createRequest = z
  .object({
    name: agentName.nullish().describe('If absent, the server derives a name from the prompt'),
    inputs: recordOf(z.unknown(), limits.inputSlotsMax).nullish().describe('Used by executions that give none'),
    config: z.object({
      // An agent without a prompt would match every execution without a prompt.
      prompt: z.string().min(1).max(limits.promptCharactersMax).refine(isSaid, 'The prompt must not be blank'),
      json_schema: z.looseObject({}).nullish(),
      skills: arrayOf(z.looseObject({ type: z.string().nullish() }), limits.listItemsMax).nullish(),
      service_tier: z.enum(['auto', 'default', 'standard', 'flex', 'priority']).nullish(),
    }),
    callback_url: callbackUrl.nullish(),
  })
  .meta({ id: 'AgentCreateRequest' })

const jobStatus = z.enum(['pending', 'enqueued', 'running', 'completed', 'failed', 'paused'])

/** Reply of POST /v1/agent/create. */
export const createdAgent = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.int(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    status: jobStatus,
  })
  .meta({ id: 'AgentCreationResponse' })

/** The wire format of an agent. */
export const agentInfo = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.int(),
    description: z.string(),
    prompt: z.string(),
    json_schema: z.looseObject({}).nullable(),
    json_sample: z.looseObject({}).nullable().describe('An example value that is valid against json_schema'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    status: jobStatus,
  })
  .meta({ id: 'AgentInfo' })
export type AgentInfo = z.infer<typeof agentInfo>

const wanted = {
  id: z.string().min(1).max(400).nullish(),
  name: z.string().min(1).max(400).nullish().describe('`name`, or `name:version`'),
  prompt: z.string().min(1).max(limits.promptCharactersMax).nullish(),
}

/** Exactly one of id, name and prompt, in the body or the query. */
export const lookupRequest = z.object(wanted).nullish().meta({ id: 'AgentLookupRequest' })
export const lookupQuery = z.object({
  id: wanted.id.unwrap().optional(),
  name: wanted.name.unwrap().optional(),
  prompt: wanted.prompt.unwrap().optional(),
})
export type AgentLookup = z.infer<typeof lookupRequest>

/** Query of GET /v1/agent. */
export const agentListQuery = z.object({
  skip: queryInteger({ fallback: 0, min: 0, max: 1_000_000_000 }, 'Number of items to skip, newest first'),
  limit: queryInteger({ fallback: 1000, min: 1, max: 1000 }, 'Maximum number of items to return'),
})
