import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { parsePrivateTargets } from './private-targets.ts'

const target = (hostname: string, port: number, address = hostname) => ({
  hostname,
  port,
  address: ipaddr.parse(address),
})

test('an entry allows its address, block or host, at its port or at all ports', () => {
  const cases: readonly (readonly [entries: string, ...target: Parameters<typeof target>])[] = [
    ['127.0.0.1:9000', '127.0.0.1', 9000],
    ['127.0.0.1', '127.0.0.1', 1],
    ['127.0.0.1', '::ffff:127.0.0.1', 1],
    ['10.1.0.0/16', '10.1.255.255', 80],
    ['10.1.0.0/16:8080', 'internal', 8080, '10.1.2.3'],
    ['10.1.0.0/16', 'wrapped', 80, '64:ff9b::a01:203'],
    ['[::1]:9000', '::1', 9000],
    ['::1', '::1', 9000],
    ['fd00::/8', 'fd12::1', 80],
    ['[fd00::/8]:80', 'fd12::1', 80],
    ['Storage.Internal:443', 'storage.internal', 443, '10.0.0.1'],
    ['storage', 'storage.', 443, '10.0.0.1'],
    [' 1.2.3.4 , , 127.0.0.1:9000 ', '127.0.0.1', 9000],
    ['localhost:8080', 'localhost', 8080, '::1'],
  ]
  for (const [entries, ...of] of cases)
    expect(parsePrivateTargets(entries)(target(...of)), `${entries} ${of}`).toBe(true)
})

test('an entry allows nothing else', () => {
  const cases: readonly (readonly [entries: string, ...target: Parameters<typeof target>])[] = [
    ['', '127.0.0.1', 9000],
    ['127.0.0.1:9000', '127.0.0.1', 9001],
    ['127.0.0.1:9000', '127.0.0.2', 9000],
    ['127.0.0.1', 'localhost', 80, '::1'],
    ['10.1.0.0/16', '10.2.0.1', 80],
    ['10.1.0.0/16', 'fd00::1', 80],
    ['fd00::/8', '10.0.0.1', 80],
    ['storage.internal:443', 'storage.internal', 80, '10.0.0.1'],
    ['storage.internal', 'not-storage.internal', 80, '10.0.0.1'],
    ['storage.internal', 'storage.internal.evil.example', 80, '10.0.0.1'],
  ]
  for (const [entries, ...of] of cases)
    expect(parsePrivateTargets(entries)(target(...of)), `${entries} ${of}`).toBe(false)
})

test('an invalid entry is refused with a message that names it', () => {
  for (const entry of [
    '10.1.0.0/33',
    '10.1.0.0/',
    '10.1.0.0/x',
    '10.0/8',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:',
    '300.1.1.1',
    'http://host',
    'a b',
    '[::1',
    '[::1]x',
    '[nonsense]:1',
    ':80',
    '::zz',
    '-host-',
    '*.internal',
    'user@host',
  ]) {
    expect(() => parsePrivateTargets(`127.0.0.1,${entry}`), entry).toThrow(
      expect.objectContaining({
        kind: 'invalid',
        code: 'bad_configuration',
        message: expect.stringContaining(JSON.stringify(entry)),
      }),
    )
  }
})
