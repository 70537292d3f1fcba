import { afterAll, expect, test } from 'vitest'
import { rotateKeyFile } from '../packages/core/src/secret-key-file.ts'
import { newKeyText } from '../packages/core/src/secret-keys.ts'
import { makeDatabase } from './support/database.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const planted = 'whsec_cGxhbnRlZC1wbGFudGVkLXBsYW50ZWQtcGxhbnRlZA=='
const folder = await temporaryFolder('secrets', afterAll)
const database = await opened(makeDatabase())

const open = (SKILLRUN_SECRET_KEY: string, more: Record<string, string> = {}) =>
  openTestService({ database, env: { SKILLRUN_SECRET_KEY, SKILLRUN_DATA: folder, ...more } })
type Service = Awaited<ReturnType<typeof open>>
const secretOf = async (service: Service) => (await service.call('GET', '/v1/callback-secret')).json.secret
/** The path of a URL, as each server has its own port. */
const pathOf = (url: string) => new URL(url).pathname + new URL(url).search

/** All rows of all tables as text. */
async function everything(): Promise<string> {
  const { db } = database
  const tables = await db.query<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
  )
  const texts: string[] = []
  for (const { name } of tables)
    for (const { row } of await db.query<{ row: string }>(`select t::text as row from ${name} t`)) texts.push(row)
  return texts.join('\n')
}
const inHex = (text: string) => Buffer.from(text).toString('hex')

test('secrets survive every way of storing their key, and are never plain in the database', async () => {
  let publicPath = ''
  const [one, two] = [newKeyText(), newKeyText()]
  {
    await using service = await open(one, { SKILLRUN_CALLBACK_SECRET: planted })
    expect(await secretOf(service)).toBe(planted)
    publicPath = pathOf((await service.upload(Buffer.from('words'), 'a.txt')).public_url)
  }
  const text = await everything()
  // The search below finds what is there.
  expect(text).toContain('a.txt')
  for (const form of [planted, inHex(planted), planted.slice(6, -2)]) expect(text).not.toContain(form)

  // A new key in front of the old one, then alone; then only the old one.
  for (const keys of [`${two},${one}`, two]) {
    await using service = await open(keys)
    expect(await secretOf(service)).toBe(planted)
    expect((await fetch(service.url + publicPath)).status).toBe(200)
  }
  await expect(open(one)).rejects.toMatchObject({
    code: 'unknown_secret_key',
    message: expect.stringContaining('SKILLRUN_SECRET_KEY'),
  })

  // Moving from the environment to the key file of the data folder is a rotation, too.
  await database.db.query('update server_secrets set sealed = null, value = $1', [Buffer.alloc(32, 7)])
  await database.db.query('update callback_secrets set sealed = null, secret = $1, previous = $2', [
    planted,
    'whsec_b2xk',
  ])
  {
    // As an earlier version stored it, in plain text.
    await using service = await open('')
    expect(await secretOf(service)).toBe(planted)
    publicPath = pathOf((await service.upload(Buffer.from('more words'), 'b.txt')).public_url)
  }
  const later = await everything()
  for (const form of [planted, 'whsec_b2xk', inHex(planted), Buffer.alloc(32, 7).toString('hex')])
    expect(later).not.toContain(form)
  await rotateKeyFile(folder)
  {
    await using service = await open('')
    expect(await secretOf(service)).toBe(planted)
    expect((await fetch(service.url + publicPath)).status).toBe(200)
  }
})

test('a changed secret is stored encrypted with the previous one, and setting the same one again changes nothing', async () => {
  await using service = await openTestService()
  const before = await secretOf(service)
  const { json: changed } = await service.call('POST', '/v1/callback-secret')
  expect(changed.secret).not.toBe(before)
  expect(changed.previous_until).not.toBeNull()
  const [row] = await service.database.db.query<{ isSealed: boolean; isPlain: boolean }>(
    'select sealed is not null and previous_sealed is not null as "isSealed", secret is not null or previous is not null as "isPlain" from callback_secrets',
  )
  expect(row).toEqual({ isSealed: true, isPlain: false })
})

test('an expired previous secret does not prevent a start although its key is gone; an unexpired one does', async () => {
  await using own = await makeDatabase()
  const [one, two] = [newKeyText(), newKeyText()]
  const start = (SKILLRUN_SECRET_KEY: string) => openTestService({ database: own, env: { SKILLRUN_SECRET_KEY } })
  let secret = ''
  {
    await using service = await start(one)
    await secretOf(service)
    await service.call('POST', '/v1/callback-secret')
    secret = await secretOf(service)
  }
  // As an earlier version left it: the secret under the new key, the previous one under the old key.
  const [old] = await own.db.query<{ sealed: Buffer }>('select previous_sealed as sealed from callback_secrets')
  {
    await using _service = await start(`${two},${one}`)
  }
  await own.db.query('update callback_secrets set previous_sealed = $1', [old?.sealed])
  await expect(start(two)).rejects.toMatchObject({ code: 'unknown_secret_key' })
  await own.db.query('update callback_secrets set previous_until = $1', [new Date(Date.now() - 1)])
  await using service = await start(two)
  expect(await secretOf(service)).toBe(secret)
  expect(await own.db.query('select previous_sealed as sealed from callback_secrets')).toEqual([{ sealed: null }])
})

test('a secret that is changed while a new key is in front is stored under that one, as is the previous secret', async () => {
  await using own = await makeDatabase()
  const [one, two] = [newKeyText(), newKeyText()]
  const start = (SKILLRUN_SECRET_KEY: string) => openTestService({ database: own, env: { SKILLRUN_SECRET_KEY } })
  {
    await using service = await start(one)
    await secretOf(service)
    const [{ sealed } = { sealed: null }] = await own.db.query<{ sealed: Buffer | null }>(
      'select sealed from callback_secrets',
    )
    await using rotating = await start(`${two},${one}`)
    // A process with only the old key writes meanwhile.
    await own.db.query('update callback_secrets set sealed = $1', [sealed])
    await rotating.call('POST', '/v1/callback-secret')
  }
  await using _service = await start(two)
})

test('an invalid SKILLRUN_SECRET_KEY stops the start without printing it', async () => {
  const failure = await open('not-a-key').catch((error: unknown) => error)
  expect(String(failure)).toContain('SKILLRUN_SECRET_KEY')
  expect(String(failure)).not.toContain('not-a-key')
})
