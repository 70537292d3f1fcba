// Memory of a server that works on one large batch: node bench/batch.ts [items] [seconds]
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startSkillrun } from '../packages/cli/src/command-line.ts'

const items = Number(process.argv[2] ?? 10_000)
const seconds = Number(process.argv[3] ?? 60)
const folder = await mkdtemp(join(tmpdir(), 'skillrun-bench-batch-'))
const key = 'the-key-of-the-bench'
const environment = { SKILLRUN_API_KEY: key, OLLAMA_BASE_URL: 'off' }
const server = startSkillrun(['serve', '--port', '0', '--data', 'data'], { folder, environment })
const [, url = ''] = await server.printed(/Skillrun +(http:\S+)/)
const call = (method: string, path: string, body?: object) =>
  fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })

/** The command starts the server as its child. */
const [main] = (await readFile(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8')).split(' ')

/** Resident memory of the server's main process, now and at most, in MiB. */
async function memory(): Promise<{ now: number; most: number }> {
  const status = await readFile(`/proc/${main}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
  return { now: of('VmRSS'), most: of('VmHWM') }
}

console.log('idle', await memory())
const beganMs = performance.now()
const documents = Array.from({ length: items }, (_, at) => ({
  inputs: { text: `Invoice No: ${at}\nTotal: EUR ${at}.00` },
}))
const properties = { invoice_number: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } }
const config = { json_schema: { type: 'object', properties } }
const created = (await (await call('POST', '/v1/agent/batches', { items: documents, config })).json()) as { id: string }
console.log(`accepted ${items} items in ${Math.round(performance.now() - beganMs)} ms`, await memory())
const path = `/v1/agent/batches/${created.id}`
for (let at = 0; at < seconds; at += 10) {
  await wait(10_000)
  const lookMs = performance.now()
  const batch = (await (await call('GET', path)).json()) as { status: string; counts: object }
  console.log(JSON.stringify(batch.counts), `in ${Math.round(performance.now() - lookMs)} ms`, await memory())
  if (batch.status === 'completed') break
}
await call('POST', `${path}/cancel`)
for (const format of ['csv', 'xlsx', 'jsonl']) {
  const startMs = performance.now()
  const { byteLength } = await (await call('GET', `${path}/results?format=${format}`)).arrayBuffer()
  console.log(`${format}: ${byteLength} bytes in ${Math.round(performance.now() - startMs)} ms`, await memory())
}
server.kill('SIGTERM')
await server.ended
await rm(folder, { recursive: true, force: true })
