// What many stored executions change: a server whose database holds them beside one whose database is nearly empty, in
// one PostgreSQL, asked in turn: lists, reads by id, submission, pick-up by a worker. Then what it costs to drop the
// content of a month, as retention does, to delete its rows, and to drop the month as a table; and again the same
// questions while retention works. Uses PostgreSQL as the system has it (Debian: apt-get install postgresql); 10,000,000
// executions take about 35 GB. Prints JSON.
//
// `node bench/stored.ts [--executions 10000000] [--rounds 60] [--purge-seconds 60] [--folder FOLDER]`
//
// folder: where the databases are kept for the next run; a temporary one when it is absent.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { systemClock } from '../packages/core/src/clock.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { forgetElsewhere } from '../packages/server/src/features/chat/chat.ts'
import { purgeAllDue } from '../packages/server/src/features/retention/tidy.ts'
import { openCluster } from '../test/support/cluster.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { findSystemPostgres, startPrimary } from './chaos/system-postgres.ts'
import { configurationOf, median } from './measure.ts'
import { optionsOf } from './options.ts'
import { fill, filledTables, queryIn } from './stored/fill.ts'

const values = optionsOf({ executions: 10_000_000, rounds: 60, 'purge-seconds': 60, folder: '' })
const { executions: count, rounds, folder } = values
const purgeMs = values['purge-seconds'] * 1000
const port = 5432
const templates = 100
const dayMs = 86_400_000
const tell = (line: string) => process.stderr.write(`${line}\n`)

await using undo = new AsyncDisposableStack()
const place = folder ? resolve(folder) : await mkdtemp(join(tmpdir(), 'skillrun-stored-'))
await mkdir(place, { recursive: true })
if (!folder) undo.defer(() => rm(place, { recursive: true, force: true, maxRetries: 5 }))
const postgres = findSystemPostgres(place)
const isFilled = existsSync(join(place, 'filled'))
/** While rows are copied: a crash would cost the copies only. */
const careless = ['fsync=off', 'full_page_writes=off', 'autovacuum=off', 'max_wal_size=8GB', 'work_mem=64MB']
const usual = ['shared_buffers=1GB', 'max_wal_size=4GB']
if (isFilled) await postgres.start('primary', port, usual)
else {
  await startPrimary(postgres, port, usual)
  await postgres.query(port, 'create database empty owner skillrun')
}
undo.defer(() => postgres.stop('primary', 'fast'))

const model = undo.use(
  await startMockModel({
    script: ({ text }) => (text.includes('refused') ? { status: 400 } : { text: '{"vendor":"ACME"}' }),
  }),
)
const config = join(place, 'configuration.json')
const price = { input: 2_000_000, output: 12_000_000 }
await writeFile(config, JSON.stringify(configurationOf(model.baseUrl, { model: price })))
const headers = { Authorization: 'Bearer the-key-of-the-cluster', 'Content-Type': 'application/json' }
/** The same in the next run on the folder. */
const secretKey = Buffer.alloc(32, 'k').toString('base64')
const schema = { type: 'object', properties: { vendor: { type: 'string' } } }

