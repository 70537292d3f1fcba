import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MockModel, type MockRequest, type MockTurn, startMockModel } from '../bench/mock-model.ts'
import { invoiceLines, invoiceSchema, makePdf } from './house/documents.ts'
import { openTestHouse, type TestHouse } from './house/house.ts'
import { filesOfZip } from './house/zips.ts'

let model: MockModel
let house: TestHouse
let folder: string
let invoice: { id: string }
let script: (request: MockRequest) => MockTurn
/** What the model writes when it is asked for the instructions of a skill. */
let written: object
const asksToWrite = ({ text }: MockRequest) => text.includes('Write the instructions of a skill')

beforeAll(async () => {
  model = await startMockModel({ script: (request) => (asksToWrite(request) ? says(written) : script(request)) })
  folder = await mkdtemp(join(tmpdir(), 'skillrun-skill-chats-'))
  const file = join(folder, 'configuration.json')
  const facts = { input: 0, output: 0, context_tokens: 100_000, output_tokens_max: 1_000, takes: ['text', 'tools'] }
  const configuration = {
    providers: { mine: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'small', pro: 'small' } },
    models: { 'mine/small': facts },
  }
  await writeFile(file, JSON.stringify(configuration))
  house = await openTestHouse({ env: { SKILLRUN_CONFIG: file } })
  invoice = await house.upload(await makePdf([invoiceLines]), 'invoice.pdf')
})
afterAll(async () => {
  await house[Symbol.asyncDispose]()
  await model[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const says = (value: object): MockTurn => ({ text: JSON.stringify(value) })

async function chat(session_id: string, messages: object[], more: object = {}) {
  const { status, json } = await house.call('POST', '/v1/openai/chat/completions', {
    body: { model: 'svc-agent-1:pro', session_id, messages, ...more },
  })
  expect(json.error).toBeUndefined()
  expect(status).toBe(200)
  return json.choices[0].message.content as string
}
const withInvoice = (text: string) => ({
  role: 'user',
  content: [
    { type: 'text', text },
    { type: 'input_file', file_id: invoice.id },
  ],
})
const inSchema = { response_format: { type: 'json_schema', json_schema: { name: 'invoice', schema: invoiceSchema } } }

async function filesOf(id: string): Promise<Map<string, Buffer>> {
  const { json } = await house.call('GET', `/v1/skills/${id}/download`)
  return filesOfZip(Buffer.from(await (await fetch(json.download_url)).arrayBuffer()))
}

async function proved(id: string) {
  for (;;) {
    const { json } = await house.call('GET', `/v1/skills/${id}`)
    if (json.status === 'completed' || json.status === 'failed') return json
  }
}

beforeEach(() => {
  written = { nothing: 'of use' }
})

describe('a skill from a chat', () => {
  test('is written by the model, that was shown what was said', async () => {
    script = () => says(answer)
    written = { description: 'Reads invoices of bakeries.', instructions: '# Invoices\n\nDates are ISO 8601.' }
    await chat('w1', [{ role: 'system', content: 'Bakeries only.' }, withInvoice('Read it, dates as ISO')], inSchema)
    const made = await house.call('POST', '/v1/skills/create', { body: { session_id: 'w1', name: 'written' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({
      status: 'completed',
      name: 'written',
      description: 'Reads invoices of bakeries.',
      proof: { agreement: 1 },
    })
    expect(done.skill_version.slice(9)).toBe(done.bundle_sha256.slice(0, 8))
    expect(done.bundle_sha256).not.toBe(made.json.bundle_sha256)
    const asked = model.requests.find(asksToWrite)
    expect(asked?.text).toMatch(/system: Bakeries only\.[\s\S]*user: Read it, dates as ISO[\s\S]*assistant: .*INV-2041/)
    const files = await filesOf(made.json.id)
    expect(files.get('SKILL.md')?.toString()).toContain('---\n\n# Invoices\n\nDates are ISO 8601.\n')
    expect([...files.keys()]).toEqual(['SKILL.md', 'evals/evals.json', 'schema.json'])
  })

  test('is the draft by rule when what the model wrote is not proved', async () => {
    script = ({ text }) => says(text.includes('misleading') ? { ...answer, total: 1, invoice_number: 'X' } : answer)
    written = { description: 'A misleading description.', instructions: 'A misleading instruction.' }
    await chat('w2', [withInvoice('Read it well')], inSchema)
    const made = await house.call('POST', '/v1/skills/create', { body: { session_id: 'w2', name: 'drafted' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', description: 'Read it well', proof: { agreement: 1 } })
    expect(done.bundle_sha256).toBe(made.json.bundle_sha256)
    expect((await filesOf(made.json.id)).get('SKILL.md')?.toString()).toContain('Read it well')
  })

  test('holds what the system and the user said, and answers as the chat did', async () => {
    script = () => says(answer)
    const system = { role: 'system', content: 'You read the invoices of a bakery.' }
    await chat('c1', [system, withInvoice('Read this invoice')], inSchema)
    await chat('c1', [{ role: 'user', content: 'Dates as ISO 8601, please' }], inSchema)
    const made = await house.call('POST', '/v1/skills/create', { body: { session_id: 'c1', name: 'bakery' } })
    expect(made).toMatchObject({ status: 201, json: { status: 'pending', description: 'Dates as ISO 8601, please' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', number: 1, error: null, proof: { agreement: 1 } })
    const files = await filesOf(made.json.id)
    expect(files.get('SKILL.md')?.toString()).toContain(
      '---\n\nYou read the invoices of a bakery.\n\nDates as ISO 8601, please\n\n## Asked before in the same session\n\n- Read this invoice\n',
    )
    expect(JSON.parse(String(files.get('schema.json')))).toEqual(invoiceSchema)
    const again = await house.call('POST', '/v1/agent/execute', {
      body: {
        batch: false,
        model: 'svc-agent-1:pro',
        inputs: { invoice: { type: 'input_file', file_id: invoice.id } },
        config: { skills: [{ skill_id: 'bakery' }] },
      },
    })
    expect(again.json).toMatchObject({ status: 'completed', response: answer, skills: [{ name: 'bakery' }] })
    expect(model.requests.at(-1)?.text).toContain('bakery')
  })

  test('fails, and says where, when its run answers otherwise', async () => {
    script = ({ text }) => says(text.includes('otherwise') ? { ...answer, total: 1, invoice_number: 'X' } : answer)
    await chat('c2', [withInvoice('Read this invoice too')], inSchema)
    const body = { session_id: 'c2', name: 'otherwise', description: 'Answers otherwise.' }
    const made = await house.call('POST', '/v1/skills/create', { body })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'failed', error: { code: 'proof_differs' }, number: null })
    expect(done.error.message).toMatch(/agrees with the session in 33 % of the fields.*\/invoice_number, \/total/)
    expect(done.proof.disagreements.toSorted()).toEqual(['/invoice_number', '/total'])
  })

  test('that only talked is proved by having an answer', async () => {
    script = () => ({ text: `Hello number ${model.requests.length}` })
    await chat('c3', [{ role: 'user', content: 'Greet me in Latin' }])
    const made = await house.call('POST', '/v1/skills/create', { body: { session_id: 'c3' } })
    expect(made.json).toMatchObject({ name: 'greet-latin', json_schema: null })
    expect(await proved(made.json.id)).toMatchObject({ status: 'completed' })
  })
})
