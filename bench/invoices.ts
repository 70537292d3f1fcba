// Invoices per second over HTTP with the embedded engine: the sample invoice, each time with other bytes, so many in flight. With several
// checkouts, their servers take turns.
//
//     node bench/invoices.ts [--checkout ../before --checkout .] [--count 400] [--rounds 3] [--in-flight 16]

import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startArguments } from '../test/support/server.ts'
import { startChild } from './child.ts'
import { median } from './measure.ts'
import { callerOf, openFolder } from './place.ts'
import { databaseCpuMs, figuresOf, mainCpuMs } from './table/process-figures.ts'

const { values } = parseArgs({
  options: {
    checkout: { type: 'string', multiple: true, default: [fileURLToPath(new URL('..', import.meta.url))] },
    count: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '3' },
    'in-flight': { type: 'string', default: '16' },
  },
})
const [count, rounds, inFlight] = [values.count, values.rounds, values['in-flight']].map(Number) as [
  number,
  number,
  number,
]
const key = 'the-key-of-the-benchmark'
const sample = (name: string): Promise<Buffer> => readFile(new URL(`../samples/${name}`, import.meta.url))
const [invoice, schema] = [await sample('invoice.pdf'), JSON.parse(String(await sample('invoice.schema.json')))]

interface Took {
  readonly perSecond: number
  readonly serverMs: number
  readonly childrenMs: number
  readonly databaseMs: number
}

await using undo = new AsyncDisposableStack()
const servers = await Promise.all(
  values.checkout.map(async (root) => {
    const folder = undo.use(await openFolder('invoices'))
    const SKILLRUN_CONFIG = await folder.write('configuration.json', { limits: { requests_per_minute: 10_000_000 } })
    const child = undo.use(
      await startChild(startArguments(resolve(root)), {
        env: {
          ...process.env,
          ...{ PORT: '0', SKILLRUN_DATA: folder.pathOf('data'), SKILLRUN_API_KEY: key, SKILLRUN_CONFIG },
          OLLAMA_BASE_URL: 'off',
        },
      }),
    )
    return { root, pid: child.pid, call: callerOf(child.url, key), took: [] as Took[] }
  }),
)
let made = 0

type Server = (typeof servers)[number]

async function runOne({ call }: Server): Promise<void> {
  const bytes = Buffer.concat([invoice, Buffer.from(`\n%${made++}\n`)])
  const file_url = { url: `data:application/pdf;base64,${bytes.toString('base64')}` }
  const record = await call<{ status: string; response: { total?: number } }>('POST', '/v1/agent/execute', {
    batch: false,
    inputs: { invoice: { type: 'input_file', file_url } },
    config: { prompt: 'Extract the invoice', json_schema: schema },
  })
  if (record.response?.total !== 1304.34) throw new Error(JSON.stringify(record))
}

async function run(server: Server): Promise<Took> {
  const cpuMs = () => ({
    all: figuresOf(server.pid).cpuMs,
    main: mainCpuMs(server.pid),
    database: databaseCpuMs(server.pid),
  })
  const [before, begunMs] = [cpuMs(), performance.now()]
  let left = count
  const work = async (): Promise<void> => {
    while (left-- > 0) await runOne(server)
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  const [after, ms] = [cpuMs(), performance.now() - begunMs]
  const main = after.main - before.main
  return {
    perSecond: (count * 1_000) / ms,
    serverMs: main / count,
    childrenMs: (after.all - before.all - main) / count,
    databaseMs: (after.database - before.database) / count,
  }
}

// The first round warms up.
for (let round = 0; round <= rounds; round++)
  for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
    const took = await run(server)
    if (round > 0) server.took.push(took)
  }
for (const { root, took } of servers) {
  const of = (name: keyof Took): string => median(took.map((one) => one[name])).toFixed(1)
  process.stdout.write(
    `${root}: ${of('perSecond')} invoices/s; CPU ms each: server ${of('serverMs')}, children ${of('childrenMs')}, database ${of('databaseMs')}\n`,
  )
}
process.stdout.write(`load average ${loadavg()[0]?.toFixed(0)}, medians of ${rounds} rounds of ${count}\n`)
