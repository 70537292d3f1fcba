import { beforeAll, describe, expect, test } from 'vitest'
import { type MockTurn, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfSmallModel } from './support/small-model.ts'
import { lookAgain } from './support/until.ts'

/** What the model writes in the current test. */
let writes: string

/** 1,000 tokens at 2 dollars and 100 at 12 dollars per million. */
const callDollars = 0.0032

const fileWith = (programs: { shadow_share?: number }) => ({ ...fileOfSmallModel(model.baseUrl), programs })

const model = await opened(
  startMockModel({
    script: (): MockTurn => ({ text: writes, usage: { inputTokens: 1_000, outputTokens: 100 } }),
  }),
)
const service = await opened(openTestService({ file: fileWith({ shadow_share: 0 }) }))

const schema = {
  type: 'object',
  properties: {
    reference: { type: 'string' },
    day: { type: 'string', format: 'date' },
    total: { type: 'number' },
  },
  required: ['reference', 'day', 'total'],
  additionalProperties: false,
}

const slip = (n: number) =>
  [
    'Weighing slip',
    `Reference: WS-${7100 + n}`,
    `Weighed on: 2026-03-${String(10 + (n % 18)).padStart(2, '0')}`,
    `Sum: ${300 + n}.50`,
    ...(n === 34 ? [`Sum: ${290 + n}.25`] : []),
  ].join('\n')
/** Now and then the sum is not what counts, and nothing says when. */
const answerOf = (n: number) => ({
  reference: `WS-${7100 + n}`,
  day: `2026-03-${String(10 + (n % 18)).padStart(2, '0')}`,
  total: n % 7 === 6 ? 1000 + n : 300 + n + 0.5,
})

async function makeSkill(name: string, at = service): Promise<string> {
  const made = { name, description: 'Reads weighing slips', prompt: 'Read the weighing slip', json_schema: schema }
  return (await at.call('POST', '/v1/skills/create', { body: made })).json.id
}

async function execute(skill: string, n: number, { at = service, config = {} } = {}): Promise<Answer['json']> {
  return at.execute({
    model: 'svc-agent-2:fast',
    inputs: { slip: { type: 'text', text: slip(n) } },
    config: { execution_mode: 'program', skills: [{ skill_id: skill }], ...config },
  })
}

