import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proxiedFetch } from './outbound-proxy.ts'

const proxy = createServer(({ url = '' }, outgoing) => {
  outgoing.end(JSON.stringify({ asked: url }))
})
beforeAll(async () => {
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
})
afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})
const own = () => `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`

test('single requests go through the proxy of the environment, but not those to this machine', async () => {
  const send = await proxiedFetch({ HTTP_PROXY: own() })
  const reply = await send('http://people.example.com/a?b=1', { redirect: 'error' })
  expect(await reply.json()).toEqual({ asked: 'http://people.example.com/a?b=1' })
  expect(await (await send(`${own()}/direct`)).json()).toEqual({ asked: '/direct' })
  expect(await proxiedFetch({})).toBe(fetch)
})
