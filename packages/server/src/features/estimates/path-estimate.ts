import type { Sql } from '../../adapters/db/db.ts'
import { lowerBound, upperBound } from '../../core/confidence-sequence.ts'
import type { Micros } from '../../core/money.ts'
import { requestedPath } from '../cheapest-path/cheapest-path.ts'
import type { ExecutionRequest } from '../executions/executions.ts'
import type { Ladder } from '../models/models.ts'
import { type CostRange, rangeByPrices, rangeOf } from './estimate.ts'
import { type PastPath, recentPaths } from './recent-costs.ts'

/** A share with its bounds, which hold with 95 %. */
interface Share {
  readonly low: number
  readonly expected: number
  readonly high: number
}

/** What the cheapest path would cost, and how often each engine would be asked. */
export interface PathEstimate {
  /** Past executions that it is based on. */
  readonly executions: number
  readonly cost: CostRange
  /** The share of executions in which an engine is asked. */
  readonly asked: Readonly<Record<string, Share>>
  /** The share of fields that an engine answers; empty without past executions. */
  readonly fields: Readonly<Record<string, number>>
}

/** The estimate of a request on the cheapest path; undefined: it takes none. */
export async function estimatePath(
  sql: Sql,
  of: { workspaceId: string; request: ExecutionRequest; ladder: Ladder | null; toolPrice: (name: string) => Micros },
): Promise<PathEstimate | undefined> {
  const { workspaceId, request, ladder, toolPrice } = of
  const asked = request.path && ladder ? requestedPath(request, ladder) : undefined
  if (!asked || !ladder) return undefined
  const past = await recentPaths(sql, { workspaceId, key: asked.key })
  const models = [ladder.small, ladder.large].filter((one) => one !== null)
  const engines = ['embedded', ...models.map(({ name }) => name)]
  return {
    executions: past.length,
    cost: rangeOf(past.map(({ micros }) => micros)) ?? byPrices(),
    asked: Object.fromEntries(engines.map((engine) => [engine, shareAsked(past, engine)])),
    fields: sharesOfFields(past),
  }

  /** At first the small model learns and the large one answers; at best the rules answer all. */
  function byPrices(): CostRange {
    const ofModels = models.map((engine) => rangeByPrices(request, engine, toolPrice))
    const sum = (level: keyof CostRange) => ofModels.reduce((total, range) => total + range[level], 0)
    return {
      low: rangeByPrices(request, { kind: 'embedded' }, toolPrice).low,
      expected: sum('expected'),
      high: sum('high'),
    }
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
