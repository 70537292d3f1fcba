import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import type { Json } from '../packages/core/src/json.ts'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService, type TestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { lookAgain } from './support/until.ts'

/** A server with a database and keys of its own, and without a model. */
let script: (request: MockRequest) => MockTurn

const model = await opened(startMockModel({ script: (request) => script(request) }))
const service = await opened(
  openTestService({
    file: {
      ...fileOfSmallModel(model.baseUrl),
      routes: { 'svc-agent-1:pro': 'embedded' },
      programs: { shadow_share: 0 },
    },
  }),
)
const other = await opened(openTestService())
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const embedded = 'svc-agent-1:pro'
const usage = { inputTokens: 100, outputTokens: 10 }
const says = (answer: Json): MockTurn => ({ text: JSON.stringify(answer), usage })
const writes = (source: string): MockTurn => ({ text: `\`\`\`ts\n${source}\n\`\`\``, usage })
const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const invoiceInputs = () => ({ invoice: { type: 'input_file', file_id: invoice.id } })

const { execute } = service
async function exported(id: string): Promise<Answer['json']> {
  const { status, json } = await service.call('GET', `/v1/agent/executions/${id}/capsule?contents=true`)
  const capsule = typeof json === 'string' ? JSON.parse(json) : json
  expect(status, JSON.stringify(capsule)).toBe(200)
  return capsule
}
const importTo = (at: TestService, body: unknown, headers = {}) => at.call('POST', '/v1/capsules', { body, headers })
const replay = (at: TestService, id: string) => at.call('POST', `/v1/agent/executions/${id}/replay`)
const statementIn = ({ payload }: { payload: string }) => JSON.parse(Buffer.from(payload, 'base64').toString())

