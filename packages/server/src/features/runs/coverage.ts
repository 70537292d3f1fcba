import type { Json } from '@skillrun/core/json.ts'
import {
  type Coverage,
  incompletenessMessage,
  notFoundWarnings,
  type RowCounts,
} from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { coverAnswer } from '../../agent/coverage.ts'
import type { Run } from './run-state.ts'
import { warn } from './transcript.ts'

/** The coverage of a request's schema by an answer; each missing field becomes a warning. */
export async function coverageIn(
  parts: { readonly processPool: ProcessPool },
  run: Run,
  of: { answer: Json; evidence: EvidenceMap | null; expected?: RowCounts; unsure?: readonly string[] | undefined },
): Promise<Coverage | undefined> {
  const { answer, evidence, expected = {}, unsure = [] } = of
  const { schema } = run.execution.request
  if (schema === null) return undefined
  const coverage = await coverAnswer(
    parts.processPool,
    { schema, answer, evidence: evidence ?? {}, expected, unsure },
    run.signal,
  )
  if (coverage) for (const warning of notFoundWarnings(coverage, evidence ?? {})) warn(run, warning)
  return coverage
}

/** The schema fields that an answer lacks, in a sentence without its full stop; undefined if it lacks none. */
export const missingMessage = (coverage: Coverage | undefined): string | undefined =>
  coverage && coverage.completeness.notFound > 0 ? incompletenessMessage(coverage) : undefined
