import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLine } from '../bench/chaos/line.ts'
import { openCluster } from './support/cluster.ts'
import { makeDatabase, type TestDatabase } from './support/database.ts'
import { startServer } from './support/server.ts'

/** PgBouncer, as Debian packages it; started on the database of a test. */

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
const isSkipped = program === undefined && process.env['REQUIRE_PGBOUNCER'] !== '1'
if (isSkipped) console.log('Tests of poolers are skipped: there is no PgBouncer here (apt-get install pgbouncer).')

interface Pooler extends AsyncDisposable {
  readonly url: string
}

/** Settings of a connection that PgBouncer refuses unless it is told to ignore them. */
const ignored = 'extra_float_digits,statement_timeout,idle_in_transaction_session_timeout,options'

async function openPooler({ address }: TestDatabase, mode: 'session' | 'transaction', more = ''): Promise<Pooler> {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-pooler-'))
  await chmod(folder, 0o755)
  const port = await freePort()
  const { user, password, database } = address
  // PgBouncer does not run as root, and another user may not enter the folder of the database's socket.
  const line = await openLine(address)
  const settings = `[databases]
skillrun = host=127.0.0.1 port=${line.port} dbname=${database} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${process.getuid?.() === 0 ? 'user = nobody' : ''}
${more}
`
  const path = join(folder, 'pgbouncer.ini')
  await writeFile(path, settings, { mode: 0o644 })
  const child = spawn(program ?? 'pgbouncer', [path], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (part) => {
      log += part
      if (/process up/.test(log)) resolve()
    })
    child.once('close', () => reject(new Error(`PgBouncer ended: ${log}`)))
  })
  return {
    url: `postgres://skillrun@127.0.0.1:${port}/skillrun`,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
      await line[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

describe.skipIf(isSkipped)('a pooler in front of the database', () => {
  test.each([
    [
      'that shares sessions',
      `ignore_startup_parameters = ${ignored}`,
      /pooler that shares sessions between connections/,
    ],
    ['that knows no timeouts', '', /pooler that does not pass on \w+/],
  ])('%s is refused at the start with the reason and the remedy', async (_what, more, reason) => {
    await using database = await makeDatabase()
    await using pooler = await openPooler(database, 'transaction', more)
    await using undo = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-pooled-'))
    undo.defer(() => rm(folder, { recursive: true, force: true }))
    await using server = startServer(folder, { DATABASE_URL: pooler.url })
    const ended = once(server.process, 'close')
    await server.printed(reason)
    expect((await ended)[0]).toBe(1)
    expect(server.output()).toContain('give the address of PostgreSQL itself, or of a pool in session mode')
  })

  test('in session mode is accepted: an execution is picked up by another process and its end is notified', async () => {
    await using database = await makeDatabase()
    await using pooler = await openPooler(
      database,
      'session',
      `ignore_startup_parameters = ${ignored}\ndefault_pool_size = 60`,
    )
    await using cluster = await openCluster(database.address, { DATABASE_URL: pooler.url })
    const [api] = await Promise.all([cluster.start('api'), cluster.start('worker')])
    const headers = { Authorization: `Bearer ${cluster.key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({
      batch: false,
      inputs: { text: 'Total: 5.00' },
      config: { json_schema: { type: 'object', properties: { total: { type: ['number', 'null'] } } } },
    })
    const reply = await fetch(`${api.url}/v1/agent/execute`, { method: 'POST', headers, body })
    expect(await reply.json()).toMatchObject({ status: 'completed', response: { total: 5 } })
  })
})
