import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'
import { startMockModel } from './support/mock-model.ts'

/** How often the server is killed: a few times in the gate, 200 times by hand with `TEST_FILE_MINUTES=60`. */
const kills = Number(process.env['MCP_KILLS'] ?? 3)
const perKill = 4

/** Repeats what fails, as a client would: on a busy machine a restarted server may at first not reach its database. */
async function persistently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; tries < 5; tries++) {
    const done = await work().then(
      (value) => ({ value }),
      () => undefined,
    )
    if (done) return done.value
  }
  return work()
}

test(
  'kill -9 of the server while tasks run loses no execution and runs none twice',
  async () => {
    let kill = Promise.withResolvers<void>()
    let reached = Promise.withResolvers<void>()
    await using model = await startMockModel({
      // Each round is killed between its first and its last call of the model; those that were asked are held until then.
      script: async ({ text }) => {
        const [, number = ''] = /number (\d+)/.exec(text) ?? []
        if (Number(number) % perKill > 0) {
          reached.resolve()
          await kill.promise
        }
        return { text: `done ${number}`, usage: { inputTokens: 1, outputTokens: 1 } }
      },
    })
    await using database = await makeDatabase()
    await using cluster = await openCluster(database.address as Parameters<typeof openCluster>[0], {
      OPENAI_API_KEY: 'none',
      OPENAI_BASE_URL: model.baseUrl,
    })
    const open = async (url: string) => {
      const client = new Client({ name: 'test', version: '1.0.0' })
      const requestInit = { headers: { Authorization: `Bearer ${cluster.key}` } }
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
      await client.connect(transport as Parameters<Client['connect']>[0])
      return client
    }
    const connect = (url: string) => persistently(() => open(url))
    const argumentsOf = (number: number) => ({
      ...{ prompt: `Say done, number ${number}`, request_id: `number ${number}`, wait_seconds: 120 },
    })
    /** Begins a task and returns its id; undefined when the server was killed before it answered. */
    const beginTask = async (client: Client, number: number): Promise<string | undefined> => {
      const params = { name: 'run', arguments: argumentsOf(number) }
      const stream = client.experimental.tasks.callToolStream(params, CallToolResultSchema, { task: {} })
      for await (const one of stream) {
        if (one.type === 'taskCreated') return one.task.taskId
        if (one.type === 'error') return undefined
      }
      return undefined
    }

    let member = await cluster.start('all')
    for (let round = 0; round < kills; round++) {
      kill = Promise.withResolvers()
      reached = Promise.withResolvers()
      const numbers = Array.from({ length: perKill }, (_, at) => round * perKill + at)
      const before = await connect(member.url)
      const begun = Promise.all(numbers.map((number) => beginTask(before, number)))
      await reached.promise
      // Sometimes while calls are still being accepted, sometimes afterwards.
      if (round % 2 === 1) await begun
      await member.kill()
      const taskIds = await begun
      kill.resolve()
      await before.close().catch(() => undefined)
      member = await cluster.start('all')
      const after = await connect(member.url)
      await Promise.all(
        numbers.map(async (number, at) => {
          // A call whose answer was lost is repeated with the same request_id.
          const params = { name: 'run', arguments: argumentsOf(number) }
          const again = await persistently(async () => {
            const result = await after.callTool(params, undefined, { timeout: 150_000 })
            // Refused, as when the database cannot be reached: there is no execution in the result.
            if (result.structuredContent === undefined) throw new Error(JSON.stringify(result.content))
            return result
          })
          expect(again.structuredContent).toMatchObject({ status: 'completed', response: `done ${number}` })
          const taskId = taskIds[at]
          if (taskId === undefined) return
          expect((again.structuredContent as { id: string }).id).toBe(taskId)
          const result = await after.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)
          expect(result.structuredContent).toMatchObject({
            id: taskId,
            status: 'completed',
            response: `done ${number}`,
          })
        }),
      )
      await after.close()
    }
    const rows = await database.db.query<{ clientId: string; calls: number }>(
      `select client_id as "clientId", (select count(*)::integer from steps s where s.workspace_id = e.workspace_id and
       s.execution_id = e.id and kind = 'model') as calls from executions e where client_id like 'number %'`,
    )
    const expected = Array.from({ length: kills * perKill }, (_, number) => ({
      clientId: `number ${number}`,
      calls: 1,
    }))
    expect(rows.toSorted((one, other) => (one.clientId < other.clientId ? -1 : 1))).toEqual(
      expected.toSorted((one, other) => (one.clientId < other.clientId ? -1 : 1)),
    )
  },
  1_200_000 + kills * 60_000,
)
