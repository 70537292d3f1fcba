// Injects random faults into server processes, the database, its disk and the clocks under load, and then counts
// violations. Each execution is one tool round with a priced model. Counted are: accepted executions that are missing
// or have not ended (lost), executions that ended or were recorded more than once (doubled), model calls for recorded
// answers (paid_again), repeated calls beyond the one in flight of an interrupted run (repeated_beyond), differences
// between ledger and records, missing callbacks, and failures that no killed process explains. Prints JSON; exits with
// 1 when any of these is not 0, or when the control passes: a proxy that answers before the commit must lose something.
//
// `node bench/chaos.ts [--seed 1] [--executions 5000] [--processes 4 or 1] [--long 0.02]
//    [--kill 200] [--stall 0] [--crash 0] [--cut 0] [--freeze 0] [--slow 0] [--disk 0] [--clock 0] [--dbclock 0] [--all 10]`
//
// kill: SIGKILL to a process; stall: SIGSTOP and SIGCONT; crash: immediate shutdown of the database; cut: no connection
// to it; freeze: its processes are stopped; slow: each message to and from it is delayed; disk: each commit waits up to
// 100 ms; clock: the servers' clock is set up to two hours off; dbclock: the database's clock; long: the share of model
// turns that take longer than a lease. The seed determines the faults, their order and length, and which turns are
// long; which run a fault hits depends on the machine.
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
import { newId } from '../packages/core/src/ids.ts'
import { createRandom, type Random } from '../packages/reader/training/documents/random.ts'
import { openCluster } from '../test/support/cluster.ts'
import { openReceiver } from '../test/support/receiver.ts'
import { countRepeats, type RecordedExecution, startCountedModel } from './chaos/calls.ts'
import { countRows, waitUntilSettled } from './chaos/count.ts'
import { type BreakableDatabase, openBreakableDatabase } from './chaos/database.ts'
import {
  type Broken,
  begin,
  type Fault,
  type FaultKind,
  faultKinds,
  type Kept,
  planFaults,
  setClocksRight,
} from './chaos/faults.ts'
import { openLine } from './chaos/line.ts'
import { bodyOf, configurationOf, isAccepted } from './chaos/requests.ts'

const counted = Object.fromEntries(faultKinds.map((kind) => [kind, { type: 'string' }])) as Record<
  FaultKind,
  { type: 'string' }
