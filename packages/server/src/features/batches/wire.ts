import { z } from 'zod'
import { queryBoolean, queryInteger } from '../../adapters/http/query.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { callbackUrl } from '../../adapters/http/url-schemas.ts'
import { limits } from '../../core/limits.ts'
import { dollarsOf } from '../../core/money.ts'
import { executeRequest, executionRecord } from '../executions/executions.ts'
import { type Batch, type BatchItem, itemStatuses, type Progress } from './batch.ts'
import { fieldsOf } from './fields.ts'

const { inputs, config, model, metadata, toolsets } = executeRequest.shape

const itemRequest = z.strictObject({
  file_id: z.string().min(1).max(100).nullish().describe('Id of an uploaded file'),
  url: z
    .string()
    .min(1)
    .max(limits.inputUrlCharactersMax)
    .regex(/^https?:\/\/\S+$/i, 'Input should be an http or https URL')
    .nullish(),
  inputs: inputs.describe('Inputs by slot name, as in POST /v1/agent/execute'),
  client_id: z.string().min(1).max(255).nullish().describe('Your own id of the item; its execution gets it'),
  file_name: z
    .string()
    .min(1)
    .max(limits.filenameCharactersMax)
    .nullish()
    .describe('Name in the results; default: the name of the file, or the last part of the URL'),
})

/** Strict, because a misspelt field would affect thousands of executions. */
const fields = z.strictObject({
  name: z.string().trim().min(1).max(255).nullish().describe('A name for people'),
  items: arrayOf(itemRequest, limits.batchItemsMax, 1)
    .nullish()
    .describe('The documents; each with exactly one of file_id, url and inputs'),
  zip_file_id: z
    .string()
    .min(1)
    .max(100)
    .nullish()
    .describe('Instead of items, the id of an uploaded zip, tar or gzip: each file in it becomes an item'),
  base_executions: arrayOf(z.string().min(1).max(100), limits.batchItemsMax, 1)
    .nullish()
    .describe(
      'Instead of items, ids of completed executions: the request of each is executed again with config.json_schema. Fields that both schemas define alike are kept, and only the others are asked. Other fields of config replace those of the executions',
    ),
  combine: z.boolean().nullish().describe('true: one execution reads all items together. Default: one execution each'),
  agent: z
    .string()
    .min(1)
    .max(400)
    .nullish()
    .describe('`<name>:<version>` of an agent; `<name>` and `<name>:latest` mean its newest version'),
  config,
  model,
  metadata,
  toolsets,
  service_tier: z
    .enum(['auto', 'default', 'standard', 'flex', 'priority'])
    .nullish()
    .describe('Overrides config.service_tier. Default: flex'),
  callback_url: callbackUrl
    .nullish()
    .describe('URL that receives a POST with the batch as JSON when it is completed or cancelled'),
  max_in_flight: z
    .int()
    .min(1)
    .max(limits.batchInFlightMax)
    .nullish()
    .describe(
      `Executions of the batch that exist and have not ended, at most. Default: ${limits.batchInFlight}. A paused execution counts`,
    ),
})

/** Body of POST /v1/agent/batches. */
export const batchRequest = fields
  .refine(
    ({ items, zip_file_id, base_executions }) => [items, zip_file_id, base_executions].filter(Boolean).length === 1,
    'Give exactly one of items, zip_file_id and base_executions',
  )
  .meta({ id: 'BatchRequest' })
export type BatchRequestBody = z.infer<typeof batchRequest>
export type ItemRequest = z.infer<typeof itemRequest>

/** Body of POST /v1/agent/batches/estimate: that of a batch over earlier executions. */
export const backfillRequest = fields
  .omit({ items: true, zip_file_id: true })
  .extend({ base_executions: fields.shape.base_executions.unwrap().unwrap() })
  .meta({ id: 'BackfillRequest' })

export const backfillEstimate = z
  .object({
    executions: z.int().describe('Number of executions that would be asked again'),
    asked: z.int().describe('Those of which a model would be asked for fields; the others cost what reading costs'),
    unusable: z
      .int()
      .describe(
        'Those that are not completed or not retained, or whose input files or skills were deleted: their items would fail',
      ),
    unpriced: z
      .int()
      .describe(
        'Those whose cost is not known, since no execution of the same agent and model tells what an answer costs; low_dollars and high_dollars leave them out',
      ),
    service_tier: z.enum(['standard', 'flex', 'priority']),
    low_dollars: z.number().describe('The share of the asked fields in what the executions cost'),
    high_dollars: z
      .number()
      .describe(
        'What the executions cost; more if the schema asks more new fields than they had fields. Where a program or an earlier answer had served an execution, what its agent costs with a model. An estimate and not a limit, which config.max_cost_dollars is',
      ),
  })
  .meta({ id: 'BackfillEstimate' })

