import { createHmac } from 'node:crypto'
import type { Model, ModelRequest } from '../../adapters/models/model.ts'
import { withPlausibleUsage } from '../../agent/plausible-usage.ts'
import { retried, waitMs, withRetries } from '../../agent/with-retries.ts'
import type { Execution } from '../executions/executions.ts'
import type { ResolveParts } from '../inputs/inputs.ts'
import { isPriced } from '../models/models.ts'
import type { EngineParts, ModelEngine } from './parts.ts'

/** Waits between the calls for one turn, and their maximum sum. */
const retryBudget = { budgetMs: 90_000, firstWaitMs: 500 }

const retryTerms = ({ models, clock }: Pick<EngineParts, 'models' | 'clock'>) => ({
  ...retryBudget,
  attemptsMax: models.attemptsMax,
  clock,
  random: Math.random,
  wait: waitMs,
})

/** Makes the call of an embedding model, again after a failure that may pass. */
export const retriedCall = <T>(
  parts: Pick<EngineParts, 'models' | 'clock'>,
  signal: AbortSignal,
  call: () => Promise<T>,
): Promise<T> => retried(call, { ...retryTerms(parts), signal })

/** The model of an engine for runs: failed calls are retried, and its usage can be booked. */
export async function openModelOfRun(
  parts: Pick<EngineParts, 'models' | 'clock'>,
  engine: ModelEngine,
): Promise<Model> {
  const model = withPlausibleUsage(await parts.models.open(engine), { isPriced: isPriced(engine.facts.rates) })
  const terms = retryTerms(parts)
  return withRetries(model, terms, terms)
}

/** The tier of an execution for the provider: standard is the provider's default. */
export const tierOfProvider = ({ tier }: Pick<Execution, 'tier'>): Pick<ModelRequest, 'tier'> =>
  tier === 'standard' ? {} : { tier }

const scopesMax = 10_000
const scopes = new WeakMap<object, Map<string, string>>()

/** See `OpeningContents.scope`: a pseudonym of the workspace. */
export function scopeOf({ storage }: Pick<ResolveParts, 'storage'>, { workspaceId }: Execution): string {
  const known = scopes.get(storage) ?? new Map<string, string>()
  const scope =
    known.get(workspaceId) ??
    createHmac('sha256', storage.signingSecret).update(`scope of ${workspaceId}`).digest('hex').slice(0, 16)
  if (known.size >= scopesMax) known.clear()
  scopes.set(storage, known.set(workspaceId, scope))
  return scope
}

/** Announces each turn of the model before it begins. */
export const counted = (model: Model, onTurn: () => void): Model => ({
  name: model.name,
  async reply(request, signal, onText) {
    onTurn()
    return model.reply(request, signal, onText)
  },
})
