// Replaces the processes of an older version by those of this one while executions are submitted, in both orders, and
// counts what was lost, doubled or wrong. Prints one line of JSON for each order; exits with 1 when there is any.
//
// `node bench/rolling-upgrade.ts --from ../skillrun-0.1.0`: the checkout of the older version, with its packages installed.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/core/src/clock.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { type RollOrder, rollOver } from './chaos/roll.ts'

const { values } = parseArgs({ options: { from: { type: 'string' } } })
if (values.from === undefined) throw new Error('Give the checkout of the older version: --from FOLDER')
const versions = { from: resolve(values.from), to: resolve(import.meta.dirname, '..') }
const orders: readonly RollOrder[] = ['api first', 'worker first']

for (const order of orders) {
  await using undo = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-rolling-'))
  undo.defer(() => rm(folder, { recursive: true, force: true }))
  const { address, stop } = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  undo.defer(stop)
  const db = await connect({ address, clock: systemClock, log: silentLog, connectionsMax: 2 })
  undo.defer(() => db.close())
  const counts = await rollOver({ address, db }, { ...versions, order })
  console.log(JSON.stringify(counts))
  const { lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained } = counts
  const mistakes = [lost, doubled, wrong, misbooked, Math.abs(ledger_difference), failed_unexplained]
  if (mistakes.some((count) => count > 0)) process.exitCode = 1
}
