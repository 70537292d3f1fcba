// Whether the server's memory grows with the number of executions: runs many of one kind and samples the memory of the
// server and its children. The first tenth is warm-up; the drift is the mean of the last tenth minus that of the
// second. Prints JSON.
// `node bench/drift.ts [--executions 50000] [--in-flight 32]`
import { Agent, request } from 'node:http'
import { startMockModel } from '../test/support/mock-model.ts'
import { optionsOf } from './options.ts'
import { openBench } from './table/bench-server.ts'
import { figuresOf } from './table/process-figures.ts'

const { executions, 'in-flight': inFlight } = optionsOf({ executions: 50_000, 'in-flight': 32 })
/** Memory samples per tenth. */
const looksPerTenth = 20

await using model = await startMockModel({ script: () => ({ text: '"done"' }) })
await using bench = await openBench(model.baseUrl)
const agent = new Agent({ keepAlive: true, maxSockets: inFlight })

const looks: number[] = []
const every = Math.max(1, Math.floor(executions / 10 / looksPerTenth))
const fromMs = performance.now()
let begun = 0
let ended = 0
await Promise.all(
  Array.from({ length: inFlight }, async () => {
    while (begun < executions) {
      begun += 1
      await execute(begun)
      ended += 1
      if (ended % every === 0) looks.push(figuresOf(bench.ours.pid).rssMb)
    }
  }),
)
agent.destroy()
const seconds = (performance.now() - fromMs) / 1000
const tenths = Array.from({ length: 10 }, (_, tenth) =>
  mean(looks.slice(tenth * looksPerTenth, (tenth + 1) * looksPerTenth)),
)
const report = {
  executions,
  in_flight: inFlight,
  per_second: Math.round(executions / seconds),
  rss_mb: tenths.map((one) => Math.round(one)),
  drift_percent: Number((((tenths[9] ?? 0) / (tenths[1] ?? 1) - 1) * 100).toFixed(1)),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

/** Each request differs, as with real callers. */
function execute(number: number): Promise<void> {
  const body = JSON.stringify({ batch: false, inputs: { number }, config: { prompt: 'Say done' } })
  return new Promise((resolve, reject) => {
    const headers = {
      Authorization: `Bearer ${bench.key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    }
    const sent = request(`${bench.ours.url}/v1/agent/execute`, { agent, method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => {
        if (JSON.parse(text).status === 'completed') resolve()
        else reject(new Error(`an execution was answered ${text.slice(0, 400)}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function mean(all: readonly number[]): number {
  return all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
}