export const batchRecord = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    status: z.enum(['running', 'paused', 'completed', 'cancelled']),
    total: z.int().describe('Number of items'),
    counts: z
      .object({
        enqueued: z.int().describe('Items without an execution yet, or whose execution waits'),
        running: z.int(),
        paused: z.int(),
        completed: z.int(),
        failed: z.int(),
        cancelled: z
          .int()
          .describe('Items whose execution was cancelled, or that had none when the batch was cancelled'),
        review_needed: z.int(),
      })
      .describe('Items by status; the statuses add up to `total`, `review_needed` is counted among `completed`'),
    cost_dollars: z.number().describe('Cost of all ended executions, including those that were retried'),
    max_in_flight: z.int(),
    callback_url: z.string().nullable(),
    warnings: z.array(z.object({ code: z.string(), path: z.string(), message: z.string() })),
    created_at: z.iso.datetime(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Batch' })
export type BatchRecord = z.infer<typeof batchRecord>

export const batchOf = (batch: Batch, { counts, reviewNeeded, costMicros }: Progress): BatchRecord => ({
  id: batch.id,
  name: batch.name,
  status: batch.status,
  total: batch.total,
  counts: { ...counts, review_needed: reviewNeeded },
  cost_dollars: dollarsOf(costMicros),
  max_in_flight: batch.inFlightMax,
  callback_url: batch.callbackUrl,
  warnings: [...batch.warnings],
  created_at: batch.createdAt.toISOString(),
  completed_at: batch.completedAt?.toISOString() ?? null,
})

/** Query of GET /v1/agent/batches. */
export const batchesQuery = z.object({
  limit: queryInteger({ fallback: 20, min: 1, max: 100 }, 'Maximum number of batches to return'),
  status: z.enum(['running', 'paused', 'completed', 'cancelled']).optional(),
  cursor: z.string().max(200).optional(),
})

const itemSorts = ['number', 'file_name', 'confidence', 'cost', 'completed_at'] as const

/** Query of GET /v1/agent/batches/{id}/items. */
export const itemsQuery = z.object({
  limit: queryInteger({ fallback: 100, min: 1, max: 1000 }, 'Maximum number of items to return'),
  status: z.enum(itemStatuses).optional(),
  filter: z
    .enum(['low_confidence', 'not_found', 'failed'])
    .optional()
    .describe(
      'low_confidence: a value needs a look, as in `needs_look` of the execution; not_found: a field was not found; failed: the same as status=failed',
    ),
  sort: z.enum(itemSorts).default('number').describe('confidence: the lowest confidence of the item'),
  order: z.enum(['asc', 'desc']).default('asc').describe('Items without a value of `sort` come last'),
  // It may hold a name of `limits.filenameCharactersMax`, each character of which takes up to eight.
  cursor: z.string().max(4000).optional(),
})
export type ItemsQuery = z.infer<typeof itemsQuery>

/** Query of GET /v1/agent/batches/{id}/results. */
export const resultsQuery = z.object({
  format: z.enum(['csv', 'xlsx', 'jsonl']).default('jsonl'),
  status: z.enum(itemStatuses).optional(),
  filter: itemsQuery.shape.filter,
  evidence: queryBoolean(
    false,
    'For csv and xlsx: adds a column with the confidence of each value and one with a link to where it stands',
  ),
})

const itemField = z
  .object({
    path: z.string().describe('JSON Pointer into the response'),
    value: z.unknown().describe('The value; lists are complete'),
    confidence: z.number().nullable().describe('Confidence from 0 to 1; of a list, its lowest'),
    evidence: z
      .enum(['verified', 'normalised', 'derived', 'unsupported'])
      .nullable()
      .describe('Status of the evidence; of a list, that of its least confident value'),
    page: z.int().nullable().describe('0-based'),
    input: z.string().nullable().describe('The input that contains the value'),
    needs_look: z.boolean().describe('Whether a person should check the value, or one in the list'),
  })
  .meta({ id: 'BatchItemField' })

export const itemRecord = z
  .object({
    index: z.int().describe('0-based position in the batch'),
    id: z.string().nullable().describe('Same as execution_id'),
    execution_id: z.string().nullable().describe('null until the execution is created'),
    base_execution: z.string().nullable().describe('The execution that the item asks again; null for other batches'),
    client_id: z.string().nullable(),
    file_name: z.string().nullable(),
    status: z.enum(itemStatuses),
    error: executionRecord.shape.error,
    response: z.unknown().describe('The answer, with the corrections of reviewers'),
    review: z.enum(['needed', 'done']).nullable().describe('Status of the review; null: no review'),
    fields: z.array(itemField).describe('The values of the response with their confidence, in order'),
    lowest_confidence: z.number().nullable().describe('Of the values that were found; null without any'),
    low_confidence: z
      .int()
      .nullable()
      .describe('Number of found fields that needed a look when the execution ended; null until it is known'),
    not_found: z.int().nullable().describe('Number of fields that were not found; null until it is known'),
    cost_dollars: z.number(),
    completed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BatchItem' })
export const itemList = z.array(itemRecord)

export const itemOf = (item: BatchItem): z.infer<typeof itemRecord> => ({
  index: item.number,
  id: item.executionId,
  execution_id: item.executionId,
  base_execution: item.baseExecution,
  client_id: item.clientId,
  file_name: item.fileName,
  status: item.status,
  error: item.error,
  response: item.response,
  review: item.review,
  fields: fieldsOf(item).map(({ needsLook, ...field }) => ({ ...field, needs_look: needsLook })),
  lowest_confidence: item.lowestConfidence,
  low_confidence: item.lowConfidence,
  not_found: item.notFound,
  cost_dollars: dollarsOf(item.costMicros),
  completed_at: item.completedAt?.toISOString() ?? null,
})
