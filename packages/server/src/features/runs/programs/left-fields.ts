import { assert } from '@skillrun/core/assert.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { checkAnswer } from '../../../agent/judge-answer.ts'
import { markedAnswer } from '../../../agent/programs/marked-answer.ts'
import { fieldHolding, onlyFields, separateFields, withFields } from '../../../agent/programs/separate-fields.ts'
import { type Ending, usageOf } from '../../executions/executions.ts'
import { completenessIn, missingMessage } from '../completeness.ts'
import type { EngineParts } from '../parts.ts'
import { type Run, withRequest } from '../run-state.ts'
import type { ServedEnding } from './run-program.ts'

/**
 * Completes the answer of a program with the fields that it left: an agent is asked these only. `answerAsAgent` answers the request of the
 * run.
 */
export async function answerLeftFields(
  parts: EngineParts,
  run: Run,
  { ending: served, left }: ServedEnding,
  answerAsAgent: () => Promise<Ending>,
): Promise<Ending> {
  const { request } = run.execution
  const { schema, grounded } = request
  assert(left !== null && schema !== null, 'only fields of a schema can be left')
  const { fields } = left
  const asked = { ...request, schema: onlyFields(schema, fields), grounded: false, programAsked: false }
  const ofAgent = await withRequest(run, asked, answerAsAgent)
  const answer = withFields(served.response, ofAgent.response, { schema, left: fields })
  const evidence = {
    ...served.evidence,
    ...Object.fromEntries(
      Object.entries(ofAgent.evidence ?? {}).filter(([pointer]) => fieldHolding(fields, pointer) !== undefined),
    ),
  }
  const error = await errorOfPart(parts, run, { ofAgent, answer })
  const report = await completenessIn(parts, run, { answer, evidence, unsure: ofAgent.unsure })
  const message = [
    `The program left ${fields.join(', ')} to an agent: ${left.because}`,
    ofAgent.usage.message ?? missingMessage(report),
  ]
  return {
    status: error === null ? 'completed' : 'failed',
    response: grounded ? await markedAnswer(parts.processPool, { answer, evidence, schema }, run.signal) : answer,
    evidence,
    error,
    completeness: report?.completeness ?? null,
    unsure: report?.unsure,
    usage: usageOf(run.transcript, message.filter(Boolean).join('. ')),
    now: parts.clock.now(),
    program: served.program,
    ...(ofAgent.path && {
      path: { ...ofAgent.path, fields: { ...ofProgram(schema, fields), ...ofAgent.path.fields } },
    }),
  }
}

/** The fields that a program answered on a path. */
const ofProgram = (schema: JsonSchema, left: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    (separateFields(schema) ?? []).filter((field) => !left.includes(field)).map((field) => [field, 'program']),
  )

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
