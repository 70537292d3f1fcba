import { z } from 'zod'
import { moment, queryInteger } from '../../adapters/http/query.ts'
import { arrayOf, recordOf, shownAs } from '../../adapters/http/schemas.ts'
import { callbackUrl } from '../../adapters/http/url-schemas.ts'
import { limits } from '../../core/limits.ts'
import { inputItem } from '../inputs/inputs.ts'
import { skillEntry } from '../skills/skills.ts'

/** Only counted and shown here: `readSlots` tells items from plain JSON, which may be large, and validates the items. */
const slots = recordOf(
  shownAs(z.unknown(), z.union([inputItem, z.array(inputItem), z.unknown()])),
  limits.inputSlotsMax,
)

const jsonSchema = z.looseObject({}).describe('A JSON Schema, 2020-12 or draft-07')
export const toolset = z
  .string()
  .max(100)
  .describe('core, image, image-gen, viz, document, video, audio, web, world-gen, or the name of a tool server')

const config = z.object({
  prompt: z.string().max(limits.promptCharactersMax).nullish(),
  json_schema: jsonSchema.nullish(),
  response_model: jsonSchema.nullish().meta({ deprecated: true, description: 'Alias of json_schema' }),
  tools_type: z.enum(['document', 'image', 'video', 'multimodal']).nullish(),
  tool_names: arrayOf(z.string(), limits.listItemsMax).nullish(),
  skills: arrayOf(skillEntry, limits.listItemsMax).nullish(),
  allow_public_scripts: z
    .boolean()
    .nullish()
    .describe('Lets scripts of public skills of other workspaces run, in the sandbox; else they are refused'),
  caching: z.boolean().nullish(),
  service_tier: z.enum(['auto', 'default', 'standard', 'flex', 'priority']).nullish(),
  execution_mode: z.enum(['agent', 'program']).nullish(),
  mode: z.enum(['agent', 'program']).nullish().meta({ deprecated: true, description: 'Alias of execution_mode' }),
  max_cost_dollars: z
    .number()
    .nonnegative()
    .max(1_000_000)
    .nullish()
    .describe(
      'What the execution may cost in all. Replies of a model are capped to it; when not even a short one fits, the run pauses',
    ),
  max_steps: z.int().min(1).max(10_000).nullish(),
  timeout_seconds: z.number().positive().max(86_400).nullish(),
  page_indices: arrayOf(z.int().nonnegative(), 10_000).nullish().describe('0-based pages to read of each document'),
  video_segment_duration: z
    .number()
    .min(0.1)
    .max(86_400)
    .nullish()
    .describe('Seconds of the segments that a video is looked at in; default: by its cuts'),
  video_frames_per_segment: z.int().min(1).max(100).nullish().describe('Pictures of each segment'),
  grounding: z.boolean().nullish(),
  confidence: z.boolean().nullish(),
  orchestration_mode: z.unknown().optional().describe('Accepted because some clients send it; has no effect'),
  detail: z
    .unknown()
    .optional()
    .describe('Accepted because some clients send it; has no effect. `image_url.detail` of an input has one'),
})

const metadata = z.looseObject({
  environment: z.enum(['dev', 'staging', 'prod']).nullish(),
  session_id: z.string().min(1).max(255).nullish(),
  sessionId: z.string().min(1).max(255).nullish(),
  allow_logging: z.boolean().nullish().describe('Content is never logged, whatever this says'),
  allow_training: z.boolean().nullish().describe('false: nothing is learnt from it for later executions'),
  allow_retention: z
    .boolean()
    .nullish()
    .describe(
      'false: inputs, their files and all steps are gone when it ends, the answer after its first reader or an hour; hashes, usage and price stay',
    ),
  allowLogging: z.boolean().nullish(),
  allowTraining: z.boolean().nullish(),
  allowRetention: z.boolean().nullish(),
})

/** Body of POST /v1/agent/execute. */
export const executeRequest = z
  .object({
    id: z
      .string()
      .min(1)
      .max(255)
      .nullish()
      .describe(
        "The client's own id of the request: the same id and body give the first answer. A UUID becomes the id of the execution; any other text is its `client_id`",
      ),
    name: z
      .string()
      .min(1)
      .max(400)
      .nullish()
      .describe('`<name>:<version>` of an agent; a bare name, and `latest`, mean its newest version'),
    inputs: slots
      .nullish()
      .describe(
        'Slots: an input item, an array of them, an http(s) or data URL, or any JSON. Beside them the request needs a prompt, a schema, a skill or the name of an agent',
      ),
    batch: z.boolean().nullish().describe('false waits for the end; default true'),
    config: config.nullish(),
    model: z.string().min(1).max(255).nullish(),
    callback_url: callbackUrl.nullish().describe('Told of the end, and of pauses: POST of the execution as JSON'),
    created_at: z.iso.datetime({ offset: true, local: true }).meta({ format: 'date-time' }).nullish(),
    metadata: metadata.nullish(),
    toolsets: arrayOf(toolset, limits.listItemsMax).nullish(),
  })
  .meta({ id: 'AgentExecuteRequest' })
