import { z } from 'zod'
import { moment, queryInteger } from '../../../adapters/http/query.ts'
import { arrayOf } from '../../../adapters/http/schemas.ts'
import { limits } from '../../../core/limits.ts'
import { statuses } from '../lifecycle.ts'

/** Query of GET /v1/agent/executions/{id}/events. */
export const eventsQuery = z.object({
  after: z.string().max(50).optional().describe('Event id to continue from, for clients that cannot send the header'),
  limit: queryInteger({ fallback: 1000, min: 1, max: 1000 }, 'Maximum number of items to return, as JSON'),
})

/** Query of GET /v1/agent/executions. */
export const listQuery = z.object({
  skip: queryInteger({ fallback: 0, min: 0, max: 1_000_000_000 }, 'Number of items to skip, newest first'),
  limit: queryInteger({ fallback: 10, min: 1, max: 1000 }, 'Maximum number of items to return'),
  status: z.enum(statuses).optional(),
  name: z
    .string()
    .max(400)
    .optional()
    .describe('`<name>`: executions of this agent; `<name>:<version>`: of that version; `chat`: chat turns'),
  client_id: z.string().max(255).optional().describe('The `id` of the request'),
  service_tier: z.enum(['standard', 'flex', 'priority']).optional(),
  session_id: z.string().optional(),
  batch_id: z.string().max(100).optional().describe('Executions of this batch'),
  review: z
    .enum(['needed', 'done'])
    .optional()
    .describe('needed: executions in the review queue; done: reviewed executions'),
  approval: z
    .enum(['needed', 'done'])
    .optional()
    .describe('needed: executions that wait for an approval; done: executions with a decision'),
  skill_id: z.string().max(500).optional().describe('UUID of a version, name, or name:version'),
  created_after: moment({ dates: true }).optional().describe('A time with UTC offset, or a date (midnight UTC)'),
  created_before: moment({ dates: true }).optional().describe('Exclusive; same format as created_after'),
  purpose: z
    .enum(['work', 'evaluation', 'shadow', 'all'])
    .default('work')
    .describe(
      'work: requests and chats; evaluation: runs of evaluations of skills; shadow: agent runs that check a program',
    ),
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      `A part of the agent's name, the names of input files, an id, the session or the answer, in any case; a number also as documents print it (6.417,70). One page looks through at most ${limits.searchedExecutionsMax} executions; the Link header leads to the older ones`,
    ),
  cursor: z.string().max(200).optional(),
})
export type ListQuery = z.infer<typeof listQuery>

/** The query without paging and defaults, as saved filters keep it. */
export const filterQuery = listQuery
  .omit({ skip: true, limit: true, cursor: true })
  .extend({ purpose: listQuery.shape.purpose.unwrap().optional() })
  .strict()

/** Body of POST /v1/agent/executions/{id}/resume; it may be absent. */
export const resumeRequest = z
  .object({
    max_cost_dollars: z
      .number()
      .nonnegative()
      .max(1_000_000)
      .nullish()
      .describe('New maximum total cost of the execution'),
  })
  .nullish()
  .meta({ id: 'ResumeRequest' })

/** Most executions that one call may resume. */
const resumedMax = 1_000

/** The query as a body, where numbers are numbers. */
const resumeFilter = listQuery
  .extend({
    skip: z.int().min(0).max(1_000_000_000).default(0).describe('Number of items to skip, newest first'),
    limit: z.int().min(1).max(resumedMax).default(resumedMax).describe('Maximum number of executions to resume'),
  })
  .strict()
  .describe('Same fields as the query of GET /v1/agent/executions; `{}` means all resumable executions, newest first')

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
    resumed: z.int().describe('Number of resumed executions'),
    refused: z
      .array(z.object({ id: z.string(), reason: z.string() }))
      .describe('Executions that were not resumed, and why'),
  })
  .meta({ id: 'ResumedExecutions' })
