import type { Clock } from '@skillrun/core/clock.ts'
import { z } from 'zod'
import { moment } from '../../adapters/http/query.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { dollarsOf } from '../../core/money.ts'
import { type Dimension, dimensions, sumUsage, type UsageRow } from './store.ts'

/** The default period. */
const defaultDays = 30
const dayMs = 86_400_000

const figures = {
  executions: z.int(),
  cost_dollars: z.number(),
  standard_cost_dollars: z.number(),
  savings_dollars: z.number(),
  credits_used: z.int(),
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  output_tokens: z.int(),
  steps: z.int(),
  latency_p50_ms: z.int().nullable().describe('Median time from creation to completion, of completed executions'),
  latency_p95_ms: z.int().nullable(),
}
const usageSchema = z
  .object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    total: z.object(figures),
    groups: z.array(z.object({ key: z.string().describe('Multiple dimensions are separated by commas'), ...figures })),
  })
  .meta({ id: 'Usage' })

const time = moment({ dates: true })
const query = z.object({
  from: time.optional().describe(`Default: ${defaultDays} days before to`),
  to: time.optional().describe('Default: now'),
  group_by: z
    .string()
    .max(100)
    .optional()
    .describe(`One or more of ${dimensions.join(', ')}, separated by commas`),
})

const figuresOf = (row: UsageRow) => ({
  executions: row.executions,
  cost_dollars: dollarsOf(row.costMicros),
  standard_cost_dollars: dollarsOf(row.standardMicros),
  savings_dollars: dollarsOf(row.savingsMicros),
  credits_used: row.credits,
  input_tokens: row.inputTokens,
  cached_input_tokens: row.cachedInputTokens,
  output_tokens: row.outputTokens,
  steps: row.steps,
  latency_p50_ms: row.latencyMedianMs,
  latency_p95_ms: row.latencyP95Ms,
})

/** Usage and cost of a workspace, in total and by groups. */
export function usageRoutes(parts: { clock: Clock }): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/usage',
      operation: 'getUsage',
      tag: 'usage',
      scope: 'read',
      summary: 'Get usage and cost of this workspace, in total and by group',
      query,
      reply: { status: 200, description: 'The figures', schema: usageSchema },
      handle: async ({ db, caller, query: asked }) => {
        const to = asked.to ?? parts.clock.now()
        const from = asked.from ?? new Date(to.getTime() - defaultDays * dayMs)
        if (from > to) throw invalid(['query', 'from'], 'Input should not be after to', { input: from.toISOString() })
        const span = { workspaceId: caller.workspaceId, from, to }
        const groupBy = parseDimensions(asked.group_by)
        const [total] = await sumUsage(db, { ...span, groupBy: [] })
        const groups = groupBy.length ? await sumUsage(db, { ...span, groupBy }) : []
        return {
          json: {
            from: from.toISOString(),
            to: to.toISOString(),
            total: figuresOf(total as UsageRow),
            groups: groups.map((row) => ({ key: row.key.join(','), ...figuresOf(row) })),
          },
        }
      },
    }),
  ]
}

function parseDimensions(text: string | undefined): Dimension[] {
  return (text ?? '')
    .split(',')
    .filter(Boolean)
    .map((name) => {
      const known = dimensions.find((dimension) => dimension === name.trim())
      if (!known)
        throw invalid(['query', 'group_by'], `Input should be one or more of ${dimensions.join(', ')}`, {
          type: 'enum',
          input: name,
          ctx: { expected: dimensions.join(', ') },
        })
      return known
    })
}
