import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { hidden, lines, smuggled } from './support/smuggled.ts'

const service = await opened(openTestService())

/** Everything that is returned for these bytes until the server closes, or is silent. */
function answersTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.on('data', (part) => {
      heard += part.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })
}

const statusesOf = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const auth = () => `Authorization: Bearer ${service.key}`

test('two requests in sequence on a connection are both answered, so that the counts below are meaningful', async () => {
  const last = lines('GET /v1/keys HTTP/1.1', 'Host: x', auth(), 'Connection: close', '', '')
  expect(statusesOf(await answersTo(hidden(service.key) + last))).toEqual([200, 200])
})

describe('a request with an ambiguous or invalid length', () => {
  test.each(smuggled)('%s: the hidden request is not answered', async (_name, request) => {
    const statuses = statusesOf(await answersTo(request(service.key)))
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
  })
})

test('a request with two Host headers is refused, whatever their values and spelling', async () => {
  const ask = (...hosts: string[]) =>
    answersTo(lines('GET /v1/health HTTP/1.1', ...hosts, auth(), 'Connection: close', '', ''))
  expect(statusesOf(await ask('Host: x'))).toEqual([200])
  for (const hosts of [
    ['Host: x', 'Host: x'],
    ['Host: x', 'Host: y'],
    ['host: x', 'HOST: y'],
  ]) {
    const heard = await ask(...hosts)
    expect(statusesOf(heard)).toEqual([400])
    expect(heard).toContain('more than one Host header')
  }
  const readiness = lines('GET /readyz HTTP/1.1', 'Host: x', 'Host: y', '', '')
  expect(statusesOf(await answersTo(readiness + hidden(service.key)))).toEqual([400])
})

test('a second key, a key in another place and a split key are not accepted', async () => {
  const ask = (...headers: string[]) =>
    answersTo(lines('GET /v1/health HTTP/1.1', 'Host: x', ...headers, 'Connection: close', '', ''))
  expect(statusesOf(await ask(auth()))).toEqual([200])
  for (const headers of [
    [auth(), auth()],
    [auth(), 'Authorization: Bearer other'],
    [`Authorization: Bearer ${service.key} ${service.key}`],
    [`Authorization: Bearer ${service.key},`],
    [`Authorization:Basic ${Buffer.from(`x:${service.key}`).toString('base64')}`],
    [`Proxy-Authorization: Bearer ${service.key}`],
    [`Cookie: authorization=Bearer ${service.key}`],
    [`X-Api-Key: ${service.key}`],
    [`Authorization: Bearer ${service.key.slice(0, 5)}`, ` ${service.key.slice(5)}`],
    ['Authorization: Bearer'],
    ['Authorization: Bearer '],
  ]) {
    const [status] = statusesOf(await ask(...headers))
    expect([400, 401], headers.join(' | ')).toContain(status)
  }
})
