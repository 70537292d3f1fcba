import type { Sql } from '../../adapters/db/db.ts'
import { lowerBound, upperBound } from '../../core/confidence-sequence.ts'
import type { Micros } from '../../core/money.ts'
import { requestedPath } from '../cheapest-path/cheapest-path.ts'
import type { ExecutionRequest } from '../executions/executions.ts'
import type { Ladder } from '../models/models.ts'
import { type CostRange, type PricedEngine, rangeByPrices, rangeOf } from './estimate.ts'
import { type PastPath, recentPaths } from './recent-costs.ts'

/** A share with its bounds, which hold with 95 %. */
interface Share {
  readonly low: number
  readonly expected: number
  readonly high: number
}

/** What the cheapest path would cost, and how often each engine would be asked. */
export interface PathEstimate {
  /** Past executions of the path that it is based on. */
  readonly executions: number
  /** What the cost rests on: these; past executions of the agent, whose tokens are taken at the prices of the path's models; or only prices. */
  readonly by: 'path' | 'agent' | 'prices'
  readonly cost: CostRange
  /** The share of executions in which an engine is asked. */
  readonly asked: Readonly<Record<string, Share>>
  /** The share of fields that an engine answers; empty without past executions. */
  readonly fields: Readonly<Record<string, number>>
}

/** The estimate of a request on the cheapest path; undefined: it takes none. `agent`: what its engine alone cost in the past, if that is known. */
export async function estimatePath(
  sql: Sql,
  of: {
    workspaceId: string
    request: ExecutionRequest
    ladder: Ladder | null
    toolPrice: (name: string) => Micros
    agent: { readonly engine: PricedEngine; readonly cost: CostRange | undefined }
  },
): Promise<PathEstimate | undefined> {
  const { workspaceId, request, ladder, toolPrice, agent } = of
  const asked = request.path && ladder ? requestedPath(request, ladder) : undefined
  if (!asked || !ladder) return undefined
  const past = await recentPaths(sql, { workspaceId, key: asked.key })
  const models = [ladder.small, ladder.large].filter((one) => one !== null)
  const engines = ['embedded', ...models.map(({ name }) => name)]
  const isKnown = agent.cost !== undefined && agent.engine.kind === 'model'
  return {
    executions: past.length,
    by: past.length > 0 ? 'path' : isKnown ? 'agent' : 'prices',
    cost: rangeOf(past.map(({ micros }) => micros)) ?? byPrices(),
    asked: Object.fromEntries(engines.map((engine) => [engine, shareAsked(past, engine)])),
    fields: sharesOfFields(past),
  }

  /** At first the small model learns and the large one answers; at best the rules answer all. */
  function byPrices(): CostRange {
    const ofModels = models.map((engine) => rangeByPrices(request, engine, toolPrice))
    // What the agent cost, against what its prices say, corrects the assumed number of tokens.
    const assumed = isKnown ? rangeByPrices(request, agent.engine, toolPrice) : undefined
    const sum = (level: 'expected' | 'high'): Micros => {
      const total = ofModels.reduce((sum, range) => sum + range[level], 0)
      return assumed && agent.cost && assumed[level] > 0
        ? Math.ceil((total * agent.cost[level]) / assumed[level])
        : total
    }
    const [expected, high] = [sum('expected'), sum('high')]
    const { low } = rangeByPrices(request, { kind: 'embedded' }, toolPrice)
    return { low: Math.min(low, expected), expected, high: Math.max(expected, high) }
  }
}

/** Of no executions: nothing is known, and all engines may be asked. */
function shareAsked(past: readonly PastPath[], engine: string): Share {
  const sample = { k: past.filter(({ path }) => path.engines[engine] !== undefined).length, n: past.length }
  if (sample.n === 0) return { low: 0, expected: 1, high: 1 }
  return { low: lowerBound(sample), expected: sample.k / sample.n, high: upperBound(sample) }
}

function sharesOfFields(past: readonly PastPath[]): Record<string, number> {
  const by = past.flatMap(({ path }) => Object.values(path.fields))
  const counts = new Map<string, number>()
  for (const one of by) counts.set(one, (counts.get(one) ?? 0) + 1)
  return Object.fromEntries([...counts].map(([engine, count]) => [engine, count / by.length]))
}
