import { stripTypeScriptTypes } from 'node:module'
import { availableParallelism } from 'node:os'
import { createContext, runInContext } from 'node:vm'
import { systemClock } from '../packages/core/src/clock.ts'
import { type Bubblewrap, findBubblewrap } from '../packages/server/src/adapters/sandbox/bubblewrap.ts'
import {
  createQuickjsSandbox,
  quickjsSandboxDefaults,
} from '../packages/server/src/adapters/sandbox/quickjs/quickjs-sandbox.ts'
import type { Sandbox } from '../packages/server/src/adapters/sandbox/sandbox.ts'
import { optionsOf } from './options.ts'

/**
 * Programs per second in the sandbox at 16 in flight, the times of a cold and a warm run, and the effect of an endless
 * program on the others. The floor is the same program in a new context of node:vm, in this process, without isolation.
 *
 *     node bench/sandbox.ts [--programs 2000]
 */
const { programs } = optionsOf({ programs: 2000 })
const inFlight = 16
const limits = {
  wallMs: 30_000,
  cpuMs: 2_000,
  memoryMb: 64,
  outputBytesMax: 1_000_000,
  hostCallsMax: 100,
  consoleBytesMax: 10_000,
}
/** Two concurrent calls, some text processing, an answer of a few fields. */
const source = `export default async function run(tools: any, inputs: any) {
  const [page, sum] = await Promise.all([tools.document.read({ page: 1 }), tools.core.calculate({ formula: '1 + 2' })])
  const fields: Record<string, string> = {}
  for (const line of page.lines as string[]) {
    const match = /^([^:]+):\\s*(.+)$/.exec(line)
    if (match) fields[match[1]!.toLowerCase()] = match[2]!
  }
  return { fields, sum, n: inputs.n }
}`
const lines = Array.from({ length: 40 }, (_, line) => `Field ${line}: value ${line}`)
const host = { 'document.read': async () => ({ lines }), 'core.calculate': async () => 3 }
const signal = new AbortController().signal

interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** Runs the given number of programs at the given concurrency. */
async function measure(one: (n: number) => Promise<unknown>): Promise<Figures> {
  const times: number[] = []
  let next = 0
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (next < programs) {
        next += 1
        const begunMs = performance.now()
        await one(next)
        times.push(performance.now() - begunMs)
      }
    }),
  )
  const seconds = (performance.now() - startedMs) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number): number => rounded(times[Math.floor(times.length * share)] ?? 0)
  return { perSecond: Math.round(programs / seconds), p50Ms: at(0.5), p99Ms: at(0.99) }
}

const rounded = (ms: number): number => Math.round(ms * 10) / 10

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

async function measureSandbox(bubblewrap: Bubblewrap | undefined): Promise<object> {
  const sandbox: Sandbox = createQuickjsSandbox({ ...quickjsSandboxDefaults, clock: systemClock, bubblewrap })
  const one = (n: number) => sandbox.run({ source, input: { n }, host, limits, nowMs: 0, signal })
  const firstMs = await timed(() => one(0))
  await measure(one)
  const figures = await measure(one)
  const alone: number[] = []
  for (let n = 0; n < 200; n += 1) alone.push(await timed(() => one(n)))
  alone.sort((a, b) => a - b)
  let isOver = false
  const loop = 'export default async function run() { while (true) {} }'
  const hostile = (async () => {
    while (!isOver) await sandbox.run({ source: loop, input: null, host: {}, limits, nowMs: 0, signal }).catch(() => {})
  })()
  const beside = await measure(one)
  isOver = true
  await hostile
  await sandbox.close()
  return {
    ...figures,
    firstMs: rounded(firstMs),
    warmMs: rounded(alone[100] ?? 0),
    besideEndless: { ...beside, p99Ratio: Math.round((beside.p99Ms / figures.p99Ms) * 100) / 100 },
  }
}

const looked = await findBubblewrap({ environment: process.env, hidden: [] })
const plain = stripTypeScriptTypes(source).replace('export default ', '')
const floor = await measure(async (n) => {
  const tools = { document: { read: host['document.read'] }, core: { calculate: host['core.calculate'] } }
  return runInContext(`${plain}; run`, createContext({}))(tools, { n })
})
const result = {
  cores: availableParallelism(),
  inFlight,
  programs,
  'quickjs in bubblewrap': 'found' in looked ? await measureSandbox(looked.found) : looked.missing,
  'quickjs in a process of its own': await measureSandbox(undefined),
  'node:vm in this process, no wall (floor)': floor,
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
