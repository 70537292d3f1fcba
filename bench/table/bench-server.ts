import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../packages/core/src/clock.ts'
import type { DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { startEmbedded } from '../../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'
import { urlOf } from '../../test/support/database-url.ts'
import { startServer } from '../../test/support/server.ts'
import { configurationOf } from '../measure.ts'

/** A server and the durable floor, each with its own database in one PostgreSQL, and what they share. */
export interface Bench extends AsyncDisposable {
  readonly ours: Side
  readonly floor: Side
  readonly key: string
  /** Our database. */
  readonly database: DbAddress
}

export interface Side {
  readonly url: string
  readonly pid: number
}

const key = 'the-key-of-the-benchmark'

/** Starts both with the model at `baseUrl`. `env` applies to the server only. */
export async function openBench(baseUrl: string, env: Record<string, string> = {}): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-bench-'))
  const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  const children: ChildProcess[] = []
  const config = join(folder, 'config.json')
  await writeFile(config, JSON.stringify(configurationOf(baseUrl)))
  const admin = await connect({
    address: database.administratorAddress,
    clock: systemClock,
    log: silentLog,
    connectionsMax: 1,
  })
  await admin.query(`create database floor owner ${database.address.user}`)
  await admin.close()
  const server = startServer(join(folder, 'ours'), {
    DATABASE_URL: urlOf(database.address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
    ...env,
  })
  children.push(server.process)
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  const floorModule = new URL('./durable-floor.ts', import.meta.url).pathname
  const floorOptions = [JSON.stringify({ ...database.address, database: 'floor' }), baseUrl, key]
  const floor = spawn(process.execPath, [floorModule, ...floorOptions], { stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(floor)
  const [line] = (await once(floor.stdout, 'data')) as [Buffer]
  return {
    key,
    database: database.address,
    ours: { url, pid: server.process.pid ?? 0 },
    floor: { url: line.toString().trim(), pid: floor.pid ?? 0 },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')))
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
