import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Child, startChild, startMain } from './child.ts'
import { optionsOf } from './options.ts'
import { openFolder } from './place.ts'

/**
 * Memory and throughput of uploading and downloading a large file.
 *
 *     node bench/upload.ts [--gib 4]
 *
 * The server is a separate process; its memory is the kernel's figure, sampled every 50 ms, minus that before the first
 * byte (after a small upload, so that the code is loaded). The floor is a bare Node handler in another process that
 * receives the same body, hashes it twice as the store must, and discards it.
 */
const options = optionsOf({ gib: 4, floor: false })
const bytes = Math.round(options.gib * 1024 ** 3)
const key = 'the-key-of-the-benchmark'
const boundary = 'the-boundary-of-the-benchmark'
const block = randomBytes(1024 * 1024)
let lastReply = ''

if (options.floor) await serveFloor()
else await measure()

async function serveFloor(): Promise<void> {
  const server = createServer(async (incoming, outgoing) => {
    const hashes = [createHash('sha256'), createHash('md5')]
    for await (const chunk of incoming) for (const hash of hashes) hash.update(chunk as Buffer)
    outgoing.writeHead(201).end(hashes.map((hash) => hash.digest('hex')).join(' '))
  })
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`Skillrun http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
  })
  process.once('SIGTERM', () => process.exit(0))
}

async function measure(): Promise<void> {
  await using folder = await openFolder('upload')
  await using ours = await startMain(folder.path, { SKILLRUN_API_KEY: key })
  await using floor = await startChild([import.meta.filename, '--floor'])
  const rows: Row[] = []
  for (const { name, server } of [
    { name: 'bare handler, two hashes', server: floor },
    { name: 'POST /v1/files', server: ours },
  ]) {
    await send(server.url, 1024 * 1024)
    rows.push(await watched(name, server, () => send(server.url, bytes)))
  }
  const { id } = JSON.parse(lastReply) as { id: string }
  rows.push(await watched('GET /v1/files/{id}/content', ours, () => receive(ours.url, id)))
  for (const { name, mibPerSecond, growthMib } of rows)
    process.stdout.write(
      `${name.padEnd(28)} ${mibPerSecond.toFixed(0).padStart(6)} MiB/s   grew by ${growthMib.toFixed(0).padStart(4)} MiB\n`,
    )
}

interface Row {
  readonly name: string
  readonly mibPerSecond: number
  readonly growthMib: number
}

async function watched(name: string, server: Child, work: () => Promise<void>): Promise<Row> {
  const before = await residentMib(server)
  let highest = before
  const timer = setInterval(async () => {
    highest = Math.max(highest, await residentMib(server))
  }, 50)
  const from = performance.now()
  await work()
  const seconds = (performance.now() - from) / 1000
  clearInterval(timer)
  return { name, mibPerSecond: bytes / 1024 ** 2 / seconds, growthMib: highest - before }
}

async function residentMib({ pid }: Child): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

async function send(url: string, size: number): Promise<void> {
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const outgoing = request(`${url}/v1/files`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${key}`,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': head.length + size + tail.length,
    },
  })
  const answered = once(outgoing, 'response')
  await pipeline(Readable.from(body(size, head, tail)), outgoing)
  const [reply] = await answered
  lastReply = Buffer.concat(await reply.toArray()).toString()
  if (reply.statusCode !== 201) throw new Error(`the upload was answered ${reply.statusCode}: ${lastReply}`)
}

function* body(size: number, head: string, tail: string): Generator<Buffer> {
  yield Buffer.from(head)
  for (let left = size; left > 0; left -= block.length) yield left < block.length ? block.subarray(0, left) : block
  yield Buffer.from(tail)
}

async function receive(url: string, id: string): Promise<void> {
  const outgoing = request(`${url}/v1/files/${id}/content`, { headers: { Authorization: `Bearer ${key}` } }).end()
  const [reply] = await once(outgoing, 'response')
  let got = 0
  for await (const chunk of reply) got += (chunk as Buffer).length
  if (got !== bytes) throw new Error(`${got} bytes came of ${bytes}`)
}
