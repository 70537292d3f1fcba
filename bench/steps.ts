// The cost of a further step of an execution, from 8 to 128 steps, compared with the floor: CPU of the process and all
// its children, by the least-squares slope, and the exponent of CPU over steps. Prints JSON. `node bench/steps.ts
// [--each 20]`
import { startMockModel } from '../test/support/mock-model.ts'
import { optionsOf } from './options.ts'
import { callerOf } from './place.ts'
import { openBench, type Side } from './table/bench-server.ts'
import { figuresOf } from './table/process-figures.ts'

const { each } = optionsOf({ each: 20 })
const stepCounts = [8, 16, 32, 64, 128]

/** As many tool rounds as the prompt says, then the answer. A round is two steps. */
await using model = await startMockModel({
  script: ({ text, results }) => {
    const rounds = Number(/rounds: (\d+)/.exec(text)?.[1] ?? 0)
    if (results.length >= rounds) return { text: '{"total":144}' }
    return { toolCalls: [{ name: 'core_calculate', input: { formulas: ['3 * 48'] } }] }
  },
})
await using bench = await openBench(model.baseUrl)

/** CPU milliseconds of one execution with the given number of steps, run sequentially. */
async function cpuMs({ url, pid }: Side, steps: number): Promise<number> {
  const beforeMs = figuresOf(pid).cpuMs
  for (let count = 0; count < each; count++) {
    const { status } = await callerOf(url, bench.key)<{ status: string }>('POST', '/v1/agent/execute', {
      batch: false,
      config: {
        prompt: `Calculate; rounds: ${steps / 2}`,
        json_schema: { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] },
      },
    })
    if (status !== 'completed') throw new Error(`an execution of ${steps} steps ended as ${status}`)
  }
  return (figuresOf(pid).cpuMs - beforeMs) / each
}

/** Least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])]
  return mean((point) => (point[0] - x) * (point[1] - y)) / mean((point) => (point[0] - x) ** 2)
}

await cpuMs(bench.ours, 8)
await cpuMs(bench.floor, 8)
const rows: { steps: number; ours: number; floor: number }[] = []
for (const steps of stepCounts)
  rows.push({ steps, ours: await cpuMs(bench.ours, steps), floor: await cpuMs(bench.floor, steps) })
const figuresFor = (of: 'ours' | 'floor') => ({
  cpu_ms_per_step: Number(slope(rows.map((row) => [row.steps, row[of]])).toFixed(3)),
  exponent: Number(slope(rows.map((row) => [Math.log(row.steps), Math.log(row[of])])).toFixed(2)),
})
const [ours, floor] = [figuresFor('ours'), figuresFor('floor')]
const report = { rows, ours, floor, ratio: Number((ours.cpu_ms_per_step / floor.cpu_ms_per_step).toFixed(2)) }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