>
const { values } = parseArgs({
  options: {
    ...counted,
    all: { type: 'string', default: '0' },
    executions: { type: 'string', default: '5000' },
    processes: { type: 'string', default: '4' },
    long: { type: 'string', default: '0' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    front: { type: 'string' },
  },
})
/** The number of concurrent client calls. */
const clientsCount = 8
/** One in this many executions has a callback. */
const calledBackEvery = 10
/** The time limit after the last fault for everything accepted to end. */
const settleMs = 240_000
/** The maximum number of concurrent faults. */
const faultsAtOnce = 3
const controlKills = 3
const controlCalls = 40

interface Plan {
  readonly seed: number
  readonly executions: number
  readonly roles: readonly ('all' | 'api' | 'worker')[]
  readonly long: number
  readonly counts: Readonly<Record<FaultKind, number>>
}

interface Progress {
  faults: number
  calls: number
}

/** The state of the clients: the servers, and the accepted executions. */
interface Load {
  readonly plan: Plan
  readonly members: readonly Kept[]
  readonly progress: Progress
  readonly faultsCount: number
  readonly callbackUrl: string
  readonly accepted: string[]
}

if (values.front !== undefined) await hastyFront(values.front)
else await chaos(planOf())

function planOf(): Plan {
  const all = Number(values.all)
  const isAnyGiven = all > 0 || faultKinds.some((kind) => values[kind] !== undefined)
  const countOf = (kind: FaultKind) => Number(values[kind] ?? (kind === 'kill' && !isAnyGiven ? 200 : all))
  return {
    seed: Number(values.seed),
    executions: Number(values.executions),
    roles: values.processes === '1' ? ['all'] : ['api', 'api', 'worker', 'worker'],
    long: Number(values.long),
    counts: Object.fromEntries(faultKinds.map((kind) => [kind, countOf(kind)])) as Plan['counts'],
  }
}

async function chaos(plan: Plan): Promise<void> {
  const random = createRandom(String(plan.seed))
  const faults = planFaults(plan.counts, random)
  const fromMs = performance.now()
  let report: { failed: boolean; lines: object }
  {
    await using undo = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'skillrun-chaos-'))
    undo.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
    const database = undo.use(await openBreakableDatabase(folder))
    const line = undo.use(await openLine(database.address))
    const model = undo.use(await startCountedModel(plan))
    const receiver = undo.use(await openReceiver())
    const config = join(folder, 'configuration.json')
    const clockFile = join(folder, 'clock')
    await writeFile(config, JSON.stringify(configurationOf(model.baseUrl)))
    await writeFile(clockFile, '0')
    const { user, password, database: name } = database.address
    const cluster = undo.use(
      await openCluster(database.address, {
        DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${line.port}/${name}`,
        SKILLRUN_SLOTS: 'standard=4',
        SKILLRUN_CONFIG: config,
        SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}`,
        NODE_OPTIONS: `--import=${new URL('chaos/shifted-clock.mjs', import.meta.url)}`,
        CHAOS_CLOCK: clockFile,
      }),
    )
    const members = plan.roles.map((): Kept => ({ member: undefined, isBusy: false }))
    const roleOf = new Map(members.map((kept, index) => [kept, plan.roles[index] ?? 'all']))
    const start = async (kept: Kept): Promise<void> => {
      // A process that starts while the database is down exits with a message, as its supervisor expects.
      for (;;) {
        const started = await cluster.start(roleOf.get(kept) ?? 'all').catch(() => undefined)
        if (!started) continue
        kept.member = started
        return
      }
    }
    for (const kept of members) await start(kept)
    const broken: Broken = { cluster, members, database, line, clockFile, start, killedPids: new Set() }
    const progress: Progress = { faults: 0, calls: 0 }
    const load: Load = {
      plan,
      members,
      progress,
      faultsCount: faults.length,
      callbackUrl: receiver.url('/told'),
      accepted: [],
    }
    await Promise.all([
      breakThings(broken, { faults, random, progress, executions: plan.executions }),
      ...Array.from({ length: clientsCount }, () => submit(load)),
    ])
    await setClocksRight(broken)
    const settled_ms = await waitUntilSettled(database, settleMs)
    const rows = await countRows(database, load.accepted, broken.killedPids)
    const repeats = countRepeats(model, await recordedExecutions(database))
    const control = await runControl(database, { load, random })
    const { lost, doubled, wrong, failed_unexplained, misbooked, ledger_difference, untold, out_of_order } = rows
    const { paid_again, repeated_beyond } = repeats
    const mistakes = [
      lost,
      doubled,
      wrong,
      failed_unexplained,
      misbooked,
      Math.abs(ledger_difference),
      untold,
      out_of_order,
    ]
    const seconds = Math.round((performance.now() - fromMs) / 1_000)
    const caught = control.lost > 0
    report = {
      failed: [...mistakes, paid_again, repeated_beyond].some((count) => count > 0) || !caught,
      lines: {
        seed: plan.seed,
        processes: plan.roles.length,
        faults: plan.counts,
        long: plan.long,
        accepted: load.accepted.length,
        ...rows,
        ...repeats,
        settled_ms,
        seconds,
        control: { ...control, caught },
      },
    }
  }
  console.log(JSON.stringify(report.lines))
  process.exit(report.failed ? 1 : 0)
}

