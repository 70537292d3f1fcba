// Restores a database to a moment before an accident, by PostgreSQL's archive of its log: base backup, executions, the moment, more
// executions, an accident (all executions are deleted), recovery to the moment. Then the server has to answer every execution of
// before the moment as it was, and none of after it. Uses PostgreSQL as the system has it (Debian: apt-get install
// postgresql). Prints JSON; exits with 1 when a record is missing, differs or should not exist.
//
// `node bench/point-in-time.ts [--executions 20]`
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openCluster } from '../test/support/cluster.ts'
import { findSystemPostgres, startPrimary } from './chaos/system-postgres.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'

const { executions: count } = optionsOf({ executions: 20 })
const headers = { Authorization: 'Bearer the-key-of-the-cluster', 'Content-Type': 'application/json' }
/** The processes have data folders of their own. */
const env = { SKILLRUN_SECRET_KEY: randomBytes(32).toString('base64') }
const ports = { primary: 5432, recovered: 5433 }

await using undo = new AsyncDisposableStack()
const { path: folder } = undo.use(await openFolder('point-in-time'))
const postgres = findSystemPostgres(folder)
const to = ['-h', folder, '-p', String(ports.primary), '-U', 'postgres']
const archive = await postgres.makeFolder('archive')
await startPrimary(postgres, ports.primary, ['archive_mode=on', `archive_command=cp %p ${archive}/%f`])
const addressOf = (port: number) => ({ host: folder, port, user: 'skillrun', password: 'secret', database: 'skillrun' })

let kept: readonly Execution[]
let after: readonly Execution[]
let moment: string
{
  await using cluster = await openCluster(addressOf(ports.primary), env)
  const { url } = await cluster.start('all')
  const base = await postgres.makeFolder('recovered')
  await postgres.run('pg_basebackup', ['-D', base, ...to, '-c', 'fast'])
  kept = await executeEach(url)
  moment = await postgres.query(ports.primary, 'select clock_timestamp()')
  after = await executeEach(url)
}
await postgres.run('psql', [...to, '-d', 'skillrun', '-c', 'truncate executions cascade'])
await postgres.query(ports.primary, 'select pg_switch_wal()')
await postgres.stop('primary', 'fast')

const fromMs = performance.now()
await writeFile(join(postgres.folderOf('recovered'), 'recovery.signal'), '')
await postgres.start('recovered', ports.recovered, [
  `restore_command=cp ${archive}/%f %p`,
  `recovery_target_time=${moment}`,
  'recovery_target_action=promote',
  'archive_mode=off',
])
undo.defer(() => postgres.stop('recovered', 'immediate'))
while ((await postgres.query(ports.recovered, 'select pg_is_in_recovery()')) !== 'f') await pause(50)
const recovered_ms = Math.round(performance.now() - fromMs)
await using cluster = await openCluster(addressOf(ports.recovered), env)
const { url } = await cluster.start('all')
const found = await Promise.all(kept.map(({ id }) => read(url, id)))
const late = await Promise.all(after.map(({ id }) => read(url, id)))
const missing = found.filter((one) => one === undefined).length
const different = found.filter((one, index) => one !== undefined && one !== kept[index]?.text).length
const not_undone = late.filter((one) => one !== undefined).length
console.log(JSON.stringify({ kept: kept.length, undone: after.length, missing, different, not_undone, recovered_ms }))
process.exitCode = missing + different + not_undone > 0 ? 1 : 0

interface Execution {
  readonly id: string
  readonly text: string
}

async function executeEach(at: string): Promise<readonly Execution[]> {
  const done: Execution[] = []
  for (let number = 1; number <= count; number++) {
    const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
    const body = { batch: false, inputs: { text: `Total: ${number}.50` }, config: { json_schema: schema } }
    const reply = await fetch(`${at}/v1/agent/execute`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { id } = (await reply.json()) as { id: string }
    done.push({ id, text: (await read(at, id)) ?? '' })
  }
  return done
}

async function read(at: string, id: string): Promise<string | undefined> {
  const reply = await fetch(`${at}/v1/agent/executions/${id}`, { headers })
  return reply.status === 200 ? reply.text() : undefined
}
