import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proxiedGet } from './proxied-get.ts'

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

test('goes through the proxy of the environment, but not to this machine, and directly without one', async () => {
  const seen = async (url: string, environment: Record<string, string>) =>
    (await proxiedGet(url, environment, AbortSignal.timeout(10_000))).json()
  const behind = { HTTP_PROXY: own() }
  expect(await seen('http://people.example.com/a?b=1', behind)).toEqual({ asked: 'http://people.example.com/a?b=1' })
  expect(await seen(`${own()}/near`, behind)).toEqual({ asked: '/near' })
  expect(await seen(`${own()}/direct`, {})).toEqual({ asked: '/direct' })
})