/** Compiles a skill from its first 15 slips, and returns the program after its gate. */
async function compiled(skill: string, at = service): Promise<Answer['json']> {
  const cases = Array.from({ length: 15 }, (_, n) => ({
    inputs: { slip: { type: 'text', text: slip(n) } },
    response: answerOf(n),
  }))
  expect((await at.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
  const { json } = await at.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
  return until(`/v1/skills/${skill}/programs/${json.id}`, ({ status }) => status !== 'compiling', at)
}

async function until(path: string, is: (json: Answer['json']) => boolean, at = service): Promise<Answer['json']> {
  for (;;) {
    const { json } = await at.call('GET', path)
    if (is(json)) return json
    await lookAgain()
  }
}

const fieldOf = (program: Answer['json'], pointer: string) =>
  program.fields.find((one: { pointer: string }) => one.pointer === pointer)

describe('a program with a weak field', () => {
  let skill: string
  let program: Answer['json']
  beforeAll(async () => {
    skill = await makeSkill('slips')
    program = await compiled(skill)
  })
  const programNow = async () => (await service.call('GET', `/v1/skills/${skill}/programs/${program.id}`)).json

  test('passes its gate, whose report says which fields it leaves to an agent', () => {
    expect(program, JSON.stringify(program.gate ?? program.reason)).toMatchObject({
      status: 'ready',
      gate: { left: ['/total'] },
    })
    const agreement = program.gate.checks.find(({ name }: { name: string }) => name === 'agreement')
    expect(agreement).toEqual({
      name: 'agreement',
      passed: true,
      message: 'These fields agree in less than 90 % of the cases and are left to an agent: /total in 13 of 15',
    })
    expect(program.fields).toEqual([
      { pointer: '/reference', by: 'program', checked: 0, wrong: 0, bound: 1 },
      { pointer: '/day', by: 'program', checked: 0, wrong: 0, bound: 1 },
      { pointer: '/total', by: 'agent', checked: 0, wrong: 0, bound: 1 },
    ])
  })

  test('serves the strong fields, and the agent is asked for the weak one only', async () => {
    const before = model.requests.length
    writes = '{"total": 324.5}'
    const record = await execute(skill, 24)
    expect(record, record.usage.message).toMatchObject({
      status: 'completed',
      response: answerOf(24),
      execution_mode: 'agent',
      execution_modes: { '/reference': 'program', '/day': 'program', '/total': 'agent' },
      program: { id: program.id, sha256: program.sha256 },
      model_selection: { resolved: 'mine/small' },
      evidence: {
        '/reference': { status: 'verified' },
        '/day': { page: 0 },
        '/total': { quote: expect.stringContaining('324.50') },
      },
      completeness: { asked: 3, found: 3 },
      usage: { standard_cost_dollars: callDollars },
    })
    expect(record.usage.message).toContain('The program left /total to an agent: ')
    expect(model.requests.length).toBe(before + 1)
    expect(model.requests.at(-1)?.text).toContain('"properties":{"total":{"type":"number"}},"required":["total"]')
    expect(model.requests.at(-1)?.text).not.toContain('"reference":{')
  })

  test('is judged by the fields that it answered: a corrected weak field says nothing of it', async () => {
    writes = '{"total": 1}'
    const record = await execute(skill, 21)
    expect(record).toMatchObject({ status: 'completed', response: { ...answerOf(21), total: 1 } })
    const correct = (id: string, response: object) =>
      service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases: [{ execution_id: id, response }] } })
    expect((await correct(record.id, answerOf(21))).status).toBe(201)
    const judged = await programNow()
    expect(judged.shadow).toMatchObject({ runs: 1, disagreements: 0, evidence: { case: 1 } })
    expect(fieldOf(judged, '/reference')).toMatchObject({ checked: 1, wrong: 0 })
    expect(fieldOf(judged, '/reference').bound).toBeLessThan(1)
    expect(fieldOf(judged, '/total')).toMatchObject({ checked: 0, bound: 1 })
    // A person knows better than the case: the same answer counts once, under the review.
    const review = { changes: [{ path: '/day', value: '2026-01-01' }], done: true }
    expect((await service.call('POST', `/v1/agent/executions/${record.id}/review`, { body: review })).status).toBe(200)
    const reviewed = await programNow()
    expect(reviewed.shadow).toMatchObject({ runs: 1, disagreements: 1, evidence: { human: 1, case: 0 } })
    expect(fieldOf(reviewed, '/reference')).toMatchObject({ checked: 1, wrong: 0 })
    expect(fieldOf(reviewed, '/day')).toMatchObject({ checked: 1, wrong: 1 })
  })

  test('marks the sources of all fields alike, and its replay needs no model', async () => {
    const other = await makeSkill('marked-slips')
    expect((await compiled(other)).gate.left).toEqual(['/total'])
    writes = '{"total": 322.5}'
    const record = await execute(other, 22, { config: { grounding: true } })
    expect(record.response).toMatchObject({
      ...answerOf(22),
      reference_metadata: { confidence: 'hi' },
      total_metadata: { confidence: 'hi' },
    })
    const { json } = await service.call('POST', `/v1/agent/executions/${record.id}/replay`)
    expect(json).toMatchObject({ equal: true, differences: [], model_calls: 0 })
  })

  test('fails with its reason when the agent fails, and keeps what the program answered', async () => {
    const other = await makeSkill('failing-slips')
    await compiled(other)
    writes = '{"total": "much"}'
    const record = await execute(other, 23)
    expect(record).toMatchObject({ status: 'failed', execution_modes: { '/total': 'agent' }, program: {} })
    const { total: _total, ...strong } = answerOf(23)
    expect(record.response).toMatchObject(strong)
  })
})

