// Repeated media with `caching: true`: how often the media server is asked, and how long later executions take relative
// to the first, over HTTP, for a scan, a photo of a text and a video, with the embedded engine and with a vision model.
// Prints JSON. `node bench/media-again.ts`

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { invoiceLines, madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { madeFilm } from '../test/support/made-media.ts'
import { startMockModel } from '../test/support/mock-model.ts'
import { median } from './measure.ts'
import { openService } from './service.ts'

const rounds = 3
const later = 5
const scannedPages = 4
const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }

/** An invoice that is new in each round. */
const letter = (round: number, page: number): Promise<Buffer> =>
  madePdf((document) => {
    document.font('Helvetica').fontSize(12)
    const lines = [...invoiceLines, `Round ${round}, page ${page}`]
    lines.forEach((line, index) => {
      document.text(line, 60, 60 + index * 24, { lineBreak: false })
    })
  })

async function scan(round: number): Promise<Buffer> {
  const pages: Buffer[] = []
  for (let page = 0; page < scannedPages; page += 1)
    pages.push(await (await picturedPdf(await letter(round, page), 200)).png().toBuffer())
  return madePdf(
    (document) => {
      for (const page of pages) document.addPage().image(page, 0, 0, { width: 595.28, height: 841.89 })
    },
    { autoFirstPage: false },
  )
}

const makers: Readonly<Record<string, (round: number) => Promise<{ type: string; bytes: Uint8Array }>>> = {
  scan: async (round) => ({ type: 'application/pdf', bytes: await scan(round) }),
  photo: async (round) => ({
    type: 'image/jpeg',
    bytes: await (await picturedPdf(await letter(round, 9), 200)).jpeg().toBuffer(),
  }),
  film: async (round) => ({ type: 'video/mp4', bytes: await madeFilm([`ROUND ${round}`, 'TOTAL 42.50', 'THE END']) }),
}

const slotOf: Readonly<Record<string, string>> = { scan: 'file_url', photo: 'image_url', film: 'video_url' }

const served = new Map<string, { type: string; bytes: Uint8Array; asked: number }>()
const source = createServer((request, response) => {
  const found = served.get(request.url ?? '')
  if (!found) {
    response.writeHead(404).end()
    return
  }
  found.asked += 1
  response.writeHead(200, { 'Content-Type': found.type }).end(found.bytes)
})
await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
const sourceUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}`

await using mock = await startMockModel({ script: () => ({ text: '{"total":42.5}' }) })
await using service = await openService(mock.baseUrl, {
  takes: ['text', 'image', 'tools'],
  env: { SKILLRUN_ALLOW_PRIVATE: '127.0.0.1' },
})

/** Milliseconds until the answer of one execution. */
async function execute(model: string, media: string, place: string): Promise<number> {
  const type = slotOf[media] ?? ''
  const { ms } = await service.execute({
    model,
    inputs: { it: { type, [type]: { url: `${sourceUrl}${place}` } } },
    config: { json_schema: schema, caching: true, ...(model === 'svc-agent-1:fast' ? { prompt: 'The total?' } : {}) },
  })
  return ms
}

const measured: object[] = []
const engines = { embedded: 'svc-agent-1:pro', model: 'svc-agent-1:fast' }
for (const [engine, model] of Object.entries(engines)) {
  for (const [media, make] of Object.entries(makers)) {
    const firsts: number[] = []
    const laters: number[] = []
    const fetches: number[] = []
    // The first round warms up caches of the server.
    for (let round = 0; round <= rounds; round += 1) {
      const place = `/${engine}/${media}/${round}`
      const made = await make(round + 100 * Object.keys(engines).indexOf(engine))
      served.set(place, { ...made, asked: 0 })
      const first = await execute(model, media, place)
      const again: number[] = []
      for (let count = 0; count < later; count += 1) again.push(await execute(model, media, place))
      if (round === 0) continue
      firsts.push(first)
      laters.push(...again)
      fetches.push(served.get(place)?.asked ?? 0)
    }
    measured.push({
      engine,
      media,
      fetches: Math.max(...fetches),
      firstMs: Math.round(median(firsts)),
      laterMs: Math.round(median(laters)),
      share: Math.round((median(laters) / median(firsts)) * 1_000) / 1_000,
    })
  }
}
process.stdout.write(
  `${JSON.stringify({ rounds, later, loadAverage: loadavg()[0], unit: 'milliseconds', measured }, null, 2)}\n`,
)
source.close()
