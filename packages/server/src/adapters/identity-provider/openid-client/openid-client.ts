import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import * as oidc from 'openid-client'
import { limits } from '../../../core/limits.ts'
import type { Identity, IdentityProvider, SignInFlow } from '../identity-provider.ts'

export interface OpenIdSettings {
  readonly issuer: string
  readonly clientId: string
  /** Undefined: a public client, with PKCE alone. */
  readonly clientSecret: string | undefined
  /** What people and messages call the provider. */
  readonly name: string
  readonly scopes: string
}

interface Reach {
  readonly clock: Clock
  /** For hosts other than the issuer's, which the issuer names; they are checked like every address from outside. */
  readonly fetch: typeof fetch
}

/** How long the provider's description of itself is used. Its keys are fetched again when a token names a new one. */
const describedMs = 3_600_000

/** A provider that is described at `<issuer>/.well-known/openid-configuration`. Nothing is fetched before the first sign-in. */
export function openIdProvider(settings: OpenIdSettings, parts: Reach): IdentityProvider {
  const issuer = new URL(settings.issuer)
  const send = boundedFetch(issuer.origin, parts.fetch)
  let described: { readonly untilMs: number; readonly configuration: Promise<oidc.Configuration> } | undefined

  const describe = (): Promise<oidc.Configuration> => {
    const nowMs = parts.clock.monotonicMs()
    if (described && nowMs < described.untilMs) return described.configuration
    const configuration = oidc.discovery(issuer, settings.clientId, undefined, clientAuthOf(settings.clientSecret), {
      [oidc.customFetch]: send,
      timeout: limits.identityProviderMs / 1000,
      // The signature of ID tokens is checked, although they come over TLS.
      execute: [oidc.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [])],
    })
    described = { untilMs: nowMs + describedMs, configuration }
    configuration.catch(() => {
      described = undefined
    })
    return configuration
  }
  const guarded = async <T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T> => {
    try {
      return await work(await describe())
    } catch (error) {
      throw faultOf(error, settings.name)
    }
  }

  return {
    authorizationUrl: (flow) =>
      guarded(async (configuration) => {
        const asked = {
          redirect_uri: flow.redirectUri,
          scope: settings.scopes,
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
          code_challenge_method: 'S256',
        }
        return oidc.buildAuthorizationUrl(configuration, asked).href
      }),
    identify: (query, flow) => guarded((configuration) => identified(configuration, query, flow)),
    signOutUrl: (returnTo) =>
      guarded(async (configuration) =>
        configuration.serverMetadata().end_session_endpoint === undefined
          ? undefined
          : oidc.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnTo }).href,
      ),
  }
}

/** Shows the secret in the header, as every provider has to allow, or in the body where the provider names that alone. */
function clientAuthOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  const [inHeader, inBody] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const allowed = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (allowed.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest)
  }
}

async function identified(
  configuration: oidc.Configuration,
  query: URLSearchParams,
  { redirectUri, state, nonce, verifier }: SignInFlow,
): Promise<Identity> {
  const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
  })
  const claims = tokens.claims()
  if (!claims) throw new TypeError('the ID token is missing')
  // Many providers put the email address and the groups there alone.
  const more =
    configuration.serverMetadata().userinfo_endpoint === undefined
      ? {}
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
  return { issuer: claims.iss, subject: claims.sub, claims: { ...more, ...claims } }
}

/**
 * `fetch` that sends requests for the issuer's own origin, which the operator configured, directly, and all others through
 * `checked`. No redirects; replies are limited in size.
 */
function boundedFetch(origin: string, checked: typeof fetch): oidc.CustomFetch {
  return async (url, options) => {
    const isIssuer = new URL(url).origin === origin
    const { method, headers, body, signal } = options
    const init = { method, headers, body: body ?? null, redirect: 'error', signal: signal ?? null } as RequestInit
    const response = await (isIssuer ? fetch : checked)(url, init)
    const bytes = await bytesOf(response)
    const isEmpty = [204, 205, 304].includes(response.status)
    return new Response(isEmpty ? null : bytes, { status: response.status, headers: response.headers })
  }
}

async function bytesOf(response: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > limits.identityProviderBytesMax) throw new TypeError('the reply is too long')
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Codes of the library for replies that are not what the protocol asks for: an outage or another server. */
const outages = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
]

function faultOf(error: unknown, name: string): Fault {
  const cause = { cause: error }
  if (error instanceof oidc.AuthorizationResponseError)
    return new Fault('forbidden', 'provider_refused', `${name} refused the sign-in (${codeIn(error.error)})`, cause)
  if (error instanceof oidc.ResponseBodyError && error.status < 500) {
    if (error.error === 'invalid_grant')
      return new Fault(
        'forbidden',
        'sign_in_over',
        `This sign-in is over: ${name} accepts each one once. Sign in again`,
        cause,
      )
    return new Fault(
      'unavailable',
      'provider_settings',
      `${name} does not accept this server (${codeIn(error.error)}): an operator has to correct SKILLRUN_OIDC_CLIENT_ID, SKILLRUN_OIDC_CLIENT_SECRET, or what is registered at the provider`,
      cause,
    )
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (egressRefusal(error))
    return new Fault(
      'unavailable',
      'provider_forbidden',
      `${name} names an address that is not public: an operator has to allow it in SKILLRUN_ALLOW_PRIVATE`,
      cause,
    )
  if (error instanceof oidc.ClientError && !outages.includes(code))
    return new Fault(
      'forbidden',
      'provider_reply',
      `The reply of ${name} is not valid for this sign-in. Sign in again`,
      cause,
    )
  return new Fault('unavailable', 'provider_away', `${name} did not answer as it should; try again in a moment`, cause)
}

/** An error code of the protocol. Other text may be anybody's. */
const codeIn = (text: string): string => (/^[a-z_]{1,50}$/.test(text) ? text : 'no reason given')

function egressRefusal(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof Fault && at.code === 'url_forbidden') return true
  return false
}
