import { tmpdir } from 'node:os'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { skillrun } from '../packages/cli/src/command-line.ts'
import { type Clock, systemClock } from '../packages/core/src/clock.ts'
import { readConfig } from '../packages/server/src/config.ts'
import {
  openIdentityProvider,
  openTravellingBrowser,
  type Person,
  type TestProvider,
  type TravellingBrowser,
} from './support/identity-provider.ts'
import { send } from './support/send.ts'
import { openTestService, type TestService } from './support/service.ts'
import { temporaryFolder } from './support/temporary-folder.ts'
import { openVisitor } from './support/visitor.ts'

const hourMs = 3_600_000
let aheadMs = 0
const clock: Clock = {
  ...systemClock,
  now: () => new Date(Date.now() + aheadMs),
  monotonicMs: () => systemClock.monotonicMs() + aheadMs,
}

const envOf = (provider: TestProvider, more: Record<string, string> = {}) => ({
  SKILLRUN_OIDC_ISSUER: provider.issuer,
  SKILLRUN_OIDC_CLIENT_ID: provider.clientId,
  SKILLRUN_OIDC_CLIENT_SECRET: provider.clientSecret,
  SKILLRUN_OIDC_NAME: 'Works Directory',
  ...more,
})

/** A server with a provider of its own. */
async function openBoth(more: Record<string, string> = {}) {
  const provider = await openIdentityProvider()
  const service = await openTestService({ clock, env: envOf(provider, more) })
  provider.register(service.url)
  return {
    ...{ provider, service },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}

let provider: TestProvider
let service: TestService
beforeAll(async () => {
  provider = await openIdentityProvider()
  service = await openTestService({ clock, env: envOf(provider, { SKILLRUN_OIDC_EMAIL_DOMAINS: 'example.com' }) })
  provider.register(service.url)
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  // Another minute for limits of sign-ins.
  aheadMs += 61_000
  provider.forge = undefined
  provider.isAway = false
})

const beginPath = '/v1/sign-in/provider'
let count = 0
/** A person at the provider; with a role also a user of the server. */
async function person(more: Person & { role?: string } = {}, at = { provider, service }) {
  const subject = `subject-${++count}`
  const email = more.email ?? `person-${count}@example.com`
  const { role, ...claims } = more
  at.provider.people.set(subject, { email_verified: true, name: `Person ${count}`, ...claims, email })
  at.provider.signingIn = subject
  if (!role) return { subject, email, id: '' }
  const added = await at.service.call('POST', '/v1/users', { body: { email, role, password: null } })
  expect(added.status, JSON.stringify(added.json)).toBe(201)
  return { subject, email, id: added.json.id as string }
}

/** The session of a browser, as a page of the console has it. */
async function stateOf(browser: TravellingBrowser, at = service) {
  const visitor = openVisitor(at)
  const jar = browser.cookies.get(at.url)
  const token = jar?.get('skillrun-session')?.split(';')[0]
  visitor.cookie = token === undefined ? undefined : `skillrun-session=${token}`
  const { json } = await visitor.send('GET', '/v1/sign-in')
  return { visitor, user: json.user }
}
async function signIn(subject: string, at = { provider, service }, browser = openTravellingBrowser()) {
  at.provider.signingIn = subject
  browser.cookies.delete(at.provider.issuer)
  const end = await browser.visit(at.service.url + beginPath)
  return { browser, end, ...(await stateOf(browser, at.service)) }
}
/** As far as the address to which the provider sends the browser back. */
async function almostSignedIn(subject: string, change = (url: URL) => url) {
  provider.signingIn = subject
  const browser = openTravellingBrowser()
  const begun = await browser.visit(service.url + beginPath, (next) => next.startsWith(provider.issuer))
  const changed = change(new URL(begun.next ?? '')).href
  const { next = '' } = await browser.visit(changed, (url) => url.startsWith(service.url))
  return { browser, back: new URL(next) }
}

describe('a person', () => {
  test('whom an admin added signs in at the provider and has a session like any other', async () => {
    const { email, subject } = await person({ role: 'reviewer' })
    const { end, browser, user, visitor } = await signIn(subject)
    expect(end.url).toBe(`${service.url}/`)
    expect(user).toMatchObject({ email, role: 'reviewer', has_password: false, must_change_password: false })
    expect((await visitor.send('GET', '/v1/reviews')).status).toBe(200)
    expect(browser.cookies.get(service.url)?.get('skillrun-session')).toMatch(
      /^[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=28800$/,
    )
    expect([...(browser.cookies.get(service.url)?.keys() ?? [])]).toEqual(['skillrun-session'])
    const audit = (await service.call('GET', '/v1/audit?action=user.sign_in')).json
    expect(JSON.stringify(audit)).toContain('"by":"provider"')
  })

  test('goes where they wanted to, and signs out', async () => {
    const { subject } = await person({ role: 'viewer' })
    provider.signingIn = subject
    const browser = openTravellingBrowser()
    const end = await browser.visit(`${service.url}${beginPath}?return_to=/executions%3Fstatus%3Dfailed`)
    expect(end.url).toBe(`${service.url}/executions?status=failed`)
    const { visitor } = await stateOf(browser)
    await visitor.send('POST', '/v1/sign-out', { body: {} })
    expect((await stateOf(browser)).user).toBeNull()
    const { next = '' } = await browser.visit(`${service.url}${beginPath}/sign-out`, (url) =>
      url.startsWith(provider.issuer),
    )
    expect(next).toContain(`post_logout_redirect_uri=${encodeURIComponent(`${service.url}/`)}`)
    expect((await browser.visit(next)).status).toBe(200)
  })

  test('is followed by their subject when the address changes, and keeps their account', async () => {
    const { email, subject, id } = await person({ role: 'viewer' })
    await signIn(subject)
    provider.people.set(subject, { email: 'married@example.com', email_verified: true })
    const { user } = await signIn(subject)
    expect(user).toMatchObject({ id, email })
  })

  test('who is nobody here is refused, and told by which address', async () => {
    const { email, subject } = await person()
    const { end, user } = await signIn(subject)
    expect([end.status, user]).toEqual([403, null])
    expect(end.text).toContain(`${email} has no account here`)
    expect((await service.call('GET', '/v1/users')).json.map((one: { email: string }) => one.email)).not.toContain(
      email,
    )
  })

  test.each([
    ['without an address', { email: '' }, 'no email address'],
    ['whose address is not verified', { email_verified: false }, 'has not verified'],
    ['of another domain', { email: 'eve@example.org' }, 'example.org cannot sign in here'],
    ['of a domain that ends alike', { email: 'eve@notexample.com' }, 'notexample.com cannot sign in here'],
  ])('%s is refused', async (_, claims, why) => {
    const { subject } = await person()
    const { email } = { email: `known-${count}@example.com`, ...claims }
    if (email) await service.call('POST', '/v1/users', { body: { email, role: 'admin', password: null } })
    provider.people.set(subject, { email_verified: true, ...claims, email })
    const { end, user } = await signIn(subject)
    expect([end.status, user]).toEqual([403, null])
    expect(end.text).toContain(why)
  })

  test('who is disabled, or was removed, cannot sign in', async () => {
    const { subject, id, email } = await person({ role: 'viewer' })
    const { visitor } = await signIn(subject)
    await service.call('PUT', `/v1/users/${id}`, { body: { disabled: true } })
    expect((await visitor.send('GET', '/v1/me')).status).toBe(401)
    expect((await signIn(subject)).end.text).toContain('disabled')
    await service.call('PUT', `/v1/users/${id}`, { body: { disabled: false } })
    expect((await signIn(subject)).user).not.toBeNull()
    await service.call('DELETE', `/v1/users/${id}`)
    expect((await signIn(subject)).end.text).toContain(`${email} has no account here`)
  })

  test('who gives up at the provider comes back to a page that says so', async () => {
    const browser = openTravellingBrowser()
    provider.signingIn = null
    const end = await browser.visit(service.url + beginPath)
    expect([end.status, end.text]).toEqual([
      403,
      expect.stringContaining('Works Directory refused the sign-in (access_denied)'),
    ])
  })

  test('takes over the account that an admin made with a password, which no longer works', async () => {
    const { subject, email } = await person()
    const password = 'correct horse battery staple'
    await service.call('POST', '/v1/users', { body: { email, role: 'editor', password } })
    const before = openVisitor(service)
    await before.signIn(email, password)
    const { user } = await signIn(subject)
    expect(user).toMatchObject({ role: 'editor', must_change_password: false })
    expect((await before.send('GET', '/v1/me')).status).toBe(401)
    expect((await openVisitor(service).signIn(email, password)).status).toBe(401)
  })

  test('who got the address of somebody else does not get their account', async () => {
    const first = await person({ role: 'admin' })
    await signIn(first.subject)
    const { subject } = await person({ email: first.email })
    const { end, user } = await signIn(subject)
    expect([end.status, user]).toEqual([403, null])
    expect(end.text).toContain('belonged to another person')
  })

  test('signs in again after the hours of a session, and is not let in when the provider removed them', async () => {
    const { subject } = await person({ role: 'viewer' })
    const { browser, visitor } = await signIn(subject)
    const use = async () => (await visitor.send('GET', '/v1/me')).status
    aheadMs += 8 * hourMs - 60_000
    expect(await use()).toBe(200)
    aheadMs += 60_000
    expect(await use()).toBe(401)
    provider.people.delete(subject)
    const { end, user } = await signIn(subject, { provider, service }, browser)
    expect(new URL(end.url).origin).not.toBe(service.url)
    expect(user).toBeNull()
    const kept = await service.database.db.query('select 1 from user_sessions where ends_at <= $1', [clock.now()])
    const other = await person({ role: 'viewer' })
    await signIn(other.subject)
    expect(kept.length).toBeGreaterThan(0)
    expect(await service.database.db.query('select 1 from user_sessions where ends_at <= $1', [clock.now()])).toEqual(
      [],
    )
  })
})

describe('a reply of the provider', () => {
  test('that belongs to another browser is refused before anything is sent to the provider', async () => {
    const { subject } = await person({ role: 'admin' })
    const { back } = await almostSignedIn(subject)
    const victim = openTravellingBrowser()
    // The victim began a sign-in too, or did not.
    for (const begins of [false, true]) {
      if (begins) await victim.visit(service.url + beginPath, (next) => next.startsWith(provider.issuer))
      const asked = provider.seen.length
      const end = await victim.visit(back.href)
      expect([end.status, end.text]).toEqual([403, expect.stringContaining('not the sign-in that this browser began')])
      expect((await stateOf(victim)).user).toBeNull()
      expect(provider.seen.length).toBe(asked)
    }
  })

  test.each(['state', 'code', 'iss'])('with another %s is refused', async (name) => {
    const { subject } = await person({ role: 'admin' })
    const { browser, back } = await almostSignedIn(subject)
    const value = back.searchParams.get(name) ?? ''
    back.searchParams.set(name, name === 'iss' ? 'https://evil.example' : `${value.slice(0, -2)}xy`)
    expect((await browser.visit(back.href)).status).toBe(403)
    expect((await stateOf(browser)).user).toBeNull()
  })

  test.each(['state', 'code', 'iss'])('without its %s is refused', async (name) => {
    const { subject } = await person({ role: 'admin' })
    const { browser, back } = await almostSignedIn(subject)
    back.searchParams.delete(name)
    expect((await browser.visit(back.href)).status).toBe(403)
    expect((await stateOf(browser)).user).toBeNull()
  })

  test('is good once: neither the same browser nor a copy of it can use the code again', async () => {
    const { subject } = await person({ role: 'viewer' })
    const { browser, back } = await almostSignedIn(subject)
    const copy = openTravellingBrowser()
    copy.cookies.set(service.url, new Map(browser.cookies.get(service.url)))
    expect((await browser.visit(back.href)).url).toBe(`${service.url}/`)
    expect((await browser.visit(back.href)).text).toContain('not the sign-in that this browser began')
    const again = await copy.visit(back.href)
    expect([again.status, again.text]).toEqual([403, expect.stringContaining('accepts each one once')])
    expect((await stateOf(copy)).user).toBeNull()
  })

  test('that comes after ten minutes is refused', async () => {
    const { subject } = await person({ role: 'viewer' })
    const { browser, back } = await almostSignedIn(subject)
    aheadMs += 10 * 60_000
    expect((await browser.visit(back.href)).text).toContain('longer than 10 minutes')
    expect((await stateOf(browser)).user).toBeNull()
  })

  test.each([
    ['another nonce', (url: URL) => url.searchParams.set('nonce', 'of-another-sign-in')],
    [
      'another PKCE challenge',
      (url: URL) => url.searchParams.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'),
    ],
    ['another client', (url: URL) => url.searchParams.set('client_id', 'another')],
  ])('to a request that was changed on its way to %s is refused', async (_, change) => {
    const { subject } = await person({ role: 'admin' })
    const { browser, back } = await almostSignedIn(subject, (url) => {
      change(url)
      return url
    })
    expect(back.searchParams.has('code')).toBe(true)
    expect((await browser.visit(back.href)).status).toBe(403)
    expect((await stateOf(browser)).user).toBeNull()
  })

  test.each([
    ['for another audience', { claims: { aud: 'another' } }],
    ['for several audiences, ours not the party', { claims: { aud: ['skillrun', 'another'], azp: 'another' } }],
    ['of another issuer', { claims: { iss: 'https://evil.example' } }],
    ['of another sign-in', { claims: { nonce: 'of another sign-in' } }],
    ['without a nonce', { claims: { nonce: undefined } }],
    ['that has expired', { claims: { exp: Math.floor(Date.now() / 1000) - 3_600 } }],
    ['with the signature of a foreign key', { otherKey: true }],
    ['of another person than the one at the userinfo endpoint', { claims: { sub: 'somebody-else' } }],
  ])('with an ID token %s is refused', async (_, forge) => {
    const { subject } = await person({ role: 'admin' })
    provider.forge = {}
    expect((await signIn(subject)).user).not.toBeNull()
    provider.forge = forge
    const { end, user } = await signIn(subject)
    expect([end.status, user]).toEqual([403, null])
    expect(end.text).toContain('not valid for this sign-in')
  })
})

describe('a page that is not the console', () => {
  test.each([
    '//evil.example/x',
    'https://evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '@evil.example',
    'evil.example',
  ])('is never where a sign-in leads to: %j', async (path) => {
    const { subject } = await person({ role: 'viewer' })
    provider.signingIn = subject
    const browser = openTravellingBrowser()
    const query = new URLSearchParams({ return_to: path })
    const end = await browser.visit(`${service.url}${beginPath}?${query}`, (next) =>
      [service.url, provider.issuer].every((own) => new URL(next).origin !== own),
    )
    expect(end.next).toBeUndefined()
    expect(new URL(end.url).origin).toBe(service.url)
  })

  test('cannot begin a sign-in', async () => {
    const reply = await fetch(service.url + beginPath, {
      redirect: 'manual',
      headers: { 'Sec-Fetch-Site': 'cross-site' },
    })
    expect([reply.status, reply.headers.get('location')]).toEqual([403, null])
  })

  test('on a name that points to this server (DNS rebinding) cannot begin one either', async () => {
    const reply = await send(service.url + beginPath, { method: 'GET', headers: { Host: 'evil.example' } })
    expect([reply.status, reply.headers['location']]).toEqual([403, undefined])
    expect(reply.text).toContain('SKILLRUN_PUBLIC_URL')
  })

  test('that changes the cookie of a sign-in gets nowhere', async () => {
    const { subject } = await person({ role: 'viewer' })
    const { browser, back } = await almostSignedIn(subject)
    const jar = browser.cookies.get(service.url)
    const [random, expires] = (jar?.get('skillrun-sign-in') ?? '').split('.')
    jar?.set('skillrun-sign-in', `${random}.${expires}.${Buffer.from('/keys').toString('base64url')}; SameSite=Lax`)
    expect((await browser.visit(back.href)).status).toBe(403)
  })
})

describe('roles from a claim', () => {
  test('are kept by an admin who signs in by the provider, unless its domain keeps them out', async () => {
    await using both = await openBoth({ SKILLRUN_OIDC_EMAIL_DOMAINS: 'example.com' })
    const first = await person({ role: 'admin' }, both)
    const outside = await person({ role: 'admin', email: 'somebody@elsewhere.example' }, both)
    const remove = async (id: string) => (await both.service.call('DELETE', `/v1/users/${id}`)).status
    expect(await remove(first.id)).toBe(409)
    await person({ role: 'admin' }, both)
    expect([await remove(first.id), await remove(outside.id)]).toEqual([200, 200])
  })

  test('are followed at each sign-in, with the highest of several, and none keeps out and ends what is open', async () => {
    await using both = await openBoth({
      SKILLRUN_OIDC_ROLE_CLAIM: 'groups',
      SKILLRUN_OIDC_ROLES: '{"cn=admins,ou=x": "admin", "staff": "viewer", "auditors": "reviewer"}',
      SKILLRUN_OIDC_NEW_USERS: 'add',
    })
    const { subject, email } = await person({ groups: ['staff', 'auditors', 'others'] }, both)
    const first = await signIn(subject, both)
    expect(first.user).toMatchObject({ email, role: 'reviewer', name: `Person ${count}` })
    const change = (groups: readonly string[]) =>
      both.provider.people.set(subject, { email, email_verified: true, groups })
    change(['cn=admins,ou=x'])
    expect((await signIn(subject, both)).user.role).toBe('admin')
    // An open session follows too.
    expect((await first.visitor.send('GET', '/v1/users')).status).toBe(200)
    change(['staff'])
    const third = await signIn(subject, both)
    expect(third.user.role).toBe('viewer')
    expect((await first.visitor.send('GET', '/v1/users')).status).toBe(403)
    change(['others'])
    const { end, user } = await signIn(subject, both)
    expect([end.status, user]).toEqual([403, null])
    expect(end.text).toContain('gives you no role here')
    expect((await third.visitor.send('GET', '/v1/me')).status).toBe(401)
    const audit = (await both.service.call('GET', '/v1/audit?action=user.update')).json
    expect(JSON.stringify(audit)).toContain('"role":"viewer"')
  })

  test('are not asked for without such a claim: new people are viewers, and admins raise them', async () => {
    await using both = await openBoth({ SKILLRUN_OIDC_NEW_USERS: 'add', SKILLRUN_OIDC_TRUST_EMAIL: 'yes' })
    const { subject } = await person({ email_verified: false, groups: ['admin'] }, both)
    // Twice at once: one account.
    both.provider.signingIn = subject
    const [one, other] = [openTravellingBrowser(), openTravellingBrowser()]
    const ends = await Promise.all([one, other].map((browser) => browser.visit(both.service.url + beginPath)))
    expect(ends.map(({ url }) => url)).toEqual([`${both.service.url}/`, `${both.service.url}/`])
    const { user } = await stateOf(one, both.service)
    expect(user.role).toBe('viewer')
    await both.service.call('PUT', `/v1/users/${user.id}`, { body: { role: 'editor' } })
    expect((await signIn(subject, both)).user.role).toBe('editor')
    expect((await both.service.call('GET', '/v1/users')).json).toMatchObject([
      { has_provider: true, has_password: false },
    ])
  })
})

describe('a provider', () => {
  test('that is away stops no start and no key; sign-ins say so, and work when it is back', async () => {
    const own = await openIdentityProvider()
    await using _ = own
    own.isAway = true
    await using other = await openTestService({ clock, env: envOf(own) })
    own.register(other.url)
    const { subject } = await person({ role: 'viewer' }, { provider: own, service: other })
    expect((await other.call('GET', '/v1/sign-in', { key: null })).json).toMatchObject({
      password: false,
      provider: { name: 'Works Directory', sign_in_url: beginPath },
    })
    const away = await signIn(subject, { provider: own, service: other })
    expect([away.end.status, away.end.text]).toEqual([503, expect.stringContaining('Works Directory did not answer')])
    own.isAway = false
    expect((await signIn(subject, { provider: own, service: other })).user).not.toBeNull()
    // In the middle of a sign-in.
    own.signingIn = subject
    const browser = openTravellingBrowser()
    const { next = '' } = await browser.visit(other.url + beginPath, (url) =>
      url.startsWith(`${other.url}${beginPath}/`),
    )
    own.isAway = true
    expect((await browser.visit(next)).status).toBe(503)
    expect((await stateOf(browser, other)).user).toBeNull()
  })

  test('that sends the server to a private address on another host is refused unless it is allowed', async () => {
    for (const allowed of [false, true]) {
      const inside = await openIdentityProvider()
      await using _ = inside
      // Its token endpoint is at another port, as a hostile description could say.
      const own = await openIdentityProvider()
      await using __ = own
      const port = new URL(inside.issuer).port
      await using other = await openTestService({
        clock,
        env: envOf(own, allowed ? { SKILLRUN_ALLOW_PRIVATE: `127.0.0.1:${port}` } : {}),
      })
      own.register(other.url)
      own.describe = { token_endpoint: `${inside.issuer}/token` }
      const { subject } = await person({ role: 'viewer' }, { provider: own, service: other })
      const { end, user } = await signIn(subject, { provider: own, service: other })
      expect([user, inside.seen]).toEqual([null, allowed ? ['/token'] : []])
      if (!allowed) expect(end.text).toContain('SKILLRUN_ALLOW_PRIVATE')
    }
  })

  test('is checked by doctor', async () => {
    const folder = await temporaryFolder('oidc')
    const look = async (more: Record<string, string>) => {
      const environment = envOf(provider, more)
      const { stdout } = await skillrun(['doctor', '--json'], { folder, environment })
      return JSON.parse(stdout).find(({ name }: { name: string }) => name === 'OpenID provider')
    }
    expect(await look({})).toMatchObject({ status: 'ok', found: `${provider.issuer} answers` })
    provider.isAway = true
    expect(await look({})).toMatchObject({ status: 'missing', found: expect.stringContaining('answers 503') })
    provider.isAway = false
    expect(await look({ SKILLRUN_OIDC_ISSUER: `${provider.issuer}/` })).toMatchObject({
      status: 'missing',
      found: expect.stringContaining(`has the issuer "${provider.issuer}"`),
    })
  })

  test.each([
    [{ SKILLRUN_OIDC_ISSUER: 'http://id.example.com' }, 'an https address'],
    [{ SKILLRUN_OIDC_ISSUER: 'https://user:word@id.example.com' }, 'an https address'],
    [{ SKILLRUN_OIDC_ISSUER: '' }, 'SKILLRUN_OIDC_ISSUER'],
    [{ SKILLRUN_OIDC_CLIENT_ID: '' }, 'SKILLRUN_OIDC_CLIENT_ID'],
    [{ SKILLRUN_OIDC_SCOPES: 'email' }, 'openid among them'],
    [{ SKILLRUN_OIDC_ROLE_CLAIM: 'groups' }, 'together with SKILLRUN_OIDC_ROLE_CLAIM'],
    [{ SKILLRUN_OIDC_ROLE_CLAIM: 'groups', SKILLRUN_OIDC_ROLES: '[]' }, 'a JSON object'],
    [{ SKILLRUN_OIDC_NEW_USERS: 'yes' }, 'one of refuse, add'],
    [{ SKILLRUN_OIDC_EMAIL_DOMAINS: 'ann@example.com' }, 'domains such as'],
    [{ SKILLRUN_OIDC_SESSION_HOURS: '0' }, 'from 1 to 168'],
    [{ SKILLRUN_OIDC_ISUER: 'x' }, 'is not a setting'],
  ])('with wrong settings stops the start: %j', (more, why) => {
    expect(() => readConfig(envOf(provider, more as Record<string, string>), tmpdir())).toThrow(why)
  })

  test('is not there without settings: the pages say so', async () => {
    await using plain = await openTestService()
    const reply = await fetch(plain.url + beginPath)
    expect([reply.status, await reply.text()]).toEqual([404, expect.stringContaining('SKILLRUN_OIDC_ISSUER')])
  })
})
