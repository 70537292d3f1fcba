import { expect, test } from 'vitest'
import type { Sql } from '../../../adapters/db/db.ts'
import type { ExecutionState } from '../execution.ts'
import { announceEnd } from './announce.ts'

const now = new Date('2026-11-21T10:00:00Z')
const ended: ExecutionState = {
  id: '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a333',
  workspaceId: '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a444',
  name: 'reader',
  status: 'completed',
  attempt: 1,
  model: 'svc-agent-1:auto',
  tier: 'standard',
  keyId: '7f6f0a52-6a26-4a0b-9d0b-3b1c5ce0a555',
  sessionId: null,
  skills: [],
  evaluationId: null,
  batchId: null,
  forkedFrom: null,
  baseExecution: null,
  fieldModes: null,
  importedFrom: null,
  isTrusted: null,
  program: null,
  path: null,
  shadowOf: null,
  isRetained: true,
  fileNames: [],
  answeredBy: 'embedded',
  modelChosenBy: 'default',
  modelReason: null,
  agentId: null,
  clientId: null,
  maxCostMicros: null,
  callbackUrl: null,
  executionMode: 'agent',
  response: { total: 5 },
  evidence: null,
  error: null,
  completeness: null,
  needsLook: null,
  warnings: [],
  reviewedResponse: null,
  review: null,
  approval: null,
  usage: {},
  createdAt: now,
  startedAt: now,
  completedAt: now,
}

/** The database and queue operations of one announcement. */
async function costOf(
  execution: ExecutionState,
): Promise<{ notifications: number; statements: string[]; jobs: string[] }> {
  let notifications = 0
  const statements: string[] = []
  const jobs: string[] = []
  const tx: Sql = {
    query: async (text) => {
      statements.push(text)
      return []
    },
    notify: (messages) => {
      notifications += messages.length
    },
  }
  const queue = { add: async (_tx: Sql, topic: string) => void jobs.push(topic) }
  await announceEnd({ tx, queue }, execution, now)
  return { notifications, statements, jobs }
}

test('an end without a callback only sends its wake-up; one with a callback also looks up its form and writes it and its job', async () => {
  expect(await costOf(ended)).toEqual({ notifications: 2, statements: [], jobs: [] })
  expect(await costOf({ ...ended, callbackUrl: 'https://example.com/' })).toEqual({
    notifications: 2,
    statements: [
      expect.stringContaining('as domain from executions'),
      expect.stringContaining('insert into callbacks'),
    ],
    jobs: ['callback'],
  })
})

test('only completed, failed and paused are announced', async () => {
  const callbackUrl = 'https://example.com/'
  for (const status of ['completed', 'failed', 'paused'] as const)
    expect((await costOf({ ...ended, status, callbackUrl })).jobs).toEqual(['callback'])
  for (const status of ['pending', 'enqueued', 'running'] as const)
    expect((await costOf({ ...ended, status, callbackUrl })).jobs).toEqual([])
})
