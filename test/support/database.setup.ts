import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { systemClock } from '../../packages/core/src/clock.ts'
import type { Db, DbAddress } from '../../packages/server/src/adapters/db/db.ts'
import { type Embedded, startEmbedded } from '../../packages/server/src/adapters/db/embedded/start.ts'
import { migrate } from '../../packages/server/src/adapters/db/migrate.ts'
import { connect } from '../../packages/server/src/adapters/db/postgres/connect.ts'
import { childProcessPoolDefaults } from '../../packages/server/src/adapters/process-pool/child/child-process-pool.ts'
import { compileNow } from '../../packages/server/src/adapters/process-pool/child/compile-later.ts'
import { openQueue } from '../../packages/server/src/adapters/queue/pgboss/pgboss-queue.ts'
import { silentLog } from '../../packages/server/src/core/log.ts'
import { warmProcessPool } from '../../packages/server/src/features/runs/warm.ts'
import { makeSandboxFinder } from '../../packages/server/src/sandbox-finder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The database server of this test run; its database `postgres` is unused. */
    databaseServer: Pick<Embedded, 'address' | 'administratorAddress'>
    /** The databases that test files copy. */
    databaseTemplates: { readonly migrated: string; readonly withQueue: string }
  }
}

const templates = { migrated: 'skillrun_migrated', withQueue: 'skillrun_with_queue' }
const migrationsFolder = join(import.meta.dirname, '..', '..', 'packages', 'server', 'migrations')

/** Waits for a line on its input; if the input ends without one, the parent is dead: stops the server, cleans up. */
const guardScript = `
read -r word
[ "$word" = done ] && exit
read -r pid < "$1/postgres/data/postmaster.pid" && kill -INT "$pid"
tries=0
while [ -e "$1/postgres/data/postmaster.pid" ] && [ $tries -lt 50 ]; do sleep 0.1; tries=$((tries + 1)); done
# An initdb that was at work goes on writing for a moment.
while ! rm -rf "$1" "$2" || { sleep 0.5; [ -e "$1" ] || [ -e "$2" ]; } && [ $tries -lt 100 ]; do tries=$((tries + 1)); done
`

const memoryFolder = '/dev/shm'
/** All databases that exist at once and their log take a tenth of it. */
const memoryBytesMin = 4 * 1024 ** 3

/** Where the database server keeps its files: in memory if there is plenty, since a database is made and dropped there in a tenth of the time. */
async function folderOfDatabases(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder)
    const isRoomy = bavail * bsize >= memoryBytesMin && process.availableMemory() >= 2 * memoryBytesMin
    return isRoomy ? memoryFolder : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * One PostgreSQL and one folder for temporary folders for the whole test run, removed with it however the run ends. Nothing for unit tests
 * alone, which need neither.
 */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-test-'))
  const databaseFolder = await mkdtemp(join(await folderOfDatabases(), 'skillrun-test-'))
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', databaseFolder, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.unref()
  const undo: (() => unknown)[] = [
    () => guard.stdin.end('done\n'),
    () => rm(folder, { recursive: true, force: true, maxRetries: 10 }),
    () => rm(databaseFolder, { recursive: true, force: true, maxRetries: 10 }),
  ]
  const temporary = await useTemporary(folder)
  const compiling = compileForChildren(join(folder, 'children'), temporary)
  undo.push(compiling.close)
  // For `shareCompiled`, also in programs that tests start.
  process.env['COMPILED_FOR_CHILDREN'] = compiling.folder
  const undoAll = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const server = await startEmbedded({
      dataFolder: databaseFolder,
      log: silentLog,
      clock: systemClock,
      // For several servers of each test process.
      settings: { max_connections: '600' },
    })
    undo.push(server.stop)
    const { address, administratorAddress } = server
    await makeTemplates({ address, administratorAddress })
    project.provide('databaseServer', { address, administratorAddress })
    project.provide('databaseTemplates', templates)
  } catch (error) {
    await undoAll()
    throw error
  }
  return async () => {
    const left = await readdir(temporary)
    await undoAll()
    // An interrupted run may leave anything; a completed one must have removed its files.
    const ours = left.filter((name) => name.startsWith('skillrun'))
    if (ours.length > 0) throw new Error(`Tests left temporary folders behind: ${ours.join(', ')}`)
  }
}

/** Makes this process and the test processes create temporary folders in the run's own. */
async function useTemporary(folder: string): Promise<string> {
  const temporary = join(folder, 'tmp')
  await mkdir(temporary)
  // Writable by every user, like the machine's: PostgreSQL and sandboxes run as other users.
  await chmod(folder, 0o711)
  await chmod(temporary, 0o1777)
  process.env['TMPDIR'] = temporary
  // Hundreds of processes load the same modules: the first compiles them.
  process.env['NODE_COMPILE_CACHE'] = join(temporary, 'compiled')
  return temporary
}

/**
 * Compiles once what the child processes of all test services load, which takes each of them half of its start. Does not
 * delay the tests: children that start before it is done compile for themselves.
 */
function compileForChildren(folder: string, inputFolder: string): { folder: string; close: () => Promise<void> } {
  const stopping = new AbortController()
  const compile = async (): Promise<void> => {
    await mkdir(folder, { mode: 0o700 })
    const sandbox = await makeSandboxFinder({ privatePaths: [] })()
    const bubblewrap = 'found' in sandbox ? sandbox.found : undefined
    const settings = { ...childProcessPoolDefaults, inputFolder, bubblewrap, compiledFolder: folder }
    await compileNow(
      { ...settings, childrenMax: 1 },
      (processPool) => warmProcessPool({ processPool, log: silentLog }),
      stopping.signal,
    )
  }
  const compiled = compile().catch(() => undefined)
  return {
    folder,
    close: async () => {
      stopping.abort()
      await compiled
    },
  }
}

async function makeTemplates({
  address,
  administratorAddress,
}: Pick<Embedded, 'address' | 'administratorAddress'>): Promise<void> {
  const options = { clock: systemClock, log: silentLog, statementTimeoutMs: 0, connectionsMax: 4 }
  const server = await connect({ ...options, address: administratorAddress })
  /** Closes its connections at the end: PostgreSQL does not copy databases that have some. */
  const make = async (name: string, from: string, fill: (db: Db, at: DbAddress) => Promise<unknown>): Promise<void> => {
    await server.query(`create database ${name} template ${from} owner ${address.user}`)
    const at = { ...address, database: name }
    const db = await connect({ ...options, address: at })
    try {
      await fill(db, at)
    } finally {
      await db.close()
    }
  }
  try {
    await make(templates.migrated, 'template1', (db) => migrate(db, migrationsFolder))
    await make(templates.withQueue, templates.migrated, async (db, at) => {
      // Loads the whole server, which unit tests do not need.
      const { topics } = await import('../../packages/server/src/workers.ts')
      await (await openQueue({ db, address: at, log: silentLog }, topics)).stop(AbortSignal.abort())
    })
  } finally {
    await server.close()
  }
}
