import { expect, test } from 'vitest'
import { type MockRequest, startMockModel } from './support/mock-model.ts'
import { opened } from './support/opened.ts'
import { type Answer, openTestService } from './support/service.ts'
import { fileOfTwoModels } from './support/small-model.ts'
import { until } from './support/until.ts'

/** What the model writes. */
let says = (_request: MockRequest): string => JSON.stringify({ weight: 9, verdict: 'content' })
const model = await opened(startMockModel({ script: (request) => ({ text: says(request) }) }))
const service = await opened(
  openTestService({ file: { ...fileOfTwoModels(model.baseUrl), programs: { shadow_share: 0 } } }),
)

const weight = { type: ['number', 'null'] }
const schema = {
  type: 'object',
  properties: { reference: { type: ['string', 'null'] }, weight },
  required: ['reference', 'weight'],
}
const slip = (n: number) => `Weighing slip\nReference: WS-${7100 + n}\nNet weight: ${1200 + n}.5 kg`
const slipOf = (n: number) => ({ slip: { type: 'text', text: slip(n) } })
const answerOf = (n: number) => ({ reference: `WS-${7100 + n}`, weight: 1200 + n + 0.5 })
const tare = { ...schema, properties: { ...schema.properties, weight: { ...weight, description: 'the tare weight' } } }
const text = { ...schema, properties: { ...schema.properties, weight: { type: ['string', 'null'] } } }

const fork = (id: string, from_step: number, config: object = {}): Promise<Answer> =>
  service.call('POST', `/v1/agent/executions/${id}/fork`, { body: { batch: false, from_step, config } })
const namesOf = async (id: string): Promise<string[]> =>
  (await service.call('GET', `/v1/agent/executions/${id}/steps`)).json.map(({ name }: { name: string }) => name)
const replayOf = async (id: string) => (await service.call('POST', `/v1/agent/executions/${id}/replay`)).json
const refused = (step: string, part: string) => ({
  status: 409,
  json: {
    detail: expect.stringContaining(`(${step}) would be kept, but it was made for the first ${part}; fork from`),
  },
})

test('a fork does not keep the answer of a program to another prompt, schema or skills, and none counts for the program', async () => {
  const made = { name: 'slips', description: 'Reads weighing slips', prompt: 'Read the slip', json_schema: schema }
  const skill = (await service.call('POST', '/v1/skills/create', { body: made })).json.id
  // The texts of the cases do not have these weights, so that the program leaves them to an agent.
  const cases = Array.from({ length: 8 }, (_, n) => ({
    inputs: slipOf(n),
    response: { ...answerOf(n), weight: n * n + 0.25 },
  }))
  await service.call('POST', `/v1/skills/${skill}/cases`, { body: { cases } })
  await service.call('POST', `/v1/skills/${skill}/programs`, { body: {} })
  const programNow = async () => (await service.call('GET', `/v1/skills/${skill}/programs`)).json[0]
  await until(async () => ((await programNow()).status === 'compiling' ? undefined : true))
  expect((await programNow()).status, JSON.stringify(await programNow())).toBe('ready')
  const first = await service.execute({
    model: 'svc-agent-2:pro',
    inputs: slipOf(40),
    config: { execution_mode: 'program', skills: [{ skill_id: skill }] },
  })
  const seq = (await namesOf(first.id)).indexOf('program') + 1
  expect(seq, JSON.stringify(first)).toBeGreaterThan(0)
  expect(first.execution_modes).toMatchObject({ '/reference': 'program', '/weight': 'agent' })
  for (const [part, config] of Object.entries({
    schema: { json_schema: tare },
    prompt: { prompt: 'Give the tare weight' },
    skills: { skills: [] },
  }))
    expect(await fork(first.id, seq + 1, config), part).toMatchObject(refused('program', part))
  expect(await fork(first.id, seq + 1, { json_schema: text })).toMatchObject(refused('program', 'schema'))
  const kept = await fork(first.id, seq + 1)
  expect(kept.json).toMatchObject({ status: 'completed', response: first.response })
  expect((await fork(first.id, seq)).json).toMatchObject({ status: 'completed', response: first.response })
  expect(await replayOf(kept.json.id)).toMatchObject({ equal: true })
  const { execution_mode: mode, program } = (await fork(first.id, seq, { json_schema: tare })).json
  expect({ mode, program }).toEqual({ mode: 'agent', program: null })
  const confirmed = { cases: [{ execution_id: kept.json.id, response: answerOf(40) }] }
  expect((await service.call('POST', `/v1/skills/${skill}/cases`, { body: confirmed })).status).toBe(201)
  expect(await programNow()).toMatchObject({ runs: 1, shadow: { runs: 0, bound: 1 } })
})

