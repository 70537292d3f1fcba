// The project's table: executions with one tool round, here and by the least code that could do them durably, interleaved in
// one run on one database and one mock model. Ratios hold from machine to machine; the milliseconds do not.
// `node bench/table.ts [--rounds 3] [--seconds 4] [--peers] [--json FILE]`; `--peers` installs those in bench/peers and measures them, too.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../src/kit/clock.ts'
import { silentLog } from '../src/kit/log.ts'
import { startEmbedded } from '../src/seams/db/embedded/start.ts'
import { connect } from '../src/seams/db/postgres/connect.ts'
import { startServer } from '../test/house/server.ts'
import { type Load, load } from './table/load.ts'
import { installPeers } from './table/peers.ts'
import { figuresOf } from './table/process-figures.ts'

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
const modelDelaysMs = [0, 20] as const
const inFlights = [1, 64] as const

const folder = await mkdtemp(join(tmpdir(), 'skillrun-table-'))
const database = await startEmbedded({ dataFolder: folder, log: silentLog, clock: systemClock })
const children: ChildProcess[] = []
try {
  process.stdout.write(`${JSON.stringify(await measure(), null, 2)}\n`)
} finally {
  for (const child of children) child.kill('SIGTERM')
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'close')))
  await database.stop()
  await rm(folder, { recursive: true, force: true })
}

interface System {
  /** `ours`, `floor`, or a peer. */
  readonly name: string
  readonly url: string
  readonly pid: number
}

async function measure(): Promise<object> {
  const admin = await connect({ address: database.address, clock: systemClock, log: silentLog, connectionsMax: 1 })
  const rows: object[] = []
  const peers = values.peers ? await installPeers() : []
  for (const delayMs of modelDelaysMs) {
    const model = await startChild('bench/table/model.ts', [String(delayMs)])
    const systems: System[] = [
      await startOurs(admin, model.line, delayMs),
      await startFloor(admin, model.line, delayMs),
      ...(await Promise.all(peers.map((peer) => startPeer(peer, model.line)))),
    ]
    const idle = Object.fromEntries(systems.map(({ name, pid }) => [name, Math.round(figuresOf(pid).rssMb)]))
    for (const { url } of systems) await run(url, 8, 2)
    for (const inFlight of inFlights) {
      const seen: Seen = new Map(systems.map(({ name }) => [name, []]))
      for (let round = 0; round < rounds; round += 1)
        for (const { name, url, pid } of round % 2 === 0 ? systems : systems.toReversed()) {
          const before = figuresOf(pid).cpuMs
          const done = await run(url, inFlight, seconds)
          seen.get(name)?.push({ ...done, cpuMs: (figuresOf(pid).cpuMs - before) / done.count })
        }
      rows.push(rowOf({ delayMs, inFlight }, seen))
    }
    const loaded = Object.fromEntries(systems.map(({ name, pid }) => [name, Math.round(figuresOf(pid).rssMb)]))
    rows.push({ model_ms: delayMs, rss_mb: { idle, loaded } })
  }
  await admin.close()
  if (values.json) await writeFile(values.json, `${JSON.stringify(rows, null, 2)}\n`)
  return rows
}

function median(all: readonly number[]): number {
  return all.toSorted((left, right) => left - right)[Math.floor(all.length / 2)] ?? 0
}

type Seen = Map<string, (Load & { cpuMs: number })[]>

function rowOf(where: { delayMs: number; inFlight: number }, seen: Seen): object {
  const of = (name: string) => {
    const stretches = seen.get(name) ?? []
    return {
      per_second: Math.round(median(stretches.map((one) => one.count / one.seconds))),
      cpu_ms: Number(median(stretches.map((one) => one.cpuMs)).toFixed(2)),
      // Two calls of the model are not anybody's own.
      p50_above_model_ms: Number((median(stretches.map((one) => one.p50Ms)) - 2 * where.delayMs).toFixed(1)),
      p99_ms: Number(median(stretches.map((one) => one.p99Ms)).toFixed(1)),
    }
  }
  const ours = of('ours')
  /** Ours by another's. */
  const beside = (other: ReturnType<typeof of>) => {
    const ratio = (name: 'per_second' | 'cpu_ms' | 'p50_above_model_ms') =>
      Number((ours[name] / other[name]).toFixed(2))
    return { per_second: ratio('per_second'), cpu_ms: ratio('cpu_ms'), p50_above_model_ms: ratio('p50_above_model_ms') }
  }
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

function run(url: string, inFlight: number, forSeconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const body = JSON.stringify({
    batch: false,
    config: {
      prompt: 'What do 3 boxes at 48.00 cost?',
      json_schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
    },
  })
  return load({ url: `${url}/v1/agent/execute`, agent, key, body, inFlight, seconds: forSeconds })
}

type Admin = Awaited<ReturnType<typeof connect>>

async function startOurs(admin: Admin, baseUrl: string, delayMs: number): Promise<System> {
  const address = await databaseOf(admin, `ours_${delayMs}`)
  const { host, port, user, database: name } = address
  const config = join(folder, `config-${delayMs}.json`)
  await writeFile(
    config,
    JSON.stringify({
      providers: { mock: { kind: 'openai-compatible', base_url: baseUrl, fast: 'mock-1' } },
      models: { 'mock/mock-1': { input: 0, output: 0, takes: ['text', 'tools'] } },
      limits: { requests_per_minute: 10_000_000 },
    }),
  )
  const server = startServer(join(folder, `ours-${delayMs}`), {
    DATABASE_URL: `postgres://${user}@localhost/${name}?host=${encodeURIComponent(host)}&port=${port}`,
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
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

async function startPeer({ name, module }: { name: string; module: string }, baseUrl: string): Promise<System> {
  const { line, pid } = await startChild(module, [baseUrl, key])
  return { name, url: line, pid }
}

async function databaseOf(admin: Admin, name: string) {
  await admin.query(`create database ${name}`)
  return { ...database.address, database: name }
}

async function startChild(module: string, parameters: readonly string[]): Promise<{ line: string; pid: number }> {
  const child = spawn(process.execPath, [new URL(`../${module}`, import.meta.url).pathname, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { line: line.toString().trim(), pid: child.pid ?? 0 }
}
