import { scryptSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { makePasswordHasher, randomPassword, weakness } from './passwords.ts'

/** A hash with parameters that cost nothing. */
function cheapHash(password: string): string {
  const salt = Buffer.from('0123456789abcdef')
  const plain = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  return `$scrypt$ln=1,r=8,p=1$${plain(salt)}$${plain(scryptSync(password, salt, 32, { N: 2, r: 8, p: 1 }))}`
}

test('a hash matches its password alone, however its characters are composed', async () => {
  const passwords = makePasswordHasher()
  const hash = await passwords.hash('Käsekuchen mit Äpfeln')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await passwords.matches('Käsekuchen mit Äpfeln'.normalize('NFD'), hash)).toBe(true)
  expect(await passwords.matches('Käsekuchen mit Äpfel', hash)).toBe(false)
  expect(await passwords.hash('Käsekuchen mit Äpfeln')).not.toBe(hash)
  expect(passwords.isOutdated(hash)).toBe(false)
})

test('a hash of earlier parameters matches and is outdated; no hash and a broken one never match', async () => {
  const passwords = makePasswordHasher()
  expect(await passwords.matches('secret', cheapHash('secret'))).toBe(true)
  expect(passwords.isOutdated(cheapHash('secret'))).toBe(true)
  for (const hash of [null, '$scrypt$ln=1,r=8,p=1$$', cheapHash('secret').slice(0, -4)])
    expect(await passwords.matches('secret', hash)).toBe(false)
})

test('more checks than can wait are refused at once', async () => {
  const passwords = makePasswordHasher()
  const hash = cheapHash('secret')
  const checks = Array.from({ length: 60 }, () => passwords.matches('secret', hash))
  const ended = await Promise.allSettled(checks)
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(52)
  expect(await passwords.matches('secret', hash)).toBe(true)
})

test('random passwords are good, and each is another one', () => {
  const made = Array.from({ length: 50 }, randomPassword)
  expect(new Set(made).size).toBe(50)
  for (const one of made) expect([one, weakness(one, 'a@example.com')]).toEqual([one, undefined])
})

test.each([
  ['short', 'at least 12 characters'],
  ['ababababababab', '5 different characters'],
  ['Ann.Lee@example.com', 'more than the email address'],
  ['ann.lee ann.lee', 'more than the email address'],
])('%j is too weak: %s', (password, why) => {
  expect(weakness(password, 'ann.lee@example.com')).toContain(why)
})
