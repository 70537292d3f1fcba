import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../packages/core/src/json.ts'
import { readerVersion } from '../packages/reader/src/media/packed-document.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { rowsOf } from './support/rows.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain } from './support/until.ts'

let script: (request: MockRequest) => MockTurn

const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({
    file: {
      ...fileOfSmallModel(model.baseUrl),
      // One server with both: the embedded engine, and a model.
      routes: { 'svc-agent-1:pro': 'embedded', 'svc-agent-2:pro': 'embedded' },
      programs: { shadow_share: 0 },
    },
  }),
)
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const usage = { inputTokens: 100, outputTokens: 10 }
const says = (answer: Json): MockTurn => ({ text: JSON.stringify(answer), usage })
const writes = (source: string): MockTurn => ({ text: `\`\`\`ts\n${source}\n\`\`\``, usage })
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const invoiceInputs = () => ({ invoice: { type: 'input_file', file_id: invoice.id } })
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }

const { execute } = service
const replay = (id: string, at = service) => at.call('POST', `/v1/agent/executions/${id}/replay`)
const equal = (id: string) => ({
  status: 200,
  json: { execution_id: id, equal: true, differences: [], model_calls: 0 },
})

/** Expects that a replay gives the same and asks no model. */
async function expectEqual(id: string): Promise<void> {
  const asked = model.requests.length
  const { status, json } = await replay(id)
  expect({ status, json }).toEqual(equal(id))
  expect(model.requests).toHaveLength(asked)
}

const embedded = 'svc-agent-1:pro'

/** A turn that calls tools, one that is invalid, then the answer. */
const looped = ({ results, corrections }: MockRequest): MockTurn => {
  if (results.length === 0)
    return {
      toolCalls: [
        { name: 'document_search', input: { query: 'total' } },
        { name: 'core_calculate', input: { formulas: ['1 /'] } },
        { name: 'core_date', input: { operation: 'today' } },
      ],
      usage,
    }
  return corrections === 0 ? says({ invoice_number: 7 }) : says(answer)
}

/** Fails at first; then reads the document, and asks what day it is. */
const coded = ({ text }: MockRequest): MockTurn =>
  text.includes('It failed')
    ? writes(`export default async function run(tools: Tools, inputs: Inputs) {
  const page = await tools.document.read({ input: inputs.invoice.slot, pages: [1] })
  const today = await tools.core.date({ operation: 'today' })
  const text = page.pages.flatMap((one: any) => one.lines.map((line: any) => line.text)).join('\\n')
  console.log(JSON.stringify(today), Math.random())
  return { invoice_number: /Invoice No:\\s+(\\S+)/.exec(text)?.[1] ?? null, invoice_date: null, total: Math.random() }
}`)
    : writes('export default async function run() { throw new Error("not yet") }')

