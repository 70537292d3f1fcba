import type { Json } from '@skillrun/core/json.ts'
import type { Step } from '../../executions/executions.ts'
import type { RecordParts } from '../parts.ts'
import type { Run } from '../run-state.ts'
import { record } from '../transcript.ts'

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

/** Asks a model of a path these fields. `rung` names its question: another one begins anew. */
export async function askRung<T>(
  parts: RecordParts,
  run: Run,
  { rung, engine, fields }: { rung: string; engine: string; fields: readonly string[] },
  ask: () => Promise<T>,
): Promise<T> {
  if (!run.transcript.some((step) => rungOf(step) === rung)) {
    const detail = { rung, engine, fields: [...fields] }
    const startedAt = parts.clock.now()
    await record(parts, run, {
      kind: 'tool',
      name: rungStep,
      detail,
      result: null,
      costMicros: 0,
      startedAt,
      isLate: true,
    })
  }
  run.rung = rung
  try {
    return await ask()
  } finally {
    run.rung = null
  }
}
