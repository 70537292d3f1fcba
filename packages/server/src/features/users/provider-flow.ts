import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '../../core/limits.ts'

/**
 * One sign-in at the provider. Its cookie is random, and what the provider gets is derived from it with the server's secret:
 * nothing is kept on the server, any process can go on with it, and nobody can make up the parts that belong to a cookie.
 */
export interface ProviderFlow {
  readonly cookie: string
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** A path of the console. */
  readonly returnTo: string
}

interface FlowParts {
  readonly secret: Uint8Array
  readonly now: Date
}

export function startFlow({ secret, now }: FlowParts, returnTo: string): ProviderFlow {
  const expiresMs = now.getTime() + limits.providerSignInMs
  const path = Buffer.from(pathOf(returnTo)).toString('base64url')
  return flowOf(secret, `${randomBytes(32).toString('base64url')}.${expiresMs}.${path}`)
}

/** The flow of a cookie; undefined without one, after its time, and where the state is that of another one. */
export function continueFlow(
  { secret, now }: FlowParts,
  given: { cookie: string | undefined; state: string | undefined },
): ProviderFlow | undefined {
  const { cookie = '', state = '' } = given
  const expiresMs = Number(/^[\w-]{43}\.(\d{1,15})\.[\w-]*$/.exec(cookie)?.[1] ?? 0)
  if (expiresMs <= now.getTime()) return undefined
  const flow = flowOf(secret, cookie)
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(flow.state), digest(state)) ? flow : undefined
}

function flowOf(secret: Uint8Array, cookie: string): ProviderFlow {
  const derived = (use: string) => createHmac('sha256', secret).update(`oidc ${use}\n${cookie}`).digest('base64url')
  return {
    cookie,
    ...{ state: derived('state'), nonce: derived('nonce'), verifier: derived('verifier') },
    returnTo: pathOf(Buffer.from(cookie.split('.')[2] ?? '', 'base64url').toString()),
  }
}

const base = 'http://console.invalid'

/** A path of this server; `/` for everything that a browser could read as another address. */
function pathOf(text: string): string {
  const url = /^\/(?![/\\])/.test(text) ? URL.parse(text, base) : null
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
