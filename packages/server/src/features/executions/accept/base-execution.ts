import { Fault } from '@skillrun/core/fault.ts'
import { isId } from '@skillrun/core/ids.ts'
import type { Sql } from '../../../adapters/db/db.ts'
import { refuseUnretained } from '../retention.ts'
import { findExecution } from '../store/find-execution.ts'

/**
 * The id of an execution that another may be based on. Throws Faults: `missing` for an id that this workspace does not have, and `conflict`
 * when its answer was not retained or it is not completed (`not_completed`).
 */
export async function readBase(sql: Sql, of: { workspaceId: string; id: string }): Promise<string> {
  const id = of.id.toLowerCase()
  const base = isId(id) ? await findExecution(sql, { workspaceId: of.workspaceId, id }) : undefined
  if (!base)
    throw new Fault(
      'missing',
      'unknown_execution',
      'config.base_execution: this workspace has no execution with this id',
    )
  refuseUnretained(base)
  if (base.status !== 'completed')
    throw new Fault(
      'conflict',
      'not_completed',
      `config.base_execution: the execution is ${base.status}; only a completed one has an answer that can be kept`,
    )
  return id
}
