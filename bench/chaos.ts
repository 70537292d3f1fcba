// Kills API and worker processes at random under load, each execution being a tool round with a model that has its price, and then
// counts: what was accepted and is not there or has not ended (lost), what ended or was recorded more than once (doubled), calls of
// the model that were made although their answer was recorded (paid_again), and whether the ledger balances and is what the records
// say. Prints JSON; exits with 1 when any of it is not nothing, or when the control was not caught: a front that answers before the
// commit must lose something.
// `node bench/chaos.ts [--kills 200] [--executions 5000] [--seed 1]`
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/kit/clock.ts'
import { newId } from '../src/kit/ids.ts'
import { silentLog } from '../src/kit/log.ts'
import type { Db } from '../src/seams/db/db.ts'
import { startEmbedded } from '../src/seams/db/embedded/start.ts'
import { connect } from '../src/seams/db/postgres/connect.ts'
import { type Cluster, type Member, openCluster } from '../test/house/cluster.ts'
import { createRandom, type Random } from './documents/random.ts'
import { type MockModel, startMockModel, toolThenAnswer } from './mock-model.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    executions: { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    front: { type: 'string' },
  },
})
/** Calls in flight at once. */
const clientsCount = 8
/** After the last kill everything that was accepted must have ended within this time. */
const settleMs = 120_000
const controlKills = 3
const controlCalls = 40
/** Of one call of the model: long enough that kills fall into it. */
const modelMs = 20

const schema = {
  type: 'object',
  properties: { total: { type: ['number', 'null'] } },
  required: ['total'],
  additionalProperties: false,
}

if (values.front !== undefined) await hastyFront(values.front)
else await chaos(Number(values.kills), Number(values.executions), Number(values.seed))

