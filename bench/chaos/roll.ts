import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { newId } from '../../packages/core/src/ids.ts'
import type { Db, DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { type Member, openCluster } from '../../test/support/cluster.ts'
import { startCountedModel } from './calls.ts'
import { countRows, waitUntilSettled } from './count.ts'
import { bodyOf, configurationOf, isAccepted } from './requests.ts'

/** What is replaced first; Kubernetes may do either. */
export type RollOrder = 'api first' | 'worker first'

const clientsCount = 4
const settleMs = 120_000
/** Calls in a row without an acceptance, of all clients. */
const refusedMax = 200

/**
 * Replaces an API and a worker of the checkout `from` by those of the checkout `to`, one after the other, while four
 * clients submit executions, and counts what was lost, doubled or wrong. `mixed`: executions that one version accepted
 * and the other one completed, while each version had one process. The database is empty and `to` migrates it.
 */
export async function rollOver(
  place: { readonly address: Extract<DbAddress, { host: string }>; readonly db: Pick<Db, 'query'> },
  { from, to, order }: { from: string; to: string; order: RollOrder },
) {
  await using undo = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-rolling-'))
  undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const model = undo.use(await startCountedModel({ seed: 1, long: 0 }))
  const config = join(folder, 'configuration.json')
  await writeFile(config, JSON.stringify(configurationOf(model.baseUrl)))
  const cluster = undo.use(await openCluster(place.address, { SKILLRUN_CONFIG: config, SKILLRUN_SLOTS: 'standard=4' }))
  const versionOf = async () => {
    const [row] = await place.db.query<{ version: number }>('select max(version) as version from schema_migrations')
    return row?.version
  }

  let api = await cluster.start('api', {}, from)
  let worker = await cluster.start('worker', {}, from)
  const version_before = await versionOf()
  const accepted: string[] = []
  let ended = 0
  let refused = 0
  let isOver = false
  const clients = Promise.all(Array.from({ length: clientsCount }, () => submit()))
  undo.defer(async () => {
    isOver = true
    await clients
  })
  await more(20)
  const members = { api, worker }
  const [first, second] = order === 'api first' ? (['api', 'worker'] as const) : (['worker', 'api'] as const)
  await replace(first)
  const mixed = await more(20)
  await replace(second)
  await more(20)
  isOver = true
  await clients
  const settled_ms = await waitUntilSettled(place.db, settleMs)
  const version_after = await versionOf()
  const counts = await countRows(place.db, accepted, new Set())
  const { lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained, failed, taken_over } = counts
  return {
    order,
    ...{ version_before, version_after },
    accepted: accepted.length,
    mixed,
    ...{ lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained, failed, taken_over, settled_ms },
  }

  /** Starts the new process, and then ends the old one as an orchestrator does. */
  async function replace(role: 'api' | 'worker'): Promise<void> {
    const old: Member = members[role]
    members[role] = await cluster.start(role, {}, to)
    if (role === 'api') api = members.api
    else worker = members.worker
    const code = await old.server.end('SIGTERM')
    if (code !== 0) throw new Error(`The old ${role} ended with ${code}:\n${old.server.output()}`)
  }

  /** Waits until this many executions more have been accepted and have ended. */
  async function more(count: number): Promise<number> {
    const before = ended
    while (ended < before + count) {
      const gone = [api, worker].find(({ server }) => server.process.exitCode !== null)
      if (gone) throw new Error(`A process ended:\n${gone.server.output()}`)
      if (refused > refusedMax) throw new Error(`The API refuses everything:\n${api.server.output()}`)
      await pause(20)
    }
    return ended - before
  }

  /** Submits one execution after the other. An unanswered call is repeated with the same id, as a client would. */
  async function submit(): Promise<void> {
    while (!isOver) {
      const id = newId(new Date())
      const body = bodyOf(id, accepted.length, {})
      while (!(await isAccepted(api.url, body))) {
        if (isOver) return
        refused += 1
        await pause(20)
      }
      accepted.push(id)
      refused = 0
      while (!(await hasEnded(id)) && !isOver) await pause(20)
      ended += 1
    }
  }

  async function hasEnded(id: string): Promise<boolean> {
    const text = `select 1 from executions where id = $1 and status in ('completed', 'failed')`
    return (await place.db.query(text, [id])).length > 0
  }
}
