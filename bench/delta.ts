// A new version of a document of 100 pages in which one page changed: time and model calls of an execution with a base,
// relative to one without, over HTTP. `node bench/delta.ts [--scanned 40] [--rounds 3]`: so many of its pages are scans, and so many pairs of both
// runs, one after the other. The first pair warms up and does not count. Prints JSON with medians.
//
// Every run without a base recognises all scans: with 40 of them 240 pages at `--rounds 1`, and 80 more per round, which takes minutes.

import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/core/src/clock.ts'
import { madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { readConfig } from '../packages/server/src/config.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { startServer } from '../packages/server/src/server.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { median } from './measure.ts'
import { figuresOf } from './table/process-figures.ts'

const { values } = parseArgs({
  options: { scanned: { type: 'string', default: '40' }, rounds: { type: 'string', default: '3' } },
})
const key = 'key-of-the-benchmark'
const pages = 100
const scanned = Number(values.scanned)
const rounds = Number(values.rounds)
/** The page that changes: a scan if there are some, and not the page with the values. */
const changed = Math.max(1, Math.floor(scanned / 2))
const modelMs = 2_000
const schema = {
  type: 'object',
  properties: { lessor_name: { type: ['string', 'null'] }, lease_code: { type: ['string', 'null'] } },
  required: ['lessor_name', 'lease_code'],
}

const linesOf = (page: number, version: number): string[] => [
  ...(page === 0 ? ['Lessor name: Hollis Estates', 'Lease code: LC-4711'] : []),
  ...Array.from({ length: 24 }, (_, at) => `Rule ${page}.${at}: bicycles belong in the cellar and not in the hall`),
  ...(page === changed ? [`Amended in round ${version}`] : []),
]

const scans = new Map<string, Buffer>()
async function scanOf(lines: readonly string[]): Promise<Buffer> {
  const name = lines.join('\n')
  const made =
    scans.get(name) ??
    (await (await picturedPdf(await madePdf((pdf) => write(pdf, lines)), 150)).jpeg({ quality: 85 }).toBuffer())
  scans.set(name, made)
  return made
}

function write(pdf: PDFKit.PDFDocument, lines: readonly string[]): void {
  pdf.fontSize(11)
  lines.forEach((line, index) => {
    pdf.text(line, 60, 60 + index * 26, { lineBreak: false })
  })
}

async function documentOf(version: number): Promise<Buffer> {
  const images = new Map<number, Buffer>()
  for (let page = 0; page < scanned; page += 1) images.set(page, await scanOf(linesOf(page, version)))
  return madePdf(
    (pdf) => {
      for (let page = 0; page < pages; page += 1) {
        pdf.addPage()
        const image = images.get(page)
        if (image) pdf.image(image, 0, 0, { width: 595.28 })
        else write(pdf, linesOf(page, version))
      }
    },
    { autoFirstPage: false },
  )
}

const mock = await startMockModel({
  script: () => ({ text: '{"lessor_name":"Hollis Estates","lease_code":"LC-4711"}' }),
  delayMs: modelMs,
})
const folder = await mkdtemp(join(tmpdir(), 'skillrun-delta-'))
const env = { PORT: '0', SKILLRUN_DATA: folder, SKILLRUN_API_KEY: key, OLLAMA_BASE_URL: 'off' }
const service = await startServer({
  config: {
    ...readConfig(env, folder),
    providers: [{ name: 'mock', kind: 'openai-compatible', baseUrl: mock.baseUrl }],
    file: {
      routes: { 'svc-agent-1:fast': 'mock/one', 'svc-agent-1:pro': 'embedded' },
      models: { 'mock/one': { takes: ['text', 'tools'], context_tokens: 200_000 } },
    },
  },
  clock: systemClock,
  log: silentLog,
})
const headers = { Authorization: `Bearer ${key}` }

interface Ran {
  readonly id: string
  readonly ms: number
  /** Of the server and its children, without the database. */
  readonly cpuMs: number
  readonly calls: number
}

async function execute(model: string, version: number, base?: string): Promise<Ran> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await documentOf(version))]), 'lease.pdf')
  const cpuBefore = figuresOf(process.pid).cpuMs
  const file = (await (await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: form })).json()) as {
    id: string
  }
  const body = {
    batch: false,
    model,
    inputs: { lease: { type: 'input_file', file_id: file.id } },
    config: { json_schema: schema, prompt: 'Read the lease', ...(base && { base_execution: base }) },
  }
  const earlier = mock.requests.length
  const begunAt = performance.now()
  const response = await fetch(`${service.url}/v1/agent/execute`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  let record = (await response.json()) as { id: string; status: string }
  // A reply waits for a bounded time.
  while (record.status === 'running' || record.status === 'enqueued') {
    await new Promise((resolve) => setTimeout(resolve, 20))
    record = (await (
      await fetch(`${service.url}/v1/agent/executions/${record.id}`, { headers })
    ).json()) as typeof record
  }
  if (record.status !== 'completed') throw new Error(JSON.stringify(record))
  return {
    id: record.id,
    ms: performance.now() - begunAt,
    cpuMs: figuresOf(process.pid).cpuMs - cpuBefore,
    calls: mock.requests.length - earlier,
  }
}

const perMille = (share: number): number => Math.round(share * 1_000) / 1_000

const measured: object[] = []
for (const [engine, model] of Object.entries({ embedded: 'svc-agent-1:pro', model: 'svc-agent-1:fast' })) {
  const first = engine === 'embedded' ? 0 : 100
  const base = await execute(model, first)
  const pairs: { full: Ran; delta: Ran }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const full = await execute(model, first + 2 * round + 1)
    const delta = await execute(model, first + 2 * round + 2, base.id)
    if (round > 0) pairs.push({ full, delta })
  }
  const shares = (of: 'ms' | 'cpuMs'): number[] => pairs.map(({ full, delta }) => perMille(delta[of] / full[of]))
  measured.push({
    engine,
    fullMs: Math.round(median(pairs.map(({ full }) => full.ms))),
    deltaMs: Math.round(median(pairs.map(({ delta }) => delta.ms))),
    share: median(shares('ms')),
    shares: shares('ms'),
    fullCpuMs: median(pairs.map(({ full }) => full.cpuMs)),
    deltaCpuMs: median(pairs.map(({ delta }) => delta.cpuMs)),
    cpuShare: median(shares('cpuMs')),
    fullCalls: pairs.reduce((sum, { full }) => sum + full.calls, 0),
    deltaCalls: pairs.reduce((sum, { delta }) => sum + delta.calls, 0),
  })
}
process.stdout.write(
  `${JSON.stringify({ pages, scanned, rounds, modelMs, loadAverage: loadavg()[0], measured }, null, 2)}\n`,
)
await service.stop(AbortSignal.timeout(5_000))
await mock[Symbol.asyncDispose]()
await rm(folder, { recursive: true, force: true })
