import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import type { FailureBody } from '../../adapters/http/failure-form.ts'
import { type Caller, type Incoming, type Reply, type Route, route, scopes } from '../../adapters/http/route.ts'
import type { SessionCookies } from '../../adapters/http/session-cookies.ts'
import { limits } from '../../core/limits.ts'
import { findActor, workspaceForKeys } from '../keys/keys.ts'
import { type ProviderParts, providerPaths, providerRoutes } from './provider-routes.ts'
import { roles } from './roles.ts'
import { makeFindSession } from './sessions.ts'
import { changePassword, type SignInParts, signInByPassword, signOut, type TooSoon } from './sign-in.ts'
import { hasUsers, listMemberships } from './store.ts'

export interface SignInRouteParts extends SignInParts {
  readonly cookies: SessionCookies
  /** Undefined: people sign in by password alone. */
  readonly provider: ProviderParts | undefined
}

const me = z
  .object({
    kind: z.enum(['key', 'user']),
    id: z.string().describe('Of the key, or of the user in this workspace'),
    name: z.string(),
    email: z.string().nullable(),
    role: z.enum(roles).nullable().describe('null for keys'),
    scopes: z.array(z.enum(scopes)),
    has_password: z.boolean().describe('Whether the user can sign in by password'),
    must_change_password: z.boolean().describe('Until the password is changed, there are no scopes'),
    workspace: z.object({ id: z.string(), name: z.string() }),
    workspaces: z
      .array(z.object({ id: z.string(), name: z.string(), role: z.enum(roles) }))
      .describe('The workspaces of the user. A request selects one by its id in the header X-Skillrun-Workspace'),
  })
  .meta({ id: 'Me' })
type Me = z.infer<typeof me>

const signInState = z
  .object({
    password: z.boolean().describe('Whether there are users who sign in by password'),
    provider: z
      .object({
        name: z.string(),
        sign_in_url: z.string().describe('Where a browser goes to sign in; `?return_to=` names a path of the console'),
        sign_out_url: z.string().describe('Where a browser ends its session at the provider'),
      })
      .nullable()
      .describe('The identity provider by which people sign in'),
    user: me.nullable().describe('Who is signed in in this browser'),
    csrf_token: z
      .string()
      .nullable()
      .describe('Every request with the session cookie needs it in the header X-CSRF-Token'),
  })
  .meta({ id: 'SignInState' })
type SignInState = z.infer<typeof signInState>

const noStore = { 'Cache-Control': 'no-store' }
const passwordText = z.string().min(1).max(limits.passwordCharactersMax)

