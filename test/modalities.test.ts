import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { findOptional, optionalPackages } from '../packages/core/src/optional-packages.ts'
import { madePdf, picturedPdf } from '../packages/reader/src/media/testing/made.ts'
import { madeExcel, madeWord } from '../packages/reader/src/media/testing/made-office.ts'
import { hasFfmpeg, madeFilm, madeSound } from './support/made-media.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const isDeaf = !(await hasFfmpeg())
const whole = ['text', 'image', 'pdf', 'audio', 'video', 'tools'] as const

let script: (request: MockRequest) => MockTurn
const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({
    config: {
      providers: [{ name: 'mock', kind: 'openai-compatible', baseUrl: model.baseUrl }],
      file: {
        routes: { 'svc-agent-1:fast': 'mock/sees', 'svc-agent-1:pro': 'mock/takes-all' },
        models: {
          'mock/sees': { takes: ['text', 'image', 'tools'] },
          'mock/takes-all': { takes: [...whole], context_tokens: 400_000 },
        },
      },
    },
  }),
)

interface Asked {
  readonly model?: string
  readonly detail?: string
  readonly config?: object
}

async function execute(given: { bytes: Buffer; filename: string } | { item: object }, asked: Asked = {}) {
  const before = model.requests.length
  const item =
    'item' in given
      ? given.item
      : { type: 'input_file', file_id: (await service.upload(given.bytes, given.filename)).id }
  const body = {
    batch: false,
    model: asked.model ?? 'svc-agent-1:fast',
    inputs: { media: item },
    config: { prompt: 'Look', ...asked.config },
  }
  const record = await service.execute(body)
  expect([record.status, record.error]).toEqual(['completed', null])
  return { record, requests: model.requests.slice(before) }
}

/** Calls one tool, then answers with its result. */
const callThenTell =
  (name: string, input: object) =>
  ({ results, tools }: MockRequest): MockTurn => {
    if (results.length > 0) return { text: results.join('\n') }
    expect(tools).toContain(name)
    return { toolCalls: [{ name, input: input as never }] }
  }

const photo = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: '#c03020' } })
    .jpeg()
    .toBuffer()

const madeForm = (): Promise<Buffer> =>
  madePdf((document) => {
    document.font('Helvetica').initForm()
    document.formText('name', 60, 80, 300, 20, {})
  })

describe('a complete run with tools over', { timeout: 60_000 }, () => {
  const lines = ['Invoice number: INV-2024-77', 'Total: 108.00']
  test.each([
    ['a PDF', () => readFile('samples/invoice.pdf'), 'invoice.pdf', 'document_search', { query: 'invoice' }, 'nvoice'],
    ['a photo', () => photo(640, 480), 'photo.jpg', 'image_describe', {}, '640'],
    ['a PDF form', madeForm, 'form.pdf', 'document_fill', { values: { name: 'Ada' } }, 'filled.pdf'],
    ['docx', () => madeWord(lines), 'a.docx', 'document_read', { pages: [1] }, 'INV-2024-77'],
    ['xlsx', () => madeExcel({ One: [['Total', 108]] }), 'a.xlsx', 'document_search', { query: '108' }, '108'],
  ])('%s', async (_what, made, filename, tool, input, said) => {
    script = callThenTell(tool, input)
    const { record } = await execute({ bytes: await made(), filename })
    expect(record.response).toContain(said)
  })

  const detectors = findOptional(optionalPackages.detectors)
  test.skipIf(!detectors)('a photo of faces, where detectors are installed', async () => {
    script = callThenTell('image_faces', {})
    const bytes = await readFile(new URL('../assets/screenshot-facedetect.jpg', detectors))
    const { record } = await execute({ bytes, filename: 'faces.jpg' })
    expect(JSON.parse(JSON.parse(record.response)).faces).toHaveLength(5)
  })

  test.skipIf(isDeaf).each([
    ['mp3', () => madeSound(3, 'A note'), 'a.mp3', 'audio_probe', 'A note'],
    ['mp4', () => madeFilm(['One', 'Two']), 'a.mp4', 'video_probe', '640'],
  ])('%s', async (_what, made, filename, tool, said) => {
    script = callThenTell(tool, {})
    const { record } = await execute({ bytes: await made(), filename })
    expect(record.response).toContain(said)
  })

  test('64 steps, each recorded once and in order', async () => {
    script = ({ results }) =>
      results.length < 32
        ? { toolCalls: [{ name: 'core_calculate', input: { formulas: [`${results.length} + 1`] } }] }
        : { text: String(results.length) }
    const { record } = await execute({ bytes: Buffer.from('A text'), filename: 'a.txt' })
    expect(record.response).toBe('32')
    const steps = (await service.call('GET', `/v1/agent/executions/${record.id}/steps?limit=100`)).json
    expect(steps.map((step: { name: string }) => step.name)).toEqual([
      'document.read',
      ...Array.from({ length: 32 }, () => ['mock/sees', 'core.calculate']).flat(),
      'mock/sees',
    ])
  })
})

