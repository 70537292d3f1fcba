import type { Json } from '@skillrun/core/json.ts'
import type { RowCounts } from '@skillrun/reader/evidence/completeness.ts'
import type { EvidenceMap } from '@skillrun/reader/evidence/evidence.ts'
import { checkAnswer } from '../../../agent/judge-answer.ts'
import { markedAnswer } from '../../../agent/programs/marked-answer.ts'
import { fieldHolding } from '../../../agent/programs/separate-fields.ts'
import { type Ending, usageOf } from '../../executions/executions.ts'
import { completenessIn, missingMessage } from '../completeness.ts'
import type { EngineParts } from '../parts.ts'
import type { Run } from '../run-state.ts'

/** An answer whose fields several engines gave, or an engine and an earlier execution. */
export interface JoinedAnswer {
  readonly answer: Json
  readonly evidence: EvidenceMap
  readonly error: Ending['error']
  /** Rows in the inputs that lists of the answer lack. */
  readonly expected?: RowCounts
  readonly unsure?: readonly string[] | undefined
  /** The sentences of the usage, given the one that names the missing fields. */
  explain(missing: string | undefined): readonly (string | undefined)[]
}

/** The end of a run with a joined answer; with its evidence beside each field where the request wants that. */
export async function endingOfJoined(parts: EngineParts, run: Run, joined: JoinedAnswer): Promise<Ending> {
  const { answer, evidence, error } = joined
  const { grounded, schema } = run.execution.request
  const report = await completenessIn(parts, run, joined)
  return {
    status: error === null ? 'completed' : 'failed',
    response: grounded ? await markedAnswer(parts.processPool, { answer, evidence, schema }, run.signal) : answer,
    evidence,
    error,
    completeness: report?.completeness ?? null,
    unsure: report?.unsure,
    usage: usageOf(run.transcript, sentences(joined.explain(missingMessage(report)))),
    now: parts.clock.now(),
  }
}

/** Sentences without their full stops, as one text. */
export const sentences = (all: readonly (string | undefined)[]): string | undefined =>
  all.filter(Boolean).join('. ') || undefined

/** The evidence of these fields. */
export const evidenceOf = (evidence: EvidenceMap | null | undefined, fields: readonly string[]): EvidenceMap =>
  Object.fromEntries(Object.entries(evidence ?? {}).filter(([pointer]) => fieldHolding(fields, pointer) !== undefined))

/** The agent's failure, or that the whole answer is not valid; null if it is, also where the agent only found none of its fields. */
export async function errorOfPart(
  parts: EngineParts,
  run: Run,
  { ofAgent, answer }: { ofAgent: Ending; answer: Ending['response'] },
): Promise<Ending['error']> {
  const { schema } = run.execution.request
  if (schema === null || (ofAgent.error !== null && ofAgent.error.code !== 'nothing_found')) return ofAgent.error
  const problems = await checkAnswer({ processPool: parts.processPool, schema }, answer, run.signal)
  return problems.length === 0 ? null : (ofAgent.error ?? invalidAnswer(problems))
}

/** The failure of an answer that its schema does not allow. */
export function invalidAnswer(problems: Awaited<ReturnType<typeof checkAnswer>>): NonNullable<Ending['error']> {
  const words = problems.map(({ pointer, message }) => `${pointer || 'the answer'} ${message}`).join('; ')
  const message = `The answer is not valid against the schema: ${words}`
  return { code: 'schema_violation', message, retryable: false }
}
