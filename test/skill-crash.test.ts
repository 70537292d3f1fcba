import { expect, test } from 'vitest'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { invoiceLines, invoiceSchema } from './support/documents.ts'
import { until } from './support/until.ts'

test('a skill whose workers are killed during verification is verified all the same, by one run', {
  timeout: 120_000,
}, async () => {
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address)
  const api = await cluster.start('api')
  const call = async (path: string, body?: object) => (await api.call(body ? 'POST' : 'GET', path, body)).json
  /** The skill once it leaves these statuses; every request waits for the server's reply. */
  const after = async (id: string, ...statuses: string[]) => {
    return until(async () => {
      const skill = await call(`/v1/skills/${id}`)
      return !statuses.includes(skill.status) ? skill : undefined
    })
  }
  const first = await cluster.start('worker')
  const executed = await call('/v1/agent/execute', {
    batch: false,
    inputs: { note: invoiceLines.join('\n') },
    config: { prompt: 'Read the invoice', json_schema: invoiceSchema },
    metadata: { session_id: 'killed' },
  })
  expect(executed.status).toBe('completed')
  await first.kill()
  const made = await call('/v1/skills/create', { session_id: 'killed' })
  expect(made.status).toBe('pending')
  const second = await cluster.start('worker')
  await after(made.id, 'pending')
  await second.kill()
  await cluster.start('worker')
  expect(await after(made.id, 'pending', 'running')).toMatchObject({
    status: 'completed',
    number: 1,
    proof: { original_id: executed.id, agreement: 1 },
  })
  expect(await call('/v1/agent/executions')).toHaveLength(2)
})
