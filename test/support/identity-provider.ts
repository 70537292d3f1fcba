import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

/** What the provider knows of a person. */
export interface Person {
  readonly email?: string
  readonly email_verified?: boolean
  readonly name?: string
  readonly groups?: readonly string[]
}

/** A real OpenID provider on this machine. It signs in whom `signingIn` names, without a form. */
export interface TestProvider extends AsyncDisposable {
  readonly issuer: string
  /** Where it listens. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** By their subject. */
  readonly people: Map<string, Person>
  /** The subject who signs in; null: somebody who gives up. */
  signingIn: string | null
  /** Changes the claims of ID tokens, which are signed again with the provider's key, or with another one. */
  forge: { claims?: Record<string, unknown>; otherKey?: boolean } | undefined
  /** Changes what the provider says of itself. */
  describe: Record<string, string> | undefined
  /** Answers each request with 503. */
  isAway: boolean
  /** Requests by path. */
  readonly seen: string[]
  /** Registers the server whose users sign in. */
  register(origin: string): void
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const foreignKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const keyId = 'one'

/** `named`: the issuer by which it is known, for which somebody answers who ends TLS before it. */
export async function openIdentityProvider(more: Configuration = {}, named?: string): Promise<TestProvider> {
  let listener: RequestListener = (_, response) => response.writeHead(404).end()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://provider').pathname
    open.seen.push(path)
    if (open.isAway) response.writeHead(503).end('away')
    else listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const issuer = named ?? url
  const clientId = 'skillrun'
  const clientSecret = 'the secret of the client, with & and %'
  const open: TestProvider = {
    ...{
      issuer,
      url,
      clientId,
      clientSecret,
      people: new Map(),
      signingIn: null,
      forge: undefined,
      describe: undefined,
      isAway: false,
      seen: [],
    },
    register(origin) {
      const provider = new Provider(issuer, {
        clients: ['skillrun', 'another'].map((client_id) => ({
          ...{ client_id, client_secret: clientSecret },
          redirect_uris: [`${origin}/v1/sign-in/provider/callback`],
          post_logout_redirect_uris: [`${origin}/`],
        })),
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }] } as never,
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
        cookies: { keys: ['a key of the test'] },
        pkce: { required: () => true },
        findAccount: (_, id) => {
          const person = open.people.get(id)
          return person && { accountId: id, claims: () => ({ sub: id, ...person }) }
        },
        features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
        interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
        // Nobody is asked whether they agree.
        async loadExistingGrant({ oidc }) {
          const { session, client } = oidc
          const grant = new provider.Grant({
            ...(client ? { clientId: client.clientId } : {}),
            ...(session?.accountId ? { accountId: session.accountId } : {}),
          })
          grant.addOIDCScope('openid email profile')
          await grant.save()
          return grant
        },
        ...more,
      })
      provider.proxy = named !== undefined
      provider.use(async (context, next) => {
        await next()
        if (context.path.startsWith('/.well-known/') && context.body) Object.assign(context.body, open.describe)
        if (context.path === '/token' && open.forge && context.body && typeof context.body === 'object')
          Object.assign(context.body, { id_token: forged((context.body as { id_token: string }).id_token, open.forge) })
      })
      const answer = provider.callback()
      listener = (request, response) => {
        if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
        const result =
          open.signingIn === null
            ? { error: 'access_denied' }
            : { login: { accountId: open.signingIn, remember: false } }
        void provider.interactionFinished(request, response, result)
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return open
}

function forged(token: string, { claims, otherKey }: NonNullable<TestProvider['forge']>): string {
  const text = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const read = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object
  const signed = `${text({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${text({ ...read, ...claims })}`
  const key = otherKey ? foreignKey : createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`
}

/** A browser that follows redirects, and keeps the cookies of each origin. */
export interface TravellingBrowser {
  readonly cookies: Map<string, Map<string, string>>
  /** Follows redirects until a reply that is none, or until `stop` says so, and gives that reply and its address. */
  visit(
    url: string,
    stop?: (next: string) => boolean,
  ): Promise<{ status: number; url: string; text: string; next?: string }>
}

export function openTravellingBrowser(
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
): TravellingBrowser {
  const cookies = new Map<string, Map<string, string>>()
  return {
    cookies,
    async visit(first, stop = () => false) {
      let from: string | undefined
      for (let url = first; ; ) {
        const { origin } = new URL(url)
        const jar = cookies.get(origin) ?? new Map<string, string>()
        cookies.set(origin, jar)
        // What a browser sends with a navigation: cookies that are for this site alone stay away when it comes from another one.
        const isForeign = from !== undefined && from !== origin
        const sent = [...jar].filter(([, value]) => !(isForeign && value.includes('SameSite=Strict')))
        const response = await send(url, {
          redirect: 'manual',
          headers: {
            Cookie: sent.map(([name, value]) => `${name}=${value.split(';')[0]}`).join('; '),
            'Sec-Fetch-Site': from === undefined ? 'none' : isForeign ? 'cross-site' : 'same-origin',
          },
        })
        for (const set of response.headers.getSetCookie()) {
          const [name = '', value = ''] = set.split(/=(.*)/s)
          if (/Max-Age=0/i.test(set) || /expires=Thu, 01 Jan 1970/i.test(set)) jar.delete(name)
          else jar.set(name, value)
        }
        const text = await response.text()
        const location = response.headers.get('location')
        if (response.status < 300 || response.status > 399 || location === null)
          return { status: response.status, url, text }
        const next = new URL(location, url).href
        if (stop(next)) return { status: response.status, url, text, next }
        from = isForeign ? from : origin
        url = next
      }
    },
  }
}
