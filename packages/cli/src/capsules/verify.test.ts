import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { envelopeText, signEnvelope, webKeyOf } from '@skillrun/core/dsse.ts'
import { expect, test } from 'vitest'
import { skillrun } from '../command-line.ts'
import { offlineCheckOf } from './verify.ts'

const terminal = { environment: {} } as Parameters<typeof offlineCheckOf>[1]

test.for([
  [['one.json', '--keys', 'keys.json'], true],
  [['--keys=keys.json', '--json', 'one.json', '--record', 'record.json'], true],
  [['one.json', '--keys', 'https://example.com/keys.json'], false],
  [['one.json'], false],
  [['--keys', 'keys.json'], false],
  [['one.json', 'two.json', '--keys', 'keys.json'], false],
  [['one.json', '--keys', 'keys.json', '--help'], false],
  [['one.json', '--keys', 'keys.json', '--url', 'http://127.0.0.1'], false],
  [['one.json', '--key', 'keys.json'], false],
] as const)('the words %j of verify are a check without a server: %s', ([words, isOffline]) => {
  expect(offlineCheckOf(words, terminal) !== undefined).toBe(isOffline)
})

test('a check without the parser of commands prints what the same check with it prints, and fails alike', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'skillrun-verify-'))
  try {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const key = webKeyOf(publicKey.export({ format: 'der', type: 'spki' }))
    const keys = [{ ...key, valid_from: '2026-01-01T00:00:00.000Z', valid_until: null, revoked_at: null }]
    const predicate = { signed_at: '2026-06-01T00:00:00.000Z', execution: { id: 'one', status: 'completed' } }
    const statement = { predicateType: 'urn:skillrun:execution:v1', predicate }
    const payload = Buffer.from(JSON.stringify(statement))
    const text = envelopeText(signEnvelope('application/vnd.in-toto+json', payload, { id: key.kid, privateKey }))
    await writeFile(join(folder, 'keys.json'), JSON.stringify({ keys }))
    await writeFile(join(folder, 'one.json'), text)
    await writeFile(join(folder, 'changed.json'), text.replace('"sig":"', '"sig":"AA'))
    for (const file of ['one.json', 'changed.json', 'none.json'])
      for (const more of [[], ['--json']]) {
        const words = ['verify', file, '--keys', 'keys.json', ...more]
        const without = await skillrun(words, { folder })
        // A server's address is for the parser of commands.
        expect(await skillrun([...words, '--url', 'http://127.0.0.1'], { folder })).toEqual(without)
        expect(without.code).toBe(file === 'one.json' ? 0 : file === 'none.json' ? 2 : 1)
      }
  } finally {
    await rm(folder, { recursive: true })
  }
})
