import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import {
  boundary,
  endOfForm,
  formOf,
  multipart,
  partOf,
  sha256Of,
  until,
  useFilesService,
  type WireFile,
} from '../../../../../test/support/files.ts'

const fileBytesMax = 300_000_000
const binary = 'Content-Type: application/octet-stream\r\n'
const service = useFilesService({ fileBytesMax })

test('the purpose and the public URL option are read from the query, in every spelling that clients use', async () => {
  const file = await service.upload('a.txt', 'a', { query: '?purpose=fine-tune&generate_public_url=False&unknown=1' })
  expect(file).toMatchObject({ purpose: 'fine-tune', public_url: null })
  for (const [spelling, wanted] of [
    ['true', true],
    ['True', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ] as const) {
    const { json } = await service.call('GET', `/v1/files/${file.id}?generate_public_url=${spelling}`)
    expect(json.public_url !== null, spelling).toBe(wanted)
  }
  const wrong = await service.call('POST', '/v1/files?purpose=party', {
    headers: multipart,
    body: formOf(partOf('name="file"; filename="a"', 'a')),
  })
  expect(wrong.status).toBe(422)
  expect(wrong.json.detail[0]).toMatchObject({ loc: ['query', 'purpose'], type: 'enum', input: 'party' })
  expect((await service.call('GET', `/v1/files/${file.id}?generate_public_url=maybe`)).json.detail[0]).toMatchObject({
    loc: ['query', 'generate_public_url'],
    input: 'maybe',
  })
})

test('names keep every letter and lose paths and control characters', async () => {
  const names: readonly (readonly [sent: string, kept: string])[] = [
    ['Rechnung März – 請求書 🧾.pdf', 'Rechnung März – 請求書 🧾.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\Users\\\\me\\\\doc.pdf', 'doc.pdf'],
    ['/absolute/x', 'x'],
    ['a\\"quote.pdf', 'a"quote.pdf'],
    ['a%22quote.pdf', 'a"quote.pdf'],
    ['a%0D%0ASet-Cookie: x.pdf', 'a__Set-Cookie: x.pdf'],
    ['tab\there.txt', 'tab_here.txt'],
    ['..', 'file'],
    ['.', 'file'],
    ['dir/', 'file'],
    ['.env', '.env'],
    ["'; drop table files; --", "'; drop table files; --"],
    ['x'.repeat(255), 'x'.repeat(255)],
  ]
  for (const [sent, kept] of names) {
    const file = await service.upload(sent, 'content')
    expect(file.filename, sent).toBe(kept)
    const disposition =
      (await service.call('GET', `/v1/files/${file.id}/content`)).headers.get('content-disposition') ?? ''
    const [, encoded = ''] = /filename\*=UTF-8''(\S+)$/.exec(disposition) ?? []
    expect(decodeURIComponent(encoded)).toBe(kept)
    expect(disposition).toMatch(/^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[\w.~!#$&+^`|%-]+$/)
  }
  const encoded = formOf(partOf(`name="file"; filename="plain.txt"; filename*=UTF-8''%E2%82%AC.txt`, 'x'))
  expect((await service.call('POST', '/v1/files', { headers: multipart, body: encoded })).json.filename).toBe('€.txt')
})

test('the type is that of the bytes, else that of the part, else that of the name', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const typeOf = async (name: string, content: Buffer | string, header = '') => {
    const body = formOf(partOf(`name="file"; filename="${name}"`, content, header))
    return (await service.call('POST', '/v1/files', { headers: multipart, body })).json.content_type
  }
  expect(await typeOf('wrong.pdf', png)).toBe('image/png')
  expect(await typeOf('table.csv', 'a,b\n1,2\n')).toBe('text/csv')
  expect(await typeOf('plain', 'words')).toBe('text/plain')
  expect(await typeOf('plain', Buffer.from([0, 1, 2]), 'Content-Type: application/x-own\r\n')).toBe('application/x-own')
  expect(await typeOf('plain', Buffer.from([0, 1, 2]))).toBe('application/octet-stream')
  expect(await typeOf('text.png', 'words')).toBe('text/plain')
  // Text in UTF-16 begins like a recording.
  const wide = Buffer.from('\ufeffa;b\n1;2\n', 'utf16le')
  expect(await typeOf('table.csv', wide)).toBe('text/csv')
  expect(await typeOf('words.txt', Buffer.from(wide).swap16())).toBe('text/plain')
  // A PDF may be pure ASCII, and may start after other bytes.
  const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n'
  expect(await typeOf('letter.pdf', pdf)).toBe('application/pdf')
  expect(await typeOf('letter', pdf, 'Content-Type: text/plain\r\n')).toBe('application/pdf')
  expect(await typeOf('letter', `From the printer\n${pdf}`)).toBe('application/pdf')
  expect(await typeOf('letter', '{\\rtf1 words}')).toBe('application/rtf')
  // Headers of an email are a signature, also with letters that are not UTF-8.
  const mail = 'From: José\nSubject: Hello\nMIME-Version: 1.0\n\nHello\n'
  expect(await typeOf('letter', mail)).toBe('message/rfc822')
  expect(await typeOf('letter.txt', Buffer.from(mail, 'latin1'))).toBe('message/rfc822')
  // Declared text types count, unless the bytes contradict them.
  expect(await typeOf('table', 'a,b\n1,2\n', 'Content-Type: text/csv; charset=utf-8\r\n')).toBe('text/csv')
  expect(await typeOf('rows.txt', 'a,b\n1,2\n', 'Content-Type: text/csv\r\n')).toBe('text/csv')
  expect(await typeOf('words.csv', 'words', 'Content-Type: application/octet-stream\r\n')).toBe('text/csv')
  expect(await typeOf('rows', '{}\n{}\n', 'Content-Type: application/x-ndjson\r\n')).toBe('application/x-ndjson')
  expect(await typeOf('rows.ndjson', '{}\n{}\n')).toBe('application/jsonl')
  expect(await typeOf('words.pdf', 'words', 'Content-Type: application/pdf\r\n')).toBe('text/plain')
})

test('a file of no bytes is a file', async () => {
  const file = await service.upload('empty.txt', '')
  expect(file).toMatchObject({ bytes: 0, sha256: sha256Of(''), content_type: 'text/plain' })
  const read = await service.call('GET', `/v1/files/${file.id}/content`)
  expect([read.status, read.headers.get('content-length'), read.bytes.length]).toEqual([200, '0', 0])
  expect((await service.call('GET', `/v1/files/${file.id}/content`, { headers: { range: 'bytes=0-' } })).status).toBe(
    416,
  )
})

test('a body without exactly one complete file part is refused with location and reason, and nothing is stored', async () => {
  const before = await service.storedFiles()
  const file = partOf('name="file"; filename="a.bin"', randomBytes(200_000))
  const fields = Array.from({ length: 21 }, (_, at) => partOf(`name="field${at}"`, 'x'))
  const form = (...parts: Buffer[]) => ({ headers: multipart, body: Buffer.concat(parts) })
  const inBody = { loc: ['body', 'file'] }
  const inName = { loc: ['body', 'file', 'filename'] }
  const inHeader = { loc: ['header', 'content-type'], type: 'content_type' }
  const cases: readonly { is: string; sent: { headers: Record<string, string>; body: Buffer }; detail: object }[] = [
    { is: 'no parts', sent: form(endOfForm), detail: { ...inBody, type: 'missing' } },
    { is: 'no body', sent: form(), detail: { ...inBody, type: 'multipart_invalid' } },
    {
      is: 'another part',
      sent: form(partOf('name="b"; filename="a"'), endOfForm),
      detail: { ...inBody, type: 'missing' },
    },
    { is: 'two files', sent: form(file, file, endOfForm), detail: { ...inBody, type: 'too_many_files' } },
    { is: 'a field', sent: form(partOf('name="file"', 'x'), endOfForm), detail: { ...inBody, type: 'file_type' } },
    {
      is: 'no file chosen',
      sent: form(partOf('name="file"; filename=""', '', binary), endOfForm),
      detail: { ...inBody, type: 'file_type' },
    },
    { is: 'a cut file', sent: form(file.subarray(0, 100_000)), detail: { ...inBody, type: 'multipart_invalid' } },
    { is: 'no closing boundary', sent: form(file), detail: { ...inBody, type: 'multipart_invalid' } },
    {
      is: 'a bad part header',
      sent: form(Buffer.from(`--${boundary}\r\n\u0001\r\n\r\n`), endOfForm),
      detail: { ...inBody, type: 'multipart_invalid' },
    },
    { is: 'too many parts', sent: form(...fields, file, endOfForm), detail: { ...inBody, type: 'multipart_invalid' } },
    {
      is: 'NUL in the name',
      sent: form(partOf('name="file"; filename*=UTF-8\'\'a%00b'), endOfForm),
      detail: { ...inName, type: 'string_nul' },
    },
    {
      is: 'a long name',
      sent: form(partOf(`name="file"; filename="${'x'.repeat(256)}"`), endOfForm),
      detail: { ...inName, type: 'string_too_long' },
    },
    {
      is: 'JSON',
      sent: { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') },
      detail: inHeader,
    },
    { is: 'no content type', sent: { headers: { 'content-type': '' }, body: file }, detail: inHeader },
    { is: 'no boundary', sent: { headers: { 'content-type': 'multipart/form-data' }, body: file }, detail: inHeader },
  ]
  for (const { is, sent, detail } of cases) {
    const reply = await service.call('POST', '/v1/files', sent)
    expect(reply.status, is).toBe(422)
    expect(reply.json.detail, is).toEqual([expect.objectContaining({ ...detail, msg: expect.any(String) })])
  }
  expect(await service.storedFiles()).toEqual(before)
  expect((await service.upload('after.bin', 'the server goes on')).bytes).toBe(18)
})

test('other parts around the file are skipped', async () => {
  const body = Buffer.concat([
    partOf('name="purpose"', 'vision'),
    partOf('name="file"; filename="a.txt"', 'content'),
    partOf('name="thumb"; filename="t"', randomBytes(100_000)),
    endOfForm,
  ])
  const reply = await service.call('POST', '/v1/files', { headers: multipart, body })
  expect(reply.json).toMatchObject({ filename: 'a.txt', bytes: 7 })
})

test('a file that is too large is answered with 413, with or without a stated length, and nothing is stored', async () => {
  const before = await service.storedFiles()
  const said = await rawUpload({ bytes: fileBytesMax * 2, sayLength: true })
  expect(said.statusCode).toBe(413)
  const unsaid = await rawUpload({ bytes: fileBytesMax + 1, sayLength: false })
  expect(unsaid.statusCode).toBe(413)
  expect(JSON.parse(await text(unsaid))).toEqual({
    detail: `The file is larger than the limit of ${fileBytesMax} bytes`,
  })
  expect(await service.storedFiles()).toEqual(before)
})

test('an upload of the maximum size is stored completely while memory stays flat', async () => {
  const before = process.memoryUsage().rss
  let grown = 0
  const reply = await rawUpload({
    bytes: fileBytesMax,
    sayLength: true,
    onChunk: () => {
      grown = Math.max(grown, process.memoryUsage().rss - before)
    },
  })
  const file = JSON.parse(await text(reply)) as WireFile
  expect(reply.statusCode).toBe(201)
  const hash = createHash('sha256')
  for (let left = fileBytesMax; left > 0; left -= 1_000_000) hash.update(Buffer.alloc(1_000_000, 'x'))
  expect(file.bytes).toBe(fileBytesMax)
  expect(file.sha256).toBe(hash.digest('hex'))
  expect(grown).toBeLessThan(fileBytesMax / 2)
  await service.call('DELETE', `/v1/files/${file.id}`)
})

test('a client that disconnects leaves nothing in the store', async () => {
  const before = await service.storedFiles()
  const { hostname, port } = new URL(service.url)
  const socket = connectSocket(Number(port), hostname)
  const head = `POST /v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer first\r\nContent-Type: ${multipart['content-type']}\r\nContent-Length: 1000000\r\n\r\n`
  socket.write(Buffer.concat([Buffer.from(head), partOf('name="file"; filename="cut.bin"', randomBytes(500_000))]))
  await until(async () => (await service.storedFiles()).length > before.length)
  socket.destroy()
  await until(async () => (await service.storedFiles()).length === before.length)
  expect(await service.storedFiles()).toEqual(before)
})

test('a client that sends single bytes slowly is aborted, in every kind of upload', async () => {
  const before = await service.storedFiles()
  const { json: presigned } = await service.call('POST', '/v1/files/presigned-url', {
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"filename":"a.bin"}'),
  })
  const begun = service.now
  for (const [target, method, head] of [
    [`${service.url}/v1/files`, 'POST', partOf('name="file"; filename="a.bin"').subarray(0, -2)],
    [presigned.url, 'PUT', Buffer.from('x')],
  ] as const) {
    const request = httpRequest(target, { method, headers: { ...multipart, authorization: 'Bearer first' } })
    const reply = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject)
    })
    request.write(Buffer.concat([head, Buffer.from('begun')]))
    await until(async () => (await service.storedFiles()).length > before.length)
    service.now = new Date(begun.getTime() + 120_000)
    request.write('x')
    const answer = await reply
    expect(answer.statusCode).toBe(408)
    expect(JSON.parse(await text(answer)).detail).toBe(
      'The upload is slower than 4096 bytes per second, which is the minimum',
    )
    service.now = begun
  }
  expect(await service.storedFiles()).toEqual(before)
})

