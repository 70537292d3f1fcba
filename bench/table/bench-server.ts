import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { urlOf } from '../../test/support/database-url.ts'
import { startServer } from '../../test/support/server.ts'
import { startChild } from '../child.ts'
import { configurationOf } from '../measure.ts'
import { openPlace } from '../place.ts'

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
  const place = await openPlace('bench')
  const { address } = place.database
  const children: ChildProcess[] = []
  const server = startServer(join(place.folder, 'ours'), {
    DATABASE_URL: urlOf(address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: await place.configured(configurationOf(baseUrl)),
    SKILLRUN_SLOTS: 'standard=64',
    SKILLRUN_WARM: 'yes',
    ...env,
  })
  children.push(server.process)
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  const floorModule = new URL('./durable-floor.ts', import.meta.url).pathname
  const floorOptions = [JSON.stringify(await place.createDatabase('floor')), baseUrl, key]
  const floor = await startChild([floorModule, ...floorOptions])
  children.push(floor.process)
  return {
    key,
    database: address,
    ours: { url, pid: server.process.pid ?? 0 },
    floor: { url: floor.url, pid: floor.pid },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGTERM')
      await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')))
      await place[Symbol.asyncDispose]()
    },
  }
}
