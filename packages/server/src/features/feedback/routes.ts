import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId, newId } from '@skillrun/core/ids.ts'
import { type JsonObject, pointerStep } from '@skillrun/core/json.ts'
import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { type IgnoredField, ignoredFields, ignoredSentence } from '../../adapters/http/ignored-fields.ts'
import { queryInteger } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { type ClaimKey, makeOnce } from '../idempotency/idempotency.ts'
import { type EntityType, type Feedback, findFeedback, insertFeedback, listFeedback } from './store.ts'

const entityId = z.string().min(1).max(255)

const submitRequest = z
  .object({
    request_id: entityId.nullish().describe('Your own id; the server does not check it'),
    agent_execution_id: entityId.nullish().describe('Id of an execution of this workspace'),
    chat_id: entityId.nullish().describe('Id of a chat completion'),
    response: z.looseObject({}).nullish().describe('The correct answer'),
    notes: z.string().max(100_000).nullish(),
  })
  .meta({ id: 'FeedbackSubmitRequest' })
type SubmitRequest = z.infer<typeof submitRequest>

const ids = {
  request_id: z.string().nullable(),
  agent_execution_id: z.string().nullable(),
  chat_id: z.string().nullable(),
}
const feedbackFields = {
  id: z.string(),
  created_at: z.iso.datetime(),
  response: z.looseObject({}).nullable(),
  notes: z.string().nullable().describe('Null, like response, if the execution must not be kept'),
}
const ignoredField = z.object({ code: z.literal('ignored_field'), path: z.string(), message: z.string() })
const submitted = z
  .object({
    ...feedbackFields,
    ...ids,
    warnings: z.array(ignoredField).describe('Fields of the request that this server does not know'),
  })
  .meta({ id: 'FeedbackSubmitResponse' })
const list = z.object({ ...ids, items: z.array(z.object(feedbackFields)) }).meta({ id: 'FeedbackListResponse' })

const fields = { request: 'request_id', agent_execution: 'agent_execution_id', chat: 'chat_id' } as const
const entityTypes = Object.keys(fields) as EntityType[]

export interface FeedbackRouteParts {
  readonly clock: Clock
  /** The execution that an entity id names, locked against a purge until the transaction ends. */
  readonly findExecution: (
    tx: Sql,
    of: { workspaceId: string; name: string },
  ) => Promise<{ id: string; isRetained: boolean } | undefined>
}

/** Feedback of people on answers. */
export function feedbackRoutes({ clock, findExecution }: FeedbackRouteParts): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/feedback/submit',
      operation: 'submitFeedback',
      tag: 'feedback',
      scope: 'execute',
      summary:
        'Save feedback on an answer. Give exactly one of request_id, agent_execution_id and chat_id; executions and chat completions must belong to this workspace. Repeating an Idempotency-Key returns the first',
      body: submitRequest,
      reply: { status: 201, description: 'The saved feedback', schema: submitted },
      failures: [404],
      handle: async ({ db, caller, body, sentBody, headers }) => {
        const { workspaceId, keyId } = caller
        const ignored = ignoredFields(submitRequest, sentBody)
        const { entityType, entity } = entityOf(body, ignored)
        const save = async (tx: Sql, claim: ClaimKey): Promise<Feedback> => {
          const now = clock.now()
          const named = await findExecution(tx, { workspaceId, name: entity })
          if (!named && entityType !== 'request')
            throw new Fault(
              'missing',
              'unknown_execution',
              `${fields[entityType]}: this workspace has no such execution`,
            )
          const isKept = named?.isRetained ?? true
          const feedback = {
            id: newId(now),
            entityType,
            entity,
            response: isKept ? ((body.response ?? null) as JsonObject | null) : null,
            notes: isKept ? (body.notes ?? null) : null,
            createdAt: now,
          }
          await claim(tx, feedback)
          await insertFeedback(tx, { ...feedback, workspaceId, keyId, executionId: named?.id ?? null })
          return feedback
        }
        const feedback = await makeOnce(
          db,
          { workspaceId, operation: 'submitFeedback', headers, body: sentBody },
          {
            make: (claim) => db.transaction((tx) => save(tx, claim)),
            find: async ({ id }) => {
              const found = await findFeedback(db, { workspaceId, id })
              if (!found) throw new Error('feedback whose key was taken is not there')
              return found
            },
          },
        )
        return { json: { ...wireOf(feedback), ...idsOf(entityType, entity), warnings: ignored.map(warningOf) } }
      },
    }),
    route({
      method: 'get',
      path: '/v1/feedback/{id}',
      operation: 'listFeedback',
      tag: 'feedback',
      scope: 'read',
      summary: 'List feedback on requests, executions and chat completions, newest first',
      params: z.object({ id: entityId }),
      query: z.object({
        type: z.enum(entityTypes).optional().describe('If absent, every type is searched'),
        limit: queryInteger({ fallback: 10, min: 1, max: 1000 }, 'Maximum number of items to return'),
        offset: queryInteger({ fallback: 0, min: 0, max: 1_000_000_000 }, 'Number of items to skip, newest first'),
      }),
      reply: { status: 200, description: 'The feedback; an empty list if there is none', schema: list },
      handle: async ({ db, caller, params, query }) => {
        const found = await listFeedback(db, {
          workspaceId: caller.workspaceId,
          entity: spelled(params.id),
          entityType: query.type ?? null,
          limit: query.limit,
          offset: query.offset,
        })
        const entityType = query.type ?? found[0]?.entityType ?? 'request'
        return { json: { ...idsOf(entityType, params.id), items: found.map(wireOf) } }
      },
    }),
  ]
}

const warningOf = (field: IgnoredField) => ({
  code: 'ignored_field' as const,
  path: field.path.map(pointerStep).join(''),
  message: ignoredSentence(field),
})

function entityOf(body: SubmitRequest, ignored: readonly IgnoredField[]): { entityType: EntityType; entity: string } {
  const given = entityTypes.flatMap((entityType) => {
    const entity = body[fields[entityType]]
    return entity ? [{ entityType, entity: spelled(entity) }] : []
  })
  const [one] = given
  if (one && given.length === 1) return one
  const expected = `Give exactly one of ${Object.values(fields).join(', ')}`
  throw invalid(['body'], [expected, ...ignored.map(ignoredSentence)].join('. '), { type: 'missing' })
}

/** Ids of executions are normalised to one spelling, so that feedback can be found. */
const spelled = (entity: string): string =>
  isId(entity.replace(/^chatcmpl-/, '').toLowerCase()) ? entity.toLowerCase() : entity

const idsOf = (entityType: EntityType, entity: string) => {
  const idOf = (one: EntityType): string | null => (one === entityType ? entity : null)
  return { request_id: idOf('request'), agent_execution_id: idOf('agent_execution'), chat_id: idOf('chat') }
}

const wireOf = (one: { id: string; createdAt: Date; response: JsonObject | null; notes: string | null }) => ({
  id: one.id,
  created_at: one.createdAt.toISOString(),
  response: one.response,
  notes: one.notes,
})
