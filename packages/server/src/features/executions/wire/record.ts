import { z } from 'zod'
import { roles } from '../../../adapters/http/route.ts'
import { statuses } from '../lifecycle.ts'

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

const place = z.object({
  status: z.enum(['verified', 'normalised', 'derived', 'unsupported']),
  input: z.string().optional().describe('The input slot; with /n for item n of an array slot'),
  page: z.int().optional().describe('0-based'),
  bbox: z.array(z.number()).optional().describe('x, y, w, h as fractions of the page'),
  span: z.array(z.int()).optional().describe('Character range [start, end) of a text input'),
  seconds: z
    .array(z.number())
    .optional()
    .describe('[from, to] in seconds for video and audio; both are equal for a video frame'),
  element: z
    .string()
    .optional()
    .describe('XPath of the element or attribute of an electronic invoice; prefixes as in docs/READER.md'),
  quote: z.string().optional(),
  confidence: z
    .number()
    .describe(
      'How sure the value is, 0 to 1: the calibrated probability that it is right, where the answer was held to `max_wrong_rate`',
    ),
  note: z.string().optional(),
})
const evidence = place
  .extend({
    reason: z.string().optional().describe('For a null: why there is no value'),
    candidates: z
      .array(place.extend({ value: z.unknown() }).meta({ id: 'EvidenceCandidate' }))
      .optional()
      .describe('For a null: up to three likely values whose confidence was too low, the likeliest first'),
  })
  .meta({ id: 'Evidence' })

const completeness = z
  .object({
    asked: z.int().describe('Number of fields in the schema; a column of a list counts once'),
    found: z.int(),
    not_found: z.int().describe('asked − found; `warnings` and `evidence` say which fields, and why'),
    low_confidence: z
      .int()
      .describe(
        'Number of found fields that need a look: below `review_below`, or else not sure enough for `max_wrong_rate`, or below 0.5',
      ),
    review_below: z
      .number()
      .nullable()
      .describe(
        'The confidence below which values need a look, by `config.review` or the review settings when the execution ended; null: neither was set, or it was 0',
      ),
    max_wrong_rate: z
      .number()
      .nullable()
      .describe(
        'Maximum share of wrong values that single fields were held to, without those that `low_confidence` counts; null: none, as with a language model',
      ),
    calibration: z
      .string()
      .nullable()
      .describe('How `max_wrong_rate` was applied: score model, thresholds, and the data that they were measured on'),
    listed: z
      .array(z.object({ path: z.string(), returned: z.int(), expected: z.int().nullable() }))
      .describe('Rows of each list, and the number in the input if that is higher, otherwise null'),
  })
  .meta({ id: 'Completeness' })

const warning = z
  .object({
    code: z
      .string()
      .describe(
        'Machine-readable code: not_found, ignored_field, value_unsure, row_does_not_add_up, sums_do_not_add_up, list_incomplete, usage_implausible, …',
      ),
    path: z.string().describe('JSON Pointer into the response; for ignored_field, into the request'),
    message: z.string(),
  })
  .meta({ id: 'Warning' })

export const actor = z
  .object({ kind: z.enum(['key', 'user']), id: z.string(), name: z.string() })
  .meta({ id: 'Actor', description: 'Who did something: a signed-in user, or the key that was used' })

export const reviewChange = z
  .object({
    path: z.string().describe('JSON Pointer into the response'),
    from: z.unknown().describe('The value in the response; null if absent'),
    to: z.unknown().describe('The value in the reviewed response; null if absent'),
    kind: z.enum(['corrected', 'confirmed', 'absent']).describe('absent: the value is not in the document'),
    rows: z
      .array(z.int().nullable())
      .optional()
      .describe(
        'Of a corrected list: for each row of `to`, its index in `from`; null: a person added it. What `from` has and `rows` does not was removed. `path`, `evidence` and `needs_look` count rows as `from` does',
      ),
  })
  .meta({ id: 'ReviewChange' })

const review = z
  .object({
    status: z.enum(['none', 'needed', 'done']).describe('needed: it waits in the review queue'),
    version: z
      .int()
      .describe('Number of saved reviews; send it as If-Match so that a save fails if another came first'),
    by: actor.nullable().describe('Who saved the latest review'),
    at: z.iso.datetime().nullable(),
    changes: z.array(reviewChange).describe('The combined changes of all reviews, one entry per path'),
  })
  .meta({ id: 'Review' })

const approval = z
  .object({
    number: z.int().describe('Number of the decision within the execution, from 1'),
    waiting_for: z.enum(['completion', 'tool']),
    tool: z.string().nullable().describe('The tool that waits for approval'),
    input: z.unknown().describe('The input of that tool call'),
    since: z.iso.datetime(),
    expires_at: z.iso.datetime().describe('When it expires, on_timeout applies'),
    on_timeout: z.enum(['approve', 'reject']),
    approvers: z.array(z.enum(roles)).describe('Roles of the users who may decide'),
    decision: z.enum(['approve', 'reject']).nullable().describe('null: pending'),
    by: actor.nullable().describe('Who decided; null if it expired or was decided by signed link'),
    via: z.enum(['api', 'link', 'timeout']).nullable(),
    at: z.iso.datetime().nullable(),
    comment: z.string().nullable(),
  })
  .meta({ id: 'Approval' })

const executionFailure = z
  .object({ code: z.string(), message: z.string(), retryable: z.boolean() })
  .meta({ id: 'ExecutionFailure' })

