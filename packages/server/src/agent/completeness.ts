import type { Job } from '@skillrun/core/job.ts'
import {
  type CompletenessReport,
  type CompletenessRequest,
  reportCompleteness,
} from '@skillrun/reader/evidence/completeness.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import { limits } from '../core/limits.ts'

const completenessJob: Job<CompletenessRequest, CompletenessReport | undefined> = {
  name: 'completeness',
  isQuick: true,
  module: new URL('./completeness.job.ts', import.meta.url),
}

/** Steps that may run on the main thread: some tenths of a millisecond. */
const stepsMax = 2_000

/** How complete an answer is; computed in the process pool unless both are small. */
export async function measureCompleteness(
  processPool: Pick<ProcessPool, 'run'>,
  request: CompletenessRequest,
  signal: AbortSignal,
): Promise<CompletenessReport | undefined> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  return reportCompleteness(request, stepsMax) ?? processPool.run(completenessJob, request, terms)
}
