import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

/** Failover to a standby and recovery to a moment, by PostgreSQL as the system has it: the embedded one has no programs for either. */

const isSkipped = !existsSync('/usr/lib/postgresql') && process.env['REQUIRE_POSTGRES'] !== '1'
if (isSkipped)
  console.log('Failover and recovery are not tested: there is no PostgreSQL here (apt-get install postgresql).')

/** Runs a script of `bench`, which prints what it counted as JSON. */
async function counted(...args: string[]) {
  const [name = '', ...options] = args
  const script = new URL(`../bench/${name}`, import.meta.url).pathname
  const child = spawn(process.execPath, [script, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(output, errors).toMatch(/^\{/)
  return { counts: JSON.parse(output), code: child.exitCode }
}

test
  .skipIf(isSkipped)
  .concurrent(
    'when the primary is killed under load and its standby promoted, no accepted execution is lost or done twice, and new ones are accepted',
    async () => {
      const { counts, code } = await counted('failover.ts', '--executions', '40')
      expect(counts).toMatchObject({
        synchronous: true,
        accepted: 40,
        lost: 0,
        doubled: 0,
        wrong: 0,
        ledger_difference: 0,
      })
      expect(counts.write_again_ms).toEqual(expect.any(Number))
      expect(code).toBe(0)
    },
  )

test.skipIf(isSkipped).concurrent('what a standby that does not follow has lost is counted', async () => {
  const { counts, code } = await counted('failover.ts', '--executions', '40', '--detached')
  expect(counts.lost).toBeGreaterThan(0)
  expect(code).toBe(1)
})

test
  .skipIf(isSkipped)
  .concurrent(
    'recovery to the moment before an accident answers each execution of before as it was, and none of after',
    async () => {
      const { counts, code } = await counted('point-in-time.ts', '--executions', '4')
      expect(counts).toMatchObject({ kept: 4, undone: 4, missing: 0, different: 0, not_undone: 0 })
      expect(code).toBe(0)
    },
  )