describe('a replay gives the same output without a model call', () => {
  test('of the embedded engine, on a file and on a text, and changes no row', async () => {
    const file = await execute({
      model: embedded,
      inputs: invoiceInputs(),
      config: { ...config, max_wrong_rate: 0.05 },
    })
    expect(file).toMatchObject({ status: 'completed', model_selection: { resolved: 'embedded' } })
    const text = await execute({
      model: embedded,
      inputs: { note: 'Harbour Supplies\nTotal: 101.25' },
      config: { json_schema: invoiceSchema, grounding: true, caching: false },
    })
    const [{ id } = { id: '' }] = await service.database.db.query<{ id: string }>('select id from workspaces')
    const before = await rowsOf(service.database.db, id)
    await expectEqual(file.id)
    await expectEqual(text.id)
    const isOfRequests = (row: string) => row.startsWith('rate_counts ')
    expect((await rowsOf(service.database.db, id)).filter((row) => !isOfRequests(row))).toEqual(
      before.filter((row) => !isOfRequests(row)),
    )
  })

  test('of the embedded engine without a cached reading: the bytes are read again', async () => {
    const { id } = await execute({ model: embedded, inputs: invoiceInputs(), config: { ...config, caching: false } })
    await expectEqual(id)
    const kept = await service.database.db.query(`select from readings where right(reader, 36) = $1`, [id])
    expect(kept).toHaveLength(0)
  })

  test('of a failure that follows from the request', async () => {
    const nothing = await execute({ model: embedded, inputs: { note: 'Nothing is here' }, config })
    expect(nothing).toMatchObject({ status: 'failed', error: { code: 'nothing_found' } })
    await expectEqual(nothing.id)
    const unreadable = await service.upload(Buffer.from('%PDF-1.7 is not one'), 'broken.pdf')
    const failed = await execute({
      model: embedded,
      inputs: { file: { type: 'input_file', file_id: unreadable.id } },
      config,
    })
    expect(failed.status).toBe('failed')
    await expectEqual(failed.id)
  })

  test('of a model with tools that failed, and an answer that was sent back', async () => {
    script = looped
    const record = await execute({ model: 'svc-agent-1:fast', inputs: invoiceInputs(), config })
    expect(record).toMatchObject({ status: 'completed', response: answer })
    await expectEqual(record.id)
    script = () => says({ invoice_number: 7 })
    const violating = await execute({ model: 'svc-agent-1:fast', inputs: invoiceInputs(), config })
    expect(violating).toMatchObject({ status: 'failed', error: { code: 'schema_violation' } })
    await expectEqual(violating.id)
  })

  test('of programs that a model wrote', async () => {
    script = coded
    const record = await execute({ model: 'svc-agent-2:fast', inputs: invoiceInputs(), config })
    expect(record, JSON.stringify(record.error)).toMatchObject({
      status: 'completed',
      response: { invoice_number: 'INV-2041' },
    })
    await expectEqual(record.id)
  })

  test('of a turn of a chat', async () => {
    script = looped
    const body = {
      model: 'svc-agent-1:fast',
      stream: false,
      messages: [{ role: 'user', content: 'What is the total of INV-2041?' }],
    }
    const { status, json } = await service.call('POST', '/v1/openai/chat/completions', { body })
    expect(status, JSON.stringify(json)).toBe(200)
    const { json: list } = await service.call('GET', '/v1/agent/executions?limit=1')
    await expectEqual(list[0].id)
  })
})

describe('a program', () => {
  const schema = {
    type: 'object',
    properties: { reference: { type: ['string', 'null'] }, amount: { type: ['number', 'null'] } },
    required: ['reference', 'amount'],
    additionalProperties: false,
  }
  const reader = `export default async function run(tools: any, inputs: any) {
  const lines = await tools.document.lines({ input: inputs.note.slot })
  const text: string = lines.map((line: any) => line.cells.map((cell: any) => cell.text).join('  ')).join('\\n')
  const after = (label: RegExp): string | null => label.exec(text)?.[1] ?? null
  const amount = after(/Payable now\\s+([\\d.]+)/)
  return { reference: after(/Consignment\\s+(\\S+)/), amount: amount === null ? null : Number(amount) }
}`
  const run = (skill: string, n: number) =>
    execute({
      model: 'svc-agent-2:fast',
      inputs: { note: { type: 'text', text: `Harbour Supplies\nConsignment  HS-${n}\nPayable now  ${n}.25` } },
      config: { execution_mode: 'program', skills: [{ skill_id: skill }] },
    })

  test('that answered is run again, also when it was deleted since; one that is gone gets a clear answer', async () => {
    const made = { name: 'notes', description: 'Reads notes', prompt: 'Read the note', json_schema: schema }
    const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
    script = () => writes(reader)
    await expectEqual((await run(skill.id, 4001)).id)
    const list = async () => (await service.call('GET', `/v1/skills/${skill.id}/programs`)).json
    while ((await list())[0]?.status !== 'ready') await lookAgain()
    const served = await run(skill.id, 4002)
    expect(served).toMatchObject({ execution_mode: 'program', response: { reference: 'HS-4002', amount: 4002.25 } })
    await expectEqual(served.id)
    const [program] = await list()
    await service.call('DELETE', `/v1/skills/${skill.id}/programs/${program.id}`)
    await expectEqual(served.id)
    await service.database.db.query(`update programs set source = 'another' where id = $1`, [program.id])
    // What programs are made of is remembered; a replay reads it anew.
    expect(await replay(served.id)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining(`The program ${program.id} that served this execution`) },
    })
  })
})

