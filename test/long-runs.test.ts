import { expect, test } from 'vitest'
import { startMockModel } from './support/mock-model.ts'
import { openTestService, type TestService } from './support/service.ts'

const call = { name: 'core_calculate', input: { formulas: ['3 * 48'] } }

async function openWith(model: { baseUrl: string }, limits: Record<string, number> = {}) {
  return openTestService({
    file: {
      providers: { mock: { kind: 'openai-compatible', base_url: model.baseUrl, fast: 'mock-1' } },
      models: { 'mock/mock-1': { input: 0, output: 0, takes: ['text', 'tools'] } },
      limits,
    },
  })
}

/** The record of an execution at its end. */
async function execute(service: TestService) {
  const body = { config: { prompt: 'Add it all up', tool_names: ['core.calculate'] } }
  const { id } = (await service.call('POST', '/v1/agent/execute', { body })).json
  const headers = { Authorization: `Bearer ${service.key}` }
  await (await fetch(`${service.url}/v1/agent/executions/${id}/events`, { headers })).text()
  return (await service.call('GET', `/v1/agent/executions/${id}`)).json
}

test('a run takes as many turns as its work needs: a thousand steps', async () => {
  const rounds = 500
  await using model = await startMockModel({
    script: ({ results }) => (results.length < rounds ? { toolCalls: [call] } : { text: 'done' }),
  })
  await using service = await openWith(model)
  const record = await execute(service)
  expect(record).toMatchObject({ status: 'completed', response: 'done' })
  const steps = await service.call('GET', `/v1/agent/executions/${record.id}/steps`)
  expect(steps.json).toHaveLength(2 * rounds + 1)
  expect(model.requests).toHaveLength(rounds + 1)
})

test('the operator bounds the turns of an execution, and its steps are kept', async () => {
  await using model = await startMockModel({ script: () => ({ toolCalls: [call] }) })
  await using service = await openWith(model, { model_turns: 3 })
  const record = await execute(service)
  expect(record).toMatchObject({
    status: 'failed',
    error: {
      code: 'max_turns',
      message: 'The model did not answer within 3 turns, the limit of this server (limits.model_turns)',
    },
  })
  expect(model.requests).toHaveLength(3)
  expect((await service.call('GET', `/v1/agent/executions/${record.id}/steps`)).json).toHaveLength(6)
})
