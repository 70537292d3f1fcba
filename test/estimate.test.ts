import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(
  openTestService({
    config: { file: { prices: { tools: { 'document.read': 0.004, embedded: 0.001 } } } },
  }),
)

const body = { inputs: { text: 'Total: 5.00' }, config: { prompt: 'Extract the total', service_tier: 'flex' } }
const same = (dollars: number) => ({ low_dollars: dollars, expected_dollars: dollars, high_dollars: dollars })

test('an estimate uses prices without a history, similar executions with one, and records nothing', async () => {
  const before = (await service.call('POST', '/v1/agent/estimate', { body })).json
  const standard = { standard: same(0.005), flex: same(0.0025), priority: same(0.009) }
  expect(before).toMatchObject({
    engine: 'embedded',
    service_tier: 'flex',
    agent: standard,
    program: null,
    basis: { by: 'prices', executions: 0 },
  })
  expect((await service.call('GET', '/v1/agent/executions')).json).toEqual([])
  for (let count = 0; count < 3; count += 1) {
    const { usage } = await service.execute(body)
    expect(usage.cost_dollars).toBe(before.agent.flex.expected_dollars)
  }
  const after = (await service.call('POST', '/v1/agent/estimate', { body })).json
  expect(after).toMatchObject({ agent: standard, basis: { by: 'agent', executions: 3 } })
  const other = { ...body, config: { prompt: 'Something else altogether' } }
  expect((await service.call('POST', '/v1/agent/estimate', { body: other })).json.basis.by).toBe('model')
  const stranger = await service.stranger()
  expect((await service.call('POST', '/v1/agent/estimate', { body, key: stranger })).json.basis).toMatchObject({
    by: 'prices',
    executions: 0,
  })
})

test('invalid requests cannot be estimated', async () => {
  const wrong = (given: object) => service.call('POST', '/v1/agent/estimate', { body: given })
  expect((await wrong({ ...body, model: 'no-such-model' })).status).toBe(422)
  expect((await wrong({ ...body, config: { json_schema: { type: 'nonsense' } } })).status).toBe(422)
  expect((await wrong({ ...body, name: 'no-such-agent' })).status).toBe(404)
  const file = { type: 'input_file', file_id: '11111111-1111-4111-8111-111111111111' }
  for (const given of [
    {},
    { config: {} },
    { inputs: { text: 'Total: 5.00' } },
    { config: { json_schema: { type: 'object', properties: { total: { type: 'number' } } } } },
    { ...body, inputs: { file } },
    { ...body, model: 'svc-agent-1', config: { prompt: 'x', tool_names: ['model.ask'] } },
    { ...body, config: { prompt: 'x', tool_names: ['nothing'] } },
    { ...body, callback_url: 'http://10.0.0.1/told' },
    { ...body, config: { prompt: 'x', skills: [{ skill_id: 'no-such-skill' }] } },
  ]) {
    const executed = await service.call('POST', '/v1/agent/execute', { body: given })
    expect([400, 403, 404, 422], JSON.stringify(given)).toContain(executed.status)
    expect(await wrong(given)).toMatchObject({ status: executed.status, json: executed.json })
  }
})
