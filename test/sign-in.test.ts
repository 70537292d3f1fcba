import { beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { limits } from '../packages/server/src/core/limits.ts'
import { opened } from './support/opened.ts'
import { openTestService } from './support/service.ts'
import { openVisitor, type Visitor } from './support/visitor.ts'

let aheadMs = 0
const clock: Clock = {
  ...systemClock,
  now: () => new Date(Date.now() + aheadMs),
  monotonicMs: () => systemClock.monotonicMs() + aheadMs,
}
const service = await opened(openTestService({ clock }))
beforeEach(() => {
  // Another minute for limits of sign-ins.
  aheadMs += 61_000
})

const password = 'correct horse battery staple'
let count = 0
/** Adds a user with a password of their own, and gives their record. */
async function addPerson(
  role: string,
  more: { workspace?: string; key?: string; email?: string } = {},
): Promise<{ id: string; email: string }> {
  const email = more.email ?? `person-${++count}@example.com`
  const { key, workspace } = more
  const added = await service.call('POST', '/v1/users', {
    ...(key ? { key } : {}),
    body: { email, name: `Person ${count}`, role, password, ...(workspace ? { workspace } : {}) },
  })
  expect(added.status, JSON.stringify(added.json)).toBe(201)
  // As if the person had changed it.
  await service.database.db.query('update users set must_change = false where email = $1', [email])
  return { id: added.json.id, email }
}
async function signedIn(role: string, more: Parameters<typeof addPerson>[1] = {}) {
  const person = await addPerson(role, more)
  const visitor = openVisitor(service)
  expect((await visitor.signIn(person.email, password)).status).toBe(200)
  return { ...person, visitor }
}
/** The same session in another browser object, to look at it without changing it. */
function copyOf(visitor: Visitor): Visitor {
  const copy = openVisitor(service)
  copy.cookie = visitor.cookie
  copy.csrfToken = visitor.csrfToken
  return copy
}
const statusOf = async (visitor: Visitor, path = '/v1/me') => (await visitor.send('GET', path)).status

describe('a server without users', () => {
  test('says so, and works with keys as ever', async () => {
    await using plain = await openTestService()
    expect((await plain.call('GET', '/v1/sign-in', { key: null })).json).toEqual({
      password: false,
      provider: null,
      user: null,
      csrf_token: null,
    })
    expect((await plain.call('GET', '/v1/me')).json).toMatchObject({ kind: 'key', scopes: ['admin'], email: null })
    expect((await plain.call('POST', '/v1/sign-out', { body: {} })).status).toBe(400)
  })
})

describe('a session', () => {
  test('begins with email and password, in an HttpOnly cookie for this site alone', async () => {
    const { email, visitor } = await signedIn('viewer')
    const reply = await openVisitor(service).signIn(` ${email.toUpperCase()} `, password)
    const set = reply.headers.getSetCookie()
    expect(set).toEqual([
      expect.stringMatching(/^skillrun-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=604800$/),
    ])
    expect(reply.headers.get('cache-control')).toBe('no-store')
    expect(JSON.stringify(reply.json)).not.toContain(set[0]?.slice(17, 60))
    expect((await visitor.send('GET', '/v1/me')).json).toMatchObject({
      kind: 'user',
      email,
      role: 'viewer',
      scopes: ['read'],
      workspace: { name: 'main' },
      workspaces: [{ name: 'main', role: 'viewer' }],
    })
  })

  test('has a Secure cookie with the prefix __Host- behind https, and accepts no other', async () => {
    const url = 'https://skillrun.example.com'
    await using secure = await openTestService({
      env: {
        SKILLRUN_PUBLIC_URL: url,
        SKILLRUN_ADMIN_EMAIL: 'Boss@example.com',
        SKILLRUN_ADMIN_PASSWORD: password,
      },
    })
    const visitor = openVisitor(secure)
    const headers = { Origin: url, Host: 'skillrun.example.com' }
    const body = { email: 'boss@example.com', password }
    const reply = await visitor.send('POST', '/v1/sign-in', { body, headers })
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-skillrun-session=\S+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=/),
    ])
    expect(reply.json.user).toMatchObject({ role: 'admin', must_change_password: false })
    expect((await visitor.send('GET', '/v1/users', { headers })).status).toBe(200)
    // What a page over http, or another host of the domain, could set.
    visitor.cookie = visitor.cookie?.replace('__Host-', '')
    expect((await visitor.send('GET', '/v1/users', { headers })).status).toBe(401)
  })

  test('ends when it was not used, and at last however much it is used', async () => {
    const { visitor } = await signedIn('viewer')
    aheadMs += limits.sessionIdleMs - 60_000
    expect(await statusOf(visitor)).toBe(200)
    aheadMs += limits.sessionIdleMs - 60_000
    expect(await statusOf(visitor)).toBe(200)
    aheadMs += limits.sessionIdleMs
    expect(await statusOf(visitor)).toBe(401)

    const other = await signedIn('viewer')
    for (let passedMs = 0; passedMs < limits.sessionMs; passedMs += limits.sessionIdleMs / 2) {
      expect(await statusOf(other.visitor)).toBe(200)
      aheadMs += limits.sessionIdleMs / 2
    }
    expect(await statusOf(other.visitor)).toBe(401)
  })

  test('that is over is deleted at the next sign-in of anybody', async () => {
    const { email } = await signedIn('viewer')
    const kept = async () =>
      service.database.db.query('select 1 from user_sessions s join users u on u.id = s.user_id where u.email = $1', [
        email,
      ])
    aheadMs += limits.sessionIdleMs - 60_000
    await signedIn('viewer')
    expect(await kept()).toHaveLength(1)
    aheadMs += 60_000
    await signedIn('viewer')
    expect(await kept()).toEqual([])
  })

  test('ends with a sign-out, and all sessions with a sign-out everywhere', async () => {
    const { email, visitor } = await signedIn('viewer')
    const [phone, laptop] = [openVisitor(service), openVisitor(service)]
    for (const one of [phone, laptop]) await one.signIn(email, password)
    const before = copyOf(visitor)
    const left = await visitor.send('POST', '/v1/sign-out', { body: {} })
    expect(left.headers.getSetCookie()[0]).toMatch(/^skillrun-session=; .*Max-Age=0/)
    expect([await statusOf(before), await statusOf(phone), await statusOf(laptop)]).toEqual([401, 200, 200])
    const phoneBefore = copyOf(phone)
    await phone.send('POST', '/v1/sign-out', { body: { everywhere: true } })
    expect([await statusOf(phoneBefore), await statusOf(laptop)]).toEqual([401, 401])
  })

  test('of a user who changes the password is replaced, and the others end', async () => {
    const { email, visitor } = await signedIn('editor')
    const other = openVisitor(service)
    await other.signIn(email, password)
    const before = copyOf(visitor)
    const next = 'a quite different password'
    const change = (current_password: string, new_password: string) =>
      visitor.send('POST', '/v1/me/password', { body: { current_password, new_password } })
    expect((await change('wrong', next)).status).toBe(403)
    expect((await change(password, 'short')).json.detail).toBe('A password needs at least 12 characters')
    expect((await change(password, 'aaaaaaaaaaaaaaaa')).json.detail).toContain('5 different characters')
    expect((await change(password, email)).json.detail).toContain('more than the email address')
    expect((await change(password, password)).status).toBe(400)
    expect((await change(password, next)).status).toBe(200)
    expect([await statusOf(visitor), await statusOf(before), await statusOf(other)]).toEqual([200, 401, 401])
    expect((await other.signIn(email, password)).status).toBe(401)
    expect((await other.signIn(email, next)).status).toBe(200)
  })

  test('of a user whose password somebody else chose can only change it', async () => {
    const added = (await service.call('POST', '/v1/users', { body: { email: 'new@example.com', role: 'admin' } })).json
    const visitor = openVisitor(service)
    await visitor.signIn('new@example.com', added.password)
    const refused = await visitor.send('GET', '/v1/users')
    expect([refused.status, refused.json.detail]).toEqual([403, expect.stringContaining('change it first')])
    await visitor.send('POST', '/v1/me/password', {
      body: { current_password: added.password, new_password: password },
    })
    expect(await statusOf(visitor, '/v1/users')).toBe(200)
  })

  test('is one of at most 50 of a user: the newest are kept', async () => {
    const { email, visitor } = await signedIn('viewer')
    const { db } = service.database
    await db.query(
      `insert into user_sessions (id, user_id, sha256, created_at, seen_at)
       select gen_random_uuid(), u.id, sha256(n::text::bytea), $2, $2 from users u, generate_series(1, $3::int) n where u.email = $1`,
      [email, new Date(clock.now().getTime() + 1), limits.sessionsPerUserMax - 1],
    )
    expect(await statusOf(visitor)).toBe(200)
    aheadMs += 1_000
    expect((await openVisitor(service).signIn(email, password)).status).toBe(200)
    expect(await statusOf(visitor)).toBe(401)
    const [row] = await db.query<{ count: number }>(
      `select count(*)::int as count from user_sessions s join users u on u.id = s.user_id where u.email = $1`,
      [email],
    )
    expect(row?.count).toBe(limits.sessionsPerUserMax)
  })
})