export type ExecuteRequest = z.infer<typeof executeRequest>

const maxCostDollars = z.number().nonnegative().max(1_000_000).nullish()

/** Body of POST /v1/agent/executions/{id}/resume; it may be absent. */
export const resumeRequest = z
  .object({ max_cost_dollars: maxCostDollars.describe('What the execution may cost in all from now on') })
  .nullish()
  .meta({ id: 'ResumeRequest' })

const usage = z
  .object({
    elements_processed: z.int().nullable(),
    element_type: z.enum(['image', 'page', 'video', 'audio']).nullable(),
    credits_used: z.int().nullable(),
    steps: z.int().nullable(),
    message: z.string().nullable(),
    duration_seconds: z.int(),
    service_tier: z.string().nullable(),
    mode_multiplier: z.number().nullable(),
    standard_cost_dollars: z.number().nullable(),
    cost_dollars: z.number().nullable(),
    savings_dollars: z.number().nullable(),
  })
  .meta({ id: 'CreditUsageResponse' })

const evidence = z
  .object({
    status: z.enum(['verified', 'normalised', 'derived', 'unsupported']),
    input: z.string().optional().describe('The input slot, with /n for the n-th item of an array slot'),
    page: z.int().optional().describe('0-based'),
    bbox: z.array(z.number()).optional().describe('x, y, w, h as fractions of the page'),
    span: z.array(z.int()).optional().describe('Characters [start, end) of a text input'),
    seconds: z
      .array(z.number())
      .optional()
      .describe('[from, to]: when it is seen or heard in film or sound; both the same for a picture of a film'),
    quote: z.string().optional(),
    confidence: z.number(),
    note: z.string().optional(),
  })
  .meta({ id: 'Evidence' })

const completeness = z
  .object({
    asked: z.int().describe('Fields that the schema asks for; a column of a list counts once'),
    found: z.int(),
    not_found: z.int().describe('asked − found; `warnings` and `evidence` say which, and why'),
    low_confidence: z.int().describe('Found, but with low confidence'),
    max_wrong_rate: z.number().nullable().describe('The share of wrong values that was promised; null: none was'),
    listed: z
      .array(z.object({ path: z.string(), returned: z.int(), expected: z.int().nullable() }))
      .describe('Items of each list, and how many the input says there are, where it does'),
  })
  .meta({ id: 'Completeness' })

const warning = z
  .object({
    code: z
      .string()
      .describe(
        'For programs: not_found, ignored_field, row_does_not_add_up, sums_do_not_add_up, list_incomplete, usage_implausible, …',
      ),
    path: z.string().describe('JSON Pointer into the response; of ignored_field, into the request'),
    message: z.string(),
  })
  .meta({ id: 'Warning' })

const statuses = ['pending', 'enqueued', 'running', 'paused', 'completed', 'failed'] as const

/** The record of an execution: AgentExecutionResponse of the interface, section 2.1, and our extra fields. */
export const executionRecord = z
  .object({
    id: z.string(),
    name: z
      .string()
      .describe(
        '`<name>:<version>` of the agent that runs; executing this name runs the same version. `chat` for a turn of a chat',
      ),
    agent_id: z.string().nullable().describe('The id of that agent version; null for a turn of a chat'),
    client_id: z
      .string()
      .nullable()
      .describe('The request `id` of the caller where it is not a UUID; a UUID is the id of the execution itself'),
    response: z.unknown(),
    execution_mode: z.enum(['agent', 'program']),
    status: z.enum(statuses),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    usage,
    error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).nullable(),
    model: z
      .string()
      .describe('The model identifier of the request, of a skill, or the default; usable in a new request'),
    model_selection: z
      .object({
        requested: z.string().describe('The identifier that was asked for; the same as `model`'),
        resolved: z
          .string()
          .nullable()
          .describe('What answers: `embedded`, or the provider and its model; null until it is chosen'),
        chosen_by: z
          .enum(['request', 'skill', 'default'])
          .nullable()
          .describe('Who named the identifier; null in records from before this field'),
        reason: z
          .string()
          .nullable()
          .describe('The rule that chose what answers, where the identifier leaves a choice'),
      })
      .meta({ id: 'ModelSelection' }),
    service_tier: z.enum(['standard', 'flex', 'priority']),
    skills: z.array(
      z.object({
        id: z.string().nullable().describe('null: it came inline'),
        name: z.string(),
        skill_version: z.string(),
        bundle_sha256: z.string(),
      }),
    ),
    program: z.object({ id: z.string(), sha256: z.string() }).nullable(),
    shadow_of: z
      .string()
      .nullable()
      .describe('The execution that a program served and that this one was run beside, to see whether they agree'),
    session_id: z.string().nullable(),
    evidence: z
      .record(z.string(), evidence)
      .nullable()
      .describe('JSON Pointer of a leaf of the response → where it stands'),
    completeness: completeness.nullable().describe('null: no schema was given, or there is no answer'),
    warnings: z.array(warning).describe('What a caller should know although there is an answer; often empty'),
    attempts: z.int(),
  })
  .meta({ id: 'AgentExecutionResponse' })
