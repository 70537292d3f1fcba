import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
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
}

/** The callbacks of an execution, and their signing secret. */
export function webhookRoutes(parts: WebhookRouteParts): Route[] {
  return [listRoute(), redeliverRoute(parts), ...secretRoutes(parts)]
}

function listRoute(): Route {
  return route({
    method: 'get',
    path: '/v1/agent/executions/{id}/callbacks',
    operation: 'listCallbacks',
    tag: 'callbacks',
    scope: 'read',
    summary: 'List the callbacks of an execution, with every delivery attempt',
    params: z.object({ id: z.string() }),
    reply: { status: 200, description: 'The callbacks, oldest first', schema: z.array(callbackRecord) },
    failures: [404],
    handle: async ({ db, caller, params }) => {
      const execution = { workspaceId: caller.workspaceId, executionId: params.id.toLowerCase() }
      if (!isId(execution.executionId) || !(await hasExecution(db, execution))) throw unknownExecution()
      return { json: (await listCallbacks(db, execution)).map(recordOf) }
    },
  })
}

function redeliverRoute({ clock, queue }: WebhookRouteParts): Route {
  return route({
    method: 'post',
    path: '/v1/agent/executions/{id}/callbacks/{n}/redeliver',
    operation: 'redeliverCallback',
    tag: 'callbacks',
    scope: 'execute',
    summary: 'Send a callback again with the same bytes and webhook-id, and a new series of attempts',
    params: z.object({ id: z.string(), n: z.string() }),
    reply: { status: 202, description: 'The callback, queued for delivery', schema: callbackRecord },
    failures: [404, 409],
    handle: async ({ db, caller, params }) => {
      const place = { workspaceId: caller.workspaceId, executionId: params.id.toLowerCase(), n: Number(params.n) }
      if (!isId(place.executionId) || !(await hasExecution(db, place))) throw unknownExecution()
      if (!/^[1-9]\d{0,8}$/.test(params.n)) throw unknownCallback()
      const restarted = await db.transaction(async (tx) => {
        const callback = await restartCallback(tx, place, clock.now())
        if (callback) await addDelivery({ tx, queue }, { ...place, number: callback.number, url: callback.url })
        return callback
      })
      if (restarted) return { json: recordOf(restarted) }
      if (!(await findCallback(db, place))) throw unknownCallback()
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

const unknownExecution = (): Fault =>
  new Fault('missing', 'unknown_execution', 'This workspace has no execution with this id')
const unknownCallback = (): Fault =>
  new Fault('missing', 'unknown_callback', 'This execution has no callback with this number')

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
