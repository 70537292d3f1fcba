// Executions per second with one, two and four workers and a model that takes 200 ms: the gain of another machine.
// Prints JSON.
// `node bench/scale.ts [--executions 400] [--slots 8]`
import { setTimeout as pause } from 'node:timers/promises'
import { openCluster } from '../test/support/cluster.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { configurationOf } from './measure.ts'
import { optionsOf } from './options.ts'
import { callerOf, openPlace } from './place.ts'

const { executions, slots } = optionsOf({ executions: 400, slots: 8 })
const modelMs = 200
const workerCounts = [1, 2, 4]

await using place = await openPlace('scale')
await using model = await startMockModel({ script: () => ({ text: '"done"' }), delayMs: modelMs })
const env = {
  SKILLRUN_CONFIG: await place.configured(configurationOf(model.baseUrl, { model: { takes: ['text'] } })),
  SKILLRUN_SLOTS: `standard=${slots}`,
  // The servers share the database but not their data folders, which would each have another key.
  SKILLRUN_SECRET_KEY: Buffer.alloc(32, 'k').toString('base64'),
}
const db = await place.connect()
const perSecond: number[] = []
for (const workers of workerCounts) perSecond.push(await throughput(workers))
const [one = 1] = perSecond
console.log(
  JSON.stringify({
    model_ms: modelMs,
    slots_per_worker: slots,
    per_second: Object.fromEntries(workerCounts.map((count, index) => [count, Math.round(perSecond[index] ?? 0)])),
    ratio: Object.fromEntries(
      workerCounts.map((count, index) => [count, Number(((perSecond[index] ?? 0) / one).toFixed(2))]),
    ),
  }),
)
/** Executions per second from the first start to the last end; all are accepted before the workers start. */
async function throughput(workers: number): Promise<number> {
  await using cluster = await openCluster(place.database.address, env)
  const api = await cluster.start('api')
  const call = callerOf(api.url, cluster.key)
  const since = new Date()
  for (let count = 0; count < executions * workers; count += 1)
    await call('POST', '/v1/agent/execute', { config: { prompt: 'Say done' } })
  await Promise.all(Array.from({ length: workers }, () => cluster.start('worker')))
  for (;;) {
    const [row] = await db.query<{ left: number; seconds: number }>(
      `select count(*) filter (where status in ('enqueued', 'running'))::integer as left,
         extract(epoch from max(completed_at) - min(started_at))::float8 as seconds from executions where created_at >= $1`,
      [since],
    )
    if (row?.left === 0) return (executions * workers) / row.seconds
    await pause(200)
  }
}