export type ExecutionRecord = z.infer<typeof executionRecord>

const step = z
  .object({
    seq: z.int(),
    attempt: z.int(),
    kind: z.enum(['input', 'tool', 'model']),
    name: z.string(),
    detail: z
      .unknown()
      .describe('What was done. Names are in snake_case, but for what callers, models and tools wrote'),
    result: z.unknown().describe('What came of it, in the same form'),
    cost_dollars: z.number(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
  })
  .meta({ id: 'Step' })
export const stepList = z.array(step)

const eventRecord = z
  .discriminatedUnion('event', [
    z.object({
      id: z.string().describe('Where to go on from: the Last-Event-ID of a reader who has seen this'),
      event: z.literal('status'),
      data: z.object({
        status: z.enum(statuses),
        at: z.iso.datetime(),
        attempt: z.int(),
        error: z.object({ code: z.string(), message: z.string(), retryable: z.boolean() }).optional(),
      }),
    }),
    z.object({ id: z.string(), event: z.literal('step'), data: step.omit({ result: true }) }),
  ])
  .meta({ id: 'ExecutionEvent' })
export type EventRecord = z.infer<typeof eventRecord>
export const eventList = z.array(eventRecord)

/** Query of GET /v1/agent/executions/{id}/events. */
export const eventsQuery = z.object({
  after: z.string().max(50).optional().describe('An event id to go on from, where a header cannot be sent'),
  limit: queryInteger({ fallback: 1000, min: 1, max: 1000 }, 'How many to answer at most, as JSON'),
})

/** Query of GET /v1/agent/executions. */
export const listQuery = z.object({
  skip: queryInteger({ fallback: 0, min: 0, max: 1_000_000_000 }, 'How many of the newest to leave out'),
  limit: queryInteger({ fallback: 10, min: 1, max: 1000 }, 'How many to answer at most'),
  status: z.enum(statuses).optional(),
  name: z
    .string()
    .max(400)
    .optional()
    .describe('All runs of this agent; `<name>:<version>`: of that version; `chat`: turns of chats'),
  client_id: z.string().max(255).optional().describe('The request `id` that the caller gave'),
  service_tier: z.enum(['standard', 'flex', 'priority']).optional(),
  session_id: z.string().optional(),
  skill_id: z.string().max(500).optional().describe('UUID of a version, name, or name:version'),
  created_after: moment({ dates: true })
    .optional()
    .describe('A time with its offset, or a date, which is its first moment in UTC'),
  created_before: moment({ dates: true }).optional().describe('As created_after; the moment itself is not included'),
  cursor: z.string().max(200).optional(),
})
export type ListQuery = z.infer<typeof listQuery>

/** Executions that one call may resume. */
const resumedMax = 1_000

/** The query in a body, where numbers are numbers. */
const resumeFilter = listQuery
  .extend({
    skip: z.int().min(0).max(1_000_000_000).default(0).describe('How many of the newest to leave out'),
    limit: z.int().min(1).max(resumedMax).default(resumedMax).describe('How many to resume at most'),
  })
  .strict()
  .describe('As the query of GET /v1/agent/executions; `{}`: all that can be resumed, newest first')

/** Body of POST /v1/agent/executions/resume: strict, because a misspelt filter would resume too many. */
export const resumeManyRequest = z
  .strictObject({
    ids: arrayOf(z.string().max(100), resumedMax).optional().describe('The executions to resume'),
    filter: resumeFilter.optional(),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'Give either ids or a filter')
  .meta({ id: 'ResumeExecutionsRequest' })

export const resumedMany = z
  .object({
    resumed: z.int().describe('How many go on'),
    refused: z.array(z.object({ id: z.string(), reason: z.string() })).describe('Those that do not, and why'),
  })
  .meta({ id: 'ResumedExecutions' })