/** Signs people in and out, and reports the caller. */
export function signInRoutes(parts: SignInRouteParts): Route[] {
  const { everywhere, clock, cookies } = parts
  const findSession = makeFindSession({ everywhere, clock })

  const meOf = async (caller: Caller): Promise<Me> => {
    const { user, workspaceId, keyId } = caller
    const memberships = user ? await listMemberships(everywhere, user.id) : []
    const own = memberships.find((one) => one.id === keyId)
    const workspace = own
      ? { id: workspaceId, name: own.workspace }
      : await workspaceForKeys({ sql: everywhere, clock }, caller, { name: null, make: false })
    const actor = await findActor(everywhere, { workspaceId, keyId })
    return {
      ...{ kind: user ? 'user' : 'key', id: keyId, name: actor?.name ?? '', email: own?.user.email ?? null },
      role: own?.role ?? null,
      scopes: scopes.filter((one) => caller.scopes.includes(one)),
      has_password: own ? own.user.password !== null : false,
      must_change_password: user?.mustChangePassword ?? false,
      workspace: { id: workspace.id, name: workspace.name },
      workspaces: memberships.map((one) => ({ id: one.workspaceId, name: one.workspace, role: one.role })),
    }
  }

  const stateOf = async (token: string | undefined, workspaceId?: string): Promise<SignInState> => {
    const password = await hasUsers(everywhere)
    const provider = parts.provider ? { name: parts.provider.policy.name, ...providerPaths } : null
    const caller = token === undefined ? undefined : await findSession(token, workspaceId)
    if (token === undefined || !caller) return { password, provider, user: null, csrf_token: null }
    return { password, provider, user: await meOf(caller), csrf_token: cookies.csrfTokenOf(token) }
  }

  const begun = async (token: string): Promise<Reply<SignInState>> => ({
    json: await stateOf(token),
    headers: noStore,
    cookies: [cookies.set(token, limits.sessionMs)],
  })

  const userOf = ({ caller }: Pick<Incoming<unknown, unknown, unknown>, 'caller'>) => {
    if (caller.user) return caller.user
    throw new Fault(
      'invalid',
      'no_session',
      'This route needs a signed-in user; an API key has no session and no password',
    )
  }

  return [
    route({
      method: 'get',
      path: '/v1/sign-in',
      operation: 'getSignIn',
      tag: 'users',
      scope: 'public',
      summary: 'How people sign in, and who is signed in in this browser',
      reply: { status: 200, description: 'The state of the sign-in', schema: signInState },
      failures: [403],
      handle: async ({ headers }) => {
        const token = cookies.tokenIn(headers)
        if (token !== undefined) cookies.refuseForeignPage(headers)
        // A user who left that workspace starts in another one.
        const state = await stateOf(token, headers['x-skillrun-workspace']).catch((error: unknown) => {
          if (error instanceof Fault && error.code === 'not_a_member') return stateOf(token)
          throw error
        })
        return { json: state, headers: noStore }
      },
    }),
    route({
      method: 'post',
      path: '/v1/sign-in',
      operation: 'signIn',
      tag: 'users',
      scope: 'public',
      summary: 'Sign in by password: sets a session cookie',
      body: z
        .object({ email: z.string().min(1).max(limits.emailCharactersMax), password: passwordText })
        .meta({ id: 'SignInRequest' }),
      reply: { status: 200, description: 'Who is signed in', schema: signInState },
      failures: [401, 403, 429, 503],
      handle: async ({ headers, body, network }) => {
        cookies.refuseForeignPage(headers)
        const signedIn = await signInByPassword(parts, { ...body, network, replaced: cookies.tokenIn(headers) })
        return 'tooSoon' in signedIn ? tooSoonReply(signedIn) : begun(signedIn.token)
      },
    }),
    route({
      method: 'post',
      path: '/v1/sign-out',
      operation: 'signOut',
      tag: 'users',
      scope: 'any',
      summary: 'End the session of this browser, or all sessions of the user',
      body: z
        .object({ everywhere: z.boolean().nullish().describe('End all sessions of this user') })
        .nullish()
        .meta({ id: 'SignOutRequest' }),
      reply: { status: 200, description: 'The state of the sign-in', schema: signInState },
      failures: [400],
      handle: async (request) => {
        await signOut(parts, userOf(request), { isEverywhere: request.body?.everywhere === true })
        return { json: await stateOf(undefined), headers: noStore, cookies: [cookies.clear()] }
      },
    }),
    route({
      method: 'get',
      path: '/v1/me',
      operation: 'getMe',
      tag: 'users',
      scope: 'any',
      summary: 'Who is calling: the key or the signed-in user',
      reply: { status: 200, description: 'The caller', schema: me },
      handle: async ({ caller }) => ({ json: await meOf(caller), headers: noStore }),
    }),
    route({
      method: 'post',
      path: '/v1/me/password',
      operation: 'changePassword',
      tag: 'users',
      scope: 'any',
      summary: 'Change the password of the signed-in user: ends all other sessions',
      body: z.object({ current_password: passwordText, new_password: passwordText }).meta({ id: 'PasswordChange' }),
      reply: { status: 200, description: 'Who is signed in, with a new session', schema: signInState },
      failures: [400, 409, 429, 503],
      handle: async (request) => {
        const user = userOf(request)
        const email = (await listMemberships(everywhere, user.id))[0]?.user.email ?? ''
        const { current_password: current, new_password: next } = request.body
        const changed = await changePassword(parts, { id: user.id, email }, { current, next })
        return 'tooSoon' in changed ? tooSoonReply(changed) : begun(changed.token)
      },
    }),
    ...providerRoutes(parts),
  ]
}

const tooSoonReply = ({ tooSoon }: TooSoon): Reply<FailureBody> => ({
  status: 429,
  json: { detail: `More than ${tooSoon.limit} sign-ins a minute; wait ${tooSoon.resetSeconds} s and try again` },
  headers: { 'Retry-After': String(tooSoon.resetSeconds) },
})
