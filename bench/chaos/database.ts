import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../../packages/core/src/clock.ts'
import type { Db } from '../../packages/server/src/adapters/db/db.ts'
import { startEmbedded } from '../../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'

type Embedded = Awaited<ReturnType<typeof startEmbedded>>

/** A PostgreSQL that can be killed, stopped, slowed down, and given another clock. It restarts automatically. */
export interface BreakableDatabase extends AsyncDisposable {
  readonly address: Embedded['address']
  /** For the benchmark itself; waits while the database is down. */
  query<Row extends object>(text: string, params?: readonly unknown[]): Promise<readonly Row[]>
  /** Immediate shutdown (SIGQUIT to the main process). */
  crash(): Promise<void>
  freeze(): Promise<void>
  thaw(): void
  /** Delays each commit, at most 100 ms. */
  slowDisk(ms: number): Promise<void>
  /** Shifts the clock that the queue uses. */
  setClock(offsetMs: number): Promise<void>
}

const retryMs = 100
const awayMaxMs = 120_000

export async function openBreakableDatabase(folder: string): Promise<BreakableDatabase> {
  const embedded = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  const open = (address: Embedded['address']) =>
    connect({ address, clock: systemClock, log: silentLog, connectionsMax: 3 })
  const db = await open(embedded.address)
  const administrator = await open(embedded.administratorAddress)
  const frozen = new Set<number>()
  const mainPid = async () =>
    Number((await readFile(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n')[0])

  async function whenThere<Result>(ask: () => Promise<Result>): Promise<Result> {
    const fromMs = performance.now()
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        if (performance.now() - fromMs > awayMaxMs) throw error
        await pause(retryMs)
      }
    }
  }
  const query = <Row extends object>(on: Db, text: string, params: readonly unknown[] = []) =>
    whenThere(() => on.query<Row>(text, params))

  function thaw(): void {
    for (const pid of frozen) signal(pid, 'SIGCONT')
    frozen.clear()
  }

  return {
    address: embedded.address,
    query: (text, params) => query(db, text, params),
    async crash() {
      const pid = await mainPid().catch(() => undefined)
      if (pid !== undefined) signal(pid, 'SIGQUIT')
      // Wait until it is up again: otherwise further crashes would only hit its start-up.
      await pause(retryMs)
      await query(db, 'select 1')
    },
    async freeze() {
      const main = await mainPid()
      signal(main, 'SIGSTOP')
      frozen.add(main)
      for (const pid of childrenOf(main)) {
        frozen.add(pid)
        signal(pid, 'SIGSTOP')
      }
    },
    thaw,
    async slowDisk(ms) {
      await query(administrator, `alter system set commit_siblings = 0`)
      await query(administrator, `alter system set commit_delay = ${Math.round(ms * 1_000)}`)
      await query(administrator, 'select pg_reload_conf()')
    },
    async setClock(offsetMs) {
      await query(
        db,
        `create or replace function pgboss.job_now() returns timestamptz language sql stable as
           $$ select now() + ${Math.round(offsetMs)} * interval '1 millisecond' $$`,
      )
    },
    async [Symbol.asyncDispose]() {
      thaw()
      await Promise.all([db.close(), administrator.close()])
      await embedded.stop()
    },
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    return []
  }
}

/** Signals a process that may have ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
