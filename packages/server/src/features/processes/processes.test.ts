import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { systemClock } from '@skillrun/core/clock.ts'
import { newId } from '@skillrun/core/ids.ts'
import type { Json } from '@skillrun/core/json.ts'
import { expect, test } from 'vitest'
import { makeDatabase } from '../../../../../test/support/database.ts'
import { opened } from '../../../../../test/support/opened.ts'
import { connect } from '../../adapters/db/postgres/connect.ts'
import { isRunning, ownMark, type ProcessMark } from '../../adapters/host/process-mark.ts'
import { limits } from '../../core/limits.ts'
import { silentLog as log } from '../../core/log.ts'
import { type Processes, registerProcess } from './processes.ts'

const later = { ms: 0 }
const clock = { ...systemClock, now: () => new Date(Date.now() + later.ms) }

const database = await opened(makeDatabase())

/** A process on a host, with its own connection that can be dropped. */
async function openProcess(
  mark: ProcessMark,
  settings: Json = null,
): Promise<Processes & { disconnect(): Promise<void> }> {
  const db = await connect({ address: database.address, clock, log, connectionsMax: 1 })
  const processes = await registerProcess({ db, clock, log }, mark, settings)
  return { ...processes, disconnect: () => db.close() }
}

const markOn = (host: string): ProcessMark => ({ host, pid: 4_242, started: '1' })

test('on another host a process is gone when its session has been missing for long, not when it is merely silent', async () => {
  const own = await openProcess(markOn('one'))
  const other = await openProcess(markOn('two'))
  expect(await gone(own, [other.id, own.id])).toBe(0)
  later.ms += limits.processMissingMs * 2
  expect(await gone(own, [other.id])).toBe(0)
  await other.disconnect()
  // From now on it is missing.
  await expect.poll(() => missingSince(own, other.id)).not.toBe(null)
  later.ms += limits.processMissingMs - 10_000
  expect(await own.findGone([other.id, own.id])).toEqual({ gone: 0, undecidedMs: [expect.closeTo(10_000, -4)] })
  later.ms += 10_000
  expect(await own.findGone([other.id, other.id])).toEqual({ gone: 1, undecidedMs: [] })
  expect(await gone(own, [own.id, newId(clock.now())])).toBe(0)
  await own.disconnect()
})

test('a process that reconnects has not been missing', async () => {
  const own = await openProcess(markOn('one'))
  const other = await openProcess(markOn('two'))
  await database.db.query('update processes set missing_since = $2 where id = $1', [other.id, new Date(0)])
  // Its listening session; the pool's own is idle.
  await database.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'skillrun listener'`,
  )
  await expect
    .poll(async () => {
      const [row] = await database.db.query<{ at: Date | null }>(
        'select missing_since as at from processes where id = $1',
        [other.id],
      )
      return row?.at
    })
    .toBe(null)
  expect(await gone(own, [other.id])).toBe(0)
  await Promise.all([own.disconnect(), other.disconnect()])
})

test('on the same host the operating system decides: a stopped process exists, a killed one is gone', async () => {
  const mark = await ownMark()
  const own = await openProcess(mark)
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  await once(child, 'spawn')
  const pid = child.pid ?? 0
  const started = await startOf(pid)
  const other = await openProcess({ ...mark, pid, started })
  await other.disconnect()
  later.ms += limits.processMissingMs * 2
  child.kill('SIGSTOP')
  expect(await gone(own, [other.id])).toBe(0)
  // Another process with the same number.
  expect(await isRunning({ pid, started: `${Number(started) - 1}` })).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(await gone(own, [other.id])).toBe(1)
  await own.disconnect()
})

test('a process that signed off is never counted', async () => {
  const mark = await ownMark()
  const own = await openProcess(mark)
  // No process has such a high number.
  const other = await openProcess({ ...mark, pid: 2 ** 22 + 1 })
  expect(await gone(own, [other.id])).toBe(1)
  await other.close()
  await other.disconnect()
  expect(await gone(own, [other.id])).toBe(0)
  await own.disconnect()
})

test('a process with a session counts, wherever the operating system does not say which host it is on', async () => {
  // No process has such a high number.
  const mark = { host: '', pid: 2 ** 22 + 1, started: '1' }
  const own = await openProcess(mark)
  const other = await openProcess(mark, { models: 'others' })
  expect(await own.settingsOfOthers()).toMatchObject([{ settings: { models: 'others' } }])
  await Promise.all([own.disconnect(), other.disconnect()])
})

const gone = async (own: Processes, ids: readonly string[]): Promise<number> => (await own.findGone(ids)).gone

async function missingSince(own: Processes, id: string): Promise<Date | null | undefined> {
  await own.findGone([id])
  const [row] = await database.db.query<{ at: Date | null }>(
    'select missing_since as at from processes where id = $1',
    [id],
  )
  return row?.at
}

/** The start time of a process by the operating system. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}
