import { assert } from '@skillrun/core/assert.ts'
import type { JsonSchema } from '@skillrun/core/json.ts'
import { onlyFields, separateFields, withFields } from '../../../agent/programs/separate-fields.ts'
import type { Ending } from '../../executions/executions.ts'
import type { EngineParts } from '../parts.ts'
import { type Run, withRequest } from '../run-state.ts'
import { endingOfJoined, errorOfPart, evidenceOf } from './joined-answer.ts'
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
  const { schema } = request
  assert(left !== null && schema !== null, 'only fields of a schema can be left')
  const { fields } = left
  const asked = { ...request, schema: onlyFields(schema, fields), grounded: false, programAsked: false }
  const ofAgent = await withRequest(run, asked, answerAsAgent)
  const answer = withFields(served.response, ofAgent.response, { schema, left: fields })
  const ending = await endingOfJoined(parts, run, {
    answer,
    evidence: { ...served.evidence, ...evidenceOf(ofAgent.evidence, fields) },
    error: await errorOfPart(parts, run, { ofAgent, answer }),
    unsure: ofAgent.unsure,
    explain: (missing) => [
      `The program left ${fields.join(', ')} to an agent: ${left.because}`,
      ofAgent.usage.message ?? missing,
    ],
  })
  return {
    ...ending,
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
