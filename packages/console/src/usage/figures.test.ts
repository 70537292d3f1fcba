import { expect, test } from 'vitest'
import { daysBetween, type Figures, groupsOf, valuesOf } from './figures.ts'

const figures = (executions: number): Figures => ({
  executions,
  cost_dollars: executions / 100,
  standard_cost_dollars: executions / 100,
  savings_dollars: 0,
  input_tokens: 0,
  credits_used: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  steps: 0,
  latency_p50_ms: null,
  latency_p95_ms: null,
})

test('every day between two times appears once, across month ends and a leap day', () => {
  expect(daysBetween('2028-02-27T23:00:00Z', '2028-03-01T00:00:00Z')).toEqual([
    '2028-02-27',
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ])
  expect(daysBetween('2026-11-21T01:00:00Z', '2026-11-21T02:00:00Z')).toEqual(['2026-11-21'])
})

test('groups are split from the day at the first comma, and the busiest comes first', () => {
  const usage = {
    from: '2026-11-20',
    to: '2026-11-21',
    total: figures(6),
    groups: [
      { key: '2026-11-20,a, b', ...figures(1) },
      { key: '2026-11-21,a, b', ...figures(2) },
      { key: '2026-11-21,', ...figures(9) },
    ],
  }
  const groups = groupsOf(usage)
  expect(groups.map(({ key, executions }) => [key, executions])).toEqual([
    ['', 9],
    ['a, b', 3],
  ])
  const days = daysBetween(usage.from, usage.to)
  expect(groups.map((group) => valuesOf(group, days, (one) => one.executions))).toEqual([
    [null, 9],
    [1, 2],
  ])
})
