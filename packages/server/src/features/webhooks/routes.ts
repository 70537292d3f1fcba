import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { recordAction } from '../audit/audit.ts'
import type { Callback } from './callback.ts'
import { type CallbackSecret, changeCallbackSecret, loadCallbackSecret, type SecretParts } from './secrets.ts'
import { findCallback, hasExecution, listCallbacks, restartCallback } from './store.ts'
import { addDelivery } from './webhooks.ts'
import { type CallbackRecord, callbackRecord, type SecretRecord, secretRecord } from './wire.ts'

export interface WebhookRouteParts extends Pick<SecretParts, 'secretKeys'> {
  readonly clock: Clock
  readonly queue: Queue
  /** SKILLRUN_CALLBACK_SECRET, if set. */
  readonly operatorSecret: string | undefined
  /** Whether the workspace has this batch. */
  readonly hasBatch: (sql: Sql, batch: OwnerPlace) => Promise<boolean>
}

interface OwnerPlace {
  readonly workspaceId: string
  /** Of the execution, or of the batch. */
  readonly executionId: string
}

/** What callbacks are sent for. */
interface Owner {
  readonly noun: 'execution' | 'batch'
  readonly path: string
  readonly operations: { readonly list: string; readonly redeliver: string }
  readonly exists: (sql: Sql, place: OwnerPlace) => Promise<boolean>
}

/** The callbacks of an execution or a batch, and their signing secret. */
export function webhookRoutes(parts: WebhookRouteParts): Route[] {
  const owners: readonly Owner[] = [
    {
      noun: 'execution',
      path: '/v1/agent/executions/{id}/callbacks',
      operations: { list: 'listCallbacks', redeliver: 'redeliverCallback' },
      exists: hasExecution,
    },
    {
      noun: 'batch',
      path: '/v1/agent/batches/{id}/callbacks',
      operations: { list: 'listBatchCallbacks', redeliver: 'redeliverBatchCallback' },
      exists: parts.hasBatch,
    },
  ]
  return [...owners.flatMap((owner) => [listRoute(owner), redeliverRoute(parts, owner)]), ...secretRoutes(parts)]
}

function listRoute(owner: Owner): Route {
  return route({
    method: 'get',
    path: owner.path,
    operation: owner.operations.list,
    tag: 'callbacks',
    scope: 'read',
    summary: `List the callbacks of ${articles[owner.noun]}, with every delivery attempt`,
    params: z.object({ id: z.string() }),
    reply: { status: 200, description: 'The callbacks, oldest first', schema: z.array(callbackRecord) },
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const place = { workspaceId: caller.workspaceId, executionId: params.id.toLowerCase() }
      if (!isId(place.executionId) || !(await owner.exists(db, place))) throw unknownOwner(owner)
      return { json: (await listCallbacks(db, place)).map(recordOf) }
    },
  })
}

function redeliverRoute({ clock, queue }: WebhookRouteParts, owner: Owner): Route {
  return route({
    method: 'post',
    path: `${owner.path}/{n}/redeliver`,
    operation: owner.operations.redeliver,
    tag: 'callbacks',
    scope: 'execute',
    summary: `Send a callback of ${articles[owner.noun]} again with the same bytes and webhook-id, and a new series of attempts`,
    params: z.object({ id: z.string(), n: z.string() }),
    reply: { status: 202, description: 'The callback, queued for delivery', schema: callbackRecord },
    failures: [404, 409],
    handle: async ({ db, caller, params }) => {
      const place = { workspaceId: caller.workspaceId, executionId: params.id.toLowerCase(), n: Number(params.n) }
      if (!isId(place.executionId) || !(await owner.exists(db, place))) throw unknownOwner(owner)
      if (!/^[1-9]\d{0,8}$/.test(params.n)) throw unknownCallback(owner)
      const restarted = await db.transaction(async (tx) => {
        const callback = await restartCallback(tx, place, clock.now())
        if (callback) await addDelivery({ tx, queue }, { ...place, number: callback.number, url: callback.url })
        return callback
      })
      if (restarted) return { json: recordOf(restarted) }
      const kept = await findCallback(db, place)
      if (!kept) throw unknownCallback(owner)
      if (kept.url === '')
        throw new Fault('conflict', 'not_retained', `The content of this callback went with that of its ${owner.noun}`)
      throw new Fault(
        'conflict',
        'under_way',
        'A delivery attempt of this callback is scheduled or in progress; wait until it has ended',
      )
    },
  })
}

function secretRoutes({ clock, secretKeys, operatorSecret }: WebhookRouteParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/callback-secret',
      operation: 'getCallbackSecret',
      tag: 'callbacks',
      scope: 'admin',
      summary: 'Get the secret that signs the callbacks of this workspace',
      reply: { status: 200, description: 'The secret', schema: secretRecord },
      handle: async ({ db, caller }) => ({
        json: secretOf(await loadCallbackSecret({ db, clock, secretKeys }, caller.workspaceId)),
      }),
    }),
    route({
      method: 'post',
      path: '/v1/callback-secret',
      operation: 'changeCallbackSecret',
      tag: 'callbacks',
      scope: 'admin',
      summary:
        'Rotate the callback secret of this workspace; for one day, webhook-signature also contains a signature with the previous secret',
      reply: { status: 201, description: 'The new secret', schema: secretRecord },
      failures: [409],
      handle: async ({ db, caller: { workspaceId, keyId } }) => ({
        json: await db.transaction(async (tx) => {
          const secret = await changeCallbackSecret({ db: tx, clock, secretKeys }, workspaceId, operatorSecret)
          const now = clock.now()
          const action = 'callback_secret.change'
          await recordAction(tx, { workspaceId, keyId, action, subjectId: workspaceId, now })
          return secretOf(secret)
        }),
      }),
    }),
  ]
}

const articles = { execution: 'an execution', batch: 'a batch' }

const unknownOwner = ({ noun }: Owner): Fault =>
  new Fault('missing', `unknown_${noun}`, `This workspace has no ${noun} with this id`)
const unknownCallback = ({ noun }: Owner): Fault =>
  new Fault('missing', 'unknown_callback', `This ${noun} has no callback with this number`)

const recordOf = (callback: Callback): CallbackRecord => ({
  n: callback.n,
  event: callback.event,
  url: callback.url,
  webhook_id: callback.webhookId,
  state: callback.state,
  next_try_at: callback.nextTryAt?.toISOString() ?? null,
  created_at: callback.createdAt.toISOString(),
  tries: [...callback.tries],
})

const secretOf = (row: CallbackSecret): SecretRecord => ({
  secret: row.secret,
  created_at: row.createdAt.toISOString(),
  previous_until: row.previousUntil?.toISOString() ?? null,
})
