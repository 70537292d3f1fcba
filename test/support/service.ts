import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, systemClock } from '../../packages/core/src/clock.ts'
import { type Config, readConfig } from '../../packages/server/src/config.ts'
import { type Log, silentLog } from '../../packages/server/src/core/log.ts'
import { makePasswordHasher } from '../../packages/server/src/features/users/users.ts'
import { type ServerParts, startServer } from '../../packages/server/src/server.ts'
import { type Answer, callServer, uploadTo } from './call.ts'
import { shareCompiled } from './compiled.ts'
import { makeDatabase, type TestDatabase } from './database.ts'
import { shareProcessPool } from './process-pool.ts'

export type { Answer } from './call.ts'

/** A complete Skillrun on its own database and data folder, called over HTTP. */
export interface TestService extends AsyncDisposable {
  readonly url: string
  readonly key: string
  readonly database: TestDatabase
  readonly dataFolder: string
  /** Calls a route with the first key, or with `key`; a `body` is sent as JSON. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; key?: string | null; headers?: Record<string, string> },
  ): Promise<Answer>
  /** Runs an execution to its end and returns its record; fails if it is not accepted. */
  execute(
    body: object,
    options?: { key?: string | undefined; headers?: Record<string, string> },
  ): Promise<Answer['json']>
  /** Uploads bytes as a file and returns its record. */
  upload(bytes: Uint8Array, filename: string): Promise<{ id: string; sha256: string; public_url: string }>
  /** A key of another workspace. */
  stranger(): Promise<string>
}

/** Tests must not depend on what runs on the developer's machine. */
const noOllama = { OLLAMA_BASE_URL: 'off' }
/** For every server of a test that shares a database with others, but no data folder. */
export const testSecretKey = Buffer.alloc(32, 'k').toString('base64')
const firstKey = 'test-key-of-the-first-workspace'

const stores = new WeakMap<TestDatabase, { folder: Promise<string>; users: number }>()

/** The blob folder of all servers on a database at the same time. */
async function openStore(database: TestDatabase): Promise<AsyncDisposable & { readonly folder: string }> {
  const store = stores.get(database) ?? { folder: mkdtemp(join(tmpdir(), 'skillrun-blobs-')), users: 0 }
  stores.set(database, store)
  store.users += 1
  const folder = await store.folder
  return {
    folder,
    async [Symbol.asyncDispose]() {
      store.users -= 1
      if (store.users > 0) return
      stores.delete(database)
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Opens a server; `env` is its environment, `file` its configuration file, `database` an existing one to use. With `ownParts` it has
 * its own process pool, not that of all servers of the test process, and hashes passwords at the cost that they have outside of tests.
 */
export async function openTestService(
  options: {
    env?: Record<string, string>
    file?: Config['file']
    clock?: Clock
    config?: Partial<Config>
    database?: TestDatabase
    databaseBounds?: ServerParts['databaseBounds']
    log?: Log
    ownParts?: boolean
  } = {},
): Promise<TestService> {
  await using undo = new AsyncDisposableStack()
  const database = options.database ?? undo.use(await makeDatabase())
  const dataFolder = await mkdtemp(join(tmpdir(), 'skillrun-test-'))
  // A killed child in a sandbox may still write for a moment what it compiled.
  undo.defer(() => rm(dataFolder, { recursive: true, force: true, maxRetries: 10 }))
  // Servers on one database share one store, as processes must.
  const store = undo.use(await openStore(database))
  await symlink(store.folder, join(dataFolder, 'blobs'))
  await shareCompiled(dataFolder)
  const settings = {
    PORT: '0',
    SKILLRUN_DATA: dataFolder,
    SKILLRUN_API_KEY: firstKey,
    // The same for all servers, as several may share one database.
    SKILLRUN_SECRET_KEY: testSecretKey,
    ...noOllama,
  }
  const file = join(dataFolder, 'configuration.json')
  if (options.file) await writeFile(file, JSON.stringify(options.file))
  const named = options.file ? { SKILLRUN_CONFIG: file } : {}
  const config = { ...readConfig({ ...settings, ...named, ...options.env }, dataFolder), ...options.config }
  const processPool = options.ownParts ? undefined : await shareProcessPool()
  const service = await startServer({
    config,
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    databaseAddress: database.address,
    ...(options.ownParts ? {} : { passwords: makePasswordHasher({ ln: 1, r: 8, p: 1 }) }),
    ...(processPool ? { processPool } : {}),
    ...(options.databaseBounds ? { databaseBounds: options.databaseBounds } : {}),
  })
  undo.defer(() => service.stop(AbortSignal.timeout(5_000)))
  // The caller disposes of the server; failures before that are cleaned up here.
  const undoLater = undo.move()
  const url = service.url ?? ''
  const call: TestService['call'] = (method, path, { key = firstKey, ...sent } = {}) =>
    callServer({ url, key }, method, path, sent)
  return {
    url,
    key: firstKey,
    database,
    dataFolder,
    call,
    async execute(body, { key = firstKey, headers = {} } = {}) {
      const { status, json } = await call('POST', '/v1/agent/execute', {
        body: { batch: false, ...body },
        key,
        headers,
      })
      if (status !== 201) throw new Error(`the execution was answered ${status}: ${JSON.stringify(json)}`)
      return json
    },
    async upload(bytes, filename) {
      const { status, json } = await uploadTo({ url, key: firstKey }, bytes, filename)
      if (status !== 201) throw new Error(`the upload was answered ${status}: ${JSON.stringify(json)}`)
      return json
    },
    async stranger() {
      return (await call('POST', '/v1/keys', { body: { workspace: 'strangers', scopes: ['admin'] } })).json.key
    },
    [Symbol.asyncDispose]: () => undoLater.disposeAsync(),
  }
}
