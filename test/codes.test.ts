import { readFile } from 'node:fs/promises'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'
import { openTestService, type TestService } from './support/service.ts'

let service: TestService
beforeAll(async () => {
  const place = new URL(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
  const wasmBinary = (await readFile(place)).buffer as ArrayBuffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
  service = await openTestService()
})
afterAll(() => service[Symbol.asyncDispose]())

const address = 'https://example.com/7731'
const article = '4006381333931'

async function drawn(text: string, format: 'QRCode' | 'EAN13'): Promise<Buffer> {
  const { image } = await writeBarcode(text, { format, scale: 4 })
  return Buffer.from(await (image as Blob).arrayBuffer())
}

/** A white page with an address as QR code and an article number as barcode. */
async function label(): Promise<Buffer> {
  return sharp({ create: { width: 1000, height: 700, channels: 3, background: '#ffffff' } })
    .composite([
      { input: await drawn(address, 'QRCode'), left: 80, top: 80 },
      { input: await drawn(article, 'EAN13'), left: 500, top: 400 },
    ])
    .png()
    .toBuffer()
}

/** Executes on a file without a language model. */
async function run(bytes: Buffer, filename: string, config: object) {
  const { id } = await service.upload(bytes, filename)
  return service.execute({ inputs: { label: { type: 'input_file', file_id: id } }, config })
}

const text = { type: ['string', 'null'] }
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })
const objectOf = (properties: object) => ({ type: 'object', properties })

test('a list of codes is filled from an image, with the position of each', async () => {
  const codes = listOf({ text, format: text })
  const json = await run(await label(), 'label.png', { prompt: 'Read all codes', json_schema: objectOf({ codes }) })
  expect(json).toMatchObject({ status: 'completed', error: null })
  expect(
    json.response.codes.toSorted((a: { text: string }, b: { text: string }) => a.text.localeCompare(b.text)),
  ).toEqual([
    { text: article, format: 'EAN13' },
    { text: address, format: 'QRCode' },
  ])
  const at = json.response.codes.findIndex((code: { text: string }) => code.text === address)
  const evidence = json.evidence[`/codes/${at}/text`]
  expect(evidence).toMatchObject({ status: 'verified', input: 'label', page: 0, quote: address })
  expect(evidence.bbox[0]).toBeLessThan(0.2)
})

test('single fields take the code that they name, or say why they take none', async () => {
  const json_schema = objectOf({ qr_code: text, barcode: text })
  const json = await run(await label(), 'label.png', { prompt: 'Extract the codes', json_schema })
  expect(json).toMatchObject({ status: 'completed', response: { qr_code: address, barcode: article } })
  const one = await run(await label(), 'label.png', {
    prompt: 'Extract the codes',
    json_schema: objectOf({ barcode: text, product: { ...objectOf({ qr_code: text }) } }),
  })
  expect(one.response).toEqual({ barcode: article, product: { qr_code: address } })
  const several = await run(await label(), 'label.png', {
    prompt: 'Extract the fields',
    json_schema: objectOf({ barcode: text, qr_codes: { type: 'array', items: { type: 'string' } } }),
  })
  expect(several.response).toMatchObject({ qr_codes: [address] })
})

test('plain texts, and formats in the words of the schema', async () => {
  const barcodes = { type: 'array', items: { type: 'string' } }
  const json = await run(await label(), 'label.png', {
    prompt: 'Extract the barcodes',
    json_schema: objectOf({ barcodes }),
  })
  expect(json.response.barcodes.toSorted()).toEqual([article, address])
  const kind = { type: 'string', enum: ['barcode', 'qr', 'other'] }
  const typed = await run(await label(), 'label.png', {
    prompt: 'Extract the codes',
    json_schema: objectOf({ barcodes: listOf({ value: text, type: kind }) }),
  })
  expect(typed.response.barcodes).toEqual(
    expect.arrayContaining([
      { value: article, type: 'barcode' },
      { value: address, type: 'qr' },
    ]),
  )
})

test('codes on PDF pages are found, and an image without codes reports that', async () => {
  const pdf = new PDFDocument({ size: 'A4' })
  const parts: Buffer[] = []
  pdf.on('data', (part: Buffer) => parts.push(part))
  const ended = new Promise<void>((resolve) => pdf.on('end', resolve))
  pdf.fontSize(14).text('Delivery note 17 with a code on the next page', 60, 60)
  pdf.addPage().image(await drawn(address, 'QRCode'), 100, 100)
  pdf.end()
  await ended
  const json_schema = objectOf({ codes: listOf({ text }) })
  const json = await run(Buffer.concat(parts), 'note.pdf', { prompt: 'Read the QR codes', json_schema })
  expect(json).toMatchObject({ status: 'completed', response: { codes: [{ text: address }] } })
  expect(json.evidence['/codes/0/text']).toMatchObject({ page: 1 })
  const blank = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()
  const none = await run(blank, 'blank.png', { prompt: 'Read the QR codes', json_schema })
  expect(none).toMatchObject({ status: 'failed', error: { code: 'nothing_found' } })
})
