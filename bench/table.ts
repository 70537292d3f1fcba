// The main table: executions with one tool round, on this server and on a minimal durable implementation, interleaved
// in one run with one PostgreSQL and one mock model. Ratios carry over between machines; milliseconds do not.
// `node bench/table.ts [--rounds 3] [--seconds 4] [--peers]`; `--peers` installs and measures those in
// bench/peers too.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { urlOf } from '../test/support/database-url.ts'
import { startServer } from '../test/support/server.ts'
import { type Child, startChild } from './child.ts'
import { configurationOf, median, toolCallRequest } from './measure.ts'
import { optionsOf } from './options.ts'
import { openPlace } from './place.ts'
import { type Load, load } from './table/load.ts'
import { installPeers, type Peer } from './table/peers.ts'
import { type Figures, printMemory, printRow } from './table/print.ts'
import { figuresOf, sharedOutMb } from './table/process-figures.ts'

const { rounds, seconds, peers: withPeers } = optionsOf({ rounds: 3, seconds: 4, peers: false })
const key = 'the-key-of-the-benchmark'
/** The one tool that all systems offer; models see it as core_calculate. */
const tool = 'core.calculate'
const modelDelaysMs = [0, 20] as const
/** Longer than our server keeps an idle child. */
const restMs = 80_000
const inFlights = [1, 64] as const

const asked = toolCallRequest(tool)

await using place = await openPlace('table')
const { folder } = place
/** A minimal environment: no system gets the user's API keys. */
const environment = { PATH: process.env['PATH'], HOME: folder, NODE_ENV: 'production' }
const children: ChildProcess[] = []
try {
  await measure()
  if (!withPeers)
    process.stdout.write(
      '\n`npm run bench -- --only table-peers` installs the peers of bench/peers, too, and measures them.\n',
    )
} finally {
  await stopChildren()
}

interface System {
  /** `ours`, `floor`, or a peer. */
  readonly name: string
  readonly url: string
  readonly pid: number
  readonly request?: Peer['request']
}

async function measure(): Promise<void> {
  const peers = withPeers ? await installPeers() : []
  for (const delayMs of modelDelaysMs) {
    const model = await start('bench/table/model.ts', [String(delayMs)])
    const systems: System[] = [
      await startOurs(model.url, delayMs),
      await startFloor(model.url, delayMs),
      ...(await Promise.all(peers.map((peer) => startPeer(peer, model.url)))),
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
      showRow({ delayMs, inFlight }, seen)
    }
    const loaded = memory()
    printMemory({ 'after the start': idle, loaded })
    if (delayMs === modelDelaysMs.at(-1)) {
      await pause(restMs)
      printMemory({ rested: memory() })
    }
    await stopChildren()
  }
}

async function stopChildren(): Promise<void> {
  const all = children.splice(0)
  for (const child of all) child.kill('SIGTERM')
  await Promise.all(all.map((child) => child.exitCode ?? child.signalCode ?? once(child, 'close')))
}

type Seen = Map<string, (Load & { cpuMs: number })[]>

function showRow(where: { delayMs: number; inFlight: number }, seen: Seen): void {
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
  printRow(
    { model_ms: where.delayMs, in_flight: where.inFlight },
    new Map([...seen.keys()].map((name) => [name, of(name)])),
  )
}

function run({ url, request }: System, inFlight: number, forSeconds: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const { path, body } = request ?? { path: '/v1/agent/execute', body: asked }
  return load({ url: url + path, agent, key, body: JSON.stringify(body), inFlight, seconds: forSeconds })
}

async function startOurs(baseUrl: string, delayMs: number): Promise<System> {
  const address = await place.createDatabase(`ours_${delayMs}`)
  const config = await place.configured(configurationOf(baseUrl), `config-${delayMs}`)
  const server = startServer(join(folder, `ours-${delayMs}`), {
    DATABASE_URL: urlOf(address),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
    NODE_ENV: 'production',
    SKILLRUN_WARM: 'yes',
  })
  children.push(server.process)
  const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
  return { name: 'ours', url, pid: server.process.pid ?? 0 }
}

async function startFloor(baseUrl: string, delayMs: number): Promise<System> {
  const address = await place.createDatabase(`floor_${delayMs}`)
  const { url, pid } = await start('bench/table/durable-floor.ts', [JSON.stringify(address), baseUrl, key])
  return { name: 'floor', url, pid }
}

async function startPeer({ name, module, request }: Peer, baseUrl: string): Promise<System> {
  const { url, pid } = await start(module, [baseUrl, key])
  return { name, url, pid, ...(request ? { request } : {}) }
}

async function start(module: string, parameters: readonly string[]): Promise<Child> {
  const child = await startChild([new URL(module, new URL('../', import.meta.url)).pathname, ...parameters], {
    env: environment,
  })
  children.push(child.process)
  return child
}
