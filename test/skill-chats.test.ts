import { beforeEach, describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { until } from './support/until.ts'
import { filesOfZip } from './support/zips.ts'

let script: (request: MockRequest) => MockTurn
/** What the model writes when asked for a skill's instructions. */
let written: object
/** How the model names a skill. */
let named: object
const asksToName = ({ text }: MockRequest) => text.includes('Name and describe a skill')
const asksToWrite = ({ text }: MockRequest) => text.includes('Write the instructions of a reusable skill')

const model = await opened(
  startMockModel({
    script: (request) => (asksToWrite(request) ? says(written) : asksToName(request) ? says(named) : script(request)),
  }),
)
const service = await opened(openTestService({ file: fileOfSmallModel(model.baseUrl) }))
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
const says = (value: object): MockTurn => ({ text: JSON.stringify(value) })

async function chat(session_id: string, messages: object[], more: object = {}) {
  const { status, json } = await service.call('POST', '/v1/openai/chat/completions', {
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
  const { json } = await service.call('GET', `/v1/skills/${id}/download`)
  return filesOfZip(Buffer.from(await (await fetch(json.download_url)).arrayBuffer()))
}

async function proved(id: string) {
  return until(async () => {
    const { json } = await service.call('GET', `/v1/skills/${id}`)
    return json.status === 'completed' || json.status === 'failed' ? json : undefined
  })
}

beforeEach(() => {
  written = { nothing: 'of use' }
  named = { nothing: 'of use' }
})

describe('a skill from a chat', () => {
  test('is written by the model, which gets the conversation', async () => {
    script = () => says(answer)
    written = { description: 'Reads invoices of bakeries.', instructions: '# Invoices\n\nDates are ISO 8601.' }
    await chat('w1', [{ role: 'system', content: 'Bakeries only.' }, withInvoice('Read it, dates as ISO')], inSchema)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'w1', name: 'written' } })
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

  test("is the rule-based draft when the model's text fails verification", async () => {
    script = ({ text }) => says(text.includes('misleading') ? { ...answer, total: 1, invoice_number: 'X' } : answer)
    written = { description: 'A misleading description.', instructions: 'A misleading instruction.' }
    await chat('w2', [withInvoice('Read it well')], inSchema)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'w2', name: 'drafted' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', description: 'Read it well', proof: { agreement: 1 } })
    expect(done.bundle_sha256).toBe(made.json.bundle_sha256)
    expect((await filesOf(made.json.id)).get('SKILL.md')?.toString()).toContain('Read it well')
  })

  test('contains the texts of system and user, and answers as the chat did', async () => {
    script = () => says(answer)
    const system = { role: 'system', content: 'You read the invoices of a bakery.' }
    await chat('c1', [system, withInvoice('Read this invoice')], inSchema)
    await chat('c1', [{ role: 'user', content: 'Dates as ISO 8601, please' }], inSchema)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'c1', name: 'bakery' } })
    expect(made).toMatchObject({ status: 201, json: { status: 'pending', description: 'Dates as ISO 8601, please' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', number: 1, error: null, proof: { agreement: 1 } })
    const files = await filesOf(made.json.id)
    expect(files.get('SKILL.md')?.toString()).toContain(
      '---\n\nYou read the invoices of a bakery.\n\nDates as ISO 8601, please\n\n## Asked before in the same session\n\n- Read this invoice\n',
    )
    expect(JSON.parse(String(files.get('schema.json')))).toEqual(invoiceSchema)
    const again = await service.call('POST', '/v1/agent/execute', {
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

  test('completes with a warning and the location when its run gives another valid answer', async () => {
    script = ({ text }) => says(text.includes('otherwise') ? { ...answer, total: 1, invoice_number: 'X' } : answer)
    await chat('c2', [withInvoice('Read this invoice too')], inSchema)
    const body = { session_id: 'c2', name: 'otherwise', description: 'Answers otherwise.' }
    const made = await service.call('POST', '/v1/skills/create', { body })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({
      status: 'completed',
      error: null,
      number: 1,
      proof: { agreement: 1 / 3 },
      warnings: [{ code: 'proof_differs' }],
    })
    expect(done.warnings[0].message).toMatch(/agrees with the session in 33 % of the fields.*\/invoice_number, \/total/)
    expect(done.proof.disagreements.toSorted()).toEqual(['/invoice_number', '/total'])
    const used = await service.call('POST', '/v1/agent/execute', {
      body: {
        inputs: { invoice: { type: 'input_file', file_id: invoice.id } },
        config: { skills: [{ skill_id: 'otherwise' }] },
      },
    })
    expect(used).toMatchObject({ status: 201, json: { skills: [{ id: made.json.id }] } })
  })

  test('fails when its run gives no valid answer', async () => {
    script = ({ text }) => (text.includes('invalid') ? { text: 'I cannot say' } : says(answer))
    await chat('c2b', [withInvoice('Read this invoice as well')], inSchema)
    const body = { session_id: 'c2b', name: 'invalid', description: 'An invalid one.' }
    const made = await service.call('POST', '/v1/skills/create', { body })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'failed', number: null, error: { code: 'proof_failed' }, warnings: [] })
    expect(done.error.message).toMatch(/was run again with the skill and failed: /)
  })

  test('without documents is verified by having an answer', async () => {
    script = () => ({ text: `Hello number ${model.requests.length}` })
    await chat('c3', [{ role: 'user', content: 'Greet me in Latin' }])
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'c3' } })
    expect(made.json).toMatchObject({ name: 'greet-latin', json_schema: null })
    expect(await proved(made.json.id)).toMatchObject({ status: 'completed' })
  })
})

/** Reads the last `from VENDOR over TOTAL`, in cents when so instructed, after reading its skills. */
const readsOrders = ({ text, tools, results }: MockRequest): MockTurn => {
  if (tools.includes('skills_read') && results.length === 0) return { toolCalls: [{ name: 'skills_read', input: {} }] }
  const [, vendor, total] = [...text.matchAll(/from (\w+) over (\d+)/g)].at(-1) ?? []
  return says({ vendor, total: Number(total) * (/in cents/i.test(text + results.join()) ? 100 : 1) })
}
const user = (content: string) => ({ role: 'user', content })
const orderSchema = {
  type: 'object',
  properties: { vendor: { type: 'string' }, total: { type: 'number' } },
  required: ['vendor', 'total'],
}
const inOrder = { response_format: { type: 'json_schema', json_schema: { name: 'order', schema: orderSchema } } }
const casesOf = (files: Map<string, Buffer>) => JSON.parse(String(files.get('evals/evals.json'))).evals

/** Runs a skill on a message without other configuration. */
async function run(skill: string, message: string) {
  const config = { skills: [{ skill_id: skill }] }
  const json = await service.execute({ batch: false, model: 'svc-agent-1:pro', inputs: { message }, config })
  expect(json).toMatchObject({ status: 'completed', skills: [{ name: skill }] })
  return json.response
}

describe('a skill from a chat of text only', () => {
  test('gets instructions, schema and example cases from the model, is verified, and answers as the chat did', async () => {
    script = readsOrders
    const said = ['An order from Acme over 5, thanks', 'Then one from Bolt over 7', 'And from Cord over 9']
    const heard: string[] = []
    const system = { role: 'system', content: 'Read orders; totals in cents.' }
    for (const [index, text] of said.entries())
      heard.push(await chat('o1', index === 0 ? [system, user(text)] : [user(text)], inOrder))
    named = { name: 'order-reader', description: 'Reads orders by name.' }
    written = {
      description: 'Reads vendor and total of an order.',
      instructions: 'Give vendor and total, totals in cents.',
      examples: [
        { turn: 1, input: 'An order  from Acme over 5' },
        { turn: 2, input: 'never said from Evil over 1' },
        { turn: 3, input: 'from Cord over 9' },
        { turn: 99, input: 'from Cord over 9' },
      ],
    }
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o1' } })
    expect(made.json).toMatchObject({ name: 'order-reader', description: 'Reads orders by name.', status: 'pending' })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({
      status: 'completed',
      error: null,
      description: 'Reads vendor and total of an order.',
      json_schema: orderSchema,
      proof: { agreement: 1 },
    })
    const asked = model.requests.find((one) => asksToWrite(one) && one.text.includes('Acme'))
    expect(asked?.text).toMatch(
      /\[turn 1\]\s+system: Read orders[\s\S]*user: An order[\s\S]*\[turn 3\]\s+user: And from Cord/,
    )
    const files = await filesOf(done.id)
    expect(files.get('SKILL.md')?.toString()).toContain('Give vendor and total, totals in cents.')
    expect(casesOf(files)).toMatchObject([
      { inputs: { message: 'An order  from Acme over 5' }, response: { vendor: 'Acme', total: 500 } },
      { inputs: { message: said[1] }, response: { vendor: 'Bolt', total: 700 } },
      { inputs: { message: 'from Cord over 9' }, response: { vendor: 'Cord', total: 900 } },
    ])
    const proof = await service.call('GET', `/v1/agent/executions/${done.proof.execution_id}/request`)
    expect(proof.json).toMatchObject({ inputs: { message: 'from Cord over 9' } })
    expect(proof.json.config.prompt).toBeUndefined()
    for (const [index, text] of said.entries())
      expect(await run('order-reader', text)).toEqual(JSON.parse(heard[index] ?? ''))
    expect(await run('order-reader', 'from Dune over 2')).toEqual({ vendor: 'Dune', total: 200 })
    const evaluation = await service.call('POST', `/v1/skills/${done.id}/evaluate`, { body: {} })
    expect(evaluation.status).toBe(201)
  })

  test('keeps a correction as a rule, and the corrected answer with the input of the first turn', async () => {
    script = readsOrders
    await chat('o2', [user('Read the order from Acme over 5')], inOrder)
    expect(JSON.parse(await chat('o2', [user('The total in cents, please')], inOrder))).toMatchObject({ total: 500 })
    written = {
      description: 'Reads orders.',
      instructions: 'Read the order, the total in cents.',
      examples: [{ turn: 2, input: 'from Acme over 5' }],
    }
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o2', name: 'corrected' } })
    expect(await proved(made.json.id)).toMatchObject({ status: 'completed', proof: { agreement: 1 } })
    expect(casesOf(await filesOf(made.json.id))).toMatchObject([
      { inputs: { message: 'from Acme over 5' }, response: { vendor: 'Acme', total: 500 } },
    ])
    expect(await run('corrected', 'from Bolt over 3')).toEqual({ vendor: 'Bolt', total: 300 })
  })

  test('derives its schema from JSON answers when none was requested', async () => {
    script = (request) => {
      const turn = readsOrders(request)
      return 'text' in turn && request.body['response_format'] === undefined
        ? { text: `\`\`\`json\n${turn.text}\n\`\`\`` }
        : turn
    }
    const system = { role: 'system', content: 'Read orders, as JSON.' }
    expect(await chat('o3', [system, user('from Acme over 5')])).toContain('```json')
    await chat('o3', [user('from Bolt over 7')])
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o3', name: 'unschooled' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', description: 'Read orders, as JSON.', proof: { agreement: 1 } })
    expect(done.json_schema).toEqual({
      type: 'object',
      properties: { vendor: { type: ['string', 'null'] }, total: { type: ['number', 'null'] } },
      required: ['vendor', 'total'],
    })
    expect(casesOf(await filesOf(done.id))).toMatchObject([
      { inputs: { message: 'from Acme over 5' }, response: { vendor: 'Acme', total: 5 } },
      { inputs: { message: 'from Bolt over 7' }, response: { vendor: 'Bolt', total: 7 } },
    ])
    expect(await run('unschooled', 'from Acme over 5')).toEqual({ vendor: 'Acme', total: 5 })
  })

  test('of a session that also has executions is written from both', async () => {
    script = readsOrders
    const config = { prompt: 'Who sold it? from Bolt over 1', json_schema: orderSchema }
    expect(
      (await service.execute({ batch: false, model: 'svc-agent-1:pro', config, metadata: { session_id: 'o7' } }))
        .status,
    ).toBe('completed')
    await chat('o7', [user('Read the order from Acme over 5')], inOrder)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o7', name: 'of-both' } })
    expect((await proved(made.json.id)).status).toBe('completed')
    const asked = model.requests.findLast(asksToWrite)
    expect(asked?.text).toMatch(
      /asked: Who sold it[\s\S]*answered: .*Bolt[\s\S]*\[turn 2\]\s+user: Read the order from Acme/,
    )
  })

  test('contains none of its texts when public, and is verified by them all the same', async () => {
    script = readsOrders
    await chat('o4', [user('Read the order from Acme over 5')], inOrder)
    written = {
      description: 'Reads orders.',
      instructions: 'Read the order.',
      examples: [{ turn: 1, input: 'from Acme over 5' }],
    }
    const body = { session_id: 'o4', name: 'for-all', is_public: true }
    const made = await service.call('POST', '/v1/skills/create', { body })
    expect(await proved(made.json.id)).toMatchObject({ status: 'completed', proof: { agreement: 1 } })
    const files = await filesOf(made.json.id)
    expect([...files.keys()]).toEqual(['SKILL.md', 'schema.json'])
    expect(files.get('SKILL.md')?.toString()).not.toContain('Acme')
  })

  test('completes with a warning when neither its instructions nor the draft reproduce the answer of the chat', async () => {
    script = (request) =>
      request.text.includes('<skills>') ? says({ vendor: 'Other', total: 1 }) : readsOrders(request)
    await chat('o5', [user('Read the order from Acme over 5')], inOrder)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o5', name: 'unproved' } })
    const done = await proved(made.json.id)
    expect(done).toMatchObject({ status: 'completed', number: 1, warnings: [{ code: 'proof_differs' }] })
    expect(done.warnings[0].message).toMatch(/0 % of the fields.*\/vendor/)
  })

  test('is refused with the reason when all answers call functions of the caller', async () => {
    script = () => ({ toolCalls: [{ name: 'weather', input: { place: 'Rome' } }] })
    const tools = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }]
    const { status } = await service.call('POST', '/v1/openai/chat/completions', {
      body: { model: 'svc-agent-1:pro', session_id: 'o6', messages: [user('Weather?')], tools },
    })
    expect(status).toBe(200)
    const made = await service.call('POST', '/v1/skills/create', { body: { session_id: 'o6' } })
    expect(made).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['body', 'session_id'], type: 'session_not_distillable' }] },
    })
    expect(made.json.detail[0].msg).toContain('call tools of the caller')
  })
})
