import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import type { Json } from '@skillrun/core/json.ts'
import { findOptional, optionalPackages } from '@skillrun/core/optional-packages.ts'
import type { ReadDocument } from '@skillrun/reader/media/document.ts'
import { packDocument } from '@skillrun/reader/media/packed-document.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { madePdf } from '@skillrun/reader/media/testing/made.ts'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { invoiceLines, makePdf } from '../../../../test/support/documents.ts'
import { hasFfmpeg, madeFilm, madeSound } from '../../../../test/support/made-media.ts'
import { createInlineProcessPool } from '../adapters/process-pool/inline/inline-process-pool.ts'
import { findBubblewrap } from '../adapters/sandbox/bubblewrap.ts'
import { openFfmpeg } from '../adapters/transcoder/ffmpeg/ffmpeg.ts'
import { callTool, type Made, type ToolContext } from '../agent/tool.ts'
import { tools } from './tools.ts'

const processPool = createInlineProcessPool()
const isDeaf = !(await hasFfmpeg())
const folder = await mkdtemp(join(tmpdir(), 'skillrun-media-tools-'))
afterAll(async () => {
  await processPool.close()
  await rm(folder, { recursive: true, force: true })
})

/** A run with these input files, and the artifacts of its tools. */
async function runWith(files: Readonly<Record<string, Uint8Array>>, document?: ReadDocument) {
  const made: (Made & { id: string })[] = []
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const context: ToolContext = {
    documents: document ? [{ input: Object.keys(files)[0] ?? '', ...packDocument(document) }] : [],
    skills: [],
    processPool,
    clock: systemClock,
    recall: () => undefined,
    transcoder: openFfmpeg(process.env, () => findBubblewrap({ environment: process.env, hidden: [] })),
    media: {
      names: Object.keys(files),
      fileNameOf: async (name) => name,
      async withBytes(name, use) {
        const own = made.find(({ id }) => id === name)
        if (own) await writeFile(join(folder, name), own.bytes)
        else if (!(name in files)) throw new Fault('invalid', 'unknown_input', `There is no input ${name}`)
        return use(join(folder, name))
      },
      async keep(one) {
        const id = `${one.kind}_${String(made.length + 1).padStart(6, '0')}`
        made.push({ ...one, id })
        return id
      },
    },
  }
  const call = async (name: string, input: Json) => {
    const bugs: unknown[] = []
    const using = { tools, context, onBug: (error: unknown) => bugs.push(error) }
    const result = await callTool(using, { id: '1', name, input }, new AbortController().signal)
    expect(bugs).toEqual([])
    // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a tool answers.
    return result as { failed: boolean; output: any }
  }
  return { call, made }
}

/** 400 × 200: left half red, right half blue. */
const flag = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#ff0000' } })
  .composite([
    { input: { create: { width: 200, height: 200, channels: 3, background: '#0000ff' } }, left: 200, top: 0 },
  ])
  .png()
  .toBuffer()
