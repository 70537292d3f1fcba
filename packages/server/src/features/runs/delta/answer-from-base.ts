import { inputWarnings } from '@skillrun/reader/evidence/warnings.ts'
import type { Grounding } from '../../../agent/ground-answer.ts'
import { onlyFields, separateFields, withFields, withoutFields } from '../../../agent/programs/separate-fields.ts'
import { type Ending, usageOf } from '../../executions/executions.ts'
import { ground } from '../answer-of-ending.ts'
import type { EngineParts } from '../parts.ts'
import { endingOfJoined, errorOfPart, evidenceOf, sentences } from '../programs/joined-answer.ts'
import { type ParsedInput, readInputs } from '../reading/read-inputs.ts'
import { type Run, withRequest } from '../run-state.ts'
import { warn } from '../transcript.ts'
import { type KeptFields, keptOfBase } from './kept-fields.ts'

/**
 * Answers a request that has a base: fields of the earlier answer that cannot have changed are kept, and an agent is asked for the others.
 * `asked` answers the request as if it had no base, where nothing is kept; `asAgent` with an agent. Undefined: the request has no base.
 */
export async function answerFromBase(
  parts: EngineParts,
  run: Run,
  { asAgent, asked }: { readonly asAgent: () => Promise<Ending>; readonly asked: () => Promise<Ending> },
): Promise<Ending | undefined> {
  const found = await keptOfBase(parts, run)
  if (!found) return undefined
  const { reuse } = found
  if (reuse.kept.length > 0) return complete(parts, run, found, asAgent)
  const ending = await asked()
  return { ...ending, usage: usageOf(run.transcript, sentences([messageOf(reuse), ending.usage.message])) }
}

async function complete(
  parts: EngineParts,
  run: Run,
  { reuse, parsedInputs: atHand }: { readonly reuse: KeptFields; readonly parsedInputs?: readonly ParsedInput[] },
  answerAsAgent: () => Promise<Ending>,
): Promise<Ending> {
  const { request } = run.execution
  const schema = request.schema ?? {}
  const left = reuse.asked.map(({ field }) => field)
  const plain = { ...request, grounded: false, programAsked: false }
  const asked = { ...plain, schema: reuse.isWhole ? schema : onlyFields(schema, left) }
  const ofAgent = left.length === 0 ? undefined : await withRequest(run, asked, answerAsAgent)
  const parsedInputs = atHand ?? (await readInputs(parts, run))
  if (!ofAgent)
    for (const { input, document } of parsedInputs)
      for (const warning of inputWarnings(input, document.warnings)) warn(run, warning)
  const unknown = reuse.kept.filter((field) => !Object.hasOwn(reuse.evidence, field))
  const sought =
    unknown.length === 0 ? undefined : await lookFor(parts, run, { unknown, reuse, parsedInputs, request: plain })
  for (const warning of sought?.warnings ?? []) warn(run, warning)
  const answer = ofAgent ? withFields(reuse.answer, ofAgent.response, { schema, left }) : reuse.answer
  const evidence = { ...reuse.evidence, ...sought?.evidence, ...evidenceOf(ofAgent?.evidence, left) }
  const error = ofAgent ? await errorOfPart(parts, run, { ofAgent, answer }) : null
  // The completeness report of the whole answer names them in the order of the schema.
  const others = run.warnings.filter(({ code, path }) => code !== 'not_found' || path === '')
  run.warnings.splice(0, run.warnings.length, ...others)
  const ending = await endingOfJoined(parts, run, {
    ...{ answer, evidence, error, expected: sought?.expected ?? {}, unsure: ofAgent?.unsure },
    explain: (missing) => [messageOf(reuse), ofAgent ? ofAgent.usage.message : missing],
  })
  return {
    ...ending,
    ...(ofAgent?.path && { path: ofAgent.path }),
    fieldModes: Object.fromEntries([
      ...reuse.kept.map((field) => [field, 'kept'] as const),
      ...left.map((field) => [field, 'agent'] as const),
    ]),
  }
}

/** The evidence of kept fields in the documents of the run. */
function lookFor(
  parts: EngineParts,
  run: Run,
  of: {
    unknown: readonly string[]
    reuse: KeptFields
    parsedInputs: readonly ParsedInput[]
    request: Run['execution']['request']
  },
): Promise<Grounding> {
  const { unknown, reuse, parsedInputs, request } = of
  const schema = request.schema ?? {}
  const answer = withoutFields(reuse.answer, {
    all: separateFields(schema) ?? [],
    left: reuse.kept.filter((field) => !unknown.includes(field)),
  })
  return withRequest(run, { ...request, schema: onlyFields(schema, unknown) }, () =>
    ground(parts, run, { answer, parsedInputs }),
  )
}

const fieldsShown = 5

function messageOf({ kept, asked, pages }: KeptFields): string {
  const compared =
    pages === null
      ? ''
      : `; ${pages.changed} ${pages.changed === 1 ? 'page differs' : 'pages differ'} (${pages.before} before, ${pages.now} now)`
  const shown = asked.slice(0, fieldsShown).map(({ field, because }) => `${field} (${because})`)
  const more = asked.length > fieldsShown ? ` and ${asked.length - fieldsShown} more` : ''
  const left = asked.length === 0 ? '' : `; asked again: ${shown.join(', ')}${more}`
  return `Kept ${kept.length} of ${kept.length + asked.length} fields of the base execution${compared}${left}`
}
