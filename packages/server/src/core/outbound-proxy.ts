import http from 'node:http'

/** The proxy of a machine that reaches others only through one; this machine itself is never behind it. */
export interface OutboundProxy {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

/** The usual variables, HTTP_PROXY, HTTPS_PROXY and NO_PROXY, of which the ones in small letters count first. */
export function outboundProxy(env: Readonly<Record<string, string | undefined>>): OutboundProxy {
  const setting = (name: string): string => env[name.toLowerCase()] || env[name] || ''
  const exempt = [setting('NO_PROXY'), 'localhost', '127.0.0.1', '[::1]'].filter(Boolean).join(',')
  return { httpProxy: setting('HTTP_PROXY'), httpsProxy: setting('HTTPS_PROXY'), noProxy: exempt }
}

/** Lets the platform's `fetch` use it too: for providers of identities and sound. Node does so from 24.14 on. */
export function useOutboundProxy(env: Readonly<Record<string, string | undefined>>): void {
  const { httpProxy, httpsProxy, noProxy } = outboundProxy(env)
  if (!httpProxy && !httpsProxy) return
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (env: Record<string, string>) => void }
  setGlobalProxyFromEnv?.({ http_proxy: httpProxy, https_proxy: httpsProxy, no_proxy: noProxy })
}
