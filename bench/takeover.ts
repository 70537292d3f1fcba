// How long a run is stalled when its worker is killed: kills a worker in the middle of its runs repeatedly, and
// measures until another worker has taken over each run. Prints JSON. `node bench/takeover.ts [--kills 20] [--runs 8]`
import { setTimeout as pause } from 'node:timers/promises'
import { limits } from '../packages/server/src/core/limits.ts'
import { openCluster } from '../test/support/cluster.ts'
import { openHeldSource } from '../test/support/held-source.ts'
import { optionsOf } from './options.ts'
import { callerOf, openPlace } from './place.ts'

const { kills, runs } = optionsOf({ kills: 20, runs: 8 })

await using place = await openPlace('takeover')
await using source = await openHeldSource('Invoice No: INV-1\nTotal: 5.00\n')
await using cluster = await openCluster(place.database.address, {
  SKILLRUN_ALLOW_PRIVATE: source.host,
  SKILLRUN_SLOTS: `standard=${runs}`,
})
const api = await cluster.start('api')
const call = callerOf(api.url, cluster.key)
const waitsMs: number[] = []
for (let kill = 0; kill < kills; kill++) {
  const victim = await cluster.start('worker')
  const names = Array.from({ length: runs }, (_, index) => `${kill}-${index}`)
  for (const name of names)
    await call('POST', '/v1/agent/execute', {
      inputs: { file: source.url(name) },
      config: { prompt: 'Extract the total' },
    })
  await Promise.all(names.map((name) => source.asked(name)))
  const heir = await cluster.start('worker')
  // At a random moment between two heartbeats.
  await pause(Math.random() * limits.heartbeatMs)
  const fromMs = performance.now()
  const dying = victim.kill()
  await Promise.all(
    names.map(async (name) => {
      await source.asked(name, 2)
      waitsMs.push(performance.now() - fromMs)
    }),
  )
  await dying
  for (const name of names) source.letGo(name)
  await heir.kill()
  process.stderr.write(`${kill + 1} of ${kills}\n`)
}
waitsMs.sort((left, right) => left - right)
const at = (part: number) => Math.round(waitsMs[Math.min(waitsMs.length - 1, Math.floor(part * waitsMs.length))] ?? 0)
const { heartbeatMs, leaseMs, sweepMs } = limits
console.log(
  JSON.stringify({
    kills,
    runs: waitsMs.length,
    p50_ms: at(0.5),
    p99_ms: at(0.99),
    max_ms: at(1),
    heartbeatMs,
    leaseMs,
    sweepMs,
  }),
)
