// Reads of an execution by id, 64 in flight, compared with a bare node:http echo server; a download compared with a
// bare stream of the same bytes; and callbacks per second. Prints JSON.
// `node bench/reads.ts [--rounds 3] [--seconds 2] [--callbacks 500]`
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { systemClock } from '../packages/core/src/clock.ts'
import type { Db } from '../packages/server/src/adapters/db/db.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { openReceiver } from '../test/support/receiver.ts'
import { startChild } from './child.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { callerOf } from './place.ts'
import { openBench } from './table/bench-server.ts'

const { rounds, seconds, callbacks } = optionsOf({ rounds: 3, seconds: 2, callbacks: 500 })
const inFlight = 64
const fileBytes = 128 * 1024 * 1024

await using model = await startMockModel({ script: () => ({ text: '"done"' }) })
await using receiver = await openReceiver()
await using bench = await openBench(model.baseUrl, { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${receiver.port}` })
const headers = { Authorization: `Bearer ${bench.key}` }
const call = callerOf(bench.ours.url, bench.key)

/** The floor: it serves a text from memory, or zeros. */
await using bare = await startChild([
  '--input-type=module',
  '-e',
  `import { createServer } from 'node:http'
     import { createReadStream } from 'node:fs'
     const server = createServer((request, response) => {
       if (request.url === '/file') return createReadStream('/dev/zero', { end: ${fileBytes - 1} }).pipe(response)
       const text = JSON.stringify({ method: request.method, url: request.url, headers: request.headers })
       response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }).end(text)
     }).listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`,
])
const callbacksSent = await callbacksPerSecond()
const report = { reads: await readsPerSecond(bare.url), download: await downloads(bare.url), callbacks: callbacksSent }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)

async function readsPerSecond(bareUrl: string) {
  const { id } = await execute({ batch: false })
  const seen = { ours: [] as number[], echo: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    seen.ours.push(await getsPerSecond(`${bench.ours.url}/v1/agent/executions/${id}`))
    seen.echo.push(await getsPerSecond(`${bareUrl}/echo`))
  }
  return compared(median(seen.ours), median(seen.echo))
}

async function getsPerSecond(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: inFlight })
  const untilMs = performance.now() + seconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      while (performance.now() < untilMs) {
        await bytesOf(url, agent)
        count += 1
      }
    }),
  )
  agent.destroy()
  return count / seconds
}

/** Reads to the end; returns the number of bytes and the time of the first one. */
function bytesOf(url: string, agent?: Agent): Promise<{ bytes: number; firstMs: number }> {
  const fromMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, ...(agent ? { agent } : {}) }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`${url} was answered ${response.statusCode}`))
      let [bytes, firstMs] = [0, 0]
      response.on('data', (part: Buffer) => {
        if (bytes === 0) firstMs = performance.now() - fromMs
        bytes += part.length
      })
      response.on('end', () => resolve({ bytes, firstMs }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}

async function downloads(bareUrl: string) {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(fileBytes)]), 'zeros.bin')
  const uploaded = await fetch(`${bench.ours.url}/v1/files`, {
    method: 'POST',
    headers,
    body: form,
  })
  const { id } = (await uploaded.json()) as { id: string }
  const seen = { ours: [] as number[], bare: [] as number[], firstMs: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const ours = await megabytesPerSecond(`${bench.ours.url}/v1/files/${id}/content`)
    seen.ours.push(ours.perSecond)
    seen.firstMs.push(ours.firstMs)
    seen.bare.push((await megabytesPerSecond(`${bareUrl}/file`)).perSecond)
  }
  return { ...compared(median(seen.ours), median(seen.bare)), first_byte_ms: Number(median(seen.firstMs).toFixed(1)) }
}

async function megabytesPerSecond(url: string) {
  const fromMs = performance.now()
  const { bytes, firstMs } = await bytesOf(url)
  if (bytes !== fileBytes) throw new Error(`${url} gave ${bytes} bytes`)
  return { perSecond: bytes / 1024 / 1024 / ((performance.now() - fromMs) / 1000), firstMs }
}

/**
 * Delivery only: one statement makes the callbacks of ended executions due again, with their jobs, and nothing else
 * runs until the last one is delivered.
 */
async function callbacksPerSecond() {
  for (let count = 0; count < callbacks; count += 32)
    await Promise.all(
      Array.from({ length: Math.min(32, callbacks - count) }, () => execute({ callback_url: receiver.url('/told') })),
    )
  await receiver.got('/told', callbacks)
  await using database = await openDatabase()
  const settled = async () => {
    const [row] = await database.query<{ count: number }>(
      `select count(*)::integer as count from callbacks where state = 'delivered'`,
    )
    return row?.count ?? 0
  }
  const allSettled = async () => {
    while ((await settled()) < callbacks) await pause(20)
  }
  const seen: number[] = []
  for (let round = 0; round < rounds; round++) {
    await allSettled()
    const fromMs = performance.now()
    await database.query(`with due as (update callbacks set state = 'pending', job_number = job_number + 1, round_tries = 0
        returning workspace_id, execution_id, n, job_number, url)
      insert into pgboss.job (name, data, group_id) select 'callback', jsonb_build_object(
        'workspaceId', workspace_id, 'executionId', execution_id, 'n', n, 'number', job_number), workspace_id || ' bench' from due`)
    await database.query(`select pg_notify('skillrun_jobs', 'callback')`)
    await allSettled()
    seen.push(callbacks / ((performance.now() - fromMs) / 1000))
  }
  return { sent: callbacks, per_second: Math.round(median(seen)) }
}

async function openDatabase(): Promise<Db & AsyncDisposable> {
  const db = await connect({ address: bench.database, clock: systemClock, log: silentLog, connectionsMax: 1 })
  return { ...db, [Symbol.asyncDispose]: () => db.close() }
}

function execute(more: object): Promise<{ id: string }> {
  return call('POST', '/v1/agent/execute', { config: { prompt: 'Say done' }, ...more })
}

function compared(ours: number, floor: number) {
  return { ours: Math.round(ours), floor: Math.round(floor), ratio: Number((ours / floor).toFixed(2)) }
}