describe("a model's input", { timeout: 60_000 }, () => {
  const sizeOf = async (url: string | undefined) => {
    const [head, data = ''] = url?.split(',') ?? []
    const { width, height, format } = await sharp(Buffer.from(data, 'base64')).metadata()
    return { head, width, height, format }
  }
  const shown = async (item: object) => {
    script = () => ({ text: 'seen' })
    const { requests } = await execute({ item })
    return sizeOf(requests[0]?.pictures[0])
  }

  test.each([
    ['low', 512, 384],
    ['lo', 512, 384],
    ['auto', 1_200, 900],
    [undefined, 1_200, 900],
    ['high', 2_048, 1_536],
    ['hi', 2_048, 1_536],
  ])('shows a photo as JPEG in the size for detail %s', async (detail, width, height) => {
    const url = `data:image/jpeg;base64,${(await photo(4_000, 3_000)).toString('base64')}`
    const image = { url, ...(detail ? { detail } : {}) }
    expect(await shown({ type: 'image_url', image_url: image })).toEqual({
      head: 'data:image/jpeg;base64',
      width,
      height,
      format: 'jpeg',
    })
  })

  test('never contains an image longer than 1700 pixels, however narrow', async () => {
    const url = `data:image/jpeg;base64,${(await photo(1_000, 6_000)).toString('base64')}`
    expect(await shown({ type: 'image_url', image_url: { url } })).toMatchObject({ height: 1_700 })
  })

  test('contains a PDF as images, or unchanged if the model takes PDF files', async () => {
    const page = await (await picturedPdf(await madePdf((pdf) => pdf.fontSize(40).text('Scanned 4711')), 100))
      .png()
      .toBuffer()
    const scan = await madePdf((pdf) => pdf.image(page, 0, 0, { width: 500 }))
    script = () => ({ text: 'seen' })
    const drawn = await execute({ bytes: scan, filename: 'scan.pdf' })
    expect(drawn.requests[0]?.pictures).toHaveLength(1)
    const given = await execute({ bytes: scan, filename: 'scan.pdf' }, { model: 'svc-agent-1:pro' })
    expect(given.requests[0]?.pictures).toHaveLength(0)
    expect(JSON.stringify(given.requests[0]?.body)).toContain(scan.toString('base64'))
    expect(given.requests[0]?.text).toContain('4711')
    const plain = await madePdf((pdf) => pdf.text('A text layer says it'))
    const told = await execute({ bytes: plain, filename: 'plain.pdf' }, { model: 'svc-agent-1:pro' })
    expect(JSON.stringify(told.requests[0]?.body)).not.toContain('data:application/pdf')
  })

  test.skipIf(isDeaf)('contains audio unchanged if the model takes audio', async () => {
    const sound = await madeSound(3, 'A note')
    script = () => ({ text: 'heard' })
    const { requests } = await execute({ bytes: sound, filename: 'a.mp3' }, { model: 'svc-agent-1:pro' })
    expect(JSON.stringify(requests[0]?.body)).toContain(`"input_audio":{"data":"${sound.toString('base64')}"`)
    const deaf = await execute({ bytes: sound, filename: 'a.mp3' })
    expect(JSON.stringify(deaf.requests[0]?.body)).not.toContain('input_audio')
  })
})

test('starts differently for each workspace, and identically each time within one', async () => {
  script = () => ({ text: 'x' })
  const bodyOf = async (key?: string) => {
    const before = model.requests.length
    const body = {
      batch: false,
      model: 'svc-agent-1:fast',
      inputs: { note: 'A note\nof two lines' },
      config: { prompt: 'Sum up' },
    }
    await service.call('POST', '/v1/agent/execute', { body, ...(key ? { key } : {}) })
    return JSON.stringify(model.requests[before]?.body)
  }
  const [own, again, other] = [await bodyOf(), await bodyOf(), await bodyOf(await service.stranger())]
  expect(again).toBe(own)
  const alike = [...other].findIndex((letter, index) => letter !== own[index])
  expect(alike).toBeGreaterThan(0)
  expect(own.slice(0, alike)).not.toContain('A note')
})
