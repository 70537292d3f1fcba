import type { TestService } from './service.ts'

/** A reply with its JSON parsed. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a story looks at whatever the wire says.
  readonly json: any
}

/** A browser on the pages of a server: it keeps the session cookie and sends what a browser sends. */
export interface Visitor {
  /** The session cookie as `name=value`; undefined: none. */
  cookie: string | undefined
  csrfToken: string | undefined
  send(method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }): Promise<Seen>
  signIn(email: string, password: string): Promise<Seen>
}

export function openVisitor(service: Pick<TestService, 'url'>): Visitor {
  const visitor: Visitor = {
    cookie: undefined,
    csrfToken: undefined,
    async send(method, path, { body, headers = {} } = {}) {
      const response = await fetch(service.url + path, {
        method,
        redirect: 'manual',
        headers: {
          ...(visitor.cookie === undefined ? {} : { Cookie: visitor.cookie }),
          ...(visitor.csrfToken === undefined ? {} : { 'X-CSRF-Token': visitor.csrfToken }),
          'Sec-Fetch-Site': 'same-origin',
          ...(method === 'GET' ? {} : { Origin: service.url }),
          ...(body === undefined || body instanceof FormData ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      const json = isJson ? JSON.parse(text) : text
      const set = response.headers.getSetCookie().find((one) => /^(__Host-)?skillrun-session=/.test(one))
      if (set !== undefined) visitor.cookie = /Max-Age=0/.test(set) ? undefined : set.split(';')[0]
      if (isJson && json !== null && typeof json === 'object' && 'csrf_token' in json)
        visitor.csrfToken = json.csrf_token ?? undefined
      return { status: response.status, headers: response.headers, json }
    },
    signIn: (email, password) => visitor.send('POST', '/v1/sign-in', { body: { email, password } }),
  }
  return visitor
}
