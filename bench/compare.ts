import { Agent } from 'node:http'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { urlOf } from '../test/support/database-url.ts'
import { startArguments } from '../test/support/server.ts'
import { type Child, startChild } from './child.ts'
import { configurationOf, median, toolCallRequest } from './measure.ts'
import { openPlace } from './place.ts'
import { load } from './table/load.ts'
import { figuresOf } from './table/process-figures.ts'

/**
 * Compares checkouts of this repository: the CPU of the server and of the database per execution (one tool round, JSON schema), in
 * rounds that alternate between them. CPU time depends little on other work of the machine.
 *
 *     node bench/compare.ts --checkout ../before --checkout . --rounds 6 --executions 1000
 */
const { values } = parseArgs({
  options: {
    checkout: { type: 'string', multiple: true, default: ['.'] },
    rounds: { type: 'string', default: '6' },
    executions: { type: 'string', default: '1000' },
    'in-flight': { type: 'string', default: '64' },
    'delay-ms': { type: 'string', default: '0' },
    /** Options of Node for the servers, for example `--cpu-prof`. */
    node: { type: 'string', default: '' },
    /** JSON merged into the configuration of the servers. */
    config: { type: 'string', default: '{}' },
  },
})
const rounds = Number(values.rounds)
const inFlight = Number(values['in-flight'])
const key = 'the-key-of-the-benchmark'
const body = JSON.stringify(toolCallRequest('core.calculate'))

await using place = await openPlace('compare')
const { folder, database } = place
const children: Child[] = []
try {
  const model = await start(['bench/table/model.ts', values['delay-ms']])
  const config = await place.configured({ ...configurationOf(model.url), ...JSON.parse(values.config) })
  const systems = []
  for (const [at, given] of values.checkout.entries()) systems.push(await startCheckout(resolve(given), at, config))
  const seen = systems.map(() => [] as Round[])
  for (let round = -1; round < rounds; round += 1)
    for (const system of round % 2 === 0 ? systems : systems.toReversed()) {
      const measured = await measure(system)
      // The first round warms up.
      if (round >= 0) seen[systems.indexOf(system)]?.push(measured)
    }
  for (const [at, { root }] of systems.entries()) {
    const middle = (of: keyof Round) => median((seen[at] ?? []).map((one) => one[of])).toFixed(2)
    process.stdout.write(
      `${root}: CPU ms ${middle('cpuMs')}, of the database ${middle('databaseCpuMs')}; ${middle('perSecond')}/s; p50 ${middle('p50Ms')} ms; ${middle('rssMb')} MB\n`,
    )
  }
} finally {
  await Promise.all(children.map((child) => child[Symbol.asyncDispose]()))
}

interface System {
  readonly root: string
  readonly url: string
  readonly pid: number
}

interface Round {
  readonly cpuMs: number
  readonly databaseCpuMs: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly rssMb: number
}

async function measure({ url, pid }: System): Promise<Round> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const before = { server: figuresOf(pid).cpuMs, database: databaseCpuMs() }
  const done = await load({
    url: `${url}/v1/agent/execute`,
    agent,
    key,
    body,
    inFlight,
    executions: Number(values.executions),
  })
  const { cpuMs, rssMb } = figuresOf(pid)
  return {
    cpuMs: (cpuMs - before.server) / done.count,
    databaseCpuMs: (databaseCpuMs() - before.database) / done.count,
    perSecond: done.count / done.seconds,
    p50Ms: done.p50Ms,
    rssMb,
  }
}

/** CPU time of all processes of the database. */
function databaseCpuMs(): number {
  return figuresOf(database.pid, /^$/).cpuMs
}

async function startCheckout(root: string, at: number, config: string): Promise<System> {
  const env = {
    PORT: '0',
    SKILLRUN_DATA: join(folder, `data-${at}`),
    DATABASE_URL: urlOf(await place.createDatabase(`checkout_${at}`)),
    SKILLRUN_API_KEY: key,
    SKILLRUN_CONFIG: config,
    SKILLRUN_SLOTS: 'standard=64',
    OLLAMA_BASE_URL: 'off',
    NODE_ENV: 'production',
    NODE_OPTIONS: values.node,
  }
  const { url, pid } = await start(startArguments(root), { cwd: root, env })
  return { root, url, pid }
}

/** Starts a program of a checkout. */
async function start(args: readonly string[], { cwd = process.cwd(), env = {} } = {}) {
  const child = await startChild(args, {
    cwd,
    env: { PATH: process.env['PATH'], HOME: folder, ...env },
  })
  children.push(child)
  return child
}
