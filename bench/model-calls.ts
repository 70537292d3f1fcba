// CPU of one model call compared with the floor. `node bench/model-calls.ts` prints a line of JSON.
import type { ModelRequest } from '../packages/server/src/adapters/models/model.ts'
import { openOpenAiCompatible } from '../packages/server/src/adapters/models/openai-compatible/openai-compatible.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { startChild } from './child.ts'

const calls = 2_000
const warmUp = 300

/** Microseconds of CPU per call of `work`, in this process only. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  for (let count = 0; count < warmUp; count += 1) await work()
  const start = process.cpuUsage()
  for (let count = 0; count < calls; count += 1) await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

if (process.argv[2] === undefined) {
  // The mock has its own process, so that its CPU is not counted.
  await using mock = await startChild([import.meta.filename, 'mock'])
  await measure(mock.url)
} else {
  const { baseUrl } = await startMockModel({
    script: () => ({ text: '{"total":144}', usage: { inputTokens: 10, outputTokens: 5 } }),
  })
  console.log(baseUrl)
}

async function measure(baseUrl: string): Promise<void> {
  const model = openOpenAiCompatible({ name: 'mock', model: 'mock-1', baseUrl })
  const signal = new AbortController().signal
  const request: ModelRequest = {
    system: 'You read documents.',
    messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Total: 144.00\n'.repeat(40) }] }],
    tools: [
      { name: 'look', description: 'Looks', input: { type: 'object', properties: { page: { type: 'integer' } } } },
    ],
    schema: { type: 'object', properties: { total: { type: 'number' } } },
    outputTokensMax: 100,
    wallMs: 30_000,
  }
  const body = JSON.stringify({ model: 'mock-1', messages: [{ role: 'user', content: 'Total: 144.00\n'.repeat(40) }] })
  const floor = await cpuOf(async () => {
    const response = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json' },
    })
    await response.json()
  })
  const ours = await cpuOf(() => model.reply(request, signal))
  const measured = { unit: 'microseconds of CPU', ours: Math.round(ours), bareFetch: Math.round(floor) }
  process.stdout.write(`${JSON.stringify(measured)}\n`)
}
