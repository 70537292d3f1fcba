import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { z } from 'zod'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { moment } from '../../adapters/http/query.ts'
import { type Caller, type Route, route, scopes } from '../../adapters/http/route.ts'
import { arrayOf } from '../../adapters/http/schemas.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { dollarsOf, microsOf } from '../../core/money.ts'
import { recordAction } from '../audit/audit.ts'
import { type ClaimKey, makeOnce } from '../idempotency/idempotency.ts'
import { type MadeKey, makeKey, workspaceForKeys } from './keys.ts'
import { type KeyRow, listKeys, revokeKey } from './store.ts'

const scope = z.enum(scopes)
const keyFields = {
  id: z.string(),
  workspace: z.string(),
  name: z.string(),
  scopes: z.array(scope),
  hint: z.string().describe('Last four characters of the key'),
  expires_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  budget_dollars_per_day: z.number().nullable().describe('Maximum cost of its executions per UTC day, in dollars'),
}
const keySchema = z.object({ ...keyFields, revoked_at: z.iso.datetime().nullable() }).meta({ id: 'Key' })
const workspaceQuery = z.object({
  workspace: z
    .string()
    .max(100)
    .optional()
    .describe('Workspace of the keys; only an admin of the first workspace can name another than their own'),
})
const madeKeySchema = z.object({ ...keyFields, key: z.string().describe('Only shown once') }).meta({ id: 'MadeKey' })

/** The default scopes of a key: all work, but no keys, secrets and audit log, and no approval of its own work. */
const workScopes = scopes.filter((one) => one !== 'admin' && one !== 'approve')

const keyRequest = z
  .object({
    workspace: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[\w .-]+$/, 'A workspace name can contain letters, digits, spaces, dots, hyphens and underscores')
      .nullish(),
    name: z.string().max(255).nullish(),
    scopes: arrayOf(scope, scopes.length, 1)
      .nullish()
      .describe(
        `If absent: ${workScopes.join(', ')} (everything except approve and admin). A key for a new workspace always has admin`,
      ),
    expires_at: moment({ dates: true }).nullish().describe('A time with UTC offset, or a date (midnight UTC)'),
    budget_dollars_per_day: z.number().nonnegative().max(1_000_000).nullish(),
  })
  .meta({ id: 'KeyRequest' })

const wireOf = (row: KeyRow) => ({
  id: row.id,
  workspace: row.workspace,
  name: row.name,
  scopes: row.scopes,
  hint: row.hint,
  expires_at: row.expiresAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  budget_dollars_per_day: row.budgetMicrosPerDay === null ? null : dollarsOf(row.budgetMicrosPerDay),
})

export interface KeyRouteParts {
  /** Sees every workspace: an admin of the first one manages the keys of others. */
  readonly everywhere: Db
  readonly clock: Clock
}

/** An admin of a workspace creates, lists and revokes its keys. */
export function keyRoutes({ everywhere, clock }: KeyRouteParts): Route[] {
  const workspaceOf = (caller: Caller, name: string | undefined) =>
    workspaceForKeys({ sql: everywhere, clock }, caller, { name: name ?? null, make: false })
  return [
    route({
      method: 'post',
      path: '/v1/keys',
      operation: 'createKey',
      tag: 'keys',
      scope: 'admin',
      summary:
        'Create a key; its secret is only shown once, so repeating an Idempotency-Key is a 409 that names the key',
      body: keyRequest,
      reply: { status: 201, description: 'The key', schema: madeKeySchema },
      failures: [409],
      handle: async ({ caller, body, sentBody, headers }) => {
        const expiresAt = body.expires_at ?? null
        const make = async (tx: Sql, claim: ClaimKey): Promise<MadeKey> => {
          if (expiresAt && expiresAt <= clock.now())
            throw invalid(['body', 'expires_at'], 'Input should be in the future', {
              input: expiresAt.toISOString(),
            })
          const workspace = await workspaceForKeys({ sql: tx, clock }, caller, {
            name: body.workspace ?? null,
            make: true,
          })
          // Logged in the workspace from which it was created.
          if (workspace.made)
            await recordAction(tx, {
              workspaceId: caller.workspaceId,
              keyId: caller.keyId,
              action: 'workspace.create',
              subjectId: workspace.id,
              detail: { name: workspace.name },
              now: clock.now(),
            })
          const made = await makeKey(
            { sql: tx, clock },
            {
              workspaceId: workspace.id,
              workspace: workspace.name,
              name: body.name ?? '',
              // A new workspace needs an admin key first, to create its other keys.
              scopes: body.scopes ?? (workspace.made ? ['admin'] : workScopes),
              expiresAt,
              budgetMicrosPerDay: microsOf(body.budget_dollars_per_day ?? null),
              madeBy: caller.keyId,
            },
          )
          await claim(tx, made.row)
          return made
        }
        const made = await makeOnce(
          everywhere,
          { workspaceId: caller.workspaceId, operation: 'createKey', headers, body: sentBody },
          {
            make: (claim) => everywhere.transaction((tx) => make(tx, claim)),
            find: async ({ id }) => {
              throw new Fault(
                'conflict',
                'key_made_before',
                `A call with this Idempotency-Key has created the key ${id}, whose secret was only shown then. If its reply was lost, revoke that key and create another one`,
              )
            },
          },
        )
        return { json: { ...wireOf(made.row), key: made.key } }
      },
    }),
    route({
      method: 'get',
      path: '/v1/keys',
      operation: 'listKeys',
      tag: 'keys',
      scope: 'admin',
      summary: 'List the keys of this workspace, newest first',
      query: workspaceQuery,
      reply: { status: 200, description: 'The keys, without their secrets', schema: z.array(keySchema) },
      failures: [404],
      handle: async ({ caller, query }) => ({
        json: (await listKeys(everywhere, (await workspaceOf(caller, query.workspace)).id)).map((row) => ({
          ...wireOf(row),
          revoked_at: row.revokedAt?.toISOString() ?? null,
        })),
      }),
    }),
    route({
      method: 'delete',
      path: '/v1/keys/{id}',
      operation: 'revokeKey',
      tag: 'keys',
      scope: 'admin',
      summary: 'Revoke a key',
      params: z.object({ id: z.string() }),
      query: workspaceQuery,
      reply: { status: 200, description: 'The revoked key', schema: keySchema },
      failures: [404],
      handle: async ({ caller, params, query }) => {
        const workspace = await workspaceOf(caller, query.workspace)
        const id = params.id.toLowerCase()
        const now = clock.now()
        const row = await everywhere.transaction(async (tx) => {
          const revoked = isId(id) ? await revokeKey(tx, { workspaceId: workspace.id, id, now }) : undefined
          // Idempotent: a second revocation changes nothing.
          if (revoked?.revokedAt?.getTime() === now.getTime())
            await recordAction(tx, {
              workspaceId: workspace.id,
              keyId: caller.keyId,
              action: 'key.revoke',
              subjectId: id,
              now,
            })
          return revoked
        })
        if (!row) throw new Fault('missing', 'unknown_key', 'This workspace has no key with this id')
        return { json: { ...wireOf(row), revoked_at: row.revokedAt?.toISOString() ?? null } }
      },
    }),
  ]
}
