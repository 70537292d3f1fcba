import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { invoiceLines, invoiceSchema, makePdf } from './support/documents.ts'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { fileOfTwoModels } from './support/small-model.ts'

let script: (request: MockRequest, number: number) => MockTurn | Promise<MockTurn>
/** The number of model requests before the current test. */
let before = 0

const model = await opened(startMockModel({ script: (request, number) => script(request, number - before) }))
const service = await opened(
  openTestService({
    file: { ...fileOfTwoModels(model.baseUrl), limits: { model_attempts: 1, model_call_ms: 20_000 } },
  }),
)
const invoice = await service.upload(await makePdf([invoiceLines]), 'invoice.pdf')

const config = { prompt: 'Extract the fields of this invoice', json_schema: invoiceSchema }
const requests = () => model.requests.slice(before)
const usage = { inputTokens: 100, outputTokens: 10 }
const writes = (source: string): MockTurn => ({ text: `Here it is:\n\`\`\`ts\n${source}\n\`\`\``, usage })
const program = (body: string): string =>
  `export default async function run(tools: Tools, inputs: Inputs) {\n${body}\n}`

/** Executes with a scripted model and waits for the end. */
async function execute(following: typeof script, body: object = {}) {
  script = following
  before = model.requests.length
  const inputs = { invoice: { type: 'input_file', file_id: invoice.id } }
  return service.execute({ model: 'svc-agent-2:fast', inputs, config, ...body })
}

