import { expect, test } from 'vitest'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { openVisitor } from './support/visitor.ts'

const service = await opened(openTestService())

const audit = async (query = '', key?: string) =>
  (await service.call('GET', `/v1/audit${query}`, key ? { key } : {})).json

test('changes of keys, files and settings are logged with the acting key, newest first', async () => {
  const [own] = (await service.call('GET', '/v1/keys')).json
  const made = (await service.call('POST', '/v1/keys', { body: { name: 'of the audit', scopes: ['read'] } })).json
  const file = await service.upload(Buffer.from('seen by the audit'), 'secret-name.txt')
  await service.call('DELETE', `/v1/files/${file.id}`)
  await service.call('POST', '/v1/callback-secret')
  await service.call('DELETE', `/v1/keys/${made.id}`)
  const entries = await audit('?limit=5')
  expect(entries.map((entry: { action: string }) => entry.action)).toEqual([
    'key.revoke',
    'callback_secret.change',
    'file.delete',
    'file.create',
    'key.create',
  ])
  expect(entries[4]).toMatchObject({
    subject_id: made.id,
    key_id: own.id,
    key_name: own.name,
    key_hint: own.hint,
    detail: { name: 'of the audit', scopes: ['read'] },
    created_at: expect.stringMatching(/Z$/),
  })
  expect(entries[3]).toMatchObject({ subject_id: file.id, detail: { bytes: 17, sha256: file.sha256 } })
  expect(JSON.stringify(entries)).not.toMatch(/secret-name|seen by|sk-run-/)
})

test('adding and deleting cases and programs of a skill is logged', async () => {
  const schema = { type: 'object', properties: { total: { type: ['number', 'null'] } } }
  const made = await service.call('POST', '/v1/skills/create', {
    body: { name: 'totals', description: 'Of notes', prompt: 'Extract the total', json_schema: schema },
  })
  const cases = [1, 2, 3].map((count) => ({ inputs: { text: `Total: ${count}.00` }, response: { total: count } }))
  const skill = `/v1/skills/${made.json.id}`
  const [first] = (await service.call('POST', `${skill}/cases`, { body: { cases } })).json
  const program = (await service.call('POST', `${skill}/programs`, { body: {} })).json
  expect((await service.call('DELETE', `${skill}/cases/${first.id}`)).status).toBe(200)
  expect((await service.call('DELETE', `${skill}/programs/${program.id}`)).status).toBe(200)
  const { json } = await service.call('GET', '/v1/audit?limit=6')
  const told = json.map((one: { action: string; subject_id: string }) => [one.action, one.subject_id])
  expect(told.slice(0, 3)).toEqual([
    ['program.delete', program.id],
    ['case.delete', first.id],
    ['program.create', program.id],
  ])
  expect(told.slice(3).map(([action]: [string]) => action)).toEqual(Array(3).fill('case.create'))
  expect(JSON.stringify(json)).not.toContain('Total')
})

test('the first key was created by the server itself', async () => {
  const all = await audit('?action=key.create')
  expect(all.at(-1)).toMatchObject({ action: 'key.create', key_id: null })
})

test('refused and rolled-back actions are not logged', async () => {
  const before = await audit()
  await service.call('POST', '/v1/keys', { body: { expires_at: '2001-01-01T00:00:00Z' } })
  await service.call('DELETE', `/v1/keys/${crypto.randomUUID()}`)
  await service.call('DELETE', `/v1/files/${crypto.randomUUID()}`)
  expect(await audit()).toEqual(before)
  const made = (await service.call('POST', '/v1/keys', { body: {} })).json
  await service.call('DELETE', `/v1/keys/${made.id}`)
  await service.call('DELETE', `/v1/keys/${made.id}`)
  expect((await audit(`?subject_id=${made.id}`)).map((entry: { action: string }) => entry.action)).toEqual([
    'key.revoke',
    'key.create',
  ])
})

test('admins read and filter the log of their own workspace', async () => {
  const reader = (await service.call('POST', '/v1/keys', { body: { scopes: ['read', 'execute'] } })).json
  expect((await service.call('GET', '/v1/audit', { key: reader.key })).status).toBe(403)
  const stranger = await service.stranger()
  const theirs = await audit('', stranger)
  expect(theirs.map((entry: { action: string }) => entry.action)).toEqual(['key.create'])
  expect((await audit('?action=workspace.create'))[0]).toMatchObject({ detail: { name: 'strangers' } })
  const [newest, next] = await audit('?limit=2')
  expect(await audit('?skip=1&limit=1')).toEqual([next])
  expect(await audit(`?created_after=${newest.created_at}`)).toEqual([])
  expect((await audit(`?key_id=${newest.key_id}`)).length).toBeGreaterThan(2)
  expect((await service.call('GET', '/v1/audit?action=nothing')).status).toBe(422)
  expect((await service.call('GET', '/v1/audit?created_after=2020-01-01&limit=1')).json).toHaveLength(1)
  expect((await service.call('GET', '/v1/audit?created_before=2020-01-01')).json).toEqual([])
})

test('who acted from the first workspace is named in the log of another one', async () => {
  const stranger = await service.stranger()
  const password = 'correct horse battery staple'
  const operator = { email: 'operator@example.com', name: 'Olga', role: 'admin', password }
  const { json: user } = await service.call('POST', '/v1/users', { body: operator })
  await service.database.db.query('update users set must_change = false')
  const visitor = openVisitor(service)
  await visitor.signIn(operator.email, password)
  await visitor.send('POST', '/v1/keys', { body: { name: 'by a user', workspace: 'strangers' } })
  await service.call('POST', '/v1/keys', { body: { name: 'by a key', workspace: 'strangers' } })
  const [byKey, byUser] = await audit('?limit=2', stranger)
  expect(byUser).toMatchObject({ detail: { name: 'by a user' }, user_id: user.id, user_name: 'Olga', key_id: null })
  const [own] = await audit('?action=key.create&limit=1')
  expect(byKey).toMatchObject({
    detail: { name: 'by a key' },
    user_id: null,
    key_name: own.key_name,
    key_hint: own.key_hint,
  })
})

test.each([`update audit set action = 'x'`, 'delete from audit', 'truncate audit'])(
  'an entry cannot be changed or taken away: %s',
  async (statement) => {
    await expect(service.database.db.query(statement)).rejects.toThrow(/never changed/)
  },
)
