// Executions per second with one, two and four workers and a model that takes 200 ms: the gain of another machine.
// Prints JSON.
// `node bench/scale.ts [--executions 400] [--slots 8]`
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/core/src/clock.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { openCluster } from '../test/support/cluster.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { configurationOf } from './measure.ts'

const { values } = parseArgs({
  options: { executions: { type: 'string', default: '400' }, slots: { type: 'string', default: '8' } },
})
const executions = Number(values.executions)
const modelMs = 200
const workerCounts = [1, 2, 4]

const folder = await mkdtemp(join(tmpdir(), 'skillrun-scale-'))
const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
const model = await startMockModel({ script: () => ({ text: '"done"' }), delayMs: modelMs })
const config = join(folder, 'config.json')
await writeFile(config, JSON.stringify(configurationOf(model.baseUrl, { model: { takes: ['text'] } })))
const env = { SKILLRUN_CONFIG: config, SKILLRUN_SLOTS: `standard=${values.slots}` }
const db = await connect({ address: database.address, clock: systemClock, log: silentLog, connectionsMax: 1 })
try {
  const perSecond: number[] = []
  for (const workers of workerCounts) perSecond.push(await throughput(workers))
  const [one = 1] = perSecond
  console.log(
    JSON.stringify({
      model_ms: modelMs,
      slots_per_worker: Number(values.slots),
      per_second: Object.fromEntries(workerCounts.map((count, index) => [count, Math.round(perSecond[index] ?? 0)])),
      ratio: Object.fromEntries(
        workerCounts.map((count, index) => [count, Number(((perSecond[index] ?? 0) / one).toFixed(2))]),
      ),
    }),
  )
} finally {
  await model[Symbol.asyncDispose]()
  await db.close()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Executions per second from the first start to the last end; all are accepted before the workers start. */
async function throughput(workers: number): Promise<number> {
  await using cluster = await openCluster(database.address, env)
  const api = await cluster.start('api')
  const since = new Date()
  for (let count = 0; count < executions * workers; count += 1) {
    const response = await fetch(`${api.url}/v1/agent/execute`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ config: { prompt: 'Say done' } }),
    })
    if (response.status !== 201) throw new Error(`a submission was answered ${response.status}`)
    await response.arrayBuffer()
  }
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