/** The record of an execution: the closed service's AgentExecutionResponse, and additional fields. */
export const executionRecord = z
  .object({
    id: z.string(),
    name: z
      .string()
      .describe('`<name>:<version>` of the agent; executing this name runs the same version. `chat` for chat turns'),
    agent_id: z.string().nullable().describe('Id of the agent version; null for chat turns'),
    client_id: z
      .string()
      .nullable()
      .describe('The request `id` of the caller unless it is a UUID; a UUID is the id of the execution itself'),
    response: z.unknown(),
    execution_mode: z
      .enum(['agent', 'program'])
      .describe(
        'program: a program answered without an agent. agent: an agent answered, or the fields that a program left to it',
      ),
    execution_modes: z
      .record(z.string(), z.enum(['agent', 'program', 'kept']))
      .nullable()
      .describe(
        'JSON Pointer of a field (a list as a whole) → what answered it, if a program answered some fields and left others to an agent, or if the answer keeps fields of `base_execution`; otherwise null',
      ),
    path: z
      .object({
        max_wrong_rate: z.number().describe('The accepted share of wrong values of each field'),
        checked: z.boolean().describe('Whether the large model was asked for all fields, to judge the others'),
        fields: z
          .record(z.string(), z.string())
          .describe(
            'JSON Pointer of a field (a list as a whole) → what answered it: `program`, `rules` or `provider/model`',
          ),
        engines: z
          .record(z.string(), z.object({ calls: z.int(), standard_cost_dollars: z.number() }))
          .describe('What each engine that was asked cost'),
      })
      .meta({ id: 'CheapestPath' })
      .nullable()
      .describe('The way of the answer with `config.path: "cheapest"`; otherwise null'),
    status: z.enum(statuses),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
    usage,
    error: executionFailure.nullable(),
    model: z
      .string()
      .describe('The model identifier of the request, of a skill, or the default; usable in a new request'),
    model_selection: z
      .object({
        requested: z.string().describe('Same as `model`'),
        resolved: z
          .string()
          .nullable()
          .describe('The engine: `embedded`, or `provider/model`; null until it is chosen'),
        chosen_by: z
          .enum(['request', 'skill', 'default'])
          .nullable()
          .describe('What chose the model identifier; null in records older than this field'),
        reason: z.string().nullable().describe('The rule that chose the engine, if the identifier leaves a choice'),
      })
      .meta({ id: 'ModelSelection' }),
    service_tier: z.enum(['standard', 'flex', 'priority']),
    skills: z.array(
      z
        .object({
          id: z.string().nullable().describe('null for an inline skill'),
          name: z.string(),
          skill_version: z.string(),
          bundle_sha256: z.string(),
        })
        .meta({ id: 'ExecutionSkill' }),
    ),
    program: z.object({ id: z.string(), sha256: z.string() }).nullable(),
    shadow_of: z.string().nullable().describe('The program execution that this execution checks'),
    session_id: z.string().nullable(),
    batch_id: z.string().nullable().describe('The batch that the execution belongs to'),
    forked_from: z.string().nullable().describe('The execution whose first steps this one keeps'),
    base_execution: z.string().nullable().describe('The earlier execution whose answer and pages this one could keep'),
    imported_from: z.string().nullable().describe('The id of the execution in the capsule that it was imported from'),
    trusted: z
      .boolean()
      .nullable()
      .describe('Whether a key of this server signed the capsule that it was imported from; null: it ran here'),
    evidence: z
      .record(z.string(), evidence)
      .nullable()
      .describe('JSON Pointer of a leaf of the response → its place in the input'),
    completeness: completeness.nullable().describe('null without a schema or without an answer'),
    needs_look: z
      .array(z.string())
      .nullable()
      .describe(
        'JSON Pointers of the values that a person should check and nobody has: those below `completeness.review_below`, or else those that `completeness.low_confidence` counts, values left out although they are likely, and, with a review rule, required fields that the answer lacks, rows and lists that a warning names, and all values of an answer without evidence. null before the answer, and in older records',
      ),
    warnings: z.array(warning).describe('Warnings about the answer; often empty'),
    reviewed_response: z
      .unknown()
      .describe(
        'The response as people corrected it, beside the `response`, which stays as it was; null before a review',
      ),
    approval: approval.nullable().describe('The latest decision that the execution waits or waited for'),
    review: review.nullable().describe('null if there is no answer to review'),
    attempts: z.int(),
  })
  .meta({ id: 'AgentExecutionResponse' })
export type ExecutionRecord = z.infer<typeof executionRecord>

/** The record of an execution in a list. */
export const listedExecution = executionRecord
  .extend({
    file_names: z.array(z.string()).describe('Names of the input files when the execution was accepted'),
    evaluation_id: z.string().nullable().describe('The skill evaluation that this execution belongs to'),
  })
  .meta({ id: 'ListedExecution' })

const step = z
  .object({
    seq: z.int(),
    attempt: z.int(),
    kind: z.enum(['input', 'tool', 'model']),
    name: z.string(),
    detail: z
      .unknown()
      .describe('Details of the step. Names are in snake_case, except in content of callers, models and tools'),
    result: z.unknown().describe('Result of the step, in the same format'),
    cost_dollars: z.number(),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime(),
  })
  .meta({ id: 'Step' })
export const stepList = z.array(step)

const eventRecord = z
  .discriminatedUnion('event', [
    z.object({
      id: z.string().describe('Id of the event, for the Last-Event-ID header when reconnecting'),
      event: z.literal('status'),
      data: z.object({
        status: z.enum(statuses),
        at: z.iso.datetime(),
        attempt: z.int(),
        error: executionFailure.optional(),
      }),
    }),
    z.object({ id: z.string(), event: z.literal('step'), data: step.omit({ result: true }) }),
  ])
  .meta({ id: 'ExecutionEvent' })
export type EventRecord = z.infer<typeof eventRecord>
export const eventList = z.array(eventRecord)
