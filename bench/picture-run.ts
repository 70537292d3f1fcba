// The event-loop delay of a server while an execution uses a 20 MB image over 16 turns, compared with a text: by wall
// clock, which includes other load, and by the CPU time of the thread between two samples, which is the delay on an
// idle machine. Also the cost of a further turn. Prints JSON. `node bench/picture-run.ts`
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import sharp from 'sharp'
import { systemClock } from '../packages/core/src/clock.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { startServer } from '../packages/server/src/server.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { startChild } from './child.ts'
import { threadMs } from './measure.ts'
import { openPlace } from './place.ts'

const turns = 16
const rounds = 3
const side = 2_600
const key = 'key-of-the-benchmark'

if (process.argv[2] === 'mock') {
  // In its own process, so that it does not delay this one.
  const { baseUrl } = await startMockModel({
    script: ({ results }) =>
      results.length < turns - 1
        ? { toolCalls: [{ name: 'core_calculate', input: { formulas: [`${results.length} + 1`] } }] }
        : { text: 'seen' },
  })
  process.stdout.write(`${baseUrl}\n`)
} else await measure()

async function measure(): Promise<void> {
  await using mock = await startChild([import.meta.filename, 'mock'])
  await using place = await openPlace('picture')
  const env = { PORT: '0', SKILLRUN_DATA: join(place.folder, 'data'), SKILLRUN_API_KEY: key, OLLAMA_BASE_URL: 'off' }
  const config = {
    ...readConfig(env, place.folder),
    providers: [{ name: 'mock', kind: 'openai-compatible' as const, baseUrl: mock.url }],
    file: {
      routes: { 'svc-agent-1:fast': 'mock/one' },
      models: { 'mock/one': { takes: ['text' as const, 'image' as const, 'tools' as const], context_tokens: 200_000 } },
    },
  }
  const service = await startServer({
    config,
    clock: systemClock,
    log: silentLog,
    databaseAddress: place.database.address,
  })
  const execute = async (item: object): Promise<void> => {
    const body = { batch: false, model: 'svc-agent-1:fast', inputs: { it: item }, config: { prompt: 'Look' } }
    const record = (await call(`${service.url}/v1/agent/execute`, JSON.stringify(body))) as { status: string }
    if (record.status !== 'completed') throw new Error(JSON.stringify(record))
  }
  const [picture, text] = await Promise.all([
    upload(`${service.url}`, await largePicture()),
    { type: 'text', text: 'A\nB' },
  ])
  for (const item of [text, picture]) await execute(item)
  const measured: Record<string, object[]> = { picture: [], text: [] }
  for (let round = 0; round < rounds; round += 1) {
    measured['picture']?.push(await heldOver(() => execute(picture)))
    measured['text']?.push(await heldOver(() => execute(text)))
  }
  process.stdout.write(`${JSON.stringify({ turns, unit: 'milliseconds', ...measured }, null, 2)}\n`)
  await service.stop(AbortSignal.timeout(5_000))
}

/** A smooth 20 MB image, uncompressed. */
async function largePicture(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
  const small = { create: { width: 64, height: 64, channels: 3 as const, background: '#808080', noise } }
  const cloud = await sharp(small).png().toBuffer()
  return sharp(cloud).resize(side, side, { kernel: 'cubic' }).png({ compressionLevel: 0 }).toBuffer()
}

async function upload(url: string, bytes: Buffer): Promise<object> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'large.png')
  const { id, bytes: size } = (await call(`${url}/v1/files`, form)) as { id: string; bytes: number }
  process.stderr.write(`${size} bytes\n`)
  return { type: 'input_file', file_id: id }
}

async function call(url: string, body: string | FormData): Promise<unknown> {
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}
  const response = await fetch(url, { method: 'POST', headers: { Authorization: `Bearer ${key}`, ...type }, body })
  return response.json()
}

async function heldOver(work: () => Promise<void>): Promise<object> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let isOver = false
  let longest = 0
  let before = threadMs()
  const begin = before
  const begunAt = performance.now()
  const look = (): void => {
    const now = threadMs()
    longest = Math.max(longest, now - before)
    before = now
    if (!isOver) setTimeout(look, 0)
  }
  delay.enable()
  look()
  await work()
  isOver = true
  delay.disable()
  return {
    heldByTheClock: Math.round(delay.max / 1e6),
    heldOfItsOwn: Math.round(longest * 10) / 10,
    threadCpuPerTurn: Math.round(((threadMs() - begin) / turns) * 10) / 10,
    wallPerTurn: Math.round((performance.now() - begunAt) / turns),
  }
}
