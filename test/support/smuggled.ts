/** Lines of HTTP. */
export const lines = (...all: string[]): string => all.join('\r\n')

const auth = (key: string) => `Authorization: Bearer ${key}`

/** The request that an attacker tries to smuggle. */
export const hidden = (key: string): string => lines('GET /v1/keys HTTP/1.1', 'Host: x', auth(key), '', '')

const post = (key: string, ...headers: string[]) =>
  lines('POST /v1/keys HTTP/1.1', 'Host: x', auth(key), 'Content-Type: application/json', ...headers)

/** Requests with an ambiguous or invalid length, followed by another one. */
export const smuggled: readonly (readonly [string, (key: string) => string])[] = [
  [
    'a length and chunks',
    (key) => lines(post(key, 'Content-Length: 4', 'Transfer-Encoding: chunked'), '', '0', '', hidden(key)),
  ],
  [
    'chunks and a length',
    (key) => lines(post(key, 'Transfer-Encoding: chunked', 'Content-Length: 400'), '', '0', '', hidden(key)),
  ],
  ['two lengths', (key) => lines(post(key, 'Content-Length: 2', 'Content-Length: 200'), '', `{}${hidden(key)}`)],
  ['a list of lengths', (key) => lines(post(key, 'Content-Length: 2, 200'), '', `{}${hidden(key)}`)],
  ['a length with a sign', (key) => lines(post(key, 'Content-Length: +2'), '', `{}${hidden(key)}`)],
  ['a negative length', (key) => lines(post(key, 'Content-Length: -1'), '', `{}${hidden(key)}`)],
  ['a length in hexadecimal', (key) => lines(post(key, 'Content-Length: 0x2'), '', `{}${hidden(key)}`)],
  ['a length with a space in it', (key) => lines(post(key, 'Content-Length: 2 0'), '', `{}${hidden(key)}`)],
  ['an empty length', (key) => lines(post(key, 'Content-Length: '), '', `{}${hidden(key)}`)],
  ['a space before the colon', (key) => lines(post(key, 'Content-Length : 2'), '', `{}${hidden(key)}`)],
  [
    'chunks that are not the last encoding',
    (key) => lines(post(key, 'Transfer-Encoding: chunked, identity'), '', '0', '', hidden(key)),
  ],
  ['chunks under another name', (key) => lines(post(key, 'Transfer-Encoding: xchunked'), '', '0', '', hidden(key))],
  [
    'chunks twice',
    (key) => lines(post(key, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity'), '', '0', '', hidden(key)),
  ],
  [
    'chunks behind a tab',
    (key) => lines(post(key, 'Transfer-Encoding:\tidentity,\tchunked\x0b'), '', '0', '', hidden(key)),
  ],
  [
    'a folded header',
    (key) => lines(post(key, 'Transfer-Encoding:', ' chunked', 'Content-Length: 2'), '', `{}${hidden(key)}`),
  ],
  ['a chunk longer than it says', (key) => lines(post(key, 'Transfer-Encoding: chunked'), '', '2', `{}${hidden(key)}`)],
  [
    'a chunk with an invalid size',
    (key) => lines(post(key, 'Transfer-Encoding: chunked'), '', '0x2', '{}', '0', '', hidden(key)),
  ],
  [
    'a chunk of more digits than any',
    (key) => lines(post(key, 'Transfer-Encoding: chunked'), '', 'fffffffffffffffff', '{}', hidden(key)),
  ],
  [
    'lines that end without a return',
    (key) => `${post(key, 'Transfer-Encoding: chunked').replaceAll('\r\n', '\n')}\n\n0\n\n${hidden(key)}`,
  ],
  ['a NUL in a header', (key) => lines(post(key, 'X-A: a\u0000b', 'Content-Length: 2'), '', `{}${hidden(key)}`)],
  ['a return within a header', (key) => lines(post(key, 'X-A: a\rContent-Length: 2'), '', `{}${hidden(key)}`)],
]
