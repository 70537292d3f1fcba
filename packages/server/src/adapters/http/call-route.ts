import { assert } from '@skillrun/core/assert.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { refuseMissingScope } from './caller.ts'
import type { RateLimit } from './rate.ts'
import type { Incoming, Reply, Route } from './route.ts'
import { parsePart } from './validation.ts'

/** What a call sends to a route. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: unknown
  /** Header names in lower case. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls the route with this operation id. Throws what the route would answer as a failure: Faults and ValidationFailures. */
export type CallRoute = (operation: string, sent?: Sent) => Promise<Reply>

type Caller = Pick<
  Incoming<unknown, unknown, unknown>,
  'caller' | 'db' | 'origin' | 'network' | 'requestId' | 'signal' | 'stream'
>

/**
 * Calls routes within this process on behalf of an authenticated request, with its scopes, its workspace, the validation of the
 * routes and their own rate limits. The limit on all requests of a key counted the outer request already.
 */
export function makeCallRoute(
  routes: () => readonly Route[],
  routeRates: ReadonlyMap<string, RateLimit> | undefined,
): (incoming: Caller) => CallRoute {
  return (incoming) =>
    async (operation, { params = {}, query = {}, body, headers = {} } = {}) => {
      const route = routes().find((one) => one.operation === operation)
      assert(route && route.scope !== 'public' && route.body !== 'stream', `there is a JSON route ${operation}`)
      const { caller } = incoming
      refuseMissingScope(route, caller)
      const rate = await routeRates?.get(operation)?.count(caller.keyId)
      if (rate?.exceeded)
        throw new Fault(
          'limited',
          'rate_limited',
          `More than ${rate.limit} requests a minute to ${operation} with this key; try again in ${rate.resetSeconds} s`,
        )
      const texts = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      )
      return route.handle({
        ...incoming,
        headers,
        params: route.params ? parsePart(route.params, params, 'path') : {},
        query: route.query ? parsePart(route.query, Object.fromEntries(texts), 'query') : {},
        body: route.body ? parsePart(route.body, body, 'body') : undefined,
        sentBody: body,
      })
    }
}