const colourAt = async (bytes: Uint8Array, left: number, top: number): Promise<number[]> => [
  ...(await sharp(bytes).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
]

describe('images', () => {
  test('are cropped to a box, stored, and can be used by their id', async () => {
    const { call, made } = await runWith({ flag })
    const { output } = await call('image_crop', { box: [0.5, 0, 0.25, 1] })
    expect(output).toEqual({ id: 'img_000001', filename: 'crop.png', width: 100, height: 200 })
    expect(await colourAt(made[0]?.bytes ?? Buffer.alloc(0), 50, 100)).toEqual([0, 0, 255])
    const { output: small } = await call('image_resize', { image: 'img_000001', height: 50 })
    expect(small).toMatchObject({ width: 25, height: 50 })
    expect((await call('image_rotate', { image: 'img_000001', degrees: 90 })).output).toMatchObject({
      width: 200,
      height: 100,
    })
  })

  test('are blurred unreadably within a box, and unchanged elsewhere', async () => {
    const { call, made } = await runWith({ invoice: await makePdf([invoiceLines]) })
    await call('image_resize', { width: 1_200 })
    await call('image_blur', { image: 'img_000001', boxes: [[0, 0, 1, 0.12]] })
    const wordsOf = async (index: number) => {
      const path = join(folder, `page-${index}.png`)
      await writeFile(path, made[index]?.bytes ?? Buffer.alloc(0))
      return (await readDocument({ path })).pages[0]?.words ?? []
    }
    const [before, after] = [await wordsOf(0), await wordsOf(1)]
    const within = (words: typeof before) => words.filter(({ box }) => box[1] + box[3] < 0.12).map(({ text }) => text)
    expect(within(before).length).toBeGreaterThan(0)
    for (const word of within(before)) expect(within(after)).not.toContain(word)
    expect(after.length).toBeGreaterThan((before.length - within(before).length) * 0.8)
  })

  test('get frames around boxes; labels are text, whatever they contain', async () => {
    const { call, made } = await runWith({ flag })
    const marks = [{ box: [0.25, 0.25, 0.5, 0.5], label: '<script>&"' }]
    expect((await call('image_annotate', { marks })).failed).toBe(false)
    const [red, green, blue] = await colourAt(made[0]?.bytes ?? Buffer.alloc(0), 200, 50)
    expect([red, green, blue]).toEqual([0xe1, 0x1d, 0x48])
    expect((await call('image_compare', { first: 'flag', second: 'img_000001' })).output.changedBox).toEqual([
      expect.closeTo(0.25, 1),
      expect.any(Number),
      expect.closeTo(0.5, 1),
      expect.any(Number),
    ])
  })

  test('have facts, and an image does not differ from itself', async () => {
    const { call } = await runWith({ flag })
    expect((await call('image_describe', {})).output).toMatchObject({
      format: 'png',
      width: 400,
      height: 200,
      isGrey: false,
    })
    expect((await call('image_compare', { first: 'flag', second: 'flag' })).output).toEqual({
      sameSize: true,
      difference: 0,
      changedShare: 0,
      changedBox: null,
    })
  })

  test('have their codes decoded with positions', async () => {
    await prepareZXingModule({
      overrides: {
        wasmBinary: (await readFile(new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))))
          .buffer as ArrayBuffer,
      },
      fireImmediately: true,
    })
    const { image } = await writeBarcode('https://example.com/7731', { format: 'QRCode', scale: 6 })
    const code = Buffer.from(await (image as Blob).arrayBuffer())
    const page = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#ffffff' } })
      .composite([{ input: code, left: 400, top: 300 }])
      .jpeg()
      .toBuffer()
    const { call } = await runWith({ page })
    const { output } = await call('image_read_codes', {})
    expect(output.codes).toHaveLength(1)
    expect(output.codes[0]).toMatchObject({ text: 'https://example.com/7731' })
    expect(output.codes[0].box[0]).toBeGreaterThan(0.45)
    expect((await (await runWith({ flag })).call('image_read_codes', {})).output.codes).toEqual([])
  })

  test('a missing image, page or input is reported in a sentence', async () => {
    const { call } = await runWith({ text: Buffer.from('only words'), flag })
    expect((await call('image_crop', { box: [0, 0, 1, 1] })).output.error).toContain(
      'Name one of the inputs, because there are several: text, flag',
    )
    expect((await call('image_crop', { image: 'text', box: [0, 0, 1, 1] })).output.error).toContain('cannot be read')
    expect((await call('image_crop', { image: 'nothing', box: [0, 0, 1, 1] })).output.error).toContain('no input')
    expect((await call('image_crop', { image: 'flag', box: [0, 0, 2, 1] })).output.error).toContain('is invalid')
  })
})

describe('charts', () => {
  test.each(['bar', 'line', 'pie'] as const)('a %s is drawn in the colours of its figures', async (type) => {
    const { call, made } = await runWith({})
    const { output, failed } = await call('viz_chart', {
      type,
      title: 'Sales & <returns>',
      labels: ['January', 'February'],
      series: [{ name: 'EUR', values: [10, 30] }],
    })
    expect([failed, output.width, output.height]).toEqual([false, 960, 540])
    const pixels = await sharp(made[0]?.bytes).removeAlpha().raw().toBuffer()
    let painted = 0
    for (let at = 0; at < pixels.length; at += 3)
      if (pixels[at] === 0x00 && pixels[at + 1] === 0x72 && pixels[at + 2] === 0xb2) painted += 1
    expect(painted).toBeGreaterThan(300)
  })

  test('series that do not match their labels are refused with a message', async () => {
    const { call } = await runWith({})
    const { output } = await call('viz_chart', { type: 'bar', labels: ['a', 'b'], series: [{ values: [1] }] })
    expect(output.error).toContain('as many values as there are labels')
    const pie = await call('viz_chart', { type: 'pie', labels: ['a'], series: [{ values: [-1] }] })
    expect(pie.output.error).toContain('without negative')
  })
})