describe('a stream of events that is open', () => {
  const open = async (headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/v1/agent/events`, { headers })
    expect(response.status).toBe(200)
    return { ended: response.text() }
  }
  const headersOf = ({ cookie = '', csrfToken = '' }: Visitor) => ({ Cookie: cookie, 'X-CSRF-Token': csrfToken })

  test('ends when its user is disabled, signs out, or gets a new password', async () => {
    const [disabled, left, changed] = [await signedIn('viewer'), await signedIn('viewer'), await signedIn('viewer')]
    // Each is open before anything happens to its user.
    const streams = await Promise.all([disabled, left, changed].map(({ visitor }) => open(headersOf(visitor))))
    const other = await open(headersOf((await signedIn('viewer')).visitor))
    await service.call('PUT', `/v1/users/${disabled.id}`, { body: { disabled: true } })
    await left.visitor.send('POST', '/v1/sign-out', { body: {} })
    await service.call('POST', `/v1/users/${changed.id}/reset-password`)
    await Promise.all(streams.map(({ ended }) => ended))
    expect(await Promise.race([other.ended, Promise.resolve('still open')])).toBe('still open')
  })

  test('ends when its key is revoked', async () => {
    const key = (await service.call('POST', '/v1/keys', { body: { scopes: ['read'] } })).json
    const stream = await open({ Authorization: `Bearer ${key.key}` })
    await service.call('DELETE', `/v1/keys/${key.id}`)
    await stream.ended
  })
})

describe('a role', () => {
  test.each([
    ['viewer', [200, 403, 403, 403, 403, 403]],
    ['reviewer', [200, 200, 403, 403, 403, 403]],
    ['editor', [200, 200, 422, 422, 403, 403]],
    ['admin', [200, 200, 422, 422, 200, 200]],
  ])('%s may do what its scopes say', async (role, expected) => {
    const { visitor } = await signedIn(role)
    const seen = [
      await visitor.send('GET', '/v1/agent/executions'),
      await visitor.send('POST', '/v1/reviews/claim', { body: {} }),
      await visitor.send('POST', '/v1/agent/execute', { body: {} }),
      await visitor.send('POST', '/v1/skills/create', { body: {} }),
      await visitor.send('GET', '/v1/keys'),
      await visitor.send('GET', '/v1/users'),
    ]
    expect(seen.map(({ status }) => status)).toEqual(expected)
  })

  test('holds at once after it was changed', async () => {
    const { id, visitor } = await signedIn('viewer')
    const claim = () => visitor.send('POST', '/v1/reviews/claim', { body: {} })
    expect((await claim()).json.detail).toBe('This route needs a role with the scope review; yours has read')
    expect((await service.call('PUT', `/v1/users/${id}`, { body: { role: 'reviewer' } })).json.role).toBe('reviewer')
    expect((await claim()).status).toBe(200)
  })
})

describe('what a user does', () => {
  test('carries their name: executions, reviews, claims and the audit log', async () => {
    const { id, visitor } = await signedIn('admin')
    const schema = {
      type: 'object',
      properties: { total: { type: ['number', 'null'] }, order: { type: ['string', 'null'] } },
    }
    const made = await visitor.send('POST', '/v1/agent/execute', {
      body: { batch: false, inputs: { text: 'Total: 5.00' }, config: { json_schema: schema, review: { below: 1 } } },
    })
    expect(made.json.status, JSON.stringify(made.json)).toBe('completed')
    const by = { kind: 'user', id, name: `Person ${count}` }
    const claimed = await visitor.send('POST', `/v1/reviews/${made.json.id}/claim`)
    expect(claimed.json.claim.by).toEqual(by)
    const other = await signedIn('reviewer')
    const refused = await other.visitor.send('POST', `/v1/reviews/${made.json.id}/claim`)
    expect([refused.status, refused.json.detail]).toEqual([409, expect.stringContaining(by.name)])
    // Another session of the same person has the same claim.
    const again = openVisitor(service)
    await again.signIn((await visitor.send('GET', '/v1/me')).json.email, password)
    const reviewed = await again.send('POST', `/v1/agent/executions/${made.json.id}/review`, {
      body: { changes: [{ path: '/total', value: 6 }], done: true },
    })
    expect(reviewed.json.review, JSON.stringify(reviewed.json)).toMatchObject({ by })
    const { json: entries } = await visitor.send('GET', `/v1/audit?subject_id=${made.json.id}`)
    expect(entries[0]).toMatchObject({
      action: 'review.save',
      user_id: id,
      user_name: by.name,
      key_id: null,
      key_name: null,
      key_hint: null,
    })
    const assigned = await visitor.send('GET', `/v1/audit?key_id=${id}&limit=1000`)
    expect(assigned.json.map((one: { user_id: string }) => one.user_id)).toEqual(Array.from(assigned.json, () => id))
  })

  test('is not among the keys, and a membership cannot be revoked or used as one', async () => {
    const { id } = await signedIn('admin')
    const keys = (await service.call('GET', '/v1/keys')).json
    expect(keys.map((one: { id: string }) => one.id)).not.toContain(id)
    expect((await service.call('DELETE', `/v1/keys/${id}`)).status).toBe(404)
    expect((await service.call('GET', '/v1/me', { key: id })).status).toBe(401)
  })

  test('is logged from sign-in to sign-out, without email address, network or password', async () => {
    const { id, email, visitor } = await signedIn('viewer')
    await openVisitor(service).signIn(email, 'not the password')
    const changed = { current_password: password, new_password: 'another long password' }
    await visitor.send('POST', '/v1/me/password', { body: changed })
    await visitor.send('POST', '/v1/sign-out', { body: {} })
    await service.call('POST', `/v1/users/${id}/reset-password`)
    const actions = async () =>
      (await service.call('GET', `/v1/audit?subject_id=${id}`)).json.map((one: { action: string }) => one.action)
    await expect
      .poll(async () => (await actions()).toSorted())
      .toEqual(
        [
          ...['user.create', 'user.sign_in', 'user.change_password', 'user.sign_in_failed'],
          ...['user.sign_out', 'user.reset_password'],
        ].toSorted(),
      )
    const text = JSON.stringify((await service.call('GET', `/v1/audit?subject_id=${id}`)).json)
    expect(text).not.toMatch(/example\.com|127\.0\.0\.1|not the password|battery/)
  })
})

describe('users', () => {
  test('are listed with role and last sign-in, and never with a hash', async () => {
    const { id, email } = await signedIn('editor')
    const { json } = await service.call('GET', '/v1/users')
    expect(json.find((one: { id: string }) => one.id === id)).toEqual({
      id,
      email,
      name: `Person ${count}`,
      role: 'editor',
      workspace: 'main',
      disabled: false,
      has_password: true,
      has_provider: false,
      must_change_password: false,
      created_at: expect.any(String),
      signed_in_at: expect.any(String),
    })
    expect(JSON.stringify(json)).not.toMatch(/scrypt|\$/)
    const [row] = await service.database.db.query<{ password: string }>('select password from users where email = $1', [
      email,
    ])
    expect(row?.password).toMatch(/^\$scrypt\$[\w=,]+\$[\w+/]{22}\$[\w+/]{43}$/)
  })

  test('who are disabled have no session any more and get none, until they are enabled', async () => {
    const { id, email, visitor } = await signedIn('viewer')
    expect((await service.call('PUT', `/v1/users/${id}`, { body: { disabled: true } })).json.disabled).toBe(true)
    expect(await statusOf(visitor)).toBe(401)
    expect((await openVisitor(service).signIn(email, password)).status).toBe(401)
    await service.call('PUT', `/v1/users/${id}`, { body: { disabled: false } })
    expect(await statusOf(visitor)).toBe(401)
    expect((await openVisitor(service).signIn(email, password)).status).toBe(200)
  })

  test('whose password was reset have no session any more, and only the new password', async () => {
    const { id, email, visitor } = await signedIn('viewer')
    const reset = (await service.call('POST', `/v1/users/${id}/reset-password`)).json
    expect(reset.password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
    expect(await statusOf(visitor)).toBe(401)
    expect((await openVisitor(service).signIn(email, password)).status).toBe(401)
    expect((await openVisitor(service).signIn(email, reset.password)).json.user.must_change_password).toBe(true)
  })

  test('who were removed leave no personal data behind, but what they did stays theirs', async () => {
    const { id, email, visitor } = await signedIn('editor')
    await visitor.send('POST', '/v1/skills/create', {
      body: { name: 'kept-skill', description: 'Of someone', prompt: 'Say hello' },
    })
    expect((await service.call('DELETE', `/v1/users/${id}`)).json.email).toBe(email)
    expect(await statusOf(visitor)).toBe(401)
    expect((await openVisitor(service).signIn(email, password)).status).toBe(401)
    expect((await service.call('DELETE', `/v1/users/${id}`)).status).toBe(404)
    const rows = await service.database.db.query(
      `select to_jsonb(u) as row from users u union all select to_jsonb(k) from keys k union all select to_jsonb(s) from user_sessions s union all select to_jsonb(a) from audit a`,
    )
    expect(JSON.stringify(rows)).not.toContain(email)
    expect(JSON.stringify(rows)).not.toContain(`"Person ${count}"`)
    const [entry] = (await service.call('GET', `/v1/audit?action=skill.create&key_id=${id}`)).json
    expect(entry).toMatchObject({ user_id: id, user_name: 'Deleted user' })
    // The address is free again, for another account with another id.
    const again = await addPerson('viewer', { email })
    expect(again.id).not.toBe(id)
  })

  test('cannot be added twice, nor with a bad address, name, role or password', async () => {
    const { email } = await addPerson('viewer')
    const add = async (body: object) => (await service.call('POST', '/v1/users', { body })).status
    expect(await add({ email: email.toUpperCase(), role: 'viewer' })).toBe(409)
    expect(await add({ email: 'no address', role: 'viewer' })).toBe(422)
    expect(await add({ email: 'a@example.com', role: 'owner' })).toBe(422)
    expect(await add({ email: 'a@example.com', role: 'viewer', name: 'two\nlines' })).toBe(422)
    expect(await add({ email: 'a@example.com', role: 'viewer', password: 'a@example.com' })).toBe(400)
    const both = await Promise.all([1, 2].map(() => add({ email: 'twins@example.com', role: 'viewer' })))
    expect(both.toSorted()).toEqual([201, 409])
  })

  test('always include an admin who can sign in', async () => {
    await using own = await openTestService()
    const add = async (email: string) =>
      (await own.call('POST', '/v1/users', { body: { email, role: 'admin', password } })).json.id as string
    const one = await add('one@example.com')
    const change = (id: string, body: object) => own.call('PUT', `/v1/users/${id}`, { body })
    const isLast = async (reply: ReturnType<typeof change>) => {
      const { status, json } = await reply
      expect([status, json.detail]).toEqual([409, expect.stringContaining('is the last admin of the workspace main')])
    }
    await isLast(change(one, { role: 'editor' }))
    await isLast(change(one, { disabled: true }))
    await isLast(own.call('DELETE', `/v1/users/${one}`))
    const two = await add('two@example.com')
    // Two admins who remove each other at the same time.
    const statuses = await Promise.all([change(one, { role: 'viewer' }), change(two, { disabled: true })])
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const admins = (await own.call('GET', '/v1/users')).json.filter(
      (user: { role: string; disabled: boolean }) => user.role === 'admin' && !user.disabled,
    )
    expect(admins).toHaveLength(1)
    // One without a password cannot sign in here, so that its removal is no loss, and its presence no gain.
    const locked = { email: 'locked@example.com', role: 'admin', password: null }
    const { id } = (await own.call('POST', '/v1/users', { body: locked })).json
    await isLast(change(admins[0].id, { role: 'editor' }))
    expect((await own.call('DELETE', `/v1/users/${id}`)).status).toBe(200)
  })

  test('from the environment are made once, and keep what was changed since', async () => {
    const env = { SKILLRUN_ADMIN_EMAIL: 'first@example.com', SKILLRUN_ADMIN_PASSWORD: password }
    await using first = await openTestService({ env, ownParts: true })
    const visitor = openVisitor(first)
    await visitor.signIn('first@example.com', password)
    const changed = { current_password: password, new_password: 'changed by its owner' }
    await visitor.send('POST', '/v1/me/password', { body: changed })
    const [kept] = await first.database.db.query<{ password: string }>('select password from users')
    expect(kept?.password).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
    await using second = await openTestService({ env, database: first.database })
    expect((await openVisitor(second).signIn('first@example.com', password)).status).toBe(401)
    expect((await openVisitor(second).signIn('first@example.com', 'changed by its owner')).status).toBe(200)
    await expect(openTestService({ env: { ...env, SKILLRUN_ADMIN_PASSWORD: 'short' } })).rejects.toThrow(
      /SKILLRUN_ADMIN_PASSWORD is "\(not shown\)", but should be a good password/,
    )
  })
})

describe('workspaces', () => {
  test('a user is a member of several with a role in each, and a request names one', async () => {
    const stranger = await service.stranger()
    const { email, visitor } = await signedIn('viewer')
    await service.call('POST', '/v1/users', { body: { email, role: 'admin', workspace: 'strangers' } })
    const { json: me } = await visitor.send('GET', '/v1/me')
    expect(me.workspaces.map((one: { name: string; role: string }) => [one.name, one.role])).toEqual([
      ['main', 'viewer'],
      ['strangers', 'admin'],
    ])
    const [main, strangers] = me.workspaces.map((one: { id: string }) => one.id)
    const own = await visitor.send('GET', '/v1/keys', { headers: { 'X-Skillrun-Workspace': main } })
    expect(own.status).toBe(403)
    const theirs = await visitor.send('GET', '/v1/keys', { headers: { 'X-Skillrun-Workspace': strangers } })
    expect(theirs.json).toEqual((await service.call('GET', '/v1/keys', { key: stranger })).json)
    const nowhere = await visitor.send('GET', '/v1/me', { headers: { 'X-Skillrun-Workspace': crypto.randomUUID() } })
    expect([nowhere.status, nowhere.json.detail]).toEqual([403, expect.stringContaining('X-Skillrun-Workspace')])
    const { json: users } = await service.call('GET', '/v1/users?workspace=strangers')
    const [member] = users.filter((one: { email: string }) => one.email === email)
    expect((await service.call('DELETE', `/v1/users/${member.id}?workspace=strangers`, {})).status).toBe(409)
    await service.call('POST', '/v1/users', {
      body: { email: 'their-admin@example.com', role: 'admin', workspace: 'strangers' },
    })
    expect((await service.call('DELETE', `/v1/users/${member.id}?workspace=strangers`, {})).status).toBe(200)
    // The account is still that of the other workspace.
    expect((await visitor.send('GET', '/v1/me')).json.workspaces).toHaveLength(1)
    expect((await visitor.send('GET', '/v1/keys', { headers: { 'X-Skillrun-Workspace': strangers } })).status).toBe(403)
  })

  test('an admin of another one neither sees, adds nor takes over accounts of others', async () => {
    const key = await service.stranger()
    const victim = await addPerson('admin')
    const call = (method: string, path: string, body?: object) => service.call(method, path, { key, body })
    expect((await call('POST', '/v1/users', { email: victim.email, role: 'viewer' })).status).toBe(409)
    expect((await call('GET', '/v1/users?workspace=main')).status).toBe(403)
    expect((await call('POST', '/v1/users', { email: 'x@example.com', role: 'admin', workspace: 'main' })).status).toBe(
      403,
    )
    expect((await call('PUT', `/v1/users/${victim.id}`, { disabled: true })).status).toBe(404)
    expect((await call('POST', `/v1/users/${victim.id}/reset-password`, {})).status).toBe(404)
    expect((await call('DELETE', `/v1/users/${victim.id}`)).status).toBe(404)
    // Once shared, the account is still not theirs.
    await service.call('POST', '/v1/users', { body: { email: victim.email, role: 'viewer', workspace: 'strangers' } })
    const [shared] = (await call('GET', '/v1/users')).json.filter(
      (one: { email: string }) => one.email === victim.email,
    )
    for (const body of [{ disabled: true }, { name: 'Somebody' }])
      expect((await call('PUT', `/v1/users/${shared.id}`, body)).status).toBe(403)
    expect((await call('POST', `/v1/users/${shared.id}/reset-password`, {})).status).toBe(403)
    expect((await call('PUT', `/v1/users/${shared.id}`, { role: 'editor' })).json.role).toBe('editor')
    expect((await openVisitor(service).signIn(victim.email, password)).json.user).toMatchObject({ role: 'admin' })
  })
})
