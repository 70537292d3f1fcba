import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'

const script = new URL('../bench/chaos.ts', import.meta.url).pathname

test('API and worker processes killed at random lose nothing that was accepted and do nothing twice; a front that answers too early is caught', async () => {
  const child = spawn(process.execPath, [script, '--kills', '4', '--executions', '40', '--seed', '7'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  expect(output, errors).toMatch(/^\{/)
  const counted = JSON.parse(output)
  expect(counted).toMatchObject({
    seed: 7,
    kills: 4,
    accepted: 40,
    lost: 0,
    doubled: 0,
    wrong: 0,
    ledger_difference: 0,
  })
  expect(counted.control.lost).toBeGreaterThan(0)
  expect(child.exitCode).toBe(0)
}, 120_000)