describe('a replay that differs says where', () => {
  const differencesIn = async (id: string) => {
    const { status, json } = await replay(id)
    expect([status, json.equal], JSON.stringify(json)).toEqual([200, false])
    return json.differences
  }

  test('in the answer, its evidence, and the steps that read the inputs', async () => {
    const { id } = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const { db } = service.database
    await db.query(
      `update executions set response = json_build_object('invoice_number', 'INV-2041', 'invoice_date', '2026-03-14', 'total', 145),
         evidence = (jsonb_set(evidence::jsonb, '{/total,page}', '7'))::json where id = $1`,
      [id],
    )
    expect(await differencesIn(id)).toEqual([
      { path: '/response/total', was: 145, is: 144 },
      { path: '/evidence/~1total/page', was: 7, is: 0 },
    ])
    await db.query(
      `update steps set result = jsonb_set(result::jsonb, '{words}', '1')::json where execution_id = $1 and name = 'document.read'`,
      [id],
    )
    expect(await differencesIn(id)).toContainEqual({
      path: '/steps/1/result/words',
      was: 1,
      is: expect.any(Number),
    })
  })

  test('where another version of the reader found something else, with both versions; none where both found the same', async () => {
    const { id } = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const { db } = service.database
    // What a server with that version left: neither its reader nor its parsed document is there any more.
    await db.query('delete from readings')
    await db.query(
      `update steps set detail = jsonb_set(detail::jsonb, '{reader}', '"reader-1"')::json
       where execution_id = $1 and name = 'document.read'`,
      [id],
    )
    await expectEqual(id)
    await db.query(
      `update steps set result = jsonb_set(result::jsonb, '{words}', '1')::json
       where execution_id = $1 and name = 'document.read'`,
      [id],
    )
    await db.query(`update executions set response = replace(response::text, '144', '145')::json where id = $1`, [id])
    expect(await differencesIn(id)).toEqual([
      { path: '/steps/1/detail/reader', was: 'reader-1', is: readerVersion },
      { path: '/response/total', was: 145, is: 144 },
      { path: '/steps/1/result/words', was: 1, is: expect.any(Number) },
    ])
  })

  test('in the order of its fields: equal is equal byte by byte', async () => {
    const { id } = await execute({ model: embedded, inputs: invoiceInputs(), config })
    await service.database.db.query(
      `update executions set response = json_build_object('total', 144, 'invoice_number', 'INV-2041', 'invoice_date', '2026-03-14') where id = $1`,
      [id],
    )
    expect(await differencesIn(id)).toMatchObject([{ path: '/response', was: { total: 144 }, is: { total: 144 } }])
  })

  test('in a turn that the record lacks, and in one that the replay did not come to', async () => {
    script = looped
    const record = await execute({ model: 'svc-agent-1:fast', inputs: invoiceInputs(), config })
    const { db } = service.database
    const { json: steps } = await service.call('GET', `/v1/agent/executions/${record.id}/steps`)
    const last = steps.at(-1).seq
    // A turn more than the run needs.
    await db.query(
      `insert into steps select workspace_id, execution_id, seq + 1, attempt, kind, name, detail, result, cost_micros, started_at, ended_at
       from steps where execution_id = $1 and seq = $2`,
      [record.id, last],
    )
    expect(await differencesIn(record.id)).toEqual([{ path: `/steps/${last + 1}`, was: 'mine/small', is: null }])
    await db.query('delete from steps where execution_id = $1 and seq >= $2', [record.id, last])
    expect(await differencesIn(record.id)).toMatchObject([
      { path: '/status', was: 'completed', is: expect.stringContaining('a turn that the record does not have') },
    ])
  })
})

