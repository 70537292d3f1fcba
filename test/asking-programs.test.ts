import { expect, test } from 'vitest'
import { type MockRequest, type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { settledRecord, until } from './support/until.ts'

// Programs that ask a language model short questions: recorded, priced and within their budget, in an agent's run and
// as fixed code.
let source: string
/** The model's answer to a question. */
let says: (request: MockRequest) => MockTurn

const usage = { inputTokens: 100, outputTokens: 10 }
/** At 2 and 12 dollars per million tokens. */
const questionDollars = 0.000_32

const isQuestion = ({ text }: MockRequest): boolean => text.includes('one question asked by a program')
const answers = (answer: unknown): MockTurn => ({ text: JSON.stringify({ answer }), usage })

const model = await opened(
  startMockModel({
    script: (request) =>
      isQuestion(request)
        ? says(request)
        : { text: `\`\`\`ts\n${source}\n\`\`\``, usage: { inputTokens: 1_000, outputTokens: 200 } },
  }),
)
const service = await opened(
  openTestService({
    file: {
      ...fileOfSmallModel(model.baseUrl),
      routes: { 'svc-agent-2:pro': 'embedded' },
      programs: { shadow_share: 0 },
    },
  }),
)

const schema = {
  type: 'object',
  properties: {
    reference: { type: ['string', 'null'] },
    kind: { enum: ['damage', 'delay', null] },
    urgent: { type: 'boolean' },
  },
  required: ['reference', 'kind', 'urgent'],
}
const complaint = (n: number): object => ({
  note: { type: 'text', text: `Complaint  C-${4000 + n}\nThe crates came ${n % 2 ? 'broken' : 'a week late'}.` },
})
const right = (n: number) => ({ reference: `C-${4000 + n}`, kind: n % 2 ? 'damage' : 'delay', urgent: true })

/** Reads the number itself and asks two concurrent questions. */
const asking = `export default async function run(tools: any, inputs: any) {
  const [reference, ...rest] = (await tools.document.lines({ input: inputs.note.slot })).map((line: any) => line.cells.map((one: any) => one.text).join(' '))
  const about = rest.join(' ')
  const [kind, urgent] = await Promise.all([
    tools.model.ask({ question: 'What is it about?', about, choices: ['damage', 'delay'] }),
    tools.model.ask({ question: 'Is it urgent?', about, type: 'boolean' }),
  ])
  return { reference: /C-\\d+/.exec(reference)?.[0] ?? null, kind: kind.answer, urgent: urgent.answer }
}`
const sensible = (request: MockRequest): MockTurn =>
  answers(request.text.includes('urgent') ? true : request.text.includes('broken') ? 'damage' : 'delay')

async function makeSkill(name: string): Promise<string> {
  const body = { name, description: 'Sorts complaints', prompt: 'Sort the complaint', json_schema: schema }
  const { status, json } = await service.call('POST', '/v1/skills/create', { body })
  expect(status, JSON.stringify(json)).toBe(201)
  return json.id
}

async function execute(skill: string, n: number, config: object = {}): Promise<Answer['json']> {
  return service.execute({
    model: 'svc-agent-2:fast',
    inputs: complaint(n),
    config: { execution_mode: 'program', skills: [{ skill_id: skill }], ...config },
  })
}

async function judged(skill: string): Promise<Answer['json']> {
  return until(async () => {
    const [program] = (await service.call('GET', `/v1/skills/${skill}/programs`)).json
    return program && program.status !== 'candidate' ? program : undefined
  })
}

const settled = (id: string) => settledRecord(service, id)

const questionsOf = async (id: string): Promise<Answer['json'][]> => {
  const { json } = await service.call('GET', `/v1/agent/executions/${id}/steps`)
  return json.filter((step: { name: string }) => step.name === 'model.ask')
}

/** Reservations minus settlements and releases, and settlements, in micro-dollars. */
async function ledger(id: string) {
  const [row] = await service.database.db.query(
    `select sum(case kind when 'reserve' then micros else -micros end)::integer as open,
       coalesce(sum(micros) filter (where kind = 'settle'), 0)::integer as settled from ledger where execution_id = $1`,
    [id],
  )
  return row
}

test('questions of an agent’s program are priced steps, and its program asks them again as fixed code', async () => {
  const skill = await makeSkill('complaints')
  source = asking
  says = sensible
  const first = await execute(skill, 1)
  expect(first).toMatchObject({ status: 'completed', execution_mode: 'agent', response: right(1) })
  expect(await questionsOf(first.id)).toMatchObject([
    {
      kind: 'tool',
      cost_dollars: questionDollars,
      detail: { input: { type: expect.any(String) }, model: expect.any(String) },
    },
    { kind: 'tool', cost_dollars: questionDollars },
  ])
  const program = await judged(skill)
  expect(program, JSON.stringify(program)).toMatchObject({ status: 'ready', origin: 'agent' })

  for (const n of [2, 3]) {
    const asked = model.requests.length
    const served = await execute(skill, n)
    expect(served).toMatchObject({
      status: 'completed',
      execution_mode: 'program',
      response: right(n),
      usage: { standard_cost_dollars: 2 * questionDollars },
    })
    expect(model.requests.slice(asked).map(isQuestion)).toEqual([true, true])
    expect(await questionsOf(served.id)).toHaveLength(2)
    expect(await ledger(served.id)).toEqual({ open: 0, settled: 640 })
  }
  const { json } = await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)
  expect(json.economics.program_run_dollars).toBe(2 * questionDollars)
})

