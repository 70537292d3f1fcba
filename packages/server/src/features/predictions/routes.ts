import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Db } from '../../adapters/db/db.ts'
import { ignoredFields } from '../../adapters/http/ignored-fields.ts'
import { type Incoming, type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import {
  type CreateParts,
  createExecution,
  type Endings,
  type ExecuteRequest,
  type ExecutionState,
  listQuery as executionsQuery,
  findPredictionDomain,
  listExecutions,
  loadExecution,
  predictionOf,
  readOnce,
  recordOf,
  waitForEnd,
  withoutAnswer,
  workspaceKey,
} from '../executions/executions.ts'
import { idempotencyKeyOf } from '../idempotency/idempotency.ts'
import { bodyOfPrediction, inputsOfPrediction, withDomain, withoutEffect } from './ask.ts'
import { schemaResponseOf } from './hub.ts'
import { proposal, proposedSchema } from './proposed-schema.ts'
import {
  fileExecuteRequest,
  fileRequest,
  fileSchemaRequest,
  imageExecuteRequest,
  imageRequest,
  imageSchemaRequest,
  type Kind,
  kinds,
  type PredictionBody,
  predictionRecord,
  predictionsQuery,
  webRequest,
} from './wire.ts'

export interface PredictionParts extends Omit<CreateParts, 'db'> {
  readonly endings: Endings
  /** Longest wait of a `batch: false` call, in milliseconds. */
  readonly syncWaitMs: number
}

/** Below the 120 s after which clients of the closed service repeat the request. */
const waitMsMax = 100_000
/** The domain of a schema that a model proposed. */
const customDomain = (kind: Kind): string => `custom.${kind}`

const tag = 'predictions'
const reply = { status: 201, description: 'The prediction', schema: predictionRecord }

/** The API of the closed service (`vlm-1`): executions under another name. */
export function predictionRoutes(parts: PredictionParts): Route[] {
  return [
    ...kinds.flatMap((kind) => [generateRoute(parts, kind), executeRoute(parts, kind), schemaRoute(parts, kind)]),
    webRoute(parts),
    listRoute(),
    findRoute(parts),
  ]
}

const titled = (kind: Kind): string => `${kind[0]?.toUpperCase()}${kind.slice(1)}`

function generateRoute(parts: PredictionParts, kind: Kind): Route {
  const schema: z.ZodType<PredictionBody> = kind === 'image' ? imageRequest : fileRequest
  return route({
    method: 'post',
    path: `/v1/${kind}/generate`,
    operation: `generateFrom${titled(kind)}`,
    tag,
    scope: 'execute',
    summary: `Read ${kind === 'image' ? 'images' : `a ${kind === 'audio' ? 'recording' : kind}`} by a domain, schema, prompt or skill. batch: false waits for the end${kind === 'image' ? ' (default)' : ''}`,
    body: schema,
    reply,
    failures: [404, 409],
    handle: (call) => predict(parts, call, { kind, schema }),
  })
}

function executeRoute(parts: PredictionParts, kind: Kind): Route {
  const schema: z.ZodType<PredictionBody> = kind === 'image' ? imageExecuteRequest : fileExecuteRequest
  return route({
    method: 'post',
    path: `/v1/${kind}/execute`,
    operation: `executeOn${titled(kind)}`,
    tag,
    scope: 'execute',
    summary: `Run an agent on ${kind === 'image' ? 'images' : `a ${kind === 'audio' ? 'recording' : kind}`}, by its name and version`,
    body: schema,
    reply,
    failures: [404, 409],
    handle: (call) => predict(parts, call, { kind, schema }),
  })
}

function webRoute(parts: PredictionParts): Route {
  return route({
    method: 'post',
    path: '/v1/web/generate',
    operation: 'generateFromWeb',
    tag,
    scope: 'execute',
    summary: 'Read a web page as its server sends it, without running its scripts',
    body: webRequest,
    reply,
    failures: [404, 409],
    handle: async (call) => {
      if (call.body.mode === 'accurate')
        throw invalid(
          ['body', 'mode'],
          "Pages are read without running their scripts: mode 'accurate' is not supported, send 'fast' or leave it out",
          { type: 'enum', input: 'accurate', ctx: { expected: 'fast' } },
        )
      return predict(parts, call as Incoming<unknown, unknown, PredictionBody>, {
        kind: 'document',
        schema: webRequest,
        waits: true,
      })
    },
  })
}

async function predict(
  parts: PredictionParts,
  call: Pick<Incoming<unknown, unknown, PredictionBody>, 'db' | 'caller' | 'body' | 'sentBody' | 'headers' | 'signal'>,
  { kind, schema, waits = kind === 'image' }: { kind: Kind; schema: z.ZodType; waits?: boolean },
) {
  const { body, sentBody } = call
  const ignored = [...ignoredFields(schema, sentBody), ...withoutEffect(body, kind)]
  const created = await create(parts, call, { body: await bodyOfPrediction(body, kind), ignored })
  const isBatch = body.batch ?? !waits
  const execution = isBatch ? created : await ended(parts, call, created)
  return { json: await readPrediction({ ...parts, db: call.db }, execution), about: { execution: created.id } }
}

async function create(
  parts: PredictionParts,
  { db, caller, headers, signal }: Pick<Incoming<unknown, unknown, unknown>, 'db' | 'caller' | 'headers' | 'signal'>,
  { body, ignored }: { body: ExecuteRequest; ignored: ReturnType<typeof ignoredFields> },
): Promise<ExecutionState> {
  const idempotencyKey = idempotencyKeyOf(headers)
  const created = await createExecution({ ...parts, db }, { caller, body, ignored, idempotencyKey, signal })
  parts.endings.wake(workspaceKey(caller.workspaceId))
  return created
}

const ended = (
  parts: PredictionParts,
  { db, signal }: { db: Db; signal: AbortSignal },
  created: ExecutionState,
): Promise<ExecutionState> =>
  waitForEnd({ ...parts, db }, created, { waitMs: Math.min(parts.syncWaitMs, waitMsMax), signal })

function schemaRoute(parts: PredictionParts, kind: Kind): Route {
  return route({
    method: 'post',
    path: `/v1/${kind}/schema`,
    operation: `proposeSchemaFrom${titled(kind)}`,
    tag,
    scope: 'execute',
    summary: 'Propose a JSON Schema for inputs of this kind; needs a language model',
    body: (kind === 'image' ? imageSchemaRequest : fileSchemaRequest) as z.ZodType<PredictionBody>,
    reply: { ...reply, description: 'The prediction; its response is a SchemaResponse' },
    failures: [400, 404, 409],
    handle: async (call) => {
      const body: ExecuteRequest = {
        inputs: inputsOfPrediction(call.body, kind),
        config: { prompt: proposal.prompt, json_schema: proposal.schema },
        metadata: withDomain({}, customDomain(kind)),
      }
      const execution = await ended(parts, call, await create(parts, call, { body, ignored: [] }))
      // Clients read the schema of every reply, so a failed execution gets an error reply.
      if (execution.status === 'failed')
        throw new Fault(
          'invalid',
          execution.error?.code ?? 'failed',
          `No schema was proposed: ${execution.error?.message ?? 'the execution failed'}`,
        )
      return { json: await readPrediction({ ...parts, db: call.db }, execution), about: { execution: execution.id } }
    },
  })
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/predictions',
    operation: 'listPredictions',
    tag,
    scope: 'read',
    summary: 'List the executions of this workspace as predictions, newest first',
    query: predictionsQuery,
    reply: { status: 200, description: 'The predictions', schema: z.array(predictionRecord) },
    handle: async ({ db, caller: { workspaceId }, query: { skip, limit } }) => {
      const query = { ...executionsQuery.parse({}), skip, limit }
      const { executions } = await listExecutions(db, { workspaceId, query, after: null })
      const records = []
      for (const one of executions) records.push(await shown(db, withoutAnswer(one)))
      return { json: records }
    },
  })
}

function findRoute(parts: PredictionParts): Route {
  return route({
    method: 'get',
    path: '/v1/predictions/{id}',
    operation: 'getPrediction',
    tag,
    scope: 'read',
    summary: 'Get an execution as a prediction',
    params: z.object({ id: z.string() }),
    reply: { ...reply, status: 200 },
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const execution = await loadExecution({ db }, { workspaceId: caller.workspaceId, id: params.id })
      return { json: await readPrediction({ ...parts, db }, execution) }
    },
  })
}

const readPrediction = async (parts: PredictionParts & { db: Db }, execution: ExecutionState) =>
  shown(parts.db, await readOnce(parts, execution))

/** The record with the two additional fields of a prediction. */
async function shown(db: Db, execution: ExecutionState): Promise<z.infer<typeof predictionRecord>> {
  const domain = (await findPredictionDomain(db, execution)) ?? null
  const record = recordOf(execution)
  const schema =
    domain !== null && kinds.some((kind) => domain === customDomain(kind))
      ? proposedSchema(record.response as Json)
      : null
  const response = schema === null || domain === null ? record.response : await schemaResponseOf(domain, schema)
  return predictionOf({ ...record, response }, domain)
}
