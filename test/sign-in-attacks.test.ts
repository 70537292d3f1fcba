import { beforeEach, describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { Fault } from '../packages/core/src/fault.ts'
import { silentLog } from '../packages/server/src/core/log.ts'
import type { PasswordHasher } from '../packages/server/src/features/users/passwords.ts'
import { type SignInParts, signInByPassword } from '../packages/server/src/features/users/sign-in.ts'
import { opened } from './support/opened.ts'
import { send } from './support/send.ts'
import { openTestService } from './support/service.ts'
import { openVisitor, type Visitor } from './support/visitor.ts'

// Each test is something that a hostile visitor would try.

/** The server's clock stands still: limits per minute must not depend on how long a test takes. */
let nowMs = Date.now()
const clock: Clock = { ...systemClock, now: () => new Date(nowMs), monotonicMs: () => nowMs }
const password = 'correct horse battery staple'
const admin = 'admin@example.com'
const service = await opened(
  openTestService({ clock, env: { SKILLRUN_ADMIN_EMAIL: admin, SKILLRUN_ADMIN_PASSWORD: password } }),
)
beforeEach(() => {
  // Another minute for limits of sign-ins.
  nowMs += 61_000
})

async function signedIn(email = admin): Promise<Visitor> {
  const visitor = openVisitor(service)
  expect((await visitor.signIn(email, password)).status).toBe(200)
  return visitor
}
const add = async (email: string, more: object = {}) =>
  (await service.call('POST', '/v1/users', { body: { email, role: 'viewer', password, ...more } })).json
/** What a page of another site sends along. */
const foreign = [
  { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
  { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
  // Another program on this machine: the same site, and the cookie is sent.
  { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' },
  // An image or a link.
  { 'Sec-Fetch-Site': 'cross-site' },
  { 'Sec-Fetch-Site': 'same-site' },
]

describe('a foreign page', () => {
  test.each(foreign)('cannot sign a browser in as somebody else: %j', async (headers) => {
    const visitor = openVisitor(service)
    const reply = await visitor.send('POST', '/v1/sign-in', { body: { email: admin, password }, headers })
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([403, []])
  })

  test.each(foreign)(
    'can neither read nor change anything with the cookie of a visitor, even with the token: %j',
    async (headers) => {
      const visitor = await signedIn()
      for (const [method, path] of [
        ['GET', '/v1/sign-in'],
        ['GET', '/v1/users'],
        ['POST', '/v1/keys'],
        ['POST', '/v1/sign-out'],
      ] as const) {
        const reply = await visitor.send(method, path, { headers, ...(method === 'POST' ? { body: {} } : {}) })
        expect([path, reply.status, reply.json.detail]).toEqual([
          path,
          403,
          expect.stringContaining('pages of this server'),
        ])
        expect(reply.headers.has('access-control-allow-origin')).toBe(false)
      }
    },
  )

  test('cannot use the cookie without the token: to read, to write, to upload, to stream', async () => {
    const visitor = await signedIn()
    const { csrfToken } = visitor
    const other = await signedIn()
    const form = () => {
      const body = new FormData()
      body.append('file', new Blob(['of a foreign page']), 'note.txt')
      return body
    }
    const requests = [
      ['GET', '/v1/me', undefined],
      ['GET', '/v1/agent/executions/events', undefined],
      ['POST', '/v1/keys', {}],
      ['POST', '/v1/files', form],
      ['DELETE', `/v1/users/${crypto.randomUUID()}`, undefined],
    ] as const
    for (const token of [undefined, '', 'x', other.csrfToken, `${csrfToken}x`])
      for (const [method, path, body] of requests) {
        visitor.csrfToken = token
        const reply = await visitor.send(method, path, { body: typeof body === 'function' ? body() : body })
        expect([path, reply.status, reply.json.detail]).toEqual([path, 403, expect.stringContaining('X-CSRF-Token')])
      }
    visitor.csrfToken = csrfToken
    expect((await visitor.send('POST', '/v1/files', { body: form() })).status).toBe(201)
  })

  test('on a name that points to this server (DNS rebinding) is no page of it', async () => {
    const { cookie = '', csrfToken = '' } = await signedIn()
    const ask = async (method: string, path: string, headers: Record<string, string>, body?: object) =>
      send(service.url + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    const rebound = { Host: 'evil.example:8080', Origin: 'http://evil.example:8080', 'Sec-Fetch-Site': 'same-origin' }
    const reply = await ask('POST', '/v1/sign-in', rebound, { email: admin, password })
    expect([reply.status, reply.headers['set-cookie']]).toEqual([403, undefined])
    expect(reply.text).toContain('SKILLRUN_PUBLIC_URL')
    const { Host, 'Sec-Fetch-Site': site } = rebound
    const headers = { Host, 'Sec-Fetch-Site': site, Cookie: cookie, 'X-CSRF-Token': csrfToken }
    expect((await ask('GET', '/v1/users', headers)).status).toBe(403)
    expect((await ask('GET', '/v1/sign-in', headers)).status).toBe(403)
    // An address is no name, and needs no configuration.
    const { host } = new URL(service.url)
    expect((await ask('GET', '/v1/users', { ...headers, Host: host })).status).toBe(200)
    expect((await ask('GET', '/v1/users', { ...headers, Host: 'localhost:1' })).status).toBe(200)
  })
})

describe('a session token', () => {
  test('that was planted before the sign-in is not adopted, and a session from before ends', async () => {
    const visitor = openVisitor(service)
    const planted = `skillrun-session=${'a'.repeat(43)}`
    visitor.cookie = planted
    await visitor.signIn(admin, password)
    expect(visitor.cookie).not.toBe(planted)
    const before = openVisitor(service)
    Object.assign(before, { cookie: visitor.cookie, csrfToken: visitor.csrfToken })
    await add('other@example.com')
    await visitor.signIn('other@example.com', password)
    expect((await before.send('GET', '/v1/users')).status).toBe(401)
  })

  test('beside another cookie of its name is not used', async () => {
    const visitor = await signedIn()
    const own = visitor.cookie
    for (const cookie of [`skillrun-session=${'b'.repeat(43)}; ${own}`, `${own}; skillrun-session=`]) {
      visitor.cookie = cookie
      expect((await visitor.send('GET', '/v1/users')).status).toBe(401)
    }
  })

  test('is not accepted beside a key, right or wrong, and not as a key', async () => {
    const visitor = await signedIn()
    const key = (await service.call('POST', '/v1/keys', { body: { scopes: ['read'] } })).json.key
    const withKey = (headers: Record<string, string>) => visitor.send('GET', '/v1/users', { headers })
    expect((await withKey({ Authorization: `Bearer ${key}` })).status).toBe(403)
    expect((await withKey({ Authorization: 'Bearer sk-run-nobodys' })).status).toBe(401)
    expect((await withKey({ Authorization: 'Basic eDp5' })).status).toBe(401)
    expect((await withKey({ 'X-API-Key': 'sk-run-nobodys' })).status).toBe(401)
    const token = visitor.cookie?.split('=')[1] ?? ''
    expect((await service.call('GET', '/v1/users', { key: token })).status).toBe(401)
  })

  test('cannot be guessed often, and is kept as a hash alone', async () => {
    const visitor = await signedIn()
    const token = visitor.cookie?.split('=')[1] ?? ''
    const rows = await service.database.db.query('select to_jsonb(s) as row from user_sessions s')
    expect(JSON.stringify(rows)).not.toContain(token)
    const { createHmac } = await import('node:crypto')
    const statuses: number[] = []
    for (let n = 0; n < 40; n++) {
      const guess = String(n).padStart(43, 'c')
      visitor.cookie = `skillrun-session=${guess}`
      visitor.csrfToken = createHmac('sha256', guess).update('csrf').digest('base64url')
      statuses.push((await visitor.send('GET', '/v1/users')).status)
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    // Who has a session goes on.
    expect((await (await signedIn()).send('GET', '/v1/users')).status).toBe(200)
  })

  test('and accounts are invisible to the statements of any request', async () => {
    const [workspace] = await service.database.db.query<{ id: string }>('select id from workspaces limit 1')
    const within = service.database.db.within(workspace?.id ?? '')
    for (const table of ['users', 'user_sessions']) expect(await within.query(`select 1 from ${table}`)).toEqual([])
  })
})

describe('a guesser', () => {
  test('learns from no reply which addresses have an account', async () => {
    await add('disabled@example.com')
    const [user] = (await service.call('GET', '/v1/users')).json.filter(
      (one: { email: string }) => one.email === 'disabled@example.com',
    )
    await service.call('PUT', `/v1/users/${user.id}`, { body: { disabled: true } })
    await add('no-password@example.com', { password: null })
    const replies = []
    for (const [email, text] of [
      ['nobody@example.com', password],
      [admin, 'wrong password of admin'],
      ['disabled@example.com', password],
      ['disabled@example.com', 'wrong password'],
      ['no-password@example.com', password],
    ] as const) {
      const { status, headers, json } = await openVisitor(service).signIn(email, text)
      const kept = [...headers].filter(([name]) => !/^(date|x-request-id)$/.test(name))
      replies.push(JSON.stringify([status, kept, json]))
    }
    expect(new Set(replies).size).toBe(1)
    expect(replies[0]).toContain('The email address or the password is not right')
  })

  test('gets ten tries a minute for an address, known or not, wherever they come from', async () => {
    for (const email of [admin, 'nobody@example.com']) {
      const statuses: number[] = []
      for (let n = 0; n < 11; n++) statuses.push((await openVisitor(service).signIn(email, 'wrong')).status)
      expect(statuses).toEqual([...Array(10).fill(401), 429])
      // The right password does not help any more, in any writing of the address.
      const right = await openVisitor(service).signIn(` ${email.toUpperCase()}`, password)
      expect([right.status, Number(right.headers.get('retry-after'))]).toEqual([429, expect.any(Number)])
      expect(right.headers.getSetCookie()).toEqual([])
    }
    nowMs += 61_000
    await signedIn()
  })

  test('gets sixty tries a minute from one network for all addresses together', async () => {
    const tryOne = async (n: number) => (await openVisitor(service).signIn(`person-${n}@example.com`, 'wrong')).status
    expect(await tryOne(0)).toBe(401)
    // As if 57 more had been tried, on another process.
    const counted = await service.database.db.query(
      `update rate_counts set taken = taken + 57 where who = 'sign-ins from 127.0.0.1' returning taken`,
    )
    expect(counted).toEqual([{ taken: 58 }])
    expect([await tryOne(1), await tryOne(2), await tryOne(3), await tryOne(4)]).toEqual([401, 401, 429, 429])
  })

  test('of the current password of a stolen session gets as few', async () => {
    const visitor = await signedIn()
    const statuses: number[] = []
    for (let n = 0; n < 10; n++) {
      const body = { current_password: `guess ${n}`, new_password: 'a password of the thief' }
      statuses.push((await visitor.send('POST', '/v1/me/password', { body })).status)
    }
    expect(statuses).toEqual([...Array(9).fill(403), 429])
  })

  test('cannot break the form: texts that are too long, empty, or no text', async () => {
    for (const body of [
      { email: admin, password: 'x'.repeat(257) },
      { email: 'x'.repeat(255), password },
      { email: '', password: '' },
      { email: { $ne: null }, password: { $ne: null } },
      { email: admin, password: 'nul\u0000' },
      {},
    ])
      expect((await openVisitor(service).send('POST', '/v1/sign-in', { body })).status, JSON.stringify(body)).toBe(422)
    const headers = { 'Content-Type': 'text/plain' }
    expect((await openVisitor(service).send('POST', '/v1/sign-in', { body: {}, headers })).status).toBe(422)
  })
})

describe('the check of a password', () => {
  const hash = '$scrypt$of-a-test'
  /** PasswordHasher whose check counts, and does something else meanwhile. */
  const parts = (meanwhile: () => Promise<unknown> = async () => undefined) => {
    const checked: (string | null)[] = []
    const passwords: PasswordHasher = {
      hash: async () => hash,
      matches: async (given, kept) => {
        checked.push(kept)
        await meanwhile()
        return given === password && kept !== null
      },
      isOutdated: () => false,
    }
    const never = { count: async () => ({ limit: 1, remaining: 1, resetSeconds: 1, exceeded: false }) }
    const made: SignInParts = {
      ...{ everywhere: service.database.db, clock, log: silentLog, passwords },
      limits: { perEmail: never, perNetwork: never },
    }
    return { made, checked }
  }
  const given = (email: string) => ({ email, password, network: '127.0.0.1', replaced: undefined })

  test('costs a hash for every address, with an account or without', async () => {
    await add('hashed-off@example.com', { password: null })
    for (const email of [admin, 'nobody@example.com', 'hashed-off@example.com']) {
      const { made, checked } = parts()
      await signInByPassword(made, { ...given(email), password: 'wrong' }).catch((error: unknown) =>
        expect(error).toBeInstanceOf(Fault),
      )
      expect([email, checked.length]).toEqual([email, 1])
    }
  })

  test.each([
    ['disables the user', (id: string) => service.call('PUT', `/v1/users/${id}`, { body: { disabled: true } })],
    ['resets the password', (id: string) => service.call('POST', `/v1/users/${id}/reset-password`)],
    ['removes the user', (id: string) => service.call('DELETE', `/v1/users/${id}`)],
  ])('lets nobody in when an admin %s meanwhile', async (what, act) => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    const { id } = await add(email)
    const { made } = parts(() => act(id))
    await expect(signInByPassword(made, given(email))).rejects.toThrow(/is not right/)
    const sessions = await service.database.db.query(
      'select 1 from user_sessions s join keys k on k.user_id = s.user_id where k.id = $1',
      [id],
    )
    expect(sessions).toEqual([])
  })
})