describe('there is no replay', () => {
  test('of what was not retained, has not ended or was cancelled, or whose URL answered what is not stored', async () => {
    const unretained = await execute({
      model: embedded,
      inputs: { note: 'Total: 5.00' },
      config: { json_schema: invoiceSchema },
      metadata: { allow_retention: false },
    })
    const refusal = (words: string) => ({ status: 409, json: { detail: expect.stringContaining(words) } })
    expect(await replay(unretained.id)).toMatchObject(refusal('not retained'))
    const { id } = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const { db } = service.database
    await db.query(`update executions set status = 'paused', completed_at = null where id = $1`, [id])
    expect(await replay(id)).toMatchObject(refusal('is paused'))
    await service.call('POST', `/v1/agent/executions/${id}/cancel`)
    expect(await replay(id)).toMatchObject(refusal('failed with cancelled'))
    await db.query(
      `update executions set error = null, status = 'completed', request = replace(request::text, '{"kind":"file"', '{"kind":"url","url":"https://example.com/a.pdf"')::json where id = $1`,
      [id],
    )
    await db.query('delete from readings')
    expect(await replay(id)).toMatchObject(refusal('no longer stored'))
  })
})

describe('any record', () => {
  const word = fc.constantFrom(
    'Total',
    'Harbour Supplies',
    'INV-77',
    '101.25',
    '2026-03-14',
    'EUR',
    'Crate',
    'ä€😀',
    '',
  )
  const line = fc.tuple(word, fc.constantFrom(': ', '   ', '\t'), word).map((parts) => parts.join(''))
  const type = fc.constantFrom(['string', 'null'], ['number', 'null'], ['string'], ['boolean', 'null'])
  const field = fc.constantFrom('total', 'invoice_number', 'date', 'currency', 'vendor')
  const document = fc.record({
    text: fc.array(line, { minLength: 1, maxLength: 30 }).map((lines) => lines.join('\n')),
    schema: fc
      .dictionary(
        field,
        type.map((one) => ({ type: one })),
        { minKeys: 1 },
      )
      .map((properties) => ({
        ...{ type: 'object', properties, required: Object.keys(properties) },
        additionalProperties: false,
      })),
    grounding: fc.boolean(),
    caching: fc.boolean(),
    isFile: fc.boolean(),
  })
  const call = fc.constantFrom(
    { name: 'document_search', input: { query: 'total' } },
    { name: 'core_calculate', input: { formulas: ['2 * 3', '1 /'] } },
    { name: 'core_date', input: { operation: 'today' } },
    { name: 'no_such_tool', input: {} },
  )
  /** What a model says of each field of a schema, right or wrong. */
  const value = fc.oneof(
    fc.constant(null),
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
  )
  const turns = fc.array(fc.oneof(fc.array(call, { minLength: 1, maxLength: 4 }), fc.dictionary(field, value)), {
    minLength: 1,
    maxLength: 5,
  })
  const source = fc.constantFrom(
    'export default async function run() { return {} }',
    'export default async function run(tools: any) { const { dates } = await tools.core.date({ operation: "today" }); return { total: Math.random(), date: String(dates) } }',
    'export default async function run() { throw new Error("no") }',
    'no program',
  )
  const record = fc.oneof(
    fc.record({ engine: fc.constant('embedded' as const), document }),
    fc.record({ engine: fc.constant('loop' as const), document, turns }),
    fc.record({
      engine: fc.constant('code' as const),
      document,
      sources: fc.array(source, { minLength: 1, maxLength: 4 }),
    }),
  )
  const models = { embedded, loop: 'svc-agent-1:fast', code: 'svc-agent-2:fast' }
  const runs = Number(process.env['REPLAYS'] ?? 24)

  test(
    `of ${runs} that were generated is replayed with equal output`,
    async () => {
      await fc.assert(
        fc.asyncProperty(record, async (made) => {
          let turn = 0
          script = () => {
            turn += 1
            if (made.engine === 'code') return writes(made.sources[Math.min(turn, made.sources.length) - 1] ?? '')
            if (made.engine === 'embedded') return says(null)
            const said = made.turns[Math.min(turn, made.turns.length) - 1]
            return Array.isArray(said) && turn <= made.turns.length ? { toolCalls: said, usage } : says(said as Json)
          }
          const { text, schema, grounding, caching, isFile } = made.document
          const note = isFile
            ? { type: 'input_file', file_id: (await service.upload(Buffer.from(text), 'note.txt')).id }
            : text
          const { id } = await execute({
            model: models[made.engine],
            inputs: { note },
            config: { prompt: 'Extract the fields', json_schema: schema, grounding, caching },
          })
          await expectEqual(id)
        }),
        { numRuns: runs, endOnFailure: true },
      )
    },
    runs * 50_000,
  )
})
