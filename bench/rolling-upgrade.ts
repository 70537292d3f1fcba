// Replaces the processes of an older version by those of this one while executions are submitted, in both orders, and
// counts what was lost, doubled or wrong. Prints one line of JSON for each order; exits with 1 when there is any.
//
// `node bench/rolling-upgrade.ts --from ../skillrun-0.1.0`: the checkout of the older version, with its packages installed.
import { resolve } from 'node:path'
import { type RollOrder, rollOver } from './chaos/roll.ts'
import { optionsOf } from './options.ts'
import { openPlace } from './place.ts'

const { from } = optionsOf({ from: '' })
if (!from) throw new Error('Give the checkout of the older version: --from FOLDER')
const versions = { from: resolve(from), to: resolve(import.meta.dirname, '..') }
const orders: readonly RollOrder[] = ['api first', 'worker first']

for (const order of orders) {
  await using place = await openPlace('rolling')
  const { address } = place.database
  const counts = await rollOver({ address, db: await place.connect() }, { ...versions, order })
  console.log(JSON.stringify(counts))
  const { lost, doubled, wrong, misbooked, ledger_difference, failed_unexplained } = counts
  const mistakes = [lost, doubled, wrong, misbooked, Math.abs(ledger_difference), failed_unexplained]
  if (mistakes.some((count) => count > 0)) process.exitCode = 1
}
