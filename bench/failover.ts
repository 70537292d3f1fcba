// Kills a primary PostgreSQL under load, promotes its standby, and counts: accepted executions that are missing or have
// not ended (lost), executions that ended or were recorded more than once (doubled), and the time from the kill until a
// request is accepted again. Uses PostgreSQL as the system has it (Debian: apt-get install postgresql). Prints JSON; exits
// with 1 when something was lost, doubled or wrong.
//
// `node bench/failover.ts [--executions 2000] [--asynchronous] [--detached]`
//
// asynchronous: the primary does not wait for the standby, which promises less: a loss is then possible and no failure.
// detached: the standby follows only until the load begins. What is accepted until the kill is lost, which the counts have to show.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { openCluster } from '../test/support/cluster.ts'
import { startCountedModel } from './chaos/calls.ts'
import { countRows, waitUntilSettled } from './chaos/count.ts'
import { openLine } from './chaos/line.ts'
import { bodyOf, configurationOf, isAccepted } from './chaos/requests.ts'
import { findSystemPostgres, startPrimary } from './chaos/system-postgres.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'

const { executions, asynchronous, detached } = optionsOf({ executions: 2000, asynchronous: false, detached: false })
const clientsCount = 8
const settleMs = 240_000
const ports = { primary: 5432, standby: 5433 }

await using undo = new AsyncDisposableStack()
const { path: folder } = undo.use(await openFolder('failover'))
const postgres = await openPostgres(folder)
undo.defer(() => postgres.stop())

const address = { host: folder, port: ports.primary }
const line = undo.use(await openLine(address))
const model = undo.use(await startCountedModel({ seed: 1, long: 0 }))
const config = join(folder, 'configuration.json')
await writeFile(config, JSON.stringify(configurationOf(model.baseUrl)))
const DATABASE_URL = `postgres://skillrun:secret@127.0.0.1:${line.port}/skillrun`
const cluster = undo.use(
  await openCluster(
    { host: folder, port: line.port, user: 'skillrun', password: 'secret', database: 'skillrun' },
    { DATABASE_URL, SKILLRUN_SLOTS: 'standard=4', SKILLRUN_CONFIG: config },
  ),
)
const apis = [await cluster.start('api'), await cluster.start('api')]
await Promise.all([cluster.start('worker'), cluster.start('worker')])
if (detached) await postgres.detach()

/** Bytes of the log and of the database so far. */
const written = async (port: number) => {
  const text = `select pg_current_wal_lsn() - '0/0', pg_database_size('skillrun')`
  const [wal = 0, size = 0] = (await postgres.query(port, text)).split('|').map(Number)
  return { wal, size }
}
const before = await written(ports.primary)
const accepted: string[] = []
let acceptedMs: number[] = []
let begun = 0
const submitted = Promise.all(Array.from({ length: clientsCount }, () => submit()))
while (accepted.length < executions / 2) await pause(20)
acceptedMs = []
const killedMs = performance.now()
await postgres.kill()
line.cut()
await postgres.promote()
const promotedMs = performance.now()
address.port = ports.standby
line.restore()
await submitted
const database = await connect({
  address: { url: DATABASE_URL },
  clock: systemClock,
  log: silentLog,
  connectionsMax: 2,
})
undo.defer(() => database.close())
const settled_ms = await waitUntilSettled(database, settleMs)
const after = await written(ports.standby)
const each = (name: keyof typeof after) => Math.round((after[name] - before[name]) / accepted.length)
const { lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained, taken_over } = await countRows(
  database,
  accepted,
  new Set(),
)
console.log(
  JSON.stringify({
    synchronous: !asynchronous,
    accepted: accepted.length,
    written_by_each: { wal_bytes: each('wal'), database_bytes: each('size') },
    ...{ lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained, taken_over },
    promoted_ms: Math.round(promotedMs - killedMs),
    write_again_ms: Math.round((acceptedMs.find((ms) => ms > promotedMs) ?? Number.NaN) - killedMs),
    settled_ms,
  }),
)
const mistakes = [doubled, wrong, misbooked, Math.abs(ledger_difference), asynchronous ? 0 : lost]
process.exitCode = mistakes.some((count) => count > 0) ? 1 : 0

/** Calls until all are accepted. An unanswered call is repeated with the same id, as a client would. */
async function submit(): Promise<void> {
  while (begun < executions) {
    const order = ++begun
    const id = newId(new Date())
    const url = apis[order % apis.length]?.url ?? ''
    while (!(await isAccepted(url, bodyOf(id, order, {})))) await pause(20)
    accepted.push(id)
    acceptedMs.push(performance.now())
  }
}

/** A primary with a standby that follows it by streaming replication. */
async function openPostgres(place: string) {
  const system = findSystemPostgres(place)
  await startPrimary(system, ports.primary)
  const standby = await system.makeFolder('standby')
  const from = `host=${place} port=${ports.primary} user=postgres application_name=standby`
  await system.run('pg_basebackup', ['-D', standby, '-d', from, '-R', '-C', '-S', 'standby', '-c', 'fast'])
  await system.start('standby', ports.standby)
  const set = async (port: number, name: string, value: string) => {
    await system.query(port, `alter system set ${name} = '${value}'`)
    await system.query(port, 'select pg_reload_conf()')
  }
  if (!asynchronous) {
    // Only the primary's: the promoted standby has nobody to wait for.
    await set(ports.primary, 'synchronous_standby_names', 'standby')
    const text = `select count(*) from pg_stat_replication where sync_state = 'sync'`
    while ((await system.query(ports.primary, text)) !== '1') await pause(50)
  }
  return {
    query: system.query,
    async detach() {
      await set(ports.primary, 'synchronous_standby_names', '')
      await set(ports.standby, 'primary_conninfo', '')
      while ((await system.query(ports.primary, 'select count(*) from pg_stat_replication')) !== '0') await pause(50)
    },
    async kill() {
      const [pid] = (await readFile(join(system.folderOf('primary'), 'postmaster.pid'), 'utf8')).split('\n')
      process.kill(Number(pid), 'SIGKILL')
    },
    promote: () => system.run('pg_ctl', ['promote', '-w', '-D', standby]),
    stop: () => system.stop('standby', 'immediate'),
  }
}
