import type { Json } from '@skillrun/core/json.ts'
import {
  type CompletenessReport,
  incompletenessMessage,
  notFoundWarnings,
  type RowCounts,
} from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { measureCompleteness } from '../../agent/completeness.ts'
import type { Run } from './run-state.ts'
import { warn } from './transcript.ts'

/** How complete an answer is by the schema of the request; each missing field becomes a warning. */
export async function completenessIn(
  parts: { readonly processPool: ProcessPool },
  run: Run,
  of: { answer: Json; evidence: EvidenceMap | null; expected?: RowCounts; unsure?: readonly string[] | undefined },
): Promise<CompletenessReport | undefined> {
  const { answer, evidence, expected = {}, unsure = [] } = of
  const { schema } = run.execution.request
  if (schema === null) return undefined
  const report = await measureCompleteness(
    parts.processPool,
    { schema, answer, evidence: evidence ?? {}, expected, unsure },
    run.signal,
  )
  if (report) for (const warning of notFoundWarnings(report, evidence ?? {})) warn(run, warning)
  return report
}

/** The schema fields that an answer lacks, in a sentence without its full stop; undefined if it lacks none. */
export const missingMessage = (report: CompletenessReport | undefined): string | undefined =>
  report && report.completeness.notFound > 0 ? incompletenessMessage(report) : undefined
