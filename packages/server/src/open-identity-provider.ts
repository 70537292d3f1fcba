import type { Clock } from '@skillrun/core/clock.ts'
import type { Egress } from './adapters/egress/egress.ts'
import type { IdentityProvider } from './adapters/identity-provider/identity-provider.ts'
import type { OpenIdSettings } from './adapters/identity-provider/openid-client/openid-client.ts'

/** An identity provider that is loaded at the first sign-in. */
export function makeOpenIdentityProvider(
  settings: OpenIdSettings,
  { clock, egress }: { clock: Clock; egress: Egress },
): IdentityProvider {
  let opening: Promise<IdentityProvider> | undefined
  const open = (): Promise<IdentityProvider> => {
    opening ??= import('./adapters/identity-provider/openid-client/openid-client.ts').then(({ openIdProvider }) =>
      openIdProvider(settings, { clock, fetch: egress.fetch }),
    )
    return opening
  }
  return {
    authorizationUrl: async (flow) => (await open()).authorizationUrl(flow),
    identify: async (query, flow) => (await open()).identify(query, flow),
    signOutUrl: async (returnTo) => (await open()).signOutUrl(returnTo),
  }
}
