import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import { isJsonObject, type JsonObject } from '@skillrun/core/json.ts'
import type { Db, Sql } from '../../adapters/db/db.ts'
import { askedOf, findOriginal, isGiven, listFileNames, refuseUnretained } from '../executions/executions.ts'
import type { NewItem } from './batch.ts'

/** Items that ask earlier executions again. Fault `missing` (`unknown_execution`) names the first that this workspace does not have. */
export async function baseItems(
  db: Db,
  { workspaceId, ids }: { workspaceId: string; ids: readonly string[] },
): Promise<readonly NewItem[]> {
  const given = ids.map((id) => id.toLowerCase())
  const unique = [...new Set(given)]
  const names = await listFileNames(db, { workspaceId, ids: unique.filter(isId) })
  return unique.map((id) => {
    const own = names.get(id)
    if (!own)
      throw new Fault(
        'missing',
        'unknown_execution',
        `base_executions.${given.indexOf(id)}: this workspace has no execution with this id`,
      )
    return { clientId: null, fileName: own[0] ?? null, inputs: null, entry: null, baseExecution: id }
  })
}

/**
 * The request of an execution with what the batch replaces in it. Faults `missing`, and `conflict` (`not_retained`) when its request was not
 * retained.
 */
export async function bodyOnBase(
  sql: Sql,
  { workspaceId, id, shared }: { workspaceId: string; id: string; shared: JsonObject },
): Promise<JsonObject> {
  const base = await findOriginal(sql, { workspaceId, id })
  if (!base) throw new Fault('missing', 'unknown_execution', 'The earlier execution no longer exists')
  refuseUnretained(base)
  const { callback_url: _, metadata, config, ...asked } = askedOf(base)
  // The new execution is not a turn of the earlier one's session.
  const { session_id: _id, sessionId: _alias, ...kept } = isJsonObject(metadata) ? metadata : {}
  const given = Object.fromEntries(Object.entries(shared).filter(([, value]) => value !== undefined && value !== null))
  const replaced = Object.fromEntries(
    Object.entries(isJsonObject(shared['config']) ? shared['config'] : {}).filter(([field, value]) =>
      isGiven(field, value),
    ),
  )
  return { ...asked, metadata: kept, ...given, config: { ...config, ...replaced, base_execution: id } }
}
