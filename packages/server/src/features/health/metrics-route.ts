import { statfs } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { type Route, route } from '../../adapters/http/route.ts'
import type { Queue } from '../../adapters/queue/queue.ts'
import type { Telemetry } from '../../adapters/telemetry/telemetry.ts'

export interface MetricsParts {
  readonly telemetry: Telemetry
  readonly queue: Pick<Queue, 'waiting' | 'oldestSeconds'>
  /** Topics of the queue by metric name. */
  readonly topics: Readonly<Record<string, string>>
  /** A folder in the data folder. */
  readonly folder: string
  /** Whether this is the operator's workspace: the figures cover all workspaces. */
  readonly isFirstWorkspace: (db: Sql, workspaceId: string) => Promise<boolean>
}

/** No more waiting jobs are looked at. */
const countedMax = 1_000_000

/** Metrics for the operator's monitoring. */
export function metricsRoutes({ telemetry, queue, topics, folder, isFirstWorkspace }: MetricsParts): Route[] {
  return [
    route({
      method: 'get',
      path: '/metrics',
      operation: 'getMetrics',
      tag: 'health',
      scope: 'admin',
      summary: 'Metrics of this process and of the queues, for Prometheus; only for admins of the first workspace',
      reply: { status: 200, description: 'Prometheus text format', contentType: 'text/plain' },
      handle: async ({ db, caller }) => {
        if (!(await isFirstWorkspace(db, caller.workspaceId)))
          throw new Fault(
            'forbidden',
            'not_first_workspace',
            'Only an admin of the first workspace may read the metrics',
          )
        const byQueue = async (figureOf: (topic: string, most: number) => Promise<number>) =>
          Object.fromEntries(
            await Promise.all(
              Object.entries(topics).map(async ([name, topic]) => [name, await figureOf(topic, countedMax)] as const),
            ),
          )
        const disk = await statfs(folder)
        const text = await telemetry.metrics({
          jobs_waiting: { label: 'queue', values: await byQueue(queue.waiting) },
          oldest_job_seconds: { label: 'queue', values: await byQueue(queue.oldestSeconds) },
          disk_free_bytes: { label: 'folder', values: { data: disk.bavail * disk.bsize } },
          disk_bytes: { label: 'folder', values: { data: disk.blocks * disk.bsize } },
        })
        return {
          stream: Readable.from([text]),
          headers: { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8', 'Cache-Control': 'no-store' },
        }
      },
    }),
  ]
}
