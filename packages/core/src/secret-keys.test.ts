import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readKeyFile, rotateKeyFile } from './secret-key-file.ts'
import { newKeyText, parseKeys, secretKeysOf } from './secret-keys.ts'

const [first, second] = [randomBytes(32), randomBytes(32)]
const secret = Buffer.from('whsec_secret')
const unknown = { code: 'unknown_secret_key' }

test('a sealed secret opens only with its key, in its place, unchanged', () => {
  const keys = secretKeysOf([first])
  const sealed = keys.seal(secret, 'here')
  expect(keys.open(sealed, 'here')).toEqual(secret)
  expect(sealed.includes(secret)).toBe(false)
  expect(keys.seal(secret, 'here').equals(sealed)).toBe(false)
  expect(() => keys.open(sealed, 'there')).toThrow(expect.objectContaining(unknown))
  expect(() => secretKeysOf([second]).open(sealed, 'here')).toThrow(expect.objectContaining(unknown))
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => keys.open(changed, 'here'), `byte ${at}`).toThrow(expect.objectContaining(unknown))
    expect(() => keys.open(sealed.subarray(0, at), 'here'), `${at} bytes`).toThrow(expect.objectContaining(unknown))
  }
})

test('the first key seals, and the others still open', () => {
  const old = secretKeysOf([first]).seal(secret, 'here')
  const keys = secretKeysOf([second, first])
  expect([keys.open(old, 'here'), keys.isCurrent(old)]).toEqual([secret, false])
  expect(keys.isCurrent(keys.seal(secret, 'here'))).toBe(true)
})

test('keys are 32 bytes in base64, separated by commas or lines', () => {
  const [one, other] = [newKeyText(), newKeyText()]
  expect(parseKeys(`${one},${other}`)?.map((key) => key.toString('base64'))).toEqual([one, other])
  expect(parseKeys(` ${one}\n${other}\n`)).toHaveLength(2)
  for (const wrong of ['', ',', 'secret', one.slice(1), `${one},x`, randomBytes(16).toString('base64')])
    expect(parseKeys(wrong), wrong).toBeUndefined()
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skillrun-keys-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('the key file is created once by concurrent starts, readable only by its owner', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => readKeyFile(folder)))
  expect(new Set(all.map(([key]) => key.toString('hex'))).size).toBe(1)
  expect(all[0]?.[0]).toHaveLength(32)
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
})

test('a key file that others may read, or without keys, is refused with advice', async () => {
  await readKeyFile(folder)
  const path = join(folder, 'secret.key')
  await chmod(path, 0o640)
  await expect(readKeyFile(folder)).rejects.toThrow(`can be read by other users; run "chmod 600 ${path}"`)
  await chmod(path, 0o600)
  await writeFile(path, 'secret\n')
  await expect(readKeyFile(folder)).rejects.toThrow('should contain 32 bytes in base64 per line')
})

test('rotating puts a new key in front and keeps the others', async () => {
  await expect(rotateKeyFile(folder)).rejects.toThrow('does not exist')
  const [before] = await readKeyFile(folder)
  await rotateKeyFile(folder)
  const [now, ...rest] = await readKeyFile(folder)
  expect(now.equals(before)).toBe(false)
  expect(rest).toEqual([before])
  expect(await readFile(join(folder, 'secret.key'), 'utf8')).toMatch(/^\S+\n\S+\n$/)
  expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600)
})
