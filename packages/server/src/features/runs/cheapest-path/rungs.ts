import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Step } from '../../executions/executions.ts'
import { BudgetSpent } from '../budget.ts'
import type { RecordParts } from '../parts.ts'
import { inHalfTheTime, OutOfTime, ReplayDiverged, type Run } from '../run-state.ts'
import { record, recordedBy } from '../transcript.ts'

/** The step that begins the turns of a model of the path. */
const rungStep = 'path.ask'

const rungOf = (step: Step): Json | undefined =>
  step.name === rungStep && step.kind === 'tool' ? (step.detail as { readonly rung?: Json }).rung : undefined

/** The steps of the model that is asked: each model of a path has a transcript of its own. */
export function stepsOfRung({ rung }: Pick<Run, 'rung'>, steps: readonly Step[]): readonly Step[] {
  if (rung === null) return steps
  const from = steps.findLastIndex((step) => rungOf(step) === rung)
  if (from === -1) return []
  const after = steps.slice(from + 1)
  const to = after.findIndex((step) => rungOf(step) !== undefined)
  return to === -1 ? after : after.slice(0, to)
}

/** The step that says that a model of the path gave no answer: a replay and a run after a crash do without it too. */
const failedStep = 'path.failed'

/** Why a model gave no answer: its provider failed, or a limit of the request or of its key was reached. */
type Failure = 'provider' | 'limit'

function failureOf(steps: readonly Step[], rung: string): Failure | undefined {
  const failed = steps.find(
    ({ name, detail }) => name === failedStep && (detail as { readonly rung?: Json }).rung === rung,
  )
  // Older steps have no reason: limits were not passed over.
  return failed && ((failed.detail as { readonly because?: Failure }).because ?? 'provider')
}

export interface Rung {
  /** Names the question: another one begins anew. */
  readonly rung: string
  readonly engine: string
  readonly fields: readonly string[]
  /** The failures that the run can do without an answer. */
  readonly mayFail: readonly Failure[]
}

/** What a model of a path said, or why it said nothing. */
export type RungAnswer<T> =
  | { readonly answer: T; readonly failure?: undefined }
  | { readonly answer?: undefined; readonly failure: Failure }

/** Asks a model of a path these fields. Throws failures that the run cannot do with. */
export async function askRung<T>(
  parts: RecordParts,
  run: Run,
  { rung, engine, fields, mayFail }: Rung,
  ask: () => Promise<T>,
): Promise<RungAnswer<T>> {
  const note = async (name: string, detail: { readonly [name: string]: Json }): Promise<void> => {
    const startedAt = parts.clock.now()
    await record(parts, run, { kind: 'tool', name, detail, result: null, costMicros: 0, startedAt, isLate: true })
  }
  const known = failureOf(run.transcript, rung)
  if (known) return { failure: known }
  if (!run.transcript.some((step) => rungOf(step) === rung)) await note(rungStep, { rung, engine, fields: [...fields] })
  run.rung = rung
  try {
    // What time allows is left to what the answer needs.
    return { answer: await (mayFail.includes('limit') ? inHalfTheTime(run, ask) : ask()) }
  } catch (error) {
    const recorded = error instanceof ReplayDiverged ? failureOf(recordedBy(run), rung) : undefined
    const because = recorded ?? failureIn(error)
    if (!because || !(recorded || mayFail.includes(because))) throw error
    await note(failedStep, { rung, engine, because })
    return { failure: because }
  } finally {
    run.rung = null
  }
}

function failureIn(error: unknown): Failure | undefined {
  if (error instanceof OutOfTime || error instanceof BudgetSpent) return 'limit'
  if (!(error instanceof Fault)) return undefined
  return error.code === 'max_steps' ? 'limit' : error.code.startsWith('provider_') ? 'provider' : undefined
}
