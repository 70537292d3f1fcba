import type { Job } from '@skillrun/core/job.ts'
import type { Json, JsonSchema } from '@skillrun/core/json.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { groundedAnswer, withoutClaims } from '@skillrun/reader/evidence/grounding.ts'
import type { ProcessPool } from '../../adapters/process-pool/process-pool.ts'
import { isSmallJson, jsonText } from '../../core/json-pieces.ts'
import { limits } from '../../core/limits.ts'

/** An answer with its evidence, both as JSON text. */
export interface MarkRequest {
  readonly json: string
  readonly evidenceJson: string
  readonly schema: JsonSchema | null
}

const markAnswerJob: Job<MarkRequest, Json> = {
  name: 'mark-answer',
  givesJson: true,
  module: new URL('./marked-answer.job.ts', import.meta.url),
}

/** The answer with its evidence beside each field (see `groundedAnswer`); a large one is made in the process pool. */
export async function markedAnswer(
  processPool: ProcessPool,
  { answer, evidence, schema }: { answer: Json; evidence: EvidenceMap; schema: JsonSchema | null },
  signal: AbortSignal,
): Promise<Json> {
  if (isSmallJson(answer)) return groundedAnswer(withoutClaims(answer, schema), evidence)
  const request = { json: await jsonText(answer), evidenceJson: await jsonText(evidence), schema }
  const terms = { wallMs: limits.extractWallMs, memoryMb: limits.extractMemoryMb, signal }
  return await processPool.run(markAnswerJob, request, terms)
}