describe.skipIf(!(await hasFfmpeg()))('video and audio', { timeout: 60_000 }, () => {
  test('a video is probed, sampled and cut', async () => {
    const { call, made } = await runWith({ film: await madeFilm(['One', 'Two']) })
    expect((await call('video_probe', {})).output).toMatchObject({ video: { width: 640, height: 360 } })
    expect((await call('video_scenes', {})).output.cuts).toEqual(expect.any(Array))
    const { output } = await call('video_frames', { at_seconds: [0.5, 2.5, 99] })
    expect(output.frames.map((frame: { at_seconds: number }) => frame.at_seconds)).toEqual([0.5, 2.5])
    expect((await sharp(made[0]?.bytes).metadata()).width).toBe(640)
    const { output: cut } = await call('video_trim', { from_seconds: 1, to_seconds: 2 })
    expect((await call('video_probe', { video: cut.id })).output.durationSeconds).toBeCloseTo(1, 0)
    expect((await call('video_trim', { from_seconds: 2, to_seconds: 1 })).output.error).toContain(
      'greater than from_seconds',
    )
  })

  test('audio is probed and cut', async () => {
    const { call } = await runWith({ note: await madeSound(3, 'A note') })
    expect((await call('audio_probe', {})).output).toMatchObject({ tags: { title: 'A note' } })
    const { output } = await call('audio_trim', { from_seconds: 0, to_seconds: 1 })
    expect((await call('audio_probe', { audio: output.id })).output.durationSeconds).toBeCloseTo(1, 0)
  })
})

describe('work files', () => {
  test('are stored with their type, read in parts, and queried', async () => {
    const { call, made } = await runWith({})
    const orders = {
      orders: [
        { id: 'a', lines: [{ amount: 2 }, { amount: 3 }] },
        { id: 'b', lines: [{ amount: 5 }] },
      ],
    }
    const { output } = await call('core_write', { filename: 'orders.json', text: JSON.stringify(orders) })
    expect(output).toMatchObject({ id: 'txt_000001', filename: 'orders.json' })
    expect(made[0]).toMatchObject({ contentType: 'application/json', kind: 'txt' })
    const { output: read } = await call('core_read', { file: 'txt_000001', from: 2 })
    expect(read.text).toBe(JSON.stringify(orders).slice(2))
    const query = async (path: string, more: object = {}) =>
      (await call('core_query', { file: 'txt_000001', path, ...more })).output
    expect(await query('orders[*].lines[*].amount')).toEqual({ count: 3, values: [2, 3, 5], more: false })
    expect(await query('orders[-1].id')).toMatchObject({ values: ['b'] })
    expect(await query('orders[*]', { where: { path: 'lines[*].amount', equals: 5 } })).toMatchObject({
      values: [orders.orders[1]],
    })
    expect(await query('.orders.*["id"]', { limit: 1 })).toEqual({ count: 2, values: ['a'], more: true })
    expect(await query('orders[9].no.such')).toEqual({ count: 0, values: [], more: false })
    expect((await call('core_query', { file: 'txt_000001', path: 'orders[' })).output.error).toContain('character 7')
  })

  test('that are binary, invalid JSON or missing are refused with a message', async () => {
    const { call } = await runWith({ flag, note: Buffer.from('no JSON') })
    expect((await call('core_read', { file: 'flag' })).output.error).toContain('is not UTF-8 text')
    expect((await call('core_query', { file: 'note', path: '' })).output.error).toContain('is not valid JSON')
    expect((await call('core_query', { handle: 'result:9', path: '' })).output.error).toContain('result:9')
    expect((await call('core_write', { filename: '../x', text: 'x' })).failed).toBe(true)
  })
})

test('document.redact leaves nothing readable under its boxes, and reports words that it did not find', async () => {
  const pdf = await makePdf([invoiceLines])
  await writeFile(join(folder, 'bill'), pdf)
  const document = await readDocument({ path: join(folder, 'bill') })
  const words = document.pages[0]?.words.map(({ text }) => text) ?? []
  const [first = '', second = ''] = words
  const { call, made } = await runWith({ bill: pdf }, document)
  const { output } = await call('document_redact', { words: [`${first} ${second}`.toUpperCase(), 'nowhere at all'] })
  expect(output).toMatchObject({ pages: [{ page: 1, id: 'img_000001' }], missing: ['nowhere at all'] })
  const picture = made[0]?.bytes ?? Buffer.alloc(0)
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  const [x, y, w, h] = document.pages[0]?.words[0]?.box ?? [0, 0, 0, 0]
  const region = {
    left: Math.ceil(x * width),
    top: Math.ceil(y * height),
    width: Math.floor(w * width),
    height: Math.floor(h * height),
  }
  const { channels } = await sharp(await sharp(picture).removeAlpha().extract(region).png().toBuffer()).stats()
  for (const { max } of channels) expect(max).toBeLessThan(24)
  await writeFile(join(folder, 'redacted.png'), picture)
  const read =
    (await readDocument({ path: join(folder, 'redacted.png') })).pages[0]?.words.map(({ text }) => text) ?? []
  expect(read).toContain(words.at(-1))
  expect(read.slice(0, 2)).not.toEqual([first, second])
})

