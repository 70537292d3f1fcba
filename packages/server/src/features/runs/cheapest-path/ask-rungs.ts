import { Fault } from '@skillrun/core/fault.ts'
import { isJsonObject, type JsonSchema } from '@skillrun/core/json.ts'
import type { EmbeddedAnswer } from '../../../agent/embedded/answer.ts'
import { onlyFields } from '../../../agent/programs/separate-fields.ts'
import type { Plan } from '../../cheapest-path/cheapest-path.ts'
import type { Ladder } from '../../models/models.ts'
import type { ModelAnswer } from '../answer-of-ending.ts'
import type { EngineParts, ModelEngine } from '../parts.ts'
import { type Run, withRequest } from '../run-state.ts'
import { askRung, type Rung, type RungAnswer } from './rungs.ts'

/** What a path asks: the rules, and a model, each as if the request of the run had been made. */
export interface Rungs {
  readonly rules: () => Promise<EmbeddedAnswer>
  /** `learns`: the answer is only compared with another. */
  readonly model: (engine: ModelEngine, learns: boolean) => Promise<ModelAnswer>
}

/** One way up the path: the plan, and what it asks. */
export interface Climb {
  readonly ladder: Ladder
  readonly rungs: Rungs
  readonly plan: Plan
  readonly fields: readonly string[]
  readonly schema: JsonSchema
}

/** The rules' answer; undefined: the request is not for them. */
export async function askRules(run: Run, { rungs, plan }: Climb): Promise<EmbeddedAnswer | undefined> {
  const { request } = run.execution
  try {
    const asked = { ...request, grounded: false, maxWrongRate: plan.maxWrongRate }
    return await withRequest(run, asked, rungs.rules)
  } catch (error) {
    if (error instanceof Fault && error.code === 'needs_model') return undefined
    throw error
  }
}

/** The result of asking the small model. */
export interface SmallAnswer {
  /** Undefined: it gave none, so the large model is asked. */
  readonly answer?: ModelAnswer | undefined
  /** Null: it was not asked, or a limit stopped it. */
  readonly hasFailed: boolean | null
}

export const unasked: SmallAnswer = { hasFailed: null }

/** Asks the small model these fields. `learns`: its answer is only compared with that of the large model. */
export async function askSmall(
  parts: EngineParts,
  run: Run,
  of: Climb,
  { fields, learns }: { readonly fields: readonly string[]; readonly learns: boolean },
): Promise<SmallAnswer> {
  const { small } = of.ladder
  if (small === null) return unasked
  const warned = run.warnings.length
  try {
    const mayFail = ['provider', 'limit'] as const
    const { answer, failure } = await askModel(parts, run, {
      ...of,
      rung: 'small',
      engine: small,
      fields,
      mayFail,
      learns,
    })
    if (failure === 'limit') return unasked
    const isValid = answer?.error === null && isJsonObject(answer.response)
    return { answer: isValid ? answer : undefined, hasFailed: !isValid }
  } finally {
    // They may be about values that the large model replaces.
    run.warnings.splice(warned)
  }
}

/** The large model's answer to the fields that are left, or to all if they are checked. Undefined: there was nothing to ask. */
export async function askLarge(
  parts: EngineParts,
  run: Run,
  of: Climb,
  left: readonly string[],
): Promise<ModelAnswer | undefined> {
  const { plan, fields } = of
  if (left.length === 0 && !plan.isChecked) return undefined
  const asked = plan.isChecked ? fields : left
  // A check that cannot be made is left out.
  const mayFail = left.length === 0 ? (['provider', 'limit'] as const) : []
  const terms = { ...of, rung: 'large', engine: of.ladder.large, fields: asked, mayFail, learns: false }
  return (await askModel(parts, run, terms)).answer
}

function askModel(
  parts: EngineParts,
  run: Run,
  of: Climb & Pick<Rung, 'rung' | 'fields' | 'mayFail'> & { readonly engine: ModelEngine; readonly learns: boolean },
): Promise<RungAnswer<ModelAnswer>> {
  const { rungs, rung, engine, fields, schema, plan, mayFail, learns } = of
  const { request } = run.execution
  const asked = { ...request, schema: onlyFields(schema, fields), grounded: false, programAsked: false }
  const named = { rung: `${rung} ${plan.key}`, engine: engine.name, fields, mayFail }
  return askRung(parts, run, named, () =>
    withRequest(run, { ...asked, ...roomOf(run, of) }, () => rungs.model(engine, learns)),
  )
}

/** A small model whose answers may be given leaves the large one half of the steps. */
function roomOf(run: Run, { rung, learns }: { readonly rung: string; readonly learns: boolean }) {
  const { maxSteps } = run.execution.request
  if (rung !== 'small' || learns || typeof maxSteps !== 'number') return {}
  return { maxSteps: run.begun + Math.floor((maxSteps - run.begun) / 2) }
}