/** An API and a worker on one of the two databases. */
async function openSide(database: string) {
  const address = { host: place, port, user: 'skillrun', password: 'secret', database }
  const cluster = undo.use(await openCluster(address, { SKILLRUN_CONFIG: config, SKILLRUN_SECRET_KEY: secretKey }))
  const db = await connect({ address, clock: systemClock, log: silentLog, connectionsMax: 2 })
  undo.defer(() => db.close())
  const { url } = await cluster.start('api')
  await cluster.start('worker')
  const ask = async (path: string, body?: object) => {
    const response = await fetch(url + path, {
      headers,
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`)
    return JSON.parse(text)
  }
  return { database, db, ask, query: queryIn(postgres, place, port, database) }
}
type Side = Awaited<ReturnType<typeof openSide>>

const bodyOf = (number: number, more: object = {}, vendor = 'ACME') => ({
  inputs: { note: { type: 'text', text: `Invoice ${number} of ${vendor}, total 5.00` } },
  config: { prompt: `Which vendor? Form ${number % 10}`, json_schema: schema, ...more },
})

/** The executions that are copied: of ten agents, some in a session, a batch or the review queue, some failed. */
async function runTemplates({ ask, db }: Side): Promise<void> {
  const plain = templates - 20
  for (let number = 0; number < plain; number += 1)
    await ask('/v1/agent/execute', {
      // The answer of the model is not in the document of another vendor.
      ...(number < 5 ? bodyOf(number, { review: { below: 1 } }, 'Another') : bodyOf(number)),
      ...(number < 10 ? { metadata: { session_id: `session-${number % 2}` } } : {}),
      batch: false,
    })
  for (let number = 0; number < 10; number += 1)
    await ask('/v1/agent/execute', { ...bodyOf(number, { prompt: 'To be refused' }), batch: false })
  const batch = await ask('/v1/agent/batches', {
    config: { prompt: 'Of a batch' },
    items: Array.from({ length: 10 }, (_, at) => ({ inputs: bodyOf(at).inputs })),
  })
  while ((await ask(`/v1/agent/batches/${batch.id}`)).status === 'running');
  await db.query(`insert into execution_skills (workspace_id, execution_id, position, skill_id, name, number, skill_version, created_at)
    select workspace_id, id, 1, null, 'invoice-fields', null, 'inline', created_at from executions where name like '%form-3%'`)
  const [made] =
    await db.query(`select count(*)::integer as all, count(session_id)::integer as sessions, count(review)::integer as reviews,
    count(batch_id)::integer as batch, (count(*) filter (where status = 'failed'))::integer as failed from executions`)
  const wanted = { all: templates, sessions: 10, reviews: 5, batch: 10, failed: 10 }
  if (JSON.stringify(made) !== JSON.stringify(wanted)) throw new Error(`the templates are ${JSON.stringify(made)}`)
}

const full = await openSide('skillrun')
const empty = await openSide('empty')
if (!isFilled) {
  await runTemplates(full)
  await runTemplates(empty)
}
let fillSeconds: number | null = null
if (!isFilled) {
  const fromMs = performance.now()
  const settings = careless.map((one) => one.split('='))
  for (const [name, value] of settings) await full.query(`alter system set ${name} = '${value}'`)
  await full.query('select pg_reload_conf()')
  await fill(full.query, count, (line) => tell(`${Math.round((performance.now() - fromMs) / 1000)} s: ${line}`))
  await full.query('alter system reset all')
  await full.query('select pg_reload_conf()')
  await full.query('checkpoint')
  await writeFile(join(place, 'filled'), String(count))
  fillSeconds = Math.round((performance.now() - fromMs) / 1000)
}

/** What is asked of both: a path, or something that is done; `deep`: executions that lie before it. */
async function questionsOf({ ask, db }: Side) {
  const [batch] = await db.query<{ id: string }>('select id from batches limit 1')
  // One in the middle of all, and the time of the oldest.
  const [oldest] = await db.query<{ ms: number }>(
    'select extract(epoch from min(created_at))::float8 * 1000 as ms from executions',
  )
  const middle = new Date(((oldest?.ms ?? 0) + Date.now()) / 2).toISOString()
  const [inMiddle] = await db.query<{ id: string; at: Date }>(
    'select id, created_at as at from executions where created_at <= $1 order by workspace_id, created_at desc, id desc limit 1',
    [middle],
  )
  const some =
    inMiddle ?? (await db.query<{ id: string; at: Date }>('select id, created_at as at from executions limit 1'))[0]
  const list = '/v1/agent/executions?limit=50'
  // As many as the smaller side has of each kind, so that pages have the same size.
  const few = '/v1/agent/executions?limit=5'
  let number = 0
  return {
    list: () => ask(list),
    'list, failed': () => ask(`${few}&status=failed`),
    'list, of no agent': () => ask(`${few}&name=no-such-agent`),
    'list, of an agent': () => ask(`${few}&name=which-vendor-form-3`),
    'list, of no skill': () => ask(`${few}&skill_id=no-such-skill`),
    'list, of a skill': () => ask(`${few}&skill_id=invoice-fields`),
    'list, of a batch': () => ask(`${few}&batch_id=${batch?.id}`),
    'list, of a session': () => ask(`${few}&session_id=session-1`),
    'list, to be reviewed': () => ask(`${few}&review=needed`),
    'list, of a tier that nothing used': () => ask(`${few}&service_tier=priority`),
    'list, of evaluations': () => ask(`${few}&purpose=evaluation`),
    'list, of checks of programs': () => ask(`${few}&purpose=shadow`),
    'list, decided by a person': () => ask(`${few}&approval=done`),
    'list, from the middle by cursor': () => ask(`${list}&cursor=${some?.at.toISOString()}_${some?.id}`),
    'list, failed in a day': () =>
      ask(`${few}&status=failed&created_after=${new Date(Date.now() - dayMs).toISOString()}`),
    'search of the newest': () => ask(`${few}&q=vendor`),
    'review queue': () => ask('/v1/reviews'),
    'read by id': () => ask(`/v1/agent/executions/${some?.id}`),
    transcript: () => ask(`/v1/agent/executions/${some?.id}/steps`),
    submission: () => ask('/v1/agent/execute', bodyOf(number++)),
    'submission to answer': () => ask('/v1/agent/execute', { ...bodyOf(number++), batch: false }),
  }
}

const round = (value: number, digits = 2) => Number(value.toFixed(digits))

/** The median of each question on both sides, asked in turn. */
async function compare() {
  const sides = [
    { name: 'full', side: full, questions: await questionsOf(full) },
    { name: 'empty', side: empty, questions: await questionsOf(empty) },
  ] as const
  const from = (await full.query('select clock_timestamp()')).trim()
  const taken = new Map<string, { full: number[]; empty: number[] }>()
  const timesOf = (question: string) => {
    const times = taken.get(question) ?? { full: [], empty: [] }
    taken.set(question, times)
    return times
  }
  for (let at = -3; at < rounds; at += 1) {
    for (const question of Object.keys(sides[0].questions) as (keyof (typeof sides)[0]['questions'])[]) {
      const times = timesOf(question)
      for (const { name, questions } of at % 2 === 0 ? sides : sides.toReversed()) {
        const fromMs = performance.now()
        await questions[question]()
        // The first rounds warm up.
        if (at >= 0) times[name].push(performance.now() - fromMs)
      }
    }
  }
  // Every execution of this run that a worker took from the queue.
  for (const { name, side } of sides) {
    const picked = await side.db.query<{ ms: number }>(
      `select extract(epoch from started_at - created_at)::float8 * 1000 as ms from executions
       where created_at > $1 and started_at is not null and workspace_id = (select id from workspaces limit 1)`,
      [from],
    )
    timesOf('pick-up')[name].push(...picked.map(({ ms }) => ms))
  }
  return Object.fromEntries(
    [...taken].map(([question, { full, empty }]) => {
      const [ours, theirs] = [median(full), median(empty)]
      return [question, { full_ms: round(ours), empty_ms: round(theirs), ratio: round(ours / theirs) }]
    }),
  )
}

/** Scans of whole tables so far. */
const scans = () =>
  full.query(
    `select string_agg(relname || '=' || seq_scan, ' ' order by relname) from pg_stat_user_tables where relname = any('{${filledTables.join(',')}}')`,
  )
const bytesOf = async () => Number(await full.query(`select pg_database_size('skillrun')`))
const walNow = async () => Number(await full.query(`select pg_current_wal_lsn() - '0/0'`))

/** Milliseconds and bytes of the log of something, for each execution. */
async function costOf(work: () => Promise<number>) {
  const [wal, fromMs] = [await walNow(), performance.now()]
  const executions = await work()
  const ms = performance.now() - fromMs
  return {
    executions,
    seconds: round(ms / 1000),
    per_second: Math.round(executions / (ms / 1000)),
    wal_bytes_each: Math.round(((await walNow()) - wal) / executions),
  }
}

const stored = Number(await full.query('select count(*) from executions'))
const bytes = await bytesOf()
tell(`${stored} executions, ${Math.round(bytes / 1e6)} MB`)
const scansBefore = await scans()
const idle = await compare()
const scansAfter = await scans()
tell(JSON.stringify(idle))

// The oldest month.
const [oldest] = await full.db.query<{ at: Date }>('select min(created_at) as at from executions')
const monthEnd = new Date((oldest?.at.getTime() ?? 0) + 30 * dayMs)
let isStopped = false
const purging = costOf(() =>
  purgeAllDue(
    { db: full.db, forgetMore: forgetElsewhere, isStopped: () => isStopped },
    { now: new Date(), olderThan: monthEnd },
  ),
)
const whilePurging = await compare()
const timer = setTimeout(() => {
  isStopped = true
}, purgeMs)
const purged = await purging
clearTimeout(timer)
tell(JSON.stringify({ purged, whilePurging }))

const deleted = await costOf(async () => {
  let rows = 0
  for (let batch = 0; batch < 20; batch += 1) {
    const [row] = await full.db.query<{ n: number }>(
      `with old as (select workspace_id, id from executions where workspace_id = (select id from workspaces limit 1)
           and created_at between $1 and $2 order by created_at desc, id desc limit 1000),
         gone as (delete from executions using old where executions.workspace_id = old.workspace_id and executions.id = old.id returning 1)
       select count(*)::integer as n from gone`,
      [new Date(monthEnd.getTime() - 15 * dayMs), monthEnd],
    )
    rows += row?.n ?? 0
  }
  return rows
})
tell(JSON.stringify({ deleted }))
await full.query(
  `create table month as select * from executions where created_at between '${new Date(monthEnd.getTime() - 30 * dayMs).toISOString()}' and '${monthEnd.toISOString()}'`,
)
const inMonth = Number(await full.query('select count(*) from month'))
const dropped = await costOf(async () => {
  await full.query('drop table month')
  return inMonth
})

console.log(
  JSON.stringify(
    {
      executions: stored,
      bytes_each: Math.round(bytes / stored),
      fill_seconds: fillSeconds,
      idle,
      whole_scans: { before: scansBefore, after: scansAfter },
      month: { executions: inMonth, purged, deleted, dropped },
      while_purging: whilePurging,
    },
    null,
    2,
  ),
)
