import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { expect, test } from 'vitest'
import { isPublicAddress, parseAddress, unwrapped } from './addresses.ts'

const isPublic = (text: string) => {
  const address = parseAddress(text)
  if (!address) throw new Error(`${text} is no address`)
  return isPublicAddress(address)
}

const privateBlocks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

test('addresses of the public internet are public, however they are wrapped', () => {
  for (const text of [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '169.253.1.1',
    '2606:4700:4700::1111',
    '2a00:1450:4001::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    expect(isPublic(text), text).toBe(true)
  }
})

test('addresses of every special block are not public', () => {
  const special = [
    '0.0.0.0',
    '127.0.0.1',
    '127.255.255.254',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    'ff02::1',
    '100::1',
    '2001:db8::1',
    '3fff::1',
    '2001::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '64:ff9b:1::7f00:1',
    '5f00::1',
    '4000::1',
    'e000::1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:127.0.0.1',
  ]
  for (const text of special) expect(isPublic(text), text).toBe(false)
})

test('no private IPv4 address becomes public by being mapped, translated or tunnelled', () => {
  const inBlock = fc.constantFrom(...privateBlocks).chain((block) => {
    const [base, prefix] = ipaddr.IPv4.parseCIDR(block)
    const bytes = base.toByteArray()
    const start = bytes.reduce((value, byte) => value * 256 + byte, 0)
    return fc.integer({ min: start, max: start + 2 ** (32 - prefix) - 1 })
  })
  fc.assert(
    fc.property(inBlock, (value) => {
      const plain = [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256)
      const high = ((plain[0] ?? 0) * 256 + (plain[1] ?? 0)).toString(16)
      const low = ((plain[2] ?? 0) * 256 + (plain[3] ?? 0)).toString(16)
      const dotted = plain.join('.')
      for (const text of [
        dotted,
        `::ffff:${dotted}`,
        `::ffff:${high}:${low}`,
        `::${high}:${low}`,
        `64:ff9b::${high}:${low}`,
        `64:ff9b:1::${high}:${low}`,
        `2002:${high}:${low}::1`,
        `2001:0:${high}:${low}::1`,
      ]) {
        expect(isPublic(text), text).toBe(false)
      }
    }),
  )
})

test('only the four-part decimal form is parsed as IPv4, and unwrapping leaves plain addresses alone', () => {
  for (const text of ['127.1', '0177.0.0.1', '0x7f.0.0.1', '2130706433', '', 'localhost', '1.2.3.256', 'fe80::1%eth0'])
    expect(parseAddress(text), text).toBeUndefined()
  expect(unwrapped(ipaddr.parse('2606:4700::1')).toString()).toBe('2606:4700::1')
  expect(unwrapped(ipaddr.parse('::ffff:10.1.2.3')).toString()).toBe('10.1.2.3')
  expect(unwrapped(ipaddr.parse('64:ff9b::a01:203')).toString()).toBe('10.1.2.3')
})
