// CPU of one model call compared with the floor, and the event-loop delay when every turn has large images. `node
// bench/model-calls.ts` prints one line of JSON for each measure.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Message, ModelRequest } from '../packages/server/src/adapters/models/model.ts'
import { openOpenAiCompatible } from '../packages/server/src/adapters/models/openai-compatible/openai-compatible.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { startChild } from './child.ts'
import { threadMs } from './measure.ts'

const calls = 2_000
const warmUp = 300
const turns = 16
const pictureBytes = 20 * 1024 * 1024
const pictures = 16

const say = (measure: object): void => {
  process.stdout.write(`${JSON.stringify(measure)}\n`)
}

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
  say({ measure: 'CPU of one model call', unit: 'microseconds', ours: Math.round(ours), bareFetch: Math.round(floor) })

  const bytes = Buffer.alloc(pictureBytes / pictures, 0xa5)
  const messages: Message[] = [
    {
      role: 'user',
      parts: Array.from({ length: pictures }, () => ({ kind: 'image' as const, bytes, mediaType: 'image/jpeg' })),
    },
  ]
  await model.reply({ ...request, messages }, signal)
  const small = await stallOver(() => model.reply(request, signal))
  const large = await stallOver(() => model.reply({ ...request, messages }, signal))
  say({
    measure: `stall of the event loop, ${turns} turns`,
    unit: 'milliseconds',
    [`with ${pictureBytes / 1024 / 1024} MB of pictures`]: large,
    'with text alone': small,
  })
}

/**
 * The longest delay of the event loop over some turns: by wall clock, which includes other load, and by the CPU time of
 * the thread between two samples, which is the delay on an idle machine.
 */
async function stallOver(turn: () => Promise<unknown>): Promise<object> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let isOver = false
  let longest = 0
  let before = threadMs()
  const look = (): void => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setImmediate(look)
  }
  delay.enable()
  look()
  for (let count = 0; count < turns; count += 1) await turn()
  isOver = true
  delay.disable()
  return { byTheClock: Math.round(delay.max / 1e6), ofItsOwn: Math.round(longest * 10) / 10 }
}
