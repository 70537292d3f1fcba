import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'

const service = await opened(
  openTestService({ config: { file: { prices: { tools: { 'document.read': 0.003333 } } } } }),
)

const usage = async (query = '', options: object = {}) => (await service.call('GET', `/v1/usage${query}`, options)).json

test('the total is the sum over the records to the micro-dollar, and every grouping adds up to it', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: records as the wire says them.
  const records: any[] = []
  for (const service_tier of ['standard', 'flex', 'flex', 'priority', 'priority'])
    records.push(
      await service.execute({
        inputs: { text: 'Total: 5.00' },
        config: { prompt: 'Extract the total', service_tier },
      }),
    )
  const micros = (dollars: number) => Math.round(dollars * 1_000_000)
  const sum = (field: string) => records.reduce((total, record) => total + micros(record.usage[field]), 0)
  const { total, groups } = await usage('?group_by=tier')
  expect(sum('cost_dollars')).toBe(3333 + 2 * 1667 + 2 * 5999)
  for (const field of ['cost_dollars', 'standard_cost_dollars', 'savings_dollars'] as const)
    expect([field, micros(total[field])]).toEqual([field, sum(field)])
  expect(total).toMatchObject({ executions: 5, credits_used: 5, steps: 10, input_tokens: 0 })
  expect(total.latency_p50_ms).toBeGreaterThan(0)
  expect(total.latency_p95_ms).toBeGreaterThanOrEqual(total.latency_p50_ms)
  expect(groups.map((group: { key: string; executions: number }) => [group.key, group.executions])).toEqual([
    ['flex', 2],
    ['priority', 2],
    ['standard', 1],
  ])
  for (const dimension of ['day', 'key', 'skill', 'model', 'tier', 'day,tier']) {
    const answer = await usage(`?group_by=${dimension}`)
    expect(
      answer.groups.reduce((all: number, group: { cost_dollars: number }) => all + micros(group.cost_dollars), 0),
    ).toBe(micros(answer.total.cost_dollars))
  }
  expect((await usage('', { key: await service.stranger() })).total).toMatchObject({
    executions: 0,
    cost_dollars: 0,
    latency_p50_ms: null,
  })
  expect((await usage('?from=2020-01-01&to=2020-02-01')).total.executions).toBe(0)
})

test.each(['group_by=colour', 'from=yesterday', 'from=2026-02-02&to=2026-01-01'])('%s is a 422', async (query) => {
  expect((await service.call('GET', `/v1/usage?${query}`)).status).toBe(422)
})