test('an answer of the wrong type is paid for but not used: the run continues as an agent', async () => {
  const skill = await makeSkill('misheard')
  source = asking
  says = sensible
  await execute(skill, 5)
  expect((await judged(skill)).status).toBe('ready')
  let confused = 2
  says = (request) => (confused-- > 0 ? answers('perhaps') : sensible(request))
  const record = await execute(skill, 6)
  expect(record).toMatchObject({ status: 'completed', execution_mode: 'agent', response: right(6) })
  expect(record.usage.message).toContain('the program failed')
  expect(await questionsOf(record.id)).toHaveLength(4)
  expect((await ledger(record.id))?.['open']).toBe(0)
})

test('without a language model, a program that asks reports what is missing, and the run continues as an agent', async () => {
  const skill = await makeSkill('alone')
  source = asking
  says = sensible
  await execute(skill, 9)
  expect((await judged(skill)).status).toBe('ready')
  const asked = model.requests.length
  const json = await service.execute({
    model: 'svc-agent-2:pro',
    inputs: complaint(10),
    config: { execution_mode: 'program', skills: [{ skill_id: skill }] },
  })
  expect(json.execution_mode).toBe('agent')
  expect(json.usage.message).toContain(
    'the program failed: model.ask: no language model is configured on this server; set',
  )
  expect(model.requests).toHaveLength(asked)
})

test('questions are a tool like others: they can be named or left out, and the agent loop does not have them', async () => {
  const skill = await makeSkill('chosen')
  source = asking
  says = sensible
  const first = await execute(skill, 11, { tool_names: ['document.lines', 'model.ask'] })
  expect(first).toMatchObject({ status: 'completed', execution_mode: 'agent', response: right(11) })
  expect((await judged(skill)).status).toBe('ready')
  expect((await execute(skill, 12, { tool_names: ['model.ask'] })).execution_mode).toBe('program')

  source = `export default async function run(tools: any) {
    return { reference: typeof tools.model, kind: null, urgent: false }
  }`
  const without = await execute(skill, 13, { tool_names: ['document.read'] })
  expect(without).toMatchObject({ execution_mode: 'agent', response: { reference: 'undefined' } })
  expect(without.usage.message).toContain('is not one of the tools that the request or its skills name')
  expect(await questionsOf(without.id)).toEqual([])

  const asLoop = async (body: object): Promise<Answer> =>
    service.call('POST', '/v1/agent/execute', { body: { model: 'svc-agent-1:fast', inputs: complaint(1), ...body } })
  const named = await asLoop({ config: { tool_names: ['document.read', 'model.ask'] } })
  expect([named.status, named.json.detail[0].loc]).toEqual([422, ['body', 'config', 'tool_names', 1]])
  const grouped = await asLoop({ toolsets: ['model'] })
  expect([grouped.status, grouped.json.detail[0].loc]).toEqual([422, ['body', 'toolsets', 0]])
})

test('no question exceeds the budget of its execution', async () => {
  const skill = await makeSkill('thrifty')
  source = asking
  says = sensible
  await execute(skill, 7)
  expect((await judged(skill)).status).toBe('ready')
  const asked = model.requests.length
  const { json } = await service.call('POST', '/v1/agent/execute', {
    body: {
      model: 'svc-agent-2:fast',
      inputs: complaint(8),
      config: { execution_mode: 'program', skills: [{ skill_id: skill }], max_cost_dollars: 0.000_1 },
    },
  })
  const record = await settled(json.id)
  expect(record.status).toBe('paused')
  expect(record.usage.message).toContain('max_cost_dollars')
  expect(model.requests).toHaveLength(asked)
  expect((await ledger(json.id))?.['open'] ?? 0).toBe(0)
})
