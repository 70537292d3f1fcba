import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { madeWord, madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { makePdf } from './support/documents.ts'
import { startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'
import { writeEntries } from './support/zips.ts'

const schema = {
  type: 'object',
  properties: { invoice_number: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } },
}
const letter = 'Invoice number: INV-4711\nTotal: EUR 12.50'
const files = { 'letters/one.txt': letter, 'letters/two.txt': 'Thank you for your letter of 3 May.' }

function madeTar(content: Readonly<Record<string, string | Buffer>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'))
  try {
    for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text)
    execFileSync('tar', ['-cf', 'made.tar', ...Object.keys(content)], { cwd: folder })
    return readFileSync(join(folder, 'made.tar'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('an archive of files', { timeout: 60_000 }, () => {
  let service: TestService
  let model: Awaited<ReturnType<typeof startMockModel>>
  beforeAll(async () => {
    model = await startMockModel({ script: () => ({ text: '{"invoice_number":"INV-4711","total":12.5}' }) })
    service = await openTestService({
      config: {
        providers: [{ name: 'eyes', kind: 'openai-compatible', baseUrl: model.baseUrl }],
        file: {
          routes: { 'svc-agent-1': 'eyes/one', 'svc-agent-1:auto': 'embedded' },
          models: { 'eyes/one': { takes: ['text', 'image', 'tools'] } },
        },
      },
    })
  })
  afterAll(async () => {
    await service[Symbol.asyncDispose]()
    await model[Symbol.asyncDispose]()
  })

  const execute = async (bytes: Buffer, more: object = {}) => {
    const { id } = await service.upload(bytes, 'box.bin')
    const body = {
      inputs: { box: { type: 'input_file', file_id: id } },
      config: { json_schema: schema, prompt: 'Extract the fields' },
      ...more,
    }
    return service.execute(body)
  }

  test.each([
    ['zip', () => madeZip(files), 'letters/one.txt'],
    ['tar', async () => madeTar({ 'one.txt': letter, [`${'long'.repeat(40)}.txt`]: 'Thanks' }), 'one.txt'],
    ['tar in gzip', async () => gzipSync(madeTar({ 'one.txt': letter, 'two.txt': 'Thanks' })), 'one.txt'],
  ])('(%s) is read file by file, and evidence names the file', async (_kind, made, name) => {
    const record = await execute(await made())
    expect([record.status, record.error]).toEqual(['completed', null])
    expect(record.response).toEqual({ invoice_number: 'INV-4711', total: 12.5 })
    expect(record.evidence['/invoice_number']).toMatchObject({ status: 'verified', input: `box/${name}` })
    expect(record.usage).toMatchObject({ elements_processed: 2, element_type: 'page', message: null })
  })

  test.each([
    [
      'zip without compression',
      (pdf: Buffer) =>
        writeEntries(
          Object.entries({ 'a.pdf': pdf, 'b.txt': letter }).map(([name, bytes]) => ({ name, bytes, method: 0 })),
        ),
    ],
    ['tar', (pdf: Buffer) => madeTar({ 'a.pdf': pdf, 'b.txt': letter })],
  ])('(%s) is no PDF because its first file is one', async (_kind, made) => {
    const record = await execute(made(await makePdf([['Thank you for your letter of 3 May.']])))
    expect([record.status, record.error]).toEqual(['completed', null])
    expect(record.evidence['/total']).toMatchObject({ input: 'box/b.txt' })
    expect(record.usage).toMatchObject({ elements_processed: 2, element_type: 'page' })
  })

  test('a gzipped text is read as the text', async () => {
    const record = await execute(gzipSync(letter))
    expect(record.response).toEqual({ invoice_number: 'INV-4711', total: 12.5 })
  })

  test('a model sees each file under its name, with its images, and its tools find them', async () => {
    const picture = { create: { width: 300, height: 200, channels: 3 as const, background: 'red' } }
    const zip = await madeZip({ ...files, 'photo.png': await sharp(picture).png().toBuffer() })
    const record = await execute(zip, { model: 'svc-agent-1' })
    expect([record.status, record.error]).toEqual(['completed', null])
    const asked = model.requests.at(-1)
    for (const name of ['box/letters/one.txt', 'box/letters/two.txt', 'box/photo.png'])
      expect(asked?.text).toContain(`<input name="${name}"`)
    expect(asked?.pictures).toHaveLength(1)
    expect(asked?.tools).toContain('image_crop')
  })

  test('unreadable files in it are reported, and the rest is read', async () => {
    const word = await madeWord(['Invoice number: INV-4711'])
    const zip = await madeZip({
      'a.docx': word,
      'broken.pdf': '%PDF-1.7 and nothing behind it',
      'program.bin': Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 62, 0]),
      'empty.txt': '',
      '__MACOSX/a.docx': 'clutter',
      '.hidden': 'clutter',
    })
    const record = await execute(zip)
    expect([record.status, record.response.invoice_number]).toEqual(['completed', 'INV-4711'])
    for (const name of ['box/broken.pdf', 'box/program.bin', 'box/empty.txt: it is empty'])
      expect(record.usage.message).toContain(name)
    expect(record.usage.message).not.toContain('clutter')
  })

  test('a file in it whose name another input has is reported, and that input is read', async () => {
    const { id } = await service.upload(await madeZip({ 'one.txt': letter, 'two.txt': 'Thank you.' }), 'box.zip')
    const box = { type: 'input_file', file_id: id }
    const inputs = { box, 'box/one.txt': { type: 'text', text: 'Invoice number: INV-1\nTotal: EUR 3.00' } }
    const record = await service.execute({ inputs, config: { json_schema: schema, prompt: 'Extract the fields' } })
    expect([record.status, record.response]).toEqual(['completed', { invoice_number: 'INV-1', total: 3 }])
    expect(record.usage.message).toContain('box/one.txt: another input has this name')
    const { json: steps } = await service.call('GET', `/v1/agent/executions/${record.id}/steps`)
    const read = steps.flatMap((step: { name: string; detail: { input: string } }) =>
      step.name === 'document.read' ? [step.detail.input] : [],
    )
    expect(read.toSorted()).toEqual(['box/one.txt', 'box/two.txt'])
  })

  const bomb = Buffer.alloc(300 * 1024 * 1024)
  test.each([
    ['that is cut off', async () => (await madeZip(files)).subarray(0, 60), 'unreadable_document'],
    ['of nothing', async () => madeZip({ '.hidden': 'x' }), 'unreadable_document'],
    ['that unpacks to too much', async () => gzipSync(bomb, { level: 1 }), 'input_too_costly'],
    [
      'of too many files',
      () => madeZip(Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`${at}.txt`, 'x']))),
      'input_too_costly',
    ],
    [
      'whose files reach out of it',
      async () =>
        Buffer.from((await madeZip({ 'aa/x.txt': 'x' })).toString('latin1').replaceAll('aa/x', '../x'), 'latin1'),
      'unreadable_document',
    ],
    ['that is damaged', async () => madeTar({ 'one.txt': letter }).fill(7, 10, 60), 'unreadable_document'],
  ])('%s fails with a message that names its slot', async (_how, made, code) => {
    const record = await execute(await made())
    expect([record.status, record.error?.code]).toEqual(['failed', code])
    expect(record.error.message).toMatch(/^inputs\.box: /)
  })
})