/** Starts the faults in order, in step with the calls, so that they are evenly distributed. */
async function breakThings(
  broken: Broken,
  at: { faults: readonly Fault[]; random: Random; progress: Progress; executions: number },
): Promise<void> {
  const { faults, random, progress, executions } = at
  const underWay = new Set<Promise<void>>()
  const waiting = [...faults]
  while (waiting.length > 0) {
    await pause(random.int(0, 200))
    if (underWay.size >= faultsAtOnce || progress.calls / executions < progress.faults / faults.length) continue
    // A fault that has to wait for another of its kind lets the next ones go first.
    const index = waiting.findIndex((fault) => {
      const begun = begin(broken, fault)
      if (!begun) return false
      const over: Promise<void> = begun.finally(() => underWay.delete(over))
      underWay.add(over)
      return true
    })
    if (index === -1) continue
    waiting.splice(index, 1)
    progress.faults += 1
    if (progress.faults % 20 === 0)
      process.stderr.write(`${progress.faults} of ${faults.length} faults, ${progress.calls} of ${executions} calls\n`)
  }
  await Promise.all(underWay)
}

/** Calls until all are accepted. An unanswered call is repeated with the same id, as a client would. */
async function submit(load: Load): Promise<void> {
  const { plan, progress, faultsCount, accepted } = load
  while (progress.calls < plan.executions) {
    if (faultsCount > 0 && progress.calls / plan.executions > (progress.faults + 1) / faultsCount) {
      await pause(5)
      continue
    }
    progress.calls += 1
    const order = progress.calls
    const id = newId(new Date())
    const callback = order % calledBackEvery === 0 ? { callback_url: load.callbackUrl } : {}
    while (!(await isAccepted(urlOf(load.members), bodyOf(id, order, callback)))) await pause(20)
    accepted.push(id)
  }
}

function urlOf(members: readonly Kept[]): string {
  const urls = members.flatMap(({ member }) => (member?.url ? [member.url] : []))
  // The counts do not depend on which server answers.
  return urls[Math.floor(Math.random() * urls.length)] ?? 'http://127.0.0.1:1'
}

function recordedExecutions(database: BreakableDatabase): Promise<readonly RecordedExecution[]> {
  return database.query<RecordedExecution>(
    `select id, attempt as attempts, coalesce((select jsonb_agg(result->>'id' order by seq) from steps
       where workspace_id = executions.workspace_id and execution_id = executions.id and kind = 'model'), '[]') as answers
     from executions`,
  )
}

/** The control: the same count behind a proxy that answers before the commit, with kills; it must show losses. */
async function runControl(
  database: BreakableDatabase,
  { load, random }: { load: Load; random: Random },
): Promise<{ accepted: number; lost: number }> {
  const accepted: string[] = []
  for (let kill = 0; kill < controlKills; kill++) {
    const front = spawn(process.execPath, [fileURLToPath(import.meta.url), '--front', urlOf(load.members)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const url = await firstLine(front)
    const calls = Math.floor(controlCalls / 2) + random.int(0, controlCalls / 2)
    for (let call = 0; call < calls; call++) {
      const id = newId(new Date())
      if (await isAccepted(url, bodyOf(id, 0, {}))) accepted.push(id)
    }
    front.kill('SIGKILL')
    await once(front, 'close')
  }
  await pause(500)
  await waitUntilSettled(database, settleMs)
  return { accepted: accepted.length, lost: (await countRows(database, accepted, new Set())).lost }
}

async function firstLine(child: ChildProcess): Promise<string> {
  const [bytes] = (await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data')) as [Buffer]
  return bytes.toString().trim()
}

/** A proxy that answers 201 immediately and forwards the call a moment later. */
async function hastyFront(target: string): Promise<void> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    response.writeHead(201, { 'Content-Type': 'application/json' }).end('{}')
    // Long enough that the kill comes first, on a busy machine too.
    await pause(500)
    await fetch(target + request.url, {
      method: 'POST',
      headers: { Authorization: request.headers.authorization ?? '', 'Content-Type': 'application/json' },
      body: Buffer.concat(parts),
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}
