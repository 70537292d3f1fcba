import type { Egress } from './adapters/egress/egress.ts'
import type { PrivateTargets } from './adapters/egress/private-targets.ts'
import { outboundProxy } from './core/outbound-proxy.ts'

/** Egress that is loaded on first use, so that an execution without fetches does not wait for it. */
export function makeOpenEgress(parts: { readonly isAllowed: PrivateTargets }): Egress {
  let opening: Promise<Egress> | undefined
  const open = (): Promise<Egress> => {
    opening ??= import('./adapters/egress/undici/undici.ts').then(({ undiciEgress }) =>
      undiciEgress({ ...parts, proxy: outboundProxy(process.env) }),
    )
    return opening
  }
  return {
    fetchPublic: async (url, bounds) => (await open()).fetchPublic(url, bounds),
    post: async (url, post) => (await open()).post(url, post),
    check: async (url) => (await open()).check(url),
    fetch: async (input, init) => (await open()).fetch(input, init),
  }
}
