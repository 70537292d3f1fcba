import { deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { madeExcel, madeWord, madeZip } from '../packages/reader/src/media/testing/made-office.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const megabyte = 1024 * 1024
const service = await opened(openTestService())

/** A one-page PDF with the given content stream, encoded with the filters in `dictionary`. */
function pdfOf(dictionary: string, content: Buffer): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
    Buffer.concat([
      Buffer.from(`<< ${dictionary} /Length ${content.length} >>\nstream\n`),
      content,
      Buffer.from('\nendstream'),
    ]),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  const parts = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    offsets.push(parts.reduce((sum, part) => sum + part.length, 0))
    parts.push(Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
  }
  const end = parts.reduce((sum, part) => sum + part.length, 0)
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  parts.push(
    Buffer.from(`xref\n0 6\n0000000000 65535 f \n${rows}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${end}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

const total = 'BT /F 12 Tf 72 700 Td (Total: 12.50) Tj ET\n'
const drawn = (bytes: number): Buffer => Buffer.from(total + '0 0 m 1 1 l S\n'.repeat(bytes / 14))
const flate = (bytes: Buffer): Buffer => deflateSync(bytes, { level: 9 })
const hex = (bytes: Buffer): Buffer => Buffer.from(`${bytes.toString('hex')}>`)
const spaces = (bytes: number): Buffer => Buffer.alloc(bytes, ' ')

async function execute(bytes: Buffer) {
  const { id } = await service.upload(bytes, 'input')
  const json_schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
  const inputs = { input: { type: 'input_file', file_id: id } }
  return service.execute({ inputs, config: { prompt: 'Extract the total', json_schema } })
}

test.each([
  [
    'a PDF of 2 KB, packed twice',
    () => pdfOf('/Filter [/FlateDecode /FlateDecode]', flate(flate(spaces(300 * megabyte)))),
  ],
  ['a PDF of lines', () => pdfOf('/Filter /FlateDecode', flate(drawn(100 * megabyte)))],
  ['a Word file', () => madeWord(['x'.repeat(200 * megabyte)])],
  ['a workbook', () => madeExcel({ Sheet: [['x'.repeat(200 * megabyte)]] })],
  ['an archive', () => madeZip({ 'a.txt': spaces(20 * megabyte), 'b.txt': spaces(20 * megabyte) })],
  ['a text in gzip', async () => gzipSync(spaces(200 * megabyte))],
] as const)('%s that unpacks to far more than its size is refused, and says by how much', async (_what, made) => {
  const bytes = await made()
  const { status, error } = await execute(bytes)
  expect([status, error.code]).toEqual(['failed', 'input_too_costly'])
  expect(error.message).toMatch(
    new RegExp(`has ${bytes.length} bytes and unpacks to more than \\d+, the limit for a file of its size`),
  )
})

test('a PDF whose filters hide its unpacked size hits the memory limit of its reader, which keeps working', async () => {
  const filters = '/Filter [/ASCIIHexDecode /FlateDecode /FlateDecode]'
  const { status, error } = await execute(pdfOf(filters, hex(flate(flate(spaces(1024 * megabyte))))))
  expect([status, error.code]).toEqual(['failed', 'input_too_costly'])
  expect(error.message).toContain('The PDF needs more than 1073741824 bytes of memory')
  expect((await execute(pdfOf('', Buffer.from(total)))).response).toEqual({ total: 12.5 })
})

test.each([
  ['a PDF of 2 MB of lines', async () => pdfOf('/Filter /FlateDecode', flate(drawn(2 * megabyte)))],
  ['a Word file', () => madeWord(['Total: 12.50', ...Array.from({ length: 10_000 }, () => 'and so on')])],
  ['a text in gzip', async () => gzipSync(`Total: 12.50\n${'and so on\n'.repeat(100_000)}`)],
] as const)('%s that packs well is read all the same', async (_what, made) => {
  expect(await execute(await made())).toMatchObject({ status: 'completed', response: { total: 12.5 } })
})
