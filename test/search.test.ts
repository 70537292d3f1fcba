import { beforeAll, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

/** On the invoice, and on a text. */
let onFile: string
let onText: string

const service = await opened(openTestService())
beforeAll(async () => {
  const file = await service.upload(await makePdf([invoiceLines]), 'Kestrel_100%.pdf')
  onFile = await execute({
    inputs: { invoice: { type: 'input_file', file_id: file.id } },
    config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
  })
  onText = await execute({
    id: 'order-77',
    inputs: { text: 'Total: 5.00' },
    config: { prompt: 'Extract the total' },
    metadata: { session_id: 'Session-A' },
  })
})

async function execute(body: object): Promise<string> {
  return (await service.execute(body)).id
}

async function search(text: string, more = ''): Promise<string[]> {
  const { json } = await service.call('GET', `/v1/agent/executions?q=${encodeURIComponent(text)}${more}`)
  return json.map(({ id }: { id: string }) => id)
}

test('executions are found by file name, answer, agent, ids and session, in any case; signs of patterns are plain text', async () => {
  const { json } = await service.call('GET', `/v1/agent/executions/${onFile}`)
  expect(await search('kestrel_100%')).toEqual([onFile])
  expect(await search('kestrelx100')).toEqual([])
  expect(await search('%')).toEqual([onFile])
  expect(await search(json.response.invoice_number.toLowerCase())).toEqual([onFile])
  expect(await search('extract-fields')).toEqual([onFile])
  expect(await search(onText.slice(-12).toUpperCase())).toEqual([onText])
  expect(await search('order-7')).toEqual([onText])
  expect(await search('session-a')).toEqual([onText])
  expect(await search('nothing like it')).toEqual([])
  expect(await search('extract', '&limit=1')).toEqual([onText])
  expect(await search('extract', '&status=failed')).toEqual([])
})

test('a list names the input files, and tells work from evaluations and shadows', async () => {
  const { json } = await service.call('GET', '/v1/agent/executions')
  expect(json.map((one: { id: string; file_names: string[] }) => [one.id, one.file_names])).toEqual([
    [onText, []],
    [onFile, ['Kestrel_100%.pdf']],
  ])
  const evaluation = '00000000-0000-7000-8000-00000000e0a1'
  await service.database.db.query('update executions set evaluation_id = $1 where id = $2', [evaluation, onText])
  expect((await service.call('GET', '/v1/agent/executions?purpose=evaluation')).json).toMatchObject([
    { id: onText, evaluation_id: evaluation },
  ])
  expect(await search('extract', '')).toEqual([onFile])
  await service.database.db.query('update executions set evaluation_id = null where id = $1', [onText])
})

test('what is not retained is found neither by its file nor by its answer', async () => {
  const file = await service.upload(await makePdf([invoiceLines]), 'secret-name.pdf')
  const secret = await execute({
    inputs: { invoice: { type: 'input_file', file_id: file.id } },
    config: { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema },
    metadata: { allow_retention: false },
  })
  expect(await search('secret-name')).toEqual([])
  const { json } = await service.call('GET', `/v1/agent/executions/${onFile}`)
  expect(await search(json.response.invoice_number)).toEqual([onFile])
  expect(await search(secret)).toEqual([secret])
})

test('an answer is found as it is read: with quotation marks, and as a person corrected it', async () => {
  const properties = { size: { type: ['string', 'null'] } }
  const id = await execute({
    inputs: { text: 'Size: 5" pipe' },
    config: { json_schema: { type: 'object', properties } },
  })
  expect(await search('5" PIPE')).toEqual([id])
  const changes = [{ path: '/size', value: '6" tube' }]
  await service.call('POST', `/v1/agent/executions/${id}/review`, { body: { changes, done: true } })
  expect(await search('6" tube')).toEqual([id])
})

test('an amount is found as a document prints it, and is no part of another', async () => {
  const properties = { total: { type: ['number', 'null'] }, due: { type: ['number', 'null'] } }
  const id = await execute({
    inputs: { text: 'Total: 6.417,70 EUR\nDue: 500,00 EUR' },
    config: { json_schema: { type: 'object', properties } },
  })
  const amounts = [
    '6.417,70',
    '6,417.7',
    "6'417.70",
    '6417,70',
    '6417.7',
    '€ 6.417,70',
    '6 417,70 EUR',
    '500,00',
    '500',
  ]
  for (const amount of amounts) expect([amount, await search(amount)]).toEqual([amount, [id]])
  for (const other of ['417,70', '6.417,71', '6.417', '6,4', '50,00', '1'.padEnd(40, '0')])
    expect([other, await search(other)]).toEqual([other, []])
  await service.call('POST', `/v1/agent/executions/${id}/review`, {
    body: { changes: [{ path: '/total', value: -1234 }], done: true },
  })
  expect(await search('1.234,00')).toEqual([id])
})

test('one page looks through a bounded number of executions, and leads to the older ones', async () => {
  const { db } = service.database
  await db.query('create unlogged table copies as select * from executions where id = $1', [onText])
  await db.query(
    `do $$ declare names text; begin
       select string_agg(quote_ident(column_name), ',') into names from information_schema.columns
         where table_name = 'copies' and column_name not in ('id', 'created_at', 'file_names', 'client_id');
       execute format('insert into executions (id, created_at, %s) select gen_random_uuid(), created_at + n * interval ''1 second'', %s from copies, generate_series(1, 10050) n', names, names);
     end $$`,
    [],
  )
  const first = await service.call('GET', '/v1/agent/executions?q=kestrel&limit=5')
  expect(first.json).toEqual([])
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await service.call('GET', next)
  expect(second.json.map(({ id }: { id: string }) => id)).toEqual([onFile])
  expect(second.headers.get('link')).toBeNull()
})
