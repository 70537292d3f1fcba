import type { Payer } from '../pricing/pricing.ts'
import type { ExecutionState } from './execution.ts'

/** Who pays for an execution. */
export const payerOf = (execution: ExecutionState): Payer => ({
  workspaceId: execution.workspaceId,
  executionId: execution.id,
  keyId: execution.keyId,
  attempt: execution.attempt,
  executionMicrosMax: execution.maxCostMicros,
})
