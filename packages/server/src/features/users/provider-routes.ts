import { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'
import { z } from 'zod'
import { escapeHtml, pageHeaders, pageOf } from '../../adapters/http/page.ts'
import { type Incoming, type Reply, type Route, route } from '../../adapters/http/route.ts'
import type { SessionCookies } from '../../adapters/http/session-cookies.ts'
import type { IdentityProvider } from '../../adapters/identity-provider/identity-provider.ts'
import { limits } from '../../core/limits.ts'
import { continueFlow, type ProviderFlow, startFlow } from './provider-flow.ts'
import type { ProviderPolicy } from './provider-policy.ts'
import type { SignInParts } from './sign-in.ts'
import { signInByProvider } from './sign-in-by-provider.ts'

/** The identity provider by which people sign in. */
export interface ProviderParts {
  readonly identities: IdentityProvider
  readonly policy: ProviderPolicy
  /** Derives what binds a sign-in to its browser. */
  readonly secret: Uint8Array
  /** Undefined: the address of each request. */
  readonly publicUrl: string | undefined
}

interface ProviderRouteParts extends SignInParts {
  readonly cookies: SessionCookies
  readonly provider: ProviderParts | undefined
}

type Visit = Pick<Incoming<unknown, unknown, unknown>, 'headers' | 'origin' | 'network'>

export const providerPaths = { sign_in_url: '/v1/sign-in/provider', sign_out_url: '/v1/sign-in/provider/sign-out' }
const callbackPath = '/v1/sign-in/provider/callback'

const text = z.string().max(4_096).optional()
const statuses: Readonly<Record<string, number>> = { forbidden: 403, limited: 429, unavailable: 503, missing: 404 }

/** Pages that a browser visits on its way to the identity provider and back. */
export function providerRoutes(parts: ProviderRouteParts): Route[] {
  const { cookies, clock, log } = parts
  const common = { method: 'get', tag: 'users', scope: 'public', hidden: true } as const
  const reply = { status: 303, description: 'To the next page' }

  /** Runs a step for a browser, which gets a page about what went wrong. */
  const step = async ({ network }: Visit, work: (provider: ProviderParts) => Promise<Reply>): Promise<Reply> => {
    try {
      if (!parts.provider)
        throw new Fault('missing', 'no_provider', 'This server has no identity provider: set SKILLRUN_OIDC_ISSUER')
      const standing = await parts.limits.perNetwork.count(network)
      if (standing.exceeded)
        throw new Fault(
          'limited',
          'too_many_sign_ins',
          `Too many sign-ins; wait ${standing.resetSeconds} s and try again`,
        )
      return await work(parts.provider)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      log.warn({ network, code: error.code, reason: reasonOf(error) }, 'a sign-in by the provider was refused')
      const page = refusalPage(error.message)
      return {
        status: statuses[error.kind] ?? 400,
        stream: Readable.from([Buffer.from(page)]),
        headers: pageHeaders,
        cookies: [cookies.signInFlow.clear()],
      }
    }
  }
  const originOf = ({ origin }: Visit, { publicUrl }: ProviderParts): string => publicUrl ?? origin
  const withAddress = (asked: Visit, provider: ProviderParts, flow: ProviderFlow) => ({
    ...flow,
    redirectUri: originOf(asked, provider) + callbackPath,
  })

  return [
    route({
      ...common,
      path: providerPaths.sign_in_url,
      operation: 'beginProviderSignIn',
      summary: 'Send the browser to the identity provider',
      query: z.object({ return_to: z.string().max(1_000).optional() }),
      reply,
      failures: [403, 404, 503],
      handle: (asked) =>
        step(asked, async (provider) => {
          cookies.refuseForeignPage(asked.headers)
          const flow = startFlow({ secret: provider.secret, now: clock.now() }, asked.query.return_to ?? '/')
          const url = await provider.identities.authorizationUrl(withAddress(asked, provider, flow))
          return redirect(url, [cookies.signInFlow.set(flow.cookie, limits.providerSignInMs)])
        }),
    }),
    route({
      ...common,
      path: callbackPath,
      operation: 'endProviderSignIn',
      summary: 'Where the identity provider sends the browser back to: sets a session cookie',
      query: z.object({ code: text, state: text, iss: text, error: text }),
      reply,
      failures: [403, 404, 503],
      handle: (asked) =>
        step(asked, async (provider) => {
          const given = { cookie: cookies.signInFlow.in(asked.headers), state: asked.query.state }
          const flow = continueFlow({ secret: provider.secret, now: clock.now() }, given)
          if (!flow)
            throw new Fault(
              'forbidden',
              'other_sign_in',
              'This is not the sign-in that this browser began last, or it took longer than 10 minutes. Sign in again',
            )
          const query = new URLSearchParams()
          for (const [name, value] of Object.entries(asked.query)) if (value !== undefined) query.set(name, value)
          const identity = await provider.identities.identify(query, withAddress(asked, provider, flow))
          const replaced = cookies.tokenIn(asked.headers)
          const { token } = await signInByProvider(
            { everywhere: parts.everywhere, clock, policy: provider.policy },
            identity,
            { replaced },
          )
          // Behind a router the browser has chosen this shard: pages have no prefix.
          return redirect(new URL(originOf(asked, provider)).origin + flow.returnTo, [
            cookies.set(token, provider.policy.sessionMs),
            cookies.signInFlow.clear(),
          ])
        }),
    }),
    route({
      ...common,
      path: providerPaths.sign_out_url,
      operation: 'signOutAtProvider',
      summary: 'Send the browser to the page of the identity provider that ends its session there',
      reply,
      failures: [404, 503],
      handle: (asked) =>
        step(asked, async (provider) => {
          const url = await provider.identities.signOutUrl(`${originOf(asked, provider)}/`)
          if (url !== undefined) return redirect(url)
          throw new Fault('missing', 'no_sign_out', `${provider.policy.name} has no page to sign out: sign out there`)
        }),
    }),
  ]
}

const refusalPage = (detail: string): string =>
  pageOf(
    'You are not signed in',
    `<h1>You are not signed in</h1><p>${escapeHtml(detail)}.</p><p><a href="${providerPaths.sign_in_url}">Sign in again</a> · <a href="/">Other ways to sign in</a></p>`,
  )

const redirect = (url: string, cookies: readonly string[] = []): Reply => ({
  stream: Readable.from([]),
  headers: { Location: url, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
  cookies,
})

/** For the log: what the library found, without values of the reply. */
function reasonOf({ cause }: Fault): string | undefined {
  const deepest = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return deepest instanceof Error ? deepest.message.slice(0, 200) : undefined
}
