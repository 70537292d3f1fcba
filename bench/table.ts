// The main table: executions with one tool round, on this server and on a minimal durable implementation, interleaved
// in one run with one PostgreSQL and one mock model. Ratios carry over between machines; milliseconds do not.
// `node bench/table.ts [--rounds 3] [--seconds 4] [--peers] [--json FILE]`; `--peers` installs and measures those in
// bench/peers too.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/core/src/clock.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { urlOf } from '../test/support/database-url.ts'
import { startServer } from '../test/support/server.ts'
import { configurationOf, median, toolCallRequest } from './measure.ts'
import { type Load, load } from './table/load.ts'
import { installPeers, type Peer } from './table/peers.ts'
import { type Figures, printMemory, printRow } from './table/print.ts'
import { figuresOf, sharedOutMb } from './table/process-figures.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string' },
    peers: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const key = 'the-key-of-the-benchmark'
/** The one tool that all systems offer; models see it as core_calculate. */
const tool = 'core.calculate'
const modelDelaysMs = [0, 20] as const
/** Longer than our server keeps an idle child. */
const restMs = 80_000
const inFlights = [1, 64] as const

const asked = toolCallRequest(tool)

const folder = await mkdtemp(join(tmpdir(), 'skillrun-table-'))
/** A minimal environment: no system gets the user's API keys. */
const environment = { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production' }
const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
const children: ChildProcess[] = []
try {
  await measure()
  if (!values.peers)
    process.stdout.write(
      '\n`npm run bench -- --only table-peers` installs the peers of bench/peers, too, and measures them.\n',
    )
} finally {
  await stopChildren()
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}

interface System {
  /** `ours`, `floor`, or a peer. */
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly request?: Peer['request']
}

async function measure(): Promise<void> {
  const admin = await connect({
    address: database.administratorAddress,
    clock: systemClock,
    log: silentLog,
    connectionsMax: 1,
  })
  const rows: object[] = []
  const before = loadavg()
  const peers = values.peers ? await installPeers() : []
  for (const delayMs of modelDelaysMs) {
    const model = await startChild('bench/table/model.ts', [String(delayMs)])
    const systems: System[] = [
      await startOurs(admin, model.line, delayMs),
      await startFloor(admin, model.line, delayMs),
      ...(await Promise.all(peers.map((peer) => startPeer(peer, model.line)))),
    ]
    const memory = () => Object.fromEntries(systems.map(({ name, pid }) => [name, Math.round(sharedOutMb(pid))]))
    const idle = memory()
    for (const system of systems) await run(system, 8, 2)
    for (const inFlight of inFlights) {
      const seen: Seen = new Map(systems.map(({ name }) => [name, []]))
      for (let round = 0; round < rounds; round += 1)
        for (const system of round % 2 === 0 ? systems : systems.toReversed()) {
          const before = figuresOf(system.pid).cpuMs
          const done = await run(system, inFlight, seconds)
          seen.get(system.name)?.push({ ...done, cpuMs: (figuresOf(system.pid).cpuMs - before) / done.count })
        }
      rows.push(rowOf({ delayMs, inFlight }, seen))
    }
    const loaded = memory()
    printMemory({ 'after the start': idle, loaded })
    rows.push({ model_ms: delayMs, pss_mb: { idle, loaded } })
    if (delayMs === modelDelaysMs.at(-1)) {
      await pause(restMs)
      const rested = memory()
      printMemory({ rested })
      rows.push({ model_ms: delayMs, pss_mb: { rested } })
    }
    await stopChildren()
  }
  rows.push({ machine: { cores: availableParallelism(), load: { before, after: loadavg() } } })
  await admin.close()
  if (values.json) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
}

async function stopChildren(): Promise<void> {
  const all = children.splice(0)
  for (const child of all) child.kill('SIGTERM')
  await Promise.all(all.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')))
}

type Seen = Map<string, (Load & { cpuMs: number })[]>

function rowOf(where: { delayMs: number; inFlight: number }, seen: Seen): object {
  const of = (name: string): Figures => {
    const stretches = seen.get(name) ?? []
    return {
      per_second: Math.round(median(stretches.map((one) => one.count / one.seconds))),
      cpu_ms: Number(median(stretches.map((one) => one.cpuMs)).toFixed(2)),
      // Two model calls are not the system's own time.
      p50_above_model_ms: Number((median(stretches.map((one) => one.p50Ms)) - 2 * where.delayMs).toFixed(1)),
      p99_ms: Number(median(stretches.map((one) => one.p99Ms)).toFixed(1)),
    }
  }
  const ours = of('ours')
  /** The ratio of our figure to another's. */
  const beside = (other: Figures) => {
    const ratio = (name: 'per_second' | 'cpu_ms' | 'p50_above_model_ms') =>
      Number((ours[name] / other[name]).toFixed(2))
    return { per_second: ratio('per_second'), cpu_ms: ratio('cpu_ms'), p50_above_model_ms: ratio('p50_above_model_ms') }
  }
  printRow(
    { model_ms: where.delayMs, in_flight: where.inFlight },
    new Map([...seen.keys()].map((name) => [name, of(name)])),
  )
  const peers = [...seen.keys()].filter((name) => name !== 'ours' && name !== 'floor')
  return {
    model_ms: where.delayMs,
    in_flight: where.inFlight,
    ours,
    floor: of('floor'),
    ratio: beside(of('floor')),
    ...Object.fromEntries(peers.map((name) => [name, { ...of(name), ratio: beside(of(name)) }])),
  }
}

function run({ url, request }: System, inFlight: number, forSeconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const { path, body } = request ?? { path: '/v1/agent/execute', body: asked }
  return load({ url: url + path, agent, key, body: JSON.stringify(body), inFlight, seconds: forSeconds })
}

type Admin = Awaited<ReturnType<typeof connect>>

async function startOurs(admin: Admin, baseUrl: string, delayMs: number): Promise<System> {
  const address = await databaseOf(admin, `ours_${delayMs}`)
  const config = join(folder, `config-${delayMs}.json`)
  await writeFile(config, JSON.stringify(configurationOf(baseUrl)))
  const server = startServer(join(folder, `ours-${delayMs}`), {
    DATABASE_URL: urlOf(address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
    NODE_ENV: 'production',
  })
  children.push(server.process)
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  return { name: 'ours', url, pid: server.process.pid ?? 0 }
}

async function startFloor(admin: Admin, baseUrl: string, delayMs: number): Promise<System> {
  const address = await databaseOf(admin, `floor_${delayMs}`)
  const { line, pid } = await startChild('bench/table/durable-floor.ts', [JSON.stringify(address), baseUrl, key])
  return { name: 'floor', url: line, pid }
}

async function startPeer({ name, module, request }: Peer, baseUrl: string): Promise<System> {
  const { line, pid } = await startChild(module, [baseUrl, key])
  return { name, url: line, pid, ...(request ? { request } : {}) }
}

async function databaseOf(admin: Admin, name: string) {
  await admin.query(`create database ${name} owner ${database.address.user}`)
  return { ...database.address, database: name }
}

async function startChild(module: string, parameters: readonly string[]): Promise<{ line: string; pid: number }> {
  const path = new URL(module, new URL('../', import.meta.url)).pathname
  const child = spawn(process.execPath, [path, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  })
  children.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { line: line.toString().trim(), pid: child.pid ?? 0 }
}
