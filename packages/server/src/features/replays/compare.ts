import { isJsonObject, type Json, legible } from '@skillrun/core/json.ts'
import { type Difference, differencesOf } from '@skillrun/core/json-differences.ts'
import { jsonText } from '../../core/json-pieces.ts'
import { type Execution, isToolCall, recordOf, type Step, servedBy, textsOf, turnOf } from '../executions/executions.ts'
import { looksOf } from '../reviews/reviews.ts'
import { inputSteps, type Replayed } from '../runs/runs.ts'

/** Most differences in a reply. */
export const differencesMax = 1_000

/** Differences between a replay and its record: left is the record, right the replay. Empty: the output is identical byte for byte. */
export async function compareReplay(
  execution: Execution,
  transcript: readonly Step[],
  replayed: Replayed,
): Promise<readonly Difference[]> {
  const steps = await compareSteps(transcript, replayed)
  const output =
    'diverged' in replayed
      ? [{ path: '/status', left: execution.status, right: `not replayed to its end: ${replayed.diverged}` }]
      : await compareOutput(execution, replayed, replayed.ending)
  const found = [...output, ...steps]
  // What both versions read alike is no difference.
  const readers = found.length > 0 ? compareReaders(transcript, replayed) : []
  return [...readers, ...found].slice(0, differencesMax)
}

/** Inputs that another version of the reader read. Steps of older servers do not name it. */
const compareReaders = (transcript: readonly Step[], replayed: Replayed): readonly Difference[] =>
  transcript.filter(isRead).flatMap((step) => {
    const [left, right] = [readerOf(step), readerOf(readAgain(step, replayed))]
    const isOther = left !== undefined && right !== undefined && left !== right
    return isOther ? [{ path: `/steps/${step.seq}/detail/reader`, left, right }] : []
  })

async function compareOutput(
  execution: Execution,
  { warnings }: Replayed,
  ending: Extract<Replayed, { ending: unknown }>['ending'],
): Promise<readonly Difference[]> {
  const texts = await textsOf(ending)
  const ignored = execution.warnings.filter(({ code }) => code === 'ignored_field')
  const program = ending.program ? servedBy(ending.program) : null
  const was = outputOf(execution)
  const is = outputOf({
    ...execution,
    status: ending.status,
    error: ending.error && legible(ending.error),
    completeness: looksOf(
      { ...ending, warnings, schema: execution.request.schema },
      execution.completeness?.reviewBelow,
    ).completeness,
    warnings: [...ignored, ...legible(warnings)],
    path: ending.path ?? null,
    executionMode: program && !program.fields ? 'program' : 'agent',
    program,
  })
  return [
    ...(await differencesOf(was, is, differencesMax)),
    ...(await compareText('/response', execution.response, texts.response)),
    ...(await compareText('/evidence', execution.evidence as Json, texts.evidence ?? 'null')),
  ]
}

/** The small parts of an execution's output. */
function outputOf(execution: Execution): Json {
  const { status, error, completeness, warnings, execution_mode, execution_modes, program, path } = recordOf({
    ...execution,
    response: null,
    evidence: null,
  })
  return {
    status,
    error,
    completeness,
    warnings,
    execution_mode,
    execution_modes,
    program,
    path: path && { ...path, engines: null },
  }
}

/** Compares a value with a JSON text, byte by byte. */
async function compareText(path: string, was: Json, text: string): Promise<readonly Difference[]> {
  if ((await jsonText(was)) === text) return []
  const is = JSON.parse(text) as Json
  const found = await differencesOf(was, is, differencesMax)
  const at = (one: Difference): Difference => ({ ...one, path: path + one.path })
  // Only the order of members differs.
  return found.length === 0 ? [{ path, left: was, right: is }] : found.map(at)
}

/** Inputs read and model turns of the record that the replay did not reach. */
async function compareSteps(transcript: readonly Step[], replayed: Replayed): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const step of transcript.filter(isRead)) {
    const again = readAgain(step, replayed)
    const path = `/steps/${step.seq}/result`
    const [left, right] = [resultOf(step), again ? resultOf(again) : undefined]
    if (right === undefined) found.push({ path, left, right })
    else
      for (const one of await differencesOf(left, right, differencesMax)) found.push({ ...one, path: path + one.path })
  }
  const turns = replayed.transcript.filter((step) => turnOf(step)).length
  const [next] = transcript.filter((step) => turnOf(step)).slice(turns)
  if (next) found.push({ path: `/steps/${next.seq}`, left: next.name, right: undefined })
  return found
}

const isRead = (step: Step): boolean => inputSteps.includes(step.name) && !isToolCall(step)

const readAgain = (step: Step, { transcript }: Replayed): Step | undefined =>
  transcript.find((one) => isRead(one) && one.name === step.name && inputOf(one) === inputOf(step))

const readerOf = (step: Step | undefined): Json | undefined =>
  step && isJsonObject(step.detail) ? step.detail['reader'] : undefined

const inputOf = ({ detail }: Step): Json | undefined => (isJsonObject(detail) ? detail['input'] : undefined)

/** A step's result, and the hash of the bytes behind it. Ignores whether it was cached. */
function resultOf({ detail, result }: Step): Json {
  const { sha256 } = isJsonObject(detail) ? detail : {}
  const { cached: _cached, ...rest } = isJsonObject(result) ? result : {}
  return { ...rest, ...(sha256 === undefined ? {} : { sha256 }) }
}
