import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import type { Caller, Scope } from '../../adapters/http/route.ts'
import { limits } from '../../core/limits.ts'
import { recordAction } from '../audit/audit.ts'
import {
  ensureWorkspace,
  findFirstWorkspace,
  findKeyByHash,
  findKeyById,
  findWorkspace,
  insertKey,
  type KeyRow,
  listKeys,
} from './store.ts'

export { assertOpens, findSealedSample } from './secrets.ts'
export { actorKind, findActor, findFirstWorkspace, listApprovers } from './store.ts'

/** A new key: `key` is its text, shown only once. */
export interface MadeKey {
  readonly key: string
  readonly row: KeyRow
}

const firstWorkspaceName = 'main'

const hashOf = (key: string): Buffer => createHash('sha256').update(key).digest()

/** 256 random bits after a prefix that secret scanners recognise. */
const newKeyText = (): string => `sk-run-${randomBytes(32).toString('base64url')}`

/** Creates a key in a workspace; only the operator's own SKILLRUN_API_KEY brings its `text`. */
export async function makeKey(
  parts: { sql: Sql; clock: Clock },
  key: {
    workspaceId: string
    workspace: string
    name: string
    scopes: readonly Scope[]
    expiresAt: Date | null
    budgetMicrosPerDay?: number | null
    text?: string
    /** The creating key; null: the server itself. */
    madeBy: string | null
  },
): Promise<MadeKey> {
  const text = key.text ?? newKeyText()
  const createdAt = parts.clock.now()
  const row: KeyRow = {
    id: newId(createdAt),
    workspaceId: key.workspaceId,
    workspace: key.workspace,
    name: key.name,
    hint: text.slice(-4),
    scopes: key.scopes,
    createdAt,
    expiresAt: key.expiresAt,
    revokedAt: null,
    budgetMicrosPerDay: key.budgetMicrosPerDay ?? null,
  }
  await insertKey(parts.sql, { ...row, sha256: hashOf(text) })
  const detail = { name: row.name, scopes: [...row.scopes], expires_at: row.expiresAt?.toISOString() ?? null }
  await recordAction(parts.sql, {
    workspaceId: row.workspaceId,
    keyId: key.madeBy,
    action: 'key.create',
    subjectId: row.id,
    detail,
    now: createdAt,
  })
  return { key: text, row }
}

/** Ensures that a first workspace exists and that the operator's SKILLRUN_API_KEY is an admin key of it; older keys stay valid. */
export async function ensureFirstWorkspace(
  parts: { db: Db; clock: Clock },
  operatorKey: string | undefined,
): Promise<void> {
  await inFirstWorkspace(parts, async (tx, make) => {
    if (operatorKey === undefined || (await findKeyByHash(tx, hashOf(operatorKey)))) return
    await makeKey({ sql: tx, clock: parts.clock }, { ...make, name: 'SKILLRUN_API_KEY', text: operatorKey })
  })
}

/**
 * Creates the admin key of a first workspace that never had a key and returns its text, otherwise null. Call it when the text is certain to
 * be shown: it is stored nowhere.
 */
export async function makeFirstKey(parts: { db: Db; clock: Clock }): Promise<string | null> {
  return inFirstWorkspace(parts, async (tx, make) => {
    if ((await listKeys(tx, make.workspaceId)).length > 0) return null
    return (await makeKey({ sql: tx, clock: parts.clock }, { ...make, name: 'first key' })).key
  })
}

/** Runs `work` with the terms of an admin key of the first workspace, which is created if missing. */
async function inFirstWorkspace<T>(
  { db, clock }: { db: Db; clock: Clock },
  work: (tx: Sql, make: Omit<Parameters<typeof makeKey>[1], 'name' | 'text'>) => Promise<T>,
): Promise<T> {
  return db.transaction(async (tx) => {
    // Several processes may start at once on an empty database.
    await tx.query("select pg_advisory_xact_lock(hashtext('skillrun first key'))")
    const first = await findFirstWorkspace(tx)
    const now = clock.now()
    const workspaceId = first?.id ?? (await ensureWorkspace(tx, { id: newId(now), name: firstWorkspaceName, now })).id
    const workspace = first?.name ?? firstWorkspaceName
    return work(tx, { workspaceId, workspace, scopes: ['admin'], expiresAt: null, madeBy: null })
  })
}

/** Finds the caller of a key. Results are cached for `limits.keyCacheMs`, so a revoked key is refused at most that much later. */
export function makeAuthenticate(parts: { db: Db; clock: Clock }): (key: string) => Promise<Caller | undefined> {
  const cachedMax = 10_000
  // Requests that come during a lookup wait for it.
  const cache = new Map<string, { caller: Promise<Caller | undefined>; untilMs: number }>()
  return (key) => {
    const hash = hashOf(key)
    const name = hash.toString('base64')
    const nowMs = parts.clock.monotonicMs()
    const cached = cache.get(name)
    if (cached && cached.untilMs > nowMs) return cached.caller
    const caller = findKeyByHash(parts.db, hash).then((row) => callerWith(row, parts.clock.now()))
    if (cache.size >= cachedMax) cache.clear()
    const entry = { caller, untilMs: nowMs + limits.keyCacheMs }
    cache.set(name, entry)
    caller.catch(() => {
      if (cache.get(name) === entry) cache.delete(name)
    })
    return caller
  }
}

/** The caller of a key id; undefined: revoked or expired. */
export const findKeyCaller = async (parts: { db: Sql; clock: Clock }, id: string): Promise<Caller | undefined> =>
  callerWith(await findKeyById(parts.db, id), parts.clock.now())

function callerWith(row: KeyRow | undefined, now: Date): Caller | undefined {
  const holds = row && row.revokedAt === null && (row.expiresAt === null || row.expiresAt > now)
  return holds ? { workspaceId: row.workspaceId, keyId: row.id, scopes: row.scopes } : undefined
}

/** Whether a workspace is the first one, whose admins operate the server. */
export const isFirstWorkspace = async (sql: Sql, workspaceId: string): Promise<boolean> =>
  (await findFirstWorkspace(sql))?.id === workspaceId

/**
 * The workspace that a call on keys concerns: the caller's own, or one that an admin of the first workspace names. With `make` it is
 * created if missing. Faults `forbidden` and `missing`.
 */
export async function workspaceForKeys(
  parts: { sql: Sql; clock: Clock },
  caller: Caller,
  asked: { name: string | null; make: boolean },
): Promise<{ id: string; name: string; made?: boolean }> {
  const { sql, clock } = parts
  const own = await findWorkspace(sql, { id: caller.workspaceId })
  const ownWorkspace = { id: caller.workspaceId, name: own?.name ?? '' }
  if (asked.name === null || asked.name === ownWorkspace.name) return ownWorkspace
  const first = await findFirstWorkspace(sql)
  if (first?.id !== caller.workspaceId)
    throw new Fault(
      'forbidden',
      'not_first_workspace',
      'Only an admin of the first workspace can manage the keys and users of another workspace',
    )
  const now = clock.now()
  if (asked.make)
    return { ...(await ensureWorkspace(sql, { id: newId(now), name: asked.name, now })), name: asked.name }
  const found = await findWorkspace(sql, { name: asked.name })
  if (!found)
    throw new Fault('missing', 'unknown_workspace', `There is no workspace named ${JSON.stringify(asked.name)}`)
  return found
}
