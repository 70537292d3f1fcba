import { z } from 'zod'
import type { Sql } from '../../adapters/db/db.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import { queueFigures, topicOf } from '../executions/executions.ts'
import { type Tier, tiers } from '../pricing/pricing.ts'
import { listPresent } from '../processes/processes.ts'

interface QueuesParts {
  /** Sees every workspace. */
  readonly everywhere: Sql
  readonly queue: Pick<Queue, 'waiting'>
  /** Whether this is the operator's workspace, which sees the processes and the work of all workspaces. */
  readonly isFirstWorkspace: (db: Sql, workspaceId: string) => Promise<boolean>
}

/** Counts of waiting jobs stop here. */
const countedMax = 1_000_000

const tier = z.enum(tiers)
const slots = z.record(tier, z.int()).nullable()

const queues = z
  .object({
    tiers: z.array(
      z.object({
        tier,
        slots: z.int().describe('Executions of this tier that all workers together can run at the same time'),
        pending: z.int().describe('Executions of this workspace that wait for their inputs'),
        waiting: z.int().describe('Executions of this workspace that wait for a slot'),
        running: z.int(),
        paused: z.int(),
        stalled: z.int().describe('Running in a process that is gone; another worker takes them over'),
        retried: z.int().describe('Open executions that lost a worker before'),
        oldest_waiting_at: z.iso.datetime().nullable(),
        jobs_waiting: z.int().nullable().describe('Waiting jobs of all workspaces; null outside the first workspace'),
      }),
    ),
    workers: z
      .array(
        z.object({
          id: z.string(),
          host: z.string(),
          pid: z.int(),
          started_at: z.iso.datetime(),
          slots: slots.describe('Executions that this process can run at the same time; null: it runs none'),
        }),
      )
      .nullable()
      .describe('Processes that share the database; null outside the first workspace'),
  })
  .meta({ id: 'Queues' })

/** Waiting and running work by tier, and the processes that do it. */
export function queuesRoutes({ everywhere, queue, isFirstWorkspace }: QueuesParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/queues',
      operation: 'getQueues',
      tag: 'health',
      scope: 'admin',
      summary: 'Get what waits, runs and stalls in this workspace by tier, and the workers with their slots',
      reply: { status: 200, description: 'Queues and workers', schema: queues },
      handle: async ({ db, caller }) => {
        const { workspaceId } = caller
        const isOperator = await isFirstWorkspace(db, workspaceId)
        const processes = (await listPresent(everywhere)).map(({ settings, ...one }) => ({
          ...one,
          slots: slots.parse((settings as { slots?: unknown }).slots ?? null),
        }))
        const figures = await queueFigures(db, { workspaceId, processIds: processes.map(({ id }) => id) })
        const slotsOf = (tier: Tier) => processes.reduce((sum, one) => sum + (one.slots?.[tier] ?? 0), 0)
        return {
          json: {
            tiers: await Promise.all(
              tiers.map(async (tier) => {
                const found = figures.find((one) => one.tier === tier)
                return {
                  tier,
                  slots: slotsOf(tier),
                  pending: found?.pending ?? 0,
                  waiting: found?.waiting ?? 0,
                  running: found?.running ?? 0,
                  paused: found?.paused ?? 0,
                  stalled: found?.stalled ?? 0,
                  retried: found?.retried ?? 0,
                  oldest_waiting_at: found?.oldestWaitingAt?.toISOString() ?? null,
                  jobs_waiting: isOperator ? await queue.waiting(topicOf[tier], countedMax) : null,
                }
              }),
            ),
            workers: isOperator
              ? processes.map(({ id, host, pid, since, slots }) => ({
                  id,
                  host,
                  pid,
                  started_at: since.toISOString(),
                  slots,
                }))
              : null,
          },
        }
      },
    }),
  ]
}