test('a fork on the cheapest path does not keep what the embedded engine answered to another request', async () => {
  // The last field is for a model.
  const verdict = { type: ['string', 'null'], description: 'What the keeper thought of the load' }
  const first = await service.execute({
    model: 'svc-agent-1:pro',
    inputs: slipOf(1),
    config: {
      ...{ prompt: 'Read the slip', path: 'cheapest', max_wrong_rate: 0.2 },
      json_schema: { ...schema, properties: { ...schema.properties, verdict } },
    },
  })
  expect(first.path.fields).toMatchObject({ '/weight': 'rules', '/verdict': 'mine/large' })
  const seq = (await namesOf(first.id)).indexOf('embedded') + 1
  expect(seq).toBeGreaterThan(0)
  for (const [part, config] of Object.entries({
    schema: { json_schema: tare },
    prompt: { prompt: 'Give the tare weight' },
    max_wrong_rate: { max_wrong_rate: 0.05 },
  }))
    expect(await fork(first.id, seq + 1, config), part).toMatchObject(refused('embedded', part))
  const asked = await fork(first.id, seq, { json_schema: tare })
  expect(asked.json).toMatchObject({ status: 'completed', forked_from: first.id })
  expect(await replayOf(asked.json.id)).toMatchObject({ equal: true })
})

test('a fork does not keep a comparison with a base that was made for another request', async () => {
  const config = { prompt: 'Read the slip', json_schema: { type: 'object', properties: schema.properties } }
  const base = await service.execute({ model: 'svc-agent-1:pro', inputs: slipOf(2), config })
  const first = await service.execute({
    model: 'svc-agent-1:pro',
    inputs: slipOf(3),
    config: { ...config, base_execution: base.id },
  })
  const seq = (await namesOf(first.id)).indexOf('delta.compare') + 1
  expect(seq).toBeGreaterThan(0)
  for (const [part, changed] of Object.entries({
    max_wrong_rate: { max_wrong_rate: 0.05 },
    base_execution: { base_execution: first.id },
    tools: { tool_names: [] },
    schema: { json_schema: tare },
  }))
    expect(await fork(first.id, seq + 1, changed), part).toMatchObject(refused('delta.compare', part))
})

test('a fork does not keep the turn of a model whose answer, or the program that gives it, was for another request', async () => {
  const config = { prompt: 'Read the slip', json_schema: schema }
  const source = `export default async function run(tools: any) {
  await tools.core.calculate({ formulas: ['1 + 1'] })
  return { reference: null, weight: 1 }
}`
  says = () => `\`\`\`ts\n${source}\n\`\`\``
  const coded = await service.execute({ model: 'svc-agent-2:pro', inputs: slipOf(5), config })
  expect(await namesOf(coded.id)).toEqual(['document.read', 'mine/large', 'core.calculate', 'program.run'])
  for (const [part, changed] of Object.entries({
    prompt: { prompt: 'Give the tare weight' },
    schema: { json_schema: tare },
  }))
    for (const from of [3, 4])
      expect(await fork(coded.id, from, changed), `${part} from ${from}`).toMatchObject(refused('mine/large', part))
  expect(await fork(coded.id, 3, { model: 'svc-agent-2:fast' })).toMatchObject(refused('mine/large', 'model'))
  const calculated = model.requests.length
  expect((await fork(coded.id, 3)).json).toMatchObject({ status: 'completed', response: coded.response })
  expect(model.requests).toHaveLength(calculated)

  // The first answer is sent back, since its weight is a text.
  says = ({ corrections }) => JSON.stringify({ reference: null, weight: corrections === 0 ? 'light' : 2 })
  const corrected = await service.execute({ model: 'svc-agent-1:pro', inputs: slipOf(6), config })
  expect(await namesOf(corrected.id)).toEqual(['document.read', 'mine/large', 'answer.correct', 'mine/large'])
  expect(await fork(corrected.id, 3, { json_schema: text, prompt: 'Say what it weighs' })).toMatchObject(
    refused('mine/large', 'prompt'),
  )
  const again = await fork(corrected.id, 4, { prompt: 'Give the tare weight' })
  expect(again.json).toMatchObject({ status: 'completed', response: { weight: 2 } })
})