test('a shadow run of the whole request judges only what the program answered', async () => {
  await using at = await openTestService({ file: fileWith({ shadow_share: 1 }) })
  const skill = await makeSkill('shadowed', at)
  const program = await compiled(skill, at)
  writes = '{"total": 5}'
  const record = await execute(skill, 25, { at })
  expect(record.response).toEqual({ ...answerOf(25), total: 5 })
  // The shadow asks for all fields.
  writes = JSON.stringify({ ...answerOf(25), total: 6 })
  const judged = await until(`/v1/skills/${skill}/programs/${program.id}`, ({ shadow }) => shadow.runs === 1, at)
  expect(judged.shadow).toMatchObject({ disagreements: 0, evidence: { model: 1 } })
  expect(fieldOf(judged, '/reference')).toMatchObject({ checked: 1, wrong: 0 })
  expect(fieldOf(judged, '/total')).toMatchObject({ checked: 0 })
})

test('a field that a program declines for one document is asked of the agent; with nothing named, all are', async () => {
  const skill = await makeSkill('declining')
  const reader = (decline: string) => `\`\`\`ts
export default async function run(tools: Tools, inputs: Inputs) {
  const { pages } = await tools.document.read({ input: 'slip', pages: [1] })
  const text: string = pages.flatMap((page: any) => page.lines.map((line: any) => line.text)).join('\\n')
  const sums = [...text.matchAll(/Sum:\\s+(\\S+)/g)].map((one) => Number(one[1]))
  if (sums.length > 1) await tools.io.decline(${decline})
  return {
    reference: /Reference:\\s+(\\S+)/.exec(text)?.[1],
    day: /Weighed on:\\s+(\\S+)/.exec(text)?.[1],
    total: sums[0],
  }
}
\`\`\``
  writes = reader("{ fields: ['/total'] }")
  expect(await execute(skill, 30)).toMatchObject({ status: 'completed', execution_mode: 'agent', program: null })
  const program = await until(
    `/v1/skills/${skill}/programs`,
    ([one]) => one && one.status !== 'candidate' && one.status !== 'compiling',
  )
  expect(program[0], JSON.stringify(program)).toMatchObject({ status: 'ready', origin: 'agent' })
  const before = model.requests.length
  expect(await execute(skill, 31)).toMatchObject({ execution_mode: 'program', execution_modes: null })
  expect(model.requests.length).toBe(before)
  const served = await execute(skill, 32)
  writes = '{"total": 1034}'
  const declined = await execute(skill, 34)
  expect(declined, declined.usage.message).toMatchObject({
    response: answerOf(34),
    execution_modes: { '/reference': 'program', '/day': 'program', '/total': 'agent' },
    program: { id: program[0].id },
  })
  expect(declined.usage.message).toContain('The program left /total to an agent: the program declined /total')
  expect(model.requests.length).toBe(before + 1)
  // A program answered for nothing, so what an agent's answer cost says what asking a model would cost.
  const json_schema = { ...schema, properties: { ...schema.properties, driver: { type: ['string', 'null'] } } }
  for (const base of [served, declined]) {
    const body = { base_executions: [base.id], config: { json_schema } }
    const { json: estimate } = await service.call('POST', '/v1/agent/batches/estimate', { body })
    writes = '{"driver": null}'
    const { json: batch } = await service.call('POST', '/v1/agent/batches', { body })
    const { counts, cost_dollars } = await until(
      `/v1/agent/batches/${batch.id}`,
      ({ status }) => status === 'completed',
    )
    expect(counts).toMatchObject({ completed: 1 })
    expect(cost_dollars).toBeGreaterThan(0)
    expect(estimate).toMatchObject({ asked: 1, unpriced: 0 })
    expect(estimate.high_dollars).toBeGreaterThanOrEqual(cost_dollars)
    expect(estimate.low_dollars).toBeLessThanOrEqual(cost_dollars)
  }
})

