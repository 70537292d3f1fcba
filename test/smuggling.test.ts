import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestHouse, type TestHouse } from './house/house.ts'

let house: TestHouse
beforeAll(async () => {
  house = await openTestHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

/** All that comes back for these bytes until the server, or silence, ends it. */
function answersTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(house.url)
  return new Promise((resolve) => {
    let heard = ''
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.setTimeout(400, () => socket.destroy())
    socket.on('data', (part) => {
      heard += part.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(heard))
  })
}

const statusesOf = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

const lines = (...all: string[]) => all.join('\r\n')
const auth = () => `Authorization: Bearer ${house.key}`
/** What an attacker wants to be taken for a request of its own. */
const hidden = () => lines('GET /v1/keys HTTP/1.1', 'Host: x', auth(), '', '')
const post = (...headers: string[]) =>
  lines('POST /v1/keys HTTP/1.1', 'Host: x', auth(), 'Content-Type: application/json', ...headers)

test('two requests one after the other on a connection are both answered: the count below means something', async () => {
  expect(statusesOf(await answersTo(hidden() + hidden()))).toEqual([200, 200])
})

describe('a request whose length is said in two ways, or in none that is right', () => {
  test.each<[string, () => string]>([
    [
      'a length and chunks',
      () => lines(post('Content-Length: 4', 'Transfer-Encoding: chunked'), '', '0', '', hidden()),
    ],
    [
      'chunks and a length',
      () => lines(post('Transfer-Encoding: chunked', 'Content-Length: 400'), '', '0', '', hidden()),
    ],
    ['two lengths', () => lines(post('Content-Length: 2', 'Content-Length: 200'), '', `{}${hidden()}`)],
    ['a list of lengths', () => lines(post('Content-Length: 2, 200'), '', `{}${hidden()}`)],
    ['a length with a sign', () => lines(post('Content-Length: +2'), '', `{}${hidden()}`)],
    ['a negative length', () => lines(post('Content-Length: -1'), '', `{}${hidden()}`)],
    ['a length in hexadecimal', () => lines(post('Content-Length: 0x2'), '', `{}${hidden()}`)],
    ['a length with a space in it', () => lines(post('Content-Length: 2 0'), '', `{}${hidden()}`)],
    ['an empty length', () => lines(post('Content-Length: '), '', `{}${hidden()}`)],
    ['a space before the colon', () => lines(post('Content-Length : 2'), '', `{}${hidden()}`)],
    [
      'chunks that are not the last encoding',
      () => lines(post('Transfer-Encoding: chunked, identity'), '', '0', '', hidden()),
    ],
    ['chunks under another name', () => lines(post('Transfer-Encoding: xchunked'), '', '0', '', hidden())],
    [
      'chunks twice',
      () => lines(post('Transfer-Encoding: chunked', 'Transfer-Encoding: identity'), '', '0', '', hidden()),
    ],
    ['chunks behind a tab', () => lines(post('Transfer-Encoding:\tidentity,\tchunked\x0b'), '', '0', '', hidden())],
    ['a folded header', () => lines(post('Transfer-Encoding:', ' chunked', 'Content-Length: 2'), '', `{}${hidden()}`)],
    ['a chunk longer than it says', () => lines(post('Transfer-Encoding: chunked'), '', '2', `{}${hidden()}`)],
    [
      'a chunk of a size that is none',
      () => lines(post('Transfer-Encoding: chunked'), '', '0x2', '{}', '0', '', hidden()),
    ],
    [
      'a chunk of more digits than any',
      () => lines(post('Transfer-Encoding: chunked'), '', 'fffffffffffffffff', '{}', hidden()),
    ],
    [
      'lines that end without a return',
      () => `${post('Transfer-Encoding: chunked').replaceAll('\r\n', '\n')}\n\n0\n\n${hidden()}`,
    ],
    ['a NUL in a header', () => lines(post('X-A: a\u0000b', 'Content-Length: 2'), '', `{}${hidden()}`)],
    ['a return within a header', () => lines(post('X-A: a\rContent-Length: 2'), '', `{}${hidden()}`)],
  ])('%s: what it hides is not answered', async (_name, request) => {
    const statuses = statusesOf(await answersTo(request()))
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true)
  })
})

test('a second key, a key in another place and a key in pieces are no key', async () => {
  const ask = (...headers: string[]) =>
    answersTo(lines('GET /v1/health HTTP/1.1', 'Host: x', ...headers, 'Connection: close', '', ''))
  expect(statusesOf(await ask(auth()))).toEqual([200])
  for (const headers of [
    [auth(), auth()],
    [auth(), 'Authorization: Bearer other'],
    [`Authorization: Bearer ${house.key} ${house.key}`],
    [`Authorization: Bearer ${house.key},`],
    [`Authorization:Basic ${Buffer.from(`x:${house.key}`).toString('base64')}`],
    [`Proxy-Authorization: Bearer ${house.key}`],
    [`Cookie: authorization=Bearer ${house.key}`],
    [`X-Api-Key: ${house.key}`],
    [`Authorization: Bearer ${house.key.slice(0, 5)}`, ` ${house.key.slice(5)}`],
    ['Authorization: Bearer'],
    ['Authorization: Bearer '],
  ]) {
    const [status] = statusesOf(await ask(...headers))
    expect([400, 401], headers.join(' | ')).toContain(status)
  }
})
