// A minimal durable implementation: a bare node:http handler, a bare loop, three commits on PostgreSQL per execution
// with one tool round. No validation, queue, leases or prices. `node bench/table/durable-floor.ts CONNECTION
// MODEL_BASE_URL KEY` prints its address and serves until it is stopped.
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

const [connection = '', baseUrl = '', key = ''] = process.argv.slice(2)
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
const keyHash = hashOf(`Bearer ${key}`)
const pool = new pg.Pool({ ...JSON.parse(connection), max: 12 })
await pool.query(
  'create table if not exists floor_executions (id uuid primary key, request json not null, step json, response json, status text not null)',
)

const tools = [
  {
    type: 'function',
    function: {
      name: 'core_calculate',
      parameters: {
        type: 'object',
        properties: { formulas: { type: 'array', items: { type: 'string' } } },
        required: ['formulas'],
      },
    },
  },
]

interface Turn {
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string }[]
}

async function ask(messages: readonly unknown[], schema: unknown): Promise<Turn> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      model: 'mock-1',
      messages,
      tools,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
    }),
  })
  return ((await response.json()) as { choices: [{ message: Turn }] }).choices[0].message
}

async function execute(request: { config: { prompt: string; json_schema?: unknown } }): Promise<object> {
  const id = randomUUID()
  await pool.query('insert into floor_executions (id, request, status) values ($1, $2, $3)', [id, request, 'running'])
  const messages: unknown[] = [{ role: 'user', content: request.config.prompt }]
  for (;;) {
    const turn = await ask(messages, request.config.json_schema)
    if (!turn.tool_calls?.length) {
      const response = JSON.parse(turn.content ?? 'null') as unknown
      await pool.query('update floor_executions set response = $2, status = $3 where id = $1', [
        id,
        JSON.stringify(response),
        'completed',
      ])
      return { id, status: 'completed', response }
    }
    const results = turn.tool_calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: '144' }))
    messages.push({ role: 'assistant', ...turn }, ...results)
    await pool.query('update floor_executions set step = $2 where id = $1', [id, JSON.stringify(messages)])
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const server = createServer(async (request, response) => {
  const isKnown = timingSafeEqual(hashOf(request.headers.authorization ?? ''), keyHash)
  const answer = isKnown ? await execute(JSON.parse(await bodyOf(request))) : { detail: 'no such key' }
  response.writeHead(isKnown ? 201 : 401, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