test('without a model the embedded engine answers the weak field', async () => {
  await using at = await openTestService({ config: { file: { programs: { shadow_share: 0 } } } })
  const skill = await makeSkill('embedded', at)
  expect((await compiled(skill, at)).gate.left).toEqual(['/total'])
  const record = await execute(skill, 26, { at })
  expect(record, record.usage.message).toMatchObject({
    status: 'completed',
    response: answerOf(26),
    execution_modes: { '/reference': 'program', '/day': 'program', '/total': 'agent' },
    model_selection: { resolved: 'embedded' },
  })
})

test('a program that is wrong in one field twice loses it and serves the others; one that then loses more is demoted', async () => {
  const plain = (n: number) => ({ ...answerOf(n), total: 300 + n + 0.5 })
  const skill = await makeSkill('losing')
  const cases = Array.from({ length: 15 }, (_, n) => ({
    inputs: { slip: { type: 'text', text: slip(n) } },
    response: plain(n),
  }))
  expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })).status).toBe(201)
  const { id } = (await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })).json
  const path = `/v1/skills/${skill}/programs/${id}`
  const program = await until(path, ({ status }) => status !== 'compiling')
  expect(program, JSON.stringify(program.gate)).toMatchObject({ status: 'ready' })
  const served = [
    await execute(skill, 20),
    await execute(skill, 21),
    await execute(skill, 22),
    await execute(skill, 23),
  ]
  for (const one of served) expect(one).toMatchObject({ execution_mode: 'program', execution_modes: null })
  const review = async (one: Answer['json'], changes: object[]) =>
    expect(
      (await service.call('POST', `/v1/agent/executions/${one.id}/review`, { body: { changes, done: true } })).status,
    ).toBe(200)
  for (const one of served.slice(0, 2)) await review(one, [{ path: '/day', value: '2025-01-01' }])
  const lost = (await service.call('GET', path)).json
  expect(lost).toMatchObject({ status: 'ready', withholds: false, shadow: { runs: 2, disagreements: 2 } })
  expect(lost.fields).toMatchObject([
    { pointer: '/reference', by: 'program', checked: 2, wrong: 0 },
    { pointer: '/day', by: 'agent', checked: 2, wrong: 2 },
    { pointer: '/total', by: 'program', checked: 2, wrong: 0 },
  ])

  const asked = model.requests.length
  writes = JSON.stringify({ day: plain(24).day })
  const record = await execute(skill, 24)
  expect(record, record.usage.message).toMatchObject({
    response: plain(24),
    execution_modes: { '/reference': 'program', '/day': 'agent', '/total': 'program' },
  })
  expect(record.usage.message).toContain('its latest checked answers were wrong in /day')
  expect(model.requests.length).toBe(asked + 1)
  // As it was then: with the field, and without it.
  for (const one of [served[3], record]) {
    const { json } = await service.call('POST', `/v1/agent/executions/${one.id}/replay`)
    expect(json, JSON.stringify(json)).toMatchObject({ equal: true, differences: [], model_calls: 0 })
  }
  // A wrong lost field of an earlier answer says nothing of the others.
  await review(served[2], [{ path: '/day', value: '2025-01-01' }])
  expect((await service.call('GET', path)).json).toMatchObject({ status: 'ready', withholds: false })

  await review(served[3], [{ path: '/reference', value: 'another' }])
  expect((await service.call('GET', path)).json).toMatchObject({ status: 'ready', withholds: true })
  await review(record, [{ path: '/reference', value: 'another' }])
  expect((await service.call('GET', path)).json).toMatchObject({ status: 'demoted' })
})
