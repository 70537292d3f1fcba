import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const script = new URL('../bench/chaos.ts', import.meta.url).pathname

/** Runs the benchmark and returns its counts. */
async function chaos(...args: string[]) {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(output, errors).toMatch(/^\{/)
  return { counted: JSON.parse(output), code: child.exitCode }
}

const nothingWrong = {
  accepted: 40,
  lost: 0,
  doubled: 0,
  wrong: 0,
  failed_unexplained: 0,
  misbooked: 0,
  ledger_difference: 0,
  untold: 0,
  out_of_order: 0,
  paid_again: 0,
  repeated_beyond: 0,
}

test.concurrent('random kills of API and worker processes lose nothing that was accepted and repeat nothing; a proxy that answers too early is detected', async () => {
  const { counted, code } = await chaos('--kill', '4', '--executions', '40', '--seed', '7')
  expect(counted).toMatchObject({ seed: 7, processes: 4, faults: { kill: 4 }, ...nothingWrong })
  expect(counted.control.lost).toBeGreaterThan(0)
  expect(code).toBe(0)
})

test.concurrent('stalls, lost database connections and clock shifts, with turns longer than a lease, end all runs and pay for none twice', async () => {
  const faults = ['stall', 'crash', 'cut', 'freeze', 'slow', 'disk', 'clock', 'dbclock'].flatMap((kind) => [
    `--${kind}`,
    '1',
  ])
  const { counted, code } = await chaos(
    ...faults,
    ...['--long', '0.1', '--processes', '1', '--executions', '40', '--seed', '3'],
  )
  expect(counted).toMatchObject({ seed: 3, processes: 1, faults: { kill: 0, stall: 1 }, ...nothingWrong, failed: {} })
  expect(code).toBe(0)
}, 300_000)
