import type { Job } from '@skillrun/core/job.ts'
import { type Coverage, type Covered, coverageOf } from '@skillrun/reader/evidence/completeness.ts'
import type { ProcessPool } from '../adapters/process-pool/process-pool.ts'
import { limits } from '../core/limits.ts'

const coverageJob: Job<Covered, Coverage | undefined> = {
  name: 'coverage',
  isQuick: true,
  module: new URL('./coverage.job.ts', import.meta.url),
}

/** Steps that may run on the main thread: some tenths of a millisecond. */
const stepsMax = 2_000

/** How much of a schema an answer covers; computed in the process pool unless both are small. */
export async function coverAnswer(
  processPool: Pick<ProcessPool, 'run'>,
  covered: Covered,
  signal: AbortSignal,
): Promise<Coverage | undefined> {
  const terms = { wallMs: limits.schemaWallMs, memoryMb: limits.schemaMemoryMb, signal }
  return coverageOf(covered, stepsMax) ?? processPool.run(coverageJob, covered, terms)
}