/** Signs a statement anew with a key of a stranger, which the contents name. */
function forged(statement: Answer['json'], change: (contents: Answer['json']) => void) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  const made = structuredClone(statement)
  made.predicate.contents.key = { kty, crv, x }
  change(made.predicate.contents)
  const payload = Buffer.from(JSON.stringify(made))
  const payloadType = 'application/vnd.in-toto+json'
  const pae = Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `), payload])
  const der = publicKey.export({ format: 'der', type: 'spki' })
  const keyid = createHash('sha256').update(der).digest('hex').slice(0, 32)
  const sig = sign(null, pae, privateKey).toString('base64')
  return { payloadType, payload: payload.toString('base64'), signatures: [{ keyid, sig }] }
}

/** Imports an execution on the other server and expects a record with the same output that a replay gives again. */
async function expectMoved(record: Answer['json']): Promise<Answer['json']> {
  const { status, json } = await importTo(other, await exported(record.id))
  expect(status, JSON.stringify(json)).toBe(201)
  const same = [
    'response',
    'evidence',
    'error',
    'completeness',
    'warnings',
    'status',
    'execution_mode',
    'program',
    'path',
    'model',
  ]
  for (const name of same) expect(json[name], name).toEqual(record[name])
  expect(json).toMatchObject({ trusted: false, imported_from: record.id })
  expect(json.id).not.toBe(record.id)
  const asked = model.requests.length
  const again = await replay(other, json.id)
  expect(again).toMatchObject({ status: 200, json: { equal: true, differences: [], model_calls: 0 } })
  expect(model.requests).toHaveLength(asked)
  return json
}

describe('an execution that is imported on another server is replayed with equal output there', () => {
  test('of the embedded engine, on a file', async () => {
    const record = await execute({ model: embedded, inputs: invoiceInputs(), config })
    expect(record).toMatchObject({ status: 'completed', trusted: null, imported_from: null })
    const moved = await expectMoved(record)
    const steps = (at: TestService, id: string) => at.call('GET', `/v1/agent/executions/${id}/steps`)
    expect((await steps(other, moved.id)).json).toEqual((await steps(service, record.id)).json)
    const { json: request } = await other.call('GET', `/v1/agent/executions/${moved.id}/request`)
    expect(request.config).toMatchObject(config)
    const { json: file } = await other.call('GET', `/v1/files/${request.inputs.invoice.file_id}`)
    expect(file).toMatchObject({ filename: 'invoice.pdf' })
    // It costs nothing here.
    const { json: used } = await other.call('GET', '/v1/usage')
    expect(JSON.stringify(used)).not.toContain('"executions":1')
  })

  test('of a model with tools, although that server has no model', async () => {
    script = ({ results }) =>
      results.length === 0 ? { toolCalls: [{ name: 'core_date', input: { operation: 'today' } }], usage } : says(answer)
    await expectMoved(await execute({ model: 'svc-agent-1:fast', inputs: invoiceInputs(), config }))
  })

  test('with the artifacts that its tools made', async () => {
    script = ({ results }) =>
      results.length === 0
        ? { toolCalls: [{ name: 'core_write', input: { filename: 'rows.csv', text: 'a,b\n1,2\n' } }], usage }
        : says({ made: { id: /txt_[0-9a-f]{6}/.exec(results.join())?.[0] ?? '' } })
    const made = { type: 'object', properties: { id: { type: 'string' } } }
    const json_schema = { type: 'object', properties: { made } }
    const asked = { prompt: 'Write a table', json_schema }
    const record = await execute({ model: 'svc-agent-1:fast', inputs: { note: 'x' }, config: asked })
    const moved = await expectMoved(record)
    const bytesOf = async (at: TestService, id: string) => {
      const found = await at.call('GET', `/v1/artifacts?execution_id=${id}&object_id=${record.response.made.id}`)
      return { status: found.status, type: found.headers.get('content-type'), json: found.json }
    }
    expect(await bytesOf(other, moved.id)).toEqual(await bytesOf(service, record.id))
    expect((await bytesOf(other, moved.id)).status).toBe(200)
    const statement = statementIn(await exported(record.id))
    for (const change of [{ content_type: 'text/html\r\nX: y' }, { id: `img_${record.response.made.id.slice(4)}` }]) {
      const altered = forged(statement, ({ artifacts }) => Object.assign(artifacts[0], change))
      expect((await importTo(other, altered)).status).toBe(409)
    }
  })

  test('of the cheapest path', async () => {
    script = () => says(answer)
    const record = await execute({
      model: 'svc-agent-2:fast',
      inputs: invoiceInputs(),
      config: { ...config, path: 'cheapest', max_wrong_rate: 0.2 },
    })
    expect(record.path.fields).toMatchObject({ '/total': 'rules' })
    await expectMoved(record)
  })

  test('of a skill and its program, with neither there', async () => {
    const made = {
      name: 'notes',
      description: 'Reads notes',
      prompt: 'Read the note',
      json_schema: {
        type: 'object',
        properties: { reference: { type: ['string', 'null'] } },
        required: ['reference'],
        additionalProperties: false,
      },
    }
    const { json: skill } = await service.call('POST', '/v1/skills/create', { body: made })
    script = () =>
      writes(`export default async function run(tools: any, inputs: any) {
  const lines = await tools.document.lines({ input: inputs.note.slot })
  const text: string = lines.map((line: any) => line.cells.map((cell: any) => cell.text).join('  ')).join('\\n')
  return { reference: /Consignment\\s+(\\S+)/.exec(text)?.[1] ?? null }
}`)
    const run = (n: number) =>
      execute({
        model: 'svc-agent-2:fast',
        inputs: { note: { type: 'text', text: `Harbour Supplies\nConsignment  HS-${n}` } },
        config: { execution_mode: 'program', skills: [{ skill_id: skill.id }] },
      })
    await expectMoved(await run(4001))
    for (;;) {
      const { json } = await service.call('GET', `/v1/skills/${skill.id}/programs`)
      if (json[0]?.status === 'ready') break
      await lookAgain()
    }
    const served = await run(4002)
    expect(served.execution_mode).toBe('program')
    await expectMoved(served)
  })
})

describe('a capsule', () => {
  test('of a key that this server knows is trusted, and its execution stands beside the first', async () => {
    const record = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const capsule = await exported(record.id)
    const headers = { 'Idempotency-Key': 'once' }
    const { json } = await importTo(service, capsule, headers)
    expect(json).toMatchObject({ trusted: true, imported_from: record.id })
    expect(json.id).not.toBe(record.id)
    expect((await importTo(service, capsule, headers)).json.id).toBe(json.id)
    expect((await importTo(service, capsule)).json.id).not.toBe(json.id)
    // This server did not run it, and does not vouch for it.
    expect(await service.call('GET', `/v1/agent/executions/${json.id}/capsule`)).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining('imported from a capsule') },
    })
  })

  test('is not given of what rests on an execution that was imported: a fork, a fork of it, or a base', async () => {
    const record = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const statement = statementIn(await exported(record.id))
    // A stranger's answer and a stranger's steps.
    const { json: copy } = await importTo(
      service,
      forged(statement, ({ outcome }) => {
        outcome.response.total = 999
      }),
    )
    expect(copy).toMatchObject({ trusted: false, response: { total: 999 } })
    const fork = (id: string) =>
      service.call('POST', `/v1/agent/executions/${id}/fork`, { body: { from_step: 2, batch: false } })
    const { json: first } = await fork(copy.id)
    const { json: second } = await fork(first.id)
    const based = await execute({
      ...{ model: embedded, inputs: invoiceInputs() },
      config: { ...config, base_execution: second.id },
    })
    const capsuleOf = (id: string) => service.call('GET', `/v1/agent/executions/${id}/capsule`)
    for (const { id } of [copy, first, second, based])
      expect(await capsuleOf(id)).toMatchObject({ status: 409, json: { detail: expect.stringContaining('imported') } })
    // A fork of what ran here says what it kept.
    const { json: own } = await fork(record.id)
    const { json } = await capsuleOf(own.id)
    const { predicate } = statementIn(typeof json === 'string' ? JSON.parse(json) : json)
    expect(predicate).toMatchObject({
      execution: { forked_from: record.id, base_execution: null },
      transcript: { kept_steps: 1 },
    })
  })

  test('that was altered, or that a revoked key signed, is refused everywhere', async () => {
    const record = await execute({ model: embedded, inputs: { note: 'Total: 101.25' }, config })
    const capsule = await exported(record.id)
    const statement = statementIn(capsule)
    statement.predicate.contents.outcome.response = { total: 1 }
    const altered = { ...capsule, payload: Buffer.from(JSON.stringify(statement)).toString('base64') }
    const refused = (words: string) => ({ status: 409, json: { detail: expect.stringContaining(words) } })
    for (const at of [service, other])
      expect(await importTo(at, altered)).toMatchObject(refused('signature does not match'))
    // Any byte of the payload.
    const bytes = Buffer.from(capsule.payload, 'base64')
    for (let at = 7; at < bytes.length; at += Math.ceil(bytes.length / 40)) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 1
      const { status } = await importTo(other, { ...capsule, payload: changed.toString('base64') })
      expect(status, `byte ${at}`).toBe(409)
    }
    const bare = (await service.call('GET', `/v1/agent/executions/${record.id}/capsule`)).json
    expect(await importTo(service, typeof bare === 'string' ? JSON.parse(bare) : bare)).toMatchObject(
      refused('has no contents'),
    )
    await service.call('POST', '/v1/capsule-keys/rotate', { body: { revoke: true } })
    expect(await importTo(service, capsule)).toMatchObject(refused('was revoked'))
  })

  test('that a stranger signed brings nothing in that the API would refuse, and reaches no file of another workspace', async () => {
    const record = await execute({ model: embedded, inputs: invoiceInputs(), config })
    const statement = statementIn(await exported(record.id))
    const refusal = async (change: (contents: Answer['json']) => void) => {
      const { status, json } = await importTo(other, forged(statement, change))
      expect([409, 422, 404], JSON.stringify(json)).toContain(status)
      return JSON.stringify(json)
    }
    expect(
      (
        await importTo(
          other,
          forged(statement, () => {}),
        )
      ).status,
    ).toBe(201)
    expect(
      await refusal((contents) => {
        contents.files[0].data = Buffer.from('other').toString('base64')
      }),
    ).toContain('do not have the hash')
    expect(
      await refusal((contents) => {
        contents.outcome.status = 'running'
      }),
    ).toContain('has not ended')
    expect(
      await refusal((contents) => {
        contents.outcome.evidence = { '/total': 1 }
      }),
    ).toContain('outcome/evidence')
    expect(
      await refusal((contents) => {
        contents.steps = [...contents.steps].reverse()
      }),
    ).toContain('do not ascend')
    expect(
      await refusal((contents) => {
        contents.steps[0].detail = null
      }),
    ).toContain('steps/0/detail')
    expect(
      await refusal((contents) => {
        contents.request.config.json_schema = { type: 'no such type' }
      }),
    ).toContain('json_schema')
    expect(
      await refusal((contents) => {
        contents.request.metadata = { allow_retention: false }
      }),
    ).toContain('retained')
    expect(
      await refusal((contents) => {
        contents.files[0].filename = 'a\0b'
      }),
    ).toMatch(/NUL|JSON/)
    const deep = forged(statement, (contents) => {
      contents.outcome.response = JSON.parse('['.repeat(300) + ']'.repeat(300))
    })
    expect((await importTo(other, deep)).status).toBe(409)
    // Made-up steps: a replay says so, and nothing fails.
    const odd = await importTo(
      other,
      forged(statement, (contents) => {
        contents.steps = [{ ...contents.steps[0], name: 'archive.open', detail: { input: 'invoice' }, result: 7 }]
        contents.request.inputs.invoice = { type: 'file_url', file_url: { url: 'https://example.com/a.pdf' } }
      }),
    )
    expect(odd.status, JSON.stringify(odd.json)).toBe(201)
    expect((await replay(other, odd.json.id)).status).toBe(409)
    // A file of another workspace by its id.
    const stranger = await other.stranger()
    const own = await other.upload(Buffer.from('Total: 1.00'), 'own.txt')
    const reaching = forged(statement, (contents) => {
      contents.request.inputs.invoice.file_id = own.id
    })
    const { status, json } = await other.call('POST', '/v1/capsules', { body: reaching, key: stranger })
    expect(status, JSON.stringify(json)).toBe(409)
  })

  test('with contents is refused where they are not to be given away or are too large', async () => {
    const capsuleOf = (id: string) => service.call('GET', `/v1/agent/executions/${id}/capsule?contents=true`)
    const gone = await execute({
      model: embedded,
      inputs: { note: 'Total: 5.00' },
      config,
      metadata: { allow_retention: false },
    })
    expect((await capsuleOf(gone.id)).status).toBe(409)
    const { id } = await service.upload(Buffer.from(`Total: 5.00\n${'line of words\n'.repeat(800_000)}`), 'long.txt')
    const large = await execute({
      model: embedded,
      inputs: { note: { type: 'input_file', file_id: id } },
      config: { ...config, page_indices: [0] },
    })
    expect(await capsuleOf(large.id)).toMatchObject({ status: 413 })
  })
})

test('the command line exports, verifies and imports', async () => {
  const folder = await temporaryFolder('contents')
  const at = ({ url, key }: TestService) => ({ folder, environment: { SKILLRUN_URL: url, SKILLRUN_API_KEY: key } })
  const record = await execute({ model: embedded, inputs: invoiceInputs(), config })
  const got = await skillrun(['executions', 'capsule', record.id, '--contents', '-o', 'a.json'], at(service))
  expect(got, got.stderr).toMatchObject({ code: 0 })
  expect(await skillrun(['verify', 'a.json'], at(service))).toMatchObject({ code: 0 })
  const imported = await skillrun(['executions', 'import', 'a.json'], at(other))
  expect(imported, imported.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining('not trusted') })
  const replayed = await skillrun(['replay', imported.stdout.trim()], at(other))
  expect(replayed, replayed.stderr).toMatchObject({ code: 0 })
})