const stepsOf = async (id: string) => (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json

/** A program that reads the document and contains no answers. */
const reader = program(`  const [page, today] = await Promise.all([
    tools.document.read({ input: inputs.invoice.slot, pages: [1] }),
    tools.core.date({ operation: 'today' }),
  ])
  const text: string = page.pages.flatMap((one: any) => one.lines.map((line: any) => line.text)).join('\\n')
  console.log('characters', text.length)
  const after = (label: RegExp): string | null => label.exec(text)?.[1] ?? null
  return {
    invoice_number: after(/Invoice No:\\s+(\\S+)/),
    invoice_date: after(/Invoice Date:\\s+(\\S+)/),
    total: Number(after(/^Total:\\s+EUR\\s+(\\S+)/m)),
  }`)

describe('an execution of the second generation', () => {
  test('is answered by a program that the model writes; each call with its output is a readable step', async () => {
    const record = await execute(() => writes(reader))
    expect(record).toMatchObject({
      status: 'completed',
      execution_mode: 'agent',
      response: { invoice_number: 'INV-2041', total: 144 },
    })
    const steps = await stepsOf(record.id)
    const ran = steps.find((step: { name: string }) => step.name === 'program.run')
    expect(ran.detail.source).toBe(`${reader}\n`)
    expect(ran.detail.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(ran.result).toMatchObject({ console: [expect.stringMatching(/^characters \d+$/)], value: record.response })
    const read = steps.filter(
      (step: { name: string; detail: { turn?: number } }) => step.name === 'document.read' && step.detail.turn === 1,
    )
    expect(read).toHaveLength(1)
    expect(read[0].result).toMatchObject({ failed: false, output: { pages: [{ page: 1 }] } })
    expect(record.usage.standard_cost_dollars).toBeCloseTo((100 * 2 + 10 * 12) / 1_000_000, 9)
  })

  test('is answered by the program in the guide', async () => {
    const guide = await readFile(new URL('../docs/guides/code-agent.md', import.meta.url), 'utf8')
    const source = /```ts program\n([\s\S]*?)```/.exec(guide)?.[1] ?? ''
    const inputs = { receipt: { type: 'input_file', file_id: invoice.id } }
    const record = await execute(() => writes(source), { inputs, config: { prompt: 'The total' } })
    expect(record).toMatchObject({ status: 'completed', response: { total: 144 } })
  })

  test('shows the model its tools as TypeScript, its inputs as handles, and no schema to answer in', async () => {
    await execute(() => writes(reader))
    const [first] = requests()
    expect(first?.text).toMatch(/interface Tools \{[\s\S]*document: \{[\s\S]*read\(input\??: \{/)
    expect(first?.text).toContain(
      '"invoice": {"slot":"invoice","kind":"document","mediaType":"application/pdf","pageCount":1}',
    )
    expect(first?.body['response_format']).toBeUndefined()
    expect(first?.tools).toEqual([])
  })

  test('returns an error with its line and the console, and continues with the corrected program', async () => {
    const record = await execute((_, number) =>
      number === 1 ? writes(program('  console.log("looking")\n  return nothing.here')) : writes(reader),
    )
    expect(record).toMatchObject({ status: 'completed', response: { invoice_number: 'INV-2041' } })
    const told = requests().at(1)?.text ?? ''
    expect(told).toContain('Console output:\nlooking')
    expect(told).toMatch(/It failed in line 3: ReferenceError: .*nothing.*\n3 \| return nothing\.here/)
  })

  test("returns a value that does not match the schema, with the validator's messages", async () => {
    const record = await execute((_, number) =>
      number === 1 ? writes(program('return { invoice_number: 7 }')) : writes(reader),
    )
    expect(record.status).toBe('completed')
    expect(requests().at(1)?.text).toMatch(/not valid against the schema:\n- \/?/)
    const never = await execute(() => writes(program('return { invoice_number: 7 }')))
    expect(never).toMatchObject({
      status: 'failed',
      error: { code: 'schema_violation' },
      response: { invoice_number: 7 },
    })
    expect(requests()).toHaveLength(4)
  })

  test('asks again when a turn contains no program', async () => {
    const record = await execute((_, number) => (number === 1 ? { text: 'The total is 144.', usage } : writes(reader)))
    expect(record.status).toBe('completed')
    expect(requests().at(1)?.text).toContain('contains no program')
  })

  test('accepts a direct answer that matches the schema, with a warning', async () => {
    const direct = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
    const record = await execute(() => ({ text: JSON.stringify(direct), usage }))
    expect(record).toMatchObject({
      status: 'completed',
      response: direct,
      warnings: [
        { code: 'answered_directly', path: '', message: expect.stringContaining('instead of writing a program') },
      ],
    })
    expect(record.evidence['/total']).toMatchObject({ status: 'normalised' })
    expect(requests()).toHaveLength(1)
    // A direct answer that does not match is rejected, and a program whose value did not match does not become the
    // program of a later direct answer.
    const later = await execute((_, number) =>
      number === 1
        ? writes(program('return { invoice_number: 7 }'))
        : { text: JSON.stringify(number === 2 ? { invoice_number: 8 } : direct), usage },
    )
    expect(later).toMatchObject({ status: 'completed', response: direct, warnings: [{ code: 'answered_directly' }] })
    expect(requests()).toHaveLength(3)
  })

  test.each([
    ['a flood of the console', 'for (;;) console.log(1)', /writes more than 65536 bytes/],
    ['a promise that never comes', 'await new Promise(() => {})', /nothing will settle/],
    ['a function as its answer', 'return () => 1', /it is a function/],
    ['NaN', 'return { total: NaN }', /it\.total is NaN/],
    ['a tool that is not there', 'return tools.document.burn()', /There is no tool document\.burn/],
    [
      'a call that a tool refuses',
      'return tools.document.read({ input: "nope", pages: [1] })',
      /There is no document named "nope"/,
    ],
  ])(
    'survives a program with %s: the error goes to the model, and the next program may answer',
    async (_what, body, words) => {
      const record = await execute((_, number) => (number === 1 ? writes(program(body)) : writes(reader)))
      expect(record.status).toBe('completed')
      expect(requests().at(1)?.text).toMatch(words)
    },
  )

  test('without a schema returns whatever JSON the program returns', async () => {
    const record = await execute(() => writes(program('return [inputs.numbers.length, inputs.note]')), {
      inputs: { numbers: { list: [1, 2] }, note: 'hello' },
      config: { prompt: 'Count' },
    })
    expect(record).toMatchObject({ status: 'completed', response: [null, 'hello'] })
  })

  test('ends at its step limit, even if its program catches errors, and keeps its work', async () => {
    const call = 'await tools.core.date({ operation: "today" })'
    const record = await execute(() => writes(program(`for (;;) try { ${call} } catch {}`)), {
      config: { ...config, max_steps: 8 },
    })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'max_steps' } })
    expect((await stepsOf(record.id)).filter((step: { name: string }) => step.name === 'core.date')).toHaveLength(5)
  })

  test('ends at its timeout, along with a program that still runs', async () => {
    const record = await execute(() => writes(program('while (true) {}')), {
      config: { ...config, timeout_seconds: 1 },
    })
    expect(record).toMatchObject({ status: 'failed', error: { code: 'timeout' } })
  })

  test('pauses at its budget with its programs kept, and continues from them with a new limit', async () => {
    const dear = { usage: { inputTokens: 1_000, outputTokens: 900 } }
    const turns = (): MockTurn => ({ ...writes(requests().length === 1 ? program('return null.a') : reader), ...dear })
    const first = await execute(turns, { batch: true, config: { ...config, max_cost_dollars: 0.02 } })
    const path = `/v1/agent/executions/${first.id}`
    const statusOf = async () => (await service.call('GET', path)).json.status
    await expect.poll(statusOf, { timeout: 20_000 }).toBe('paused')
    const programs = async () =>
      (await stepsOf(first.id)).filter((step: { name: string }) => step.name === 'program.run').length
    expect(await programs()).toBe(1)
    await service.call('POST', `${path}/resume`, { body: { max_cost_dollars: 1 } })
    await expect.poll(statusOf, { timeout: 20_000 }).toBe('completed')
    expect(await programs()).toBe(2)
    expect(requests()).toHaveLength(2)
  })

  test('continues as an agent with the reason when it requests a program and none is ready', async () => {
    const record = await execute(() => writes(reader), { config: { ...config, execution_mode: 'program' } })
    expect(record).toMatchObject({ status: 'completed', execution_mode: 'agent', response: { total: 144 } })
    expect(record.usage.message).toMatch(/^Ran as agent: /)
  })

  test('of the first generation stays a tool loop and ignores a request for a program', async () => {
    const answer = { invoice_number: 'INV-2041', invoice_date: '2026-03-14', total: 144 }
    const record = await execute(() => ({ text: JSON.stringify(answer), usage }), {
      model: 'svc-agent-1:fast',
      config: { ...config, execution_mode: 'program' },
    })
    expect(record).toMatchObject({ status: 'completed', execution_mode: 'agent', response: answer })
    expect(record.usage.message).toBeNull()
    expect(requests()[0]?.tools).toContain('document_read')
  })
})