/** Uploads `bytes` times `x`, with backpressure, and stops when the reply arrives. */
function rawUpload(upload: { bytes: number; sayLength: boolean; onChunk?: () => void }): Promise<IncomingMessage> {
  const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="large.bin"\r\n\r\n`)
  const tail = Buffer.concat([Buffer.from('\r\n'), endOfForm])
  const length: Record<string, string> = upload.sayLength
    ? { 'content-length': String(head.length + upload.bytes + tail.length) }
    : {}
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${service.url}/v1/files`, {
      method: 'POST',
      headers: { ...multipart, ...length, authorization: 'Bearer first' },
    })
    const answered = new AbortController()
    request.once('response', (reply) => {
      answered.abort()
      resolve(reply)
    })
    request.on('error', (error) => {
      if (!answered.signal.aborted) reject(error)
    })
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const send = async () => {
      request.write(head)
      for (let left = upload.bytes; left > 0 && !answered.signal.aborted; left -= chunk.length) {
        upload.onChunk?.()
        if (!request.write(chunk.subarray(0, left)))
          await new Promise<void>((drained) => {
            request.once('drain', drained)
            answered.signal.addEventListener('abort', () => drained(), { once: true })
          })
      }
      if (!answered.signal.aborted) request.end(tail)
    }
    send().catch(reject)
  })
}
