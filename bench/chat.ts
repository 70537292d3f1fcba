// How soon a reply of a chat is heard: `node bench/chat.ts` prints milliseconds, median and 95th percentile, of
// - first: from the request to the first word of a streamed reply,
// - relay: from the moment the model is asked to the first word at the client: what the way of the words adds,
// - whole: a reply that is not streamed, from the request to its end.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../test/support/server.ts'
import { startMockModel } from './mock-model.ts'

const rounds = 60
const warmUp = 20
const key = 'key-of-the-benchmark'

let askedAtMs = 0
await using model = await startMockModel({
  script: () => {
    askedAtMs = performance.now()
    return { text: 'one two three four five six seven eight nine ten' }
  },
})
const folder = await mkdtemp(join(tmpdir(), 'skillrun-bench-chat-'))
const file = join(folder, 'configuration.json')
const providers = { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small' } }
await writeFile(file, JSON.stringify({ providers }))
await using server = startServer(join(folder, 'data'), { SKILLRUN_CONFIG: file, SKILLRUN_API_KEY: key })
const [url] = await server.printed(/http:\/\/[\d.]+:\d+/)

const measured = { first: [] as number[], relay: [] as number[], whole: [] as number[] }

async function ask(stream: boolean): Promise<void> {
  const startMs = performance.now()
  const reply = await fetch(`${url}/v1/openai/chat/completions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'svc-agent-1:fast', stream, messages: [{ role: 'user', content: 'Count' }] }),
  })
  let text = ''
  let isHeard = false
  for await (const part of reply.body ?? []) {
    text += Buffer.from(part).toString('utf8')
    if (isHeard || !/"content":"[^"]/.test(text)) continue
    isHeard = true
    if (!stream) continue
    measured.first.push(performance.now() - startMs)
    measured.relay.push(performance.now() - askedAtMs)
  }
  if (reply.status !== 200 || !isHeard) throw new Error(`answered ${reply.status}: ${text}`)
  if (!stream) measured.whole.push(performance.now() - startMs)
}

const at = (list: readonly number[], share: number): number =>
  Math.round((list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] ?? 0) * 10) / 10

for (let round = 0; round < warmUp; round += 1) await ask(round % 2 === 0)
for (const list of Object.values(measured)) list.length = 0
for (let round = 0; round < rounds; round += 1) {
  await ask(true)
  await ask(false)
}
for (const [name, list] of Object.entries(measured)) {
  const line = { measure: name, rounds, p50_ms: at(list, 0.5), p95_ms: at(list, 0.95), load: loadavg()[0] }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
await server.end()
await rm(folder, { recursive: true, force: true })