async function chaos(kills: number, executions: number, seed: number): Promise<void> {
  const random = createRandom(String(seed))
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-chaos-'))
  const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
  const db = await connect({ address: database.address, clock: systemClock, log: silentLog, connectionsMax: 4 })
  const paid = { calls: 0, again: 0 }
  const model = await startModel(db, paid)
  const config = join(folder, 'configuration.json')
  await writeFile(config, JSON.stringify(configurationOf(model)))
  const cluster = await openCluster(database.address, { SKILLRUN_SLOTS: 'standard=4', SKILLRUN_CONFIG: config })
  const fromMs = performance.now()
  let failed = false
  try {
    const members = await Promise.all((['api', 'api', 'worker', 'worker'] as const).map((role) => keep(cluster, role)))
    const accepted: string[] = []
    const progress = { killed: 0, calls: 0 }
    await Promise.all([
      killAtRandom({ members, random, kills, progress, executions }),
      ...Array.from({ length: clientsCount }, () => submit({ members, accepted, progress, kills, executions })),
    ])
    const settledMs = await waitUntilEnded(db)
    const counted = { ...(await count(db, accepted)), model_calls: paid.calls, paid_again: paid.again }
    const control = await runControl(db, { members, random })
    const caught = control.lost > 0
    const { lost, doubled, wrong, failed_unexplained, misbooked, ledger_difference, paid_again } = counted
    const mistakes = [lost, doubled, wrong, failed_unexplained, misbooked, Math.abs(ledger_difference), paid_again]
    failed = mistakes.some((one) => one > 0) || !caught
    const seconds = Math.round((performance.now() - fromMs) / 1000)
    console.log(
      JSON.stringify({
        seed,
        kills,
        accepted: accepted.length,
        ...counted,
        settled_ms: settledMs,
        seconds,
        control: { ...control, caught },
      }),
    )
  } finally {
    await cluster[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
    await db.close()
    await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
  process.exit(failed ? 1 : 0)
}

/** One call of a tool, then the answer. Asks the database at each call whether its answer is there already. */
function startModel(db: Db, paid: { calls: number; again: number }): Promise<MockModel> {
  const script = toolThenAnswer({ total: 12.5 })
  return startMockModel({
    delayMs: modelMs,
    async script(request) {
      const id = /Receipt No: ([-0-9a-f]{36})/.exec(request.text)?.[1] ?? ''
      const [recorded] = await db.query<{ turns: number }>(
        `select count(*)::integer as turns from steps where execution_id = $1 and kind = 'model'`,
        [id],
      )
      paid.calls += 1
      if ((recorded?.turns ?? 0) > request.results.length) paid.again += 1
      return script(request)
    },
  })
}

function configurationOf({ baseUrl }: MockModel) {
  const facts = { input: 2_000_000, output: 12_000_000, output_tokens_max: 1_000, takes: ['text', 'tools'] }
  return {
    providers: { mock: { kind: 'openai-compatible', base_url: baseUrl, fast: 'mock-1' } },
    models: { 'mock/mock-1': facts },
  }
}

/** A place that is always taken by a process, save while a new one starts. */
interface Kept {
  member: Member | undefined
  kill(): Promise<void>
}

async function keep(cluster: Cluster, role: 'api' | 'worker'): Promise<Kept> {
  const kept: Kept = {
    member: await cluster.start(role),
    async kill() {
      const { member } = kept
      kept.member = undefined
      await member?.kill()
      kept.member = await cluster.start(role)
    },
  }
  return kept
}

/** Kills as far as the calls have come: the two are spread over each other. */
async function killAtRandom(at: {
  members: readonly Kept[]
  random: Random
  kills: number
  executions: number
  progress: { killed: number; calls: number }
}): Promise<void> {
  const restarting = new Set<Promise<void>>()
  while (at.progress.killed < at.kills) {
    await pause(at.random.int(0, 300))
    if (at.progress.calls / at.executions < at.progress.killed / at.kills) continue
    const living = at.members.filter((one) => one.member !== undefined)
    if (living.length === 0) continue
    const victim = at.random.pick(living)
    at.progress.killed += 1
    const restart: Promise<void> = victim.kill().finally(() => restarting.delete(restart))
    restarting.add(restart)
    if (at.progress.killed % 20 === 0)
      process.stderr.write(`${at.progress.killed} of ${at.kills} kills, ${at.progress.calls} calls\n`)
  }
  await Promise.all(restarting)
}

/** Calls until all were accepted; one that got no answer is made again with the same id, as a client would. */
async function submit(at: {
  members: readonly Kept[]
  accepted: string[]
  progress: { killed: number; calls: number }
  kills: number
  executions: number
}): Promise<void> {
  while (at.progress.calls < at.executions) {
    if (at.progress.calls / at.executions > (at.progress.killed + 1) / at.kills) {
      await pause(5)
      continue
    }
    at.progress.calls += 1
    const id = newId(new Date())
    while (!(await isAccepted(urlOf(at.members), id))) await pause(20)
    at.accepted.push(id)
  }
}

function urlOf(members: readonly Kept[]): string {
  const urls = members.flatMap(({ member }) => (member?.url ? [member.url] : []))
  // Which of them answers does not matter for what is counted.
  return urls[Math.floor(Math.random() * urls.length)] ?? 'http://127.0.0.1:1'
}

/** Whether the server said 201. */
async function isAccepted(url: string, id: string): Promise<boolean> {
  const body = {
    id,
    inputs: { note: { type: 'text', text: `Receipt\nReceipt No: ${id}\nTotal: EUR 12.50\n` } },
    config: { prompt: 'Extract the total of this receipt', json_schema: schema },
  }
  try {
    const response = await fetch(`${url}/v1/agent/execute`, {
      method: 'POST',
      headers: { Authorization: 'Bearer the-key-of-the-cluster', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status !== 201 && response.status < 500 && response.status !== 429)
      throw new Error(`execute was answered ${response.status}: ${text}`)
    return response.status === 201
  } catch (error) {
    // fetch says TypeError for every connection that was refused or cut.
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Resolves when everything has ended, at the latest after `settleMs`. Gives the milliseconds. */
async function waitUntilEnded(db: Db): Promise<number> {
  const fromMs = performance.now()
  while (performance.now() - fromMs < settleMs) {
    const [row] = await db.query<{ open: number }>(
      `select count(*) as open from executions where status not in ('completed', 'failed')`,
    )
    if (row?.open === 0) break
    await pause(200)
  }
  return Math.round(performance.now() - fromMs)
}

async function count(db: Db, accepted: readonly string[]) {
  const one = async (text: string, params: readonly unknown[] = []): Promise<number> =>
    Number((await db.query<{ count: number }>(text, params))[0]?.count ?? 0)
  const lost = await one(
    `select count(*) from unnest($1::uuid[]) as accepted (id)
     where not exists (select 1 from executions where executions.id = accepted.id and status in ('completed', 'failed'))`,
    [accepted],
  )
  const ends = `jsonb_array_length(jsonb_path_query_array(moves, '$[*] ? (@.status == "completed" || @.status == "failed")'))`
  const doubled =
    (await one(`select count(*) from executions where ${ends} > 1`)) +
    (await one(`select count(*) from (
      select 1 from steps where name = 'document.read' group by execution_id, detail->>'input' having count(*) > 1) as again`)) +
    (await one(`select count(*) from executions where status = 'completed' and (
      select count(*) filter (where kind = 'model') <> 2 or count(*) filter (where name = 'document.search') <> 1
      from steps where execution_id = executions.id)`))
  return {
    executions: await one('select count(*) from executions'),
    lost,
    doubled,
    wrong: await one(
      `select count(*) from executions where status = 'completed' and response::jsonb <> '{"total": 12.5}'`,
    ),
    failed_unexplained: await one(
      `select count(*) from executions where status = 'failed' and (error->>'code' <> 'poison' or
         (select count(distinct value) from jsonb_each_text(lost_attempts)) < 3)`,
    ),
    // What an execution says that it cost is what was settled for it.
    misbooked: await one(
      `select count(*) from executions where status = 'completed' and (usage->>'standardMicros')::bigint <>
         (select coalesce(sum(micros), 0) from ledger where execution_id = executions.id and kind = 'settle')`,
    ),
    settled_micros: await one(`select coalesce(sum(micros), 0)::bigint as count from ledger where kind = 'settle'`),
    // A run in which three workers happened to be killed is poison as far as anybody can tell.
    failed: Object.fromEntries(
      (
        await db.query<{ code: string; count: number }>(
          `select error->>'code' as code, count(*) from executions where status = 'failed' group by 1`,
        )
      ).map((row) => [row.code, row.count]),
    ),
    taken_over: await one(`select count(*) from executions where lost_attempts <> '{}'`),
    ledger_difference: await one(
      `select coalesce(sum(case kind when 'reserve' then micros else -micros end), 0) as count from ledger`,
    ),
  }
}

/** The same count behind a front that answers before the commit, killed as well: it must be found out. */
async function runControl(
  db: Db,
  { members, random }: { members: readonly Kept[]; random: Random },
): Promise<{ accepted: number; lost: number }> {
  const accepted: string[] = []
  for (let kill = 0; kill < controlKills; kill++) {
    const front = spawn(process.execPath, [fileURLToPath(import.meta.url), '--front', urlOf(members)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await firstLine(front)
    const calls = Math.floor(controlCalls / 2) + random.int(0, controlCalls / 2)
    for (let call = 0; call < calls; call++) {
      const id = newId(new Date())
      if (await isAccepted(url, id)) accepted.push(id)
    }
    front.kill('SIGKILL')
    await once(front, 'close')
  }
  await pause(500)
  await waitUntilEnded(db)
  return { accepted: accepted.length, lost: (await count(db, accepted)).lost }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [bytes] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer]
  return bytes.toString().trim()
}

/** Says 201 at once, and passes the call on a moment later. */
async function hastyFront(target: string): Promise<void> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
    await pause(20)
    await fetch(target + request.url, {
      method: 'POST',
      headers: { Authorization: request.headers.authorization ?? '', 'Content-Type': 'application/json' },
      body: Buffer.concat(parts),
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
