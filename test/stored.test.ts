import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** The measurement with many stored executions, at a small size: docs/SCALE.md has its figures at ten million. */

const isSkipped = !existsSync('/usr/lib/postgresql') && process.env['REQUIRE_POSTGRES'] !== '1'
if (isSkipped)
  console.log('The small measurement is skipped: there is no PostgreSQL here (apt-get install postgresql).')

const script = new URL('../bench/stored.ts', import.meta.url).pathname

test.skipIf(isSkipped)(
  'the measurement of stored executions fills, asks both sides everything, purges and deletes',
  async () => {
    const args = [script, '--executions', '3000', '--rounds', '2', '--purge-seconds', '1']
    const { stdout } = await promisify(execFile)(process.execPath, args)
    const { executions, idle, while_purging, month } = JSON.parse(stdout)
    // With the hundred that were copied.
    expect(executions).toBe(3100)
    for (const asked of [idle, while_purging]) {
      expect(Object.keys(asked)).toHaveLength(22)
      for (const figures of Object.values(asked))
        expect(figures).toEqual({
          full_ms: expect.any(Number),
          empty_ms: expect.any(Number),
          ratio: expect.any(Number),
        })
    }
    expect(month.purged.executions).toBeGreaterThan(0)
    expect(month.deleted.executions).toBeGreaterThan(0)
    expect(month.purged.wal_bytes_each).toBeGreaterThan(month.deleted.wal_bytes_each)
  },
)
