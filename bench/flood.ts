// The effect of a flood of flex executions on the priority tier: how soon priority executions start with and without
// the flood; how fast the flood is accepted; which share of the slots flex keeps while priority is busy; and that every
// execution ends exactly once. Prints JSON. `node bench/flood.ts [--flood 10000] [--probes 300]`
import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { openCluster } from '../test/support/cluster.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { configurationOf } from './measure.ts'
import { optionsOf } from './options.ts'
import { callerOf, openPlace } from './place.ts'

const { flood, probes } = optionsOf({ flood: 10_000, probes: 300 })
const slots = { priority: 4, standard: 8, flex: 4 }
const modelMs = 20
const submitters = 32
/** The pause between two probes, so that each finds its tier idle. */
const probePauseMs = 30

await using place = await openPlace('flood')
await using model = await startMockModel({ script: () => ({ text: '"done"' }), delayMs: modelMs })
const limits = { waiting_per_tier: 1_000_000, waiting_per_workspace: 1_000_000 }
await using cluster = await openCluster(place.database.address, {
  SKILLRUN_CONFIG: await place.configured(configurationOf(model.baseUrl, { model: { takes: ['text'] }, limits })),
  SKILLRUN_SLOTS: Object.entries(slots)
    .map(([tier, count]) => `${tier}=${count}`)
    .join(','),
})
const db = await place.connect()
console.log(JSON.stringify(await measure(), null, 2))

async function measure(): Promise<object> {
  const [api] = await Promise.all([cluster.start('api'), cluster.start('worker')])
  const call = callerOf(api.url, cluster.key)
  const submit = async (service_tier: string) =>
    (await call<{ id: string }>('POST', '/v1/agent/execute', { config: { prompt: 'Say done', service_tier } })).id
  await probe(submit, 30)
  const idle = await probe(submit, probes)
  const fromMs = performance.now()
  let left = flood
  await Promise.all(
    Array.from({ length: submitters }, async () => {
      while (left-- > 0) await submit('flex')
    }),
  )
  const submittedPerSecond = Math.round(flood / ((performance.now() - fromMs) / 1000))
  const flooded = await probe(submit, probes)
  const flexShare = await shareOfFlex(submit)
  await until(db, `select count(*)::integer as count from executions where status in ('enqueued', 'running')`)
  const [end] = await db.query<{ ended: number; completed: number; again: number }>(
    `select count(*)::integer as ended, count(*) filter (where status = 'completed')::integer as completed,
       count(*) filter (where attempt > 1)::integer as again from executions where tier = 'flex'`,
  )
  return {
    flood,
    submitted_per_second: submittedPerSecond,
    pick_up_ms: { idle, flooded, p99_bound: 2 * idle.p99 + 5 },
    flex_share_of_slots_while_priority_is_busy: flexShare,
    flex: { ...end, lost: flood - (end?.ended ?? 0) },
  }
}

/** Runs priority executions one after the other and measures how long each waited to start. */
async function probe(submit: (tier: string) => Promise<string>, count: number): Promise<{ p50: number; p99: number }> {
  const ids: string[] = []
  for (let done = 0; done < count; done += 1) {
    ids.push(await submit('priority'))
    await pause(probePauseMs + modelMs)
  }
  await until(
    db,
    `select count(*)::integer as count from executions where status in ('enqueued', 'running') and tier = 'priority'`,
  )
  const waits = await db.query<{ ms: number }>(
    `select (extract(epoch from started_at - created_at) * 1000)::float8 as ms from executions where id = any($1::uuid[]) order by 1`,
    [ids],
  )
  const at = (share: number) => Math.round(waits[Math.min(waits.length - 1, Math.floor(share * waits.length))]?.ms ?? 0)
  return { p50: at(0.5), p99: at(0.99) }
}

/** The share of all slots that flex executions hold while more priority executions wait than there are slots. */
async function shareOfFlex(submit: (tier: string) => Promise<string>): Promise<number> {
  let busy = true
  const pressing = Promise.all(
    Array.from({ length: slots.priority * 2 }, async () => {
      while (busy) await submit('priority')
    }),
  )
  let held = 0
  const looks = 50
  for (let look = 0; look < looks; look += 1) {
    await pause(40)
    const [now] = await db.query<{ count: number }>(
      `select count(*)::integer as count from executions where status = 'running' and tier = 'flex'`,
    )
    held += now?.count ?? 0
  }
  busy = false
  await pressing
  const all = slots.priority + slots.standard + slots.flex
  return Number((held / looks / all).toFixed(3))
}

async function until(sql: Db, question: string): Promise<void> {
  for (;;) {
    const [row] = await sql.query<{ count: number }>(question)
    if (row?.count === 0) return
    await pause(100)
  }
}
