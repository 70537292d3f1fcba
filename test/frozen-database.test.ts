import { execFileSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../packages/core/src/clock.ts'
import { newId } from '../packages/core/src/ids.ts'
import { startEmbedded } from '../packages/server/src/adapters/db/embedded/start.ts'
import { connect } from '../packages/server/src/adapters/db/postgres/connect.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

/** A separate database whose processes can be stopped. */
async function openDatabase() {
  const folder = await temporaryFolder('frozen')
  const { address, administratorAddress, pid, stop } = await startEmbedded({
    dataFolder: folder,
    log: silentLog,
    clock: systemClock,
  })
  onTestFinished(stop)
  const db = await connect({ address, clock: systemClock, log: silentLog })
  onTestFinished(() => db.close())
  const processes = (): number[] => [
    pid,
    ...execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number),
  ]
  const signal = (name: NodeJS.Signals) => {
    for (const one of processes()) process.kill(one, name)
  }
  return {
    database: { db, address, administratorAddress, [Symbol.asyncDispose]: async () => {} },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

test('a stopped database gives 503 with Retry-After, and requests in the meantime are done once when it continues', {
  timeout: 120_000,
}, async () => {
  const { database, freeze, thaw } = await openDatabase()
  await using service = await openTestService({
    database,
    databaseBounds: { statementTimeoutMs: 3_000, answerGraceMs: 1_000 },
  })
  const schema = { type: 'object', properties: { total: { type: 'number' } } }
  const ask = (id: string) => {
    const body = { id, batch: false, inputs: { text: 'Total: 5.00' }, config: { json_schema: schema } }
    return service.call('POST', '/v1/agent/execute', { body })
  }
  expect((await ask(newId(new Date()))).json).toMatchObject({ status: 'completed', response: { total: 5 } })

  const ids = Array.from({ length: 4 }, () => newId(new Date()))
  freeze()
  try {
    for (const { status, headers, json } of await Promise.all(ids.map(ask))) {
      expect([status, headers.get('retry-after')]).toEqual([503, '1'])
      expect(json.detail).toMatch(/database/)
    }
  } finally {
    thaw()
  }

  for (const id of ids) {
    await expect.poll(async () => (await ask(id)).json.status, { timeout: 60_000 }).toBe('completed')
    expect((await ask(id)).json).toMatchObject({ id, response: { total: 5 } })
  }
  const counted = await database.db.query('select count(*)::integer as count from executions where id = any($1)', [ids])
  const all = await database.db.query('select count(*)::integer as count from executions')
  expect([counted, all]).toEqual([[{ count: 4 }], [{ count: 5 }]])
})
