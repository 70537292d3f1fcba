import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { type Answer, callServer } from './call.ts'
import { shareCompiled } from './compiled.ts'
import { urlOf } from './database-url.ts'
import { startServer, type TestServer } from './server.ts'

/** Server and worker processes on one database. */
export interface Cluster extends AsyncDisposable {
  /** The key of the first workspace. */
  readonly key: string
  /** Starts a process, and resolves when it is ready. It is of another version when its `checkout` is given. */
  start(role: 'all' | 'api' | 'worker', env?: Record<string, string>, checkout?: string): Promise<Member>
}

/** One process of a cluster. */
export interface Member {
  readonly server: TestServer
  /** Its URL; empty for a worker. */
  readonly url: string
  /** Calls a route with the key of the cluster. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
  /** Sends SIGKILL. */
  kill(): Promise<void>
}

const key = 'the-key-of-the-cluster'

/** Opens a cluster without processes; `env` is common to all. */
export async function openCluster(
  address: Extract<DbAddress, { host: string }>,
  env: Record<string, string> = {},
): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-cluster-'))
  await shareCompiled(folder)
  const members = new Set<Member>()
  const common = { DATABASE_URL: urlOf(address), SKILLRUN_API_KEY: key, ...env }
  return {
    key,
    async start(role, own = {}, checkout) {
      const server = startServer(folder, { ...common, SKILLRUN_ROLE: role, ...own }, checkout)
      const ready = await server.printed(role === 'worker' ? /worker is at work/ : /Skillrun +(http:\S+)/)
      const url = ready[1] ?? ''
      const member: Member = {
        server,
        url,
        call: (method, path, body, headers = {}) => callServer({ url, key }, method, path, { body, headers }),
        async kill() {
          members.delete(member)
          await server.end('SIGKILL')
        },
      }
      members.add(member)
      return member
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...members].map((member) => member.kill()))
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