test('document.split reads a bounded number of pages, saves a bounded number of files, and says so', async () => {
  const pages = Array.from({ length: 55 }, (_, at) => [
    `Sender ${at}`,
    'Invoice',
    `Invoice number: ${7000 + at}`,
    'Page 1 of 1',
  ])
  const packet = await makePdf(pages)
  await writeFile(join(folder, 'packet'), packet)
  const document = await readDocument({ path: join(folder, 'packet'), limits: { pagesMax: 53 } })
  const { call, made } = await runWith({ packet }, document)
  const { output } = await call('document_split', {})
  expect(output.documents).toHaveLength(53)
  expect(made).toHaveLength(50)
  expect(output.documents[49]).toMatchObject({ first_page: 50, last_page: 50, id: 'doc_000050' })
  expect(output.documents[50].id).toBeNull()
  expect(output.notes).toEqual([
    '2 pages were not read and belong to no document: more than 53 pages.',
    'Only the first 50 documents were saved as files.',
  ])
  const { output: unsaved } = await call('document_split', { save: false })
  expect([unsaved.documents.length, made.length]).toEqual([53, 50])
})

test('document.fill stores a filled form that document.fields lists again, and names the fields when one is unknown', async () => {
  const form = await madePdf((document) => {
    document.font('Helvetica').initForm()
    document.formText('name', 60, 80, 300, 20, {})
    document.formCheckbox('agreed', 60, 110, 15, 15, {})
  })
  const { call, made } = await runWith({ form })
  const { output } = await call('document_fill', { values: { name: 42, agreed: true } })
  expect(output).toEqual({ id: 'doc_000001', filename: 'filled.pdf', filled: 2, undrawn: [] })
  expect(made[0]).toMatchObject({ kind: 'doc', contentType: 'application/pdf' })
  const { output: listed } = await call('document_fields', { file: 'doc_000001' })
  expect(listed.fields.map(({ name, value }: { name: string; value: unknown }) => [name, value])).toEqual([
    ['name', '42'],
    ['agreed', true],
  ])
  const unknown = await call('document_fill', { values: { nome: 'x' } })
  expect(unknown.failed).toBe(true)
  expect(unknown.output.error).toContain('"name", "agreed"')
})

describe('detectors', () => {
  const module = findOptional(optionalPackages.detectors)
  test.skipIf(module)('say how to install them when they are missing', async () => {
    const { call } = await runWith({ flag })
    expect((await call('image_faces', {})).output.error).toMatch(/npm install --prefix optional\/detectors/)
  })

  test.skipIf(!module)('find faces and people in a sample image, and none on a flag', async () => {
    const samples = await readFile(new URL('../assets/screenshot-facedetect.jpg', module ?? 'file:///'))
    const { call } = await runWith({ samples, flag })
    const { faces } = (await call('image_faces', { image: 'samples' })).output
    expect(faces).toHaveLength(5)
    for (const { score, box } of faces) {
      expect(score).toBeGreaterThan(0.5)
      for (const share of box) expect(share).toBeGreaterThanOrEqual(0)
      expect(box[0] + box[2]).toBeLessThanOrEqual(1)
    }
    expect((await call('image_faces', { image: 'samples', score_min: 0.99 })).output).toEqual({ faces: [] })
    const { objects } = (await call('image_objects', { image: 'samples' })).output
    expect(objects.length).toBeGreaterThan(2)
    expect(new Set(objects.map(({ label }: { label: string }) => label))).toEqual(new Set(['person']))
    expect((await call('image_faces', { image: 'flag' })).output).toEqual({ faces: [] })
  })
})

describe('audio.transcribe', () => {
  test.skipIf(isDeaf)('reports a missing transcriber', async () => {
    const sound = await madeSound(2, 'A note')
    const deaf = await runWith({ sound })
    expect((await deaf.call('audio_transcribe', { from_seconds: 0, to_seconds: 1 })).output.error).toContain(
      'No transcriber',
    )
  })
})
