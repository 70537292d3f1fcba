import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startMockModel } from '../bench/mock-model.ts'
import { openCluster } from './support/cluster.ts'
import { makeDatabase } from './support/database.ts'

/** A proxy that reaches one server by any name, and the names that it was asked for. */
async function openProxy(reached: URL) {
  const asked: string[] = []
  // Without encryption clients send the whole URL; with it they ask for a connection.
  const proxy = createServer((received, reply) => {
    const url = new URL(received.url ?? '', 'http://nowhere.example.com')
    asked.push(`${url.hostname}:${url.port || 80}`)
    const { method, headers } = received
    const onward = request(
      { host: reached.hostname, port: reached.port, path: url.pathname, method, headers },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(reply)
      },
    )
    onward.on('error', () => reply.destroy())
    received.pipe(onward)
  })
  proxy.on('connect', (received, socket, head) => {
    asked.push(received.url ?? '')
    const onward = connect(Number(reached.port), reached.hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    for (const one of [onward, socket]) one.on('error', () => one.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    proxy.closeAllConnections()
    await new Promise((resolve) => proxy.close(resolve))
  })
  const address = proxy.address()
  return { asked, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}` }
}

const execution = (key: string, model: string) => ({
  method: 'POST',
  headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    batch: false,
    model,
    inputs: { text: 'Who pays?' },
    config: {
      prompt: 'Say in a few words who pays',
      json_schema: { type: 'object', properties: { payer: { type: ['string', 'null'] } } },
    },
  }),
})

test('on a machine behind a proxy a model provider is called through it, and one on the machine itself is not', async () => {
  await using model = await startMockModel({ script: () => ({ text: '{"payer": null}' }) })
  const proxy = await openProxy(new URL(model.baseUrl))
  await using database = await makeDatabase()
  await using cluster = await openCluster(database.address, { HTTP_PROXY: proxy.url, OPENAI_API_KEY: 'a-key' })
  const path = new URL(model.baseUrl).pathname

  const far = await cluster.start('all', { OPENAI_BASE_URL: `http://models.example.com${path}` })
  const answer = await fetch(`${far.url}/v1/agent/execute`, execution(cluster.key, 'svc-agent-1:pro'))
  expect(await answer.json()).toMatchObject({ status: 'completed' })
  expect(new Set(proxy.asked)).toEqual(new Set(['models.example.com:80']))
  await far.kill()

  proxy.asked.length = 0
  const near = await cluster.start('all', { OPENAI_BASE_URL: model.baseUrl })
  const other = await fetch(`${near.url}/v1/agent/execute`, execution(cluster.key, 'svc-agent-1:pro'))
  expect(await other.json()).toMatchObject({ status: 'completed' })
  expect(proxy.asked).toEqual([])
})
