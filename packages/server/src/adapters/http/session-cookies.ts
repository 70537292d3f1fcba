import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Fault } from '@skillrun/core/fault.ts'
import { loopbackHost } from './origin.ts'

type Headers = Readonly<Record<string, string | undefined>>

/** The cookie of a signed-in browser, and the rules that keep other pages from using it. */
export interface SessionCookies {
  /** The session token of a request; undefined without one, beside another credential, or when the cookie is ambiguous. */
  tokenIn(headers: Headers): string | undefined
  /** The value of `Set-Cookie`. */
  set(token: string, maxAgeMs: number): string
  /** The value of `Set-Cookie` that removes the cookie. */
  clear(): string
  /** The cookie of a sign-in at a provider, which is also sent when the provider sends the browser back. */
  readonly signInFlow: {
    in(headers: Headers): string | undefined
    set(value: string, maxAgeMs: number): string
    clear(): string
  }
  /** The value that a page has to send as `X-CSRF-Token`. Only a page that can read our replies knows it. */
  csrfTokenOf(token: string): string
  /** Throws Fault `forbidden` (`foreign_page`) for a request from a page of another site. */
  refuseForeignPage(headers: Headers): void
  /** As `refuseForeignPage`, also for a request without the session's `X-CSRF-Token`. */
  refuseForgery(headers: Headers, token: string): void
}

/**
 * Cookies for a server at `publicUrl` (undefined: at the address of each request). Over https the name has the prefix `__Host-`:
 * neither another host of the domain nor a page over http can set such a cookie.
 */
export function makeSessionCookies({ publicUrl }: { publicUrl: string | undefined }): SessionCookies {
  const isHttps = publicUrl?.startsWith('https:') === true
  const nameOf = (plain: string) => (isHttps ? `__Host-${plain}` : plain)
  const attributesOf = (site: 'Strict' | 'Lax') => `Path=/; HttpOnly; SameSite=${site}${isHttps ? '; Secure' : ''}`
  const name = nameOf('skillrun-session')
  const attributes = attributesOf('Strict')
  const flowName = nameOf('skillrun-sign-in')
  const csrfTokenOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

  const refuseForeignPage = (headers: Headers) => {
    const { host = '', origin, 'sec-fetch-site': site } = headers
    const own = publicUrl === undefined ? undefined : new URL(publicUrl)
    // A page of an attacker whose name was pointed at this server (DNS rebinding) has that name as its host.
    const isOwnHost = host.toLowerCase() === own?.host || isAddress(host)
    const isOwnOrigin =
      origin === undefined || origin === own?.origin || (isAddress(host) && origin === `http://${host}`)
    const isOwnSite = site === undefined || site === 'same-origin' || site === 'none'
    if (isOwnHost && isOwnOrigin && isOwnSite) return
    if (isOwnSite && (origin === undefined || origin === `http://${host}` || origin === `https://${host}`))
      throw new Fault(
        'forbidden',
        'unknown_host',
        `Sign-in does not work at the host ${JSON.stringify(host.slice(0, 255))}: set SKILLRUN_PUBLIC_URL to the URL of this page; a proxy in front has to pass the Host header`,
      )
    throw new Fault(
      'forbidden',
      'foreign_page',
      'Requests of a signed-in browser are only accepted from the pages of this server; other programs use a key',
    )
  }

  return {
    tokenIn(headers) {
      if (headers['authorization'] !== undefined || headers['x-api-key'] !== undefined) return undefined
      const token = onlyCookie(headers, name)
      return token !== undefined && /^[\w-]{43}$/.test(token) ? token : undefined
    },
    set: (token, maxAgeMs) => `${name}=${token}; ${attributes}; Max-Age=${Math.floor(maxAgeMs / 1000)}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
    signInFlow: {
      in: (headers) => onlyCookie(headers, flowName),
      set: (value, maxAgeMs) => `${flowName}=${value}; ${attributesOf('Lax')}; Max-Age=${Math.floor(maxAgeMs / 1000)}`,
      clear: () => `${flowName}=; ${attributesOf('Lax')}; Max-Age=0`,
    },
    csrfTokenOf,
    refuseForeignPage,
    refuseForgery(headers, token) {
      refuseForeignPage(headers)
      if (isSameText(headers['x-csrf-token'] ?? '', csrfTokenOf(token))) return
      throw new Fault(
        'forbidden',
        'csrf_token',
        'A request with a session cookie needs the header X-CSRF-Token with the csrf_token of GET /v1/sign-in',
      )
    },
  }
}

/** The cookie of a name; undefined where there are two, because another site has set one of them. */
function onlyCookie(headers: Headers, name: string): string | undefined {
  const values = (headers['cookie'] ?? '').split(';').flatMap((pair) => {
    const [before = '', ...value] = pair.split('=')
    return before.trim() === name ? [value.join('=').trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** Whether a Host header names this machine, or is an IP address: DNS records of an attacker cannot produce such a host. */
function isAddress(host: string): boolean {
  if (loopbackHost.test(host)) return true
  const plain = host.replace(/:\d{1,5}$/, '').replace(/^\[(.*)\]$/, '$1')
  return isIP(plain) !== 0
}

/** Compares in constant time. */
function isSameText(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
