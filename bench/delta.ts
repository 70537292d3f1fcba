// A new version of a document of 100 pages in which one page changed: time and model calls of an execution with a base,
// relative to one without, over HTTP. `node bench/delta.ts [--scanned 40] [--rounds 3]`: so many of its pages are scans, and so many pairs of both
// runs, one after the other. The first pair warms up and does not count. Prints JSON with medians.
//
// Every run without a base recognises all scans: with 40 of them 240 pages at `--rounds 1`, and 80 more per round, which takes minutes.

import { loadavg } from 'node:os'
import { madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { median } from './measure.ts'
import { optionsOf } from './options.ts'
import { openService } from './service.ts'
import { figuresOf } from './table/process-figures.ts'

const { scanned, rounds } = optionsOf({ scanned: 40, rounds: 3 })
const pages = 100
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

await using mock = await startMockModel({
  script: () => ({ text: '{"lessor_name":"Hollis Estates","lease_code":"LC-4711"}' }),
  delayMs: modelMs,
})
await using service = await openService(mock.baseUrl, { takes: ['text', 'tools'] })

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
  const headers = { Authorization: `Bearer ${service.key}` }
  const uploaded = await fetch(`${service.url}/v1/files`, { method: 'POST', headers, body: form })
  const { id: file_id } = (await uploaded.json()) as { id: string }
  const cpuBefore = figuresOf(service.pid).cpuMs
  const earlier = mock.requests.length
  const ran = await service.execute({
    model,
    inputs: { lease: { type: 'input_file', file_id } },
    config: { json_schema: schema, prompt: 'Read the lease', ...(base && { base_execution: base }) },
  })
  return { ...ran, cpuMs: figuresOf(service.pid).cpuMs - cpuBefore, calls: mock.requests.length - earlier }
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
