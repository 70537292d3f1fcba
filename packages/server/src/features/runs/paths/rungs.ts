import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import type { Step } from '../../executions/executions.ts'
import type { RecordParts } from '../parts.ts'
import { ReplayDiverged, type Run } from '../run-state.ts'
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

/** The step that says that a model of the path could not be asked: a replay and a run after a crash do without it too. */
const failedStep = 'path.failed'

const hasFailed = (steps: readonly Step[], rung: string): boolean =>
  steps.some(({ name, detail }) => name === failedStep && (detail as { readonly rung?: Json }).rung === rung)

interface Rung {
  /** Names the question: another one begins anew. */
  readonly rung: string
  readonly engine: string
  readonly fields: readonly string[]
  /** Whether the run can do without an answer. */
  readonly mayFail: boolean
}

/** Asks a model of a path these fields. Undefined: its provider failed, and the run can do without it. */
export async function askRung<T>(
  parts: RecordParts,
  run: Run,
  { rung, engine, fields, mayFail }: Rung,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  const note = async (name: string, detail: { readonly [name: string]: Json }): Promise<void> => {
    const startedAt = parts.clock.now()
    await record(parts, run, { kind: 'tool', name, detail, result: null, costMicros: 0, startedAt, isLate: true })
  }
  if (hasFailed(run.transcript, rung)) return undefined
  if (!run.transcript.some((step) => rungOf(step) === rung)) await note(rungStep, { rung, engine, fields: [...fields] })
  run.rung = rung
  try {
    return await ask()
  } catch (error) {
    const isRecorded = error instanceof ReplayDiverged && hasFailed(recordedBy(run), rung)
    const isProvider = error instanceof Fault && error.code.startsWith('provider_')
    if (!isRecorded && !(mayFail && isProvider)) throw error
    await note(failedStep, { rung, engine })
    return undefined
  } finally {
    run.rung = null
  }
}
