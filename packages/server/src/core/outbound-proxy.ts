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

/** Lets the platform's `fetch` use it too: for providers of identities and sound. */
export async function useOutboundProxy(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const proxy = outboundProxy(env)
  if (!proxy.httpProxy && !proxy.httpsProxy) return
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici')
  setGlobalDispatcher(new EnvHttpProxyAgent(proxy))
}

/** `fetch` through the proxy where there is one, for single requests of a process that reaches others directly. */
export async function proxiedFetch(env: Readonly<Record<string, string | undefined>>): Promise<typeof fetch> {
  const proxy = outboundProxy(env)
  if (!proxy.httpProxy && !proxy.httpsProxy) return fetch
  // The platform's fetch takes no agent of another version of undici.
  const { EnvHttpProxyAgent, fetch: undiciFetch } = await import('undici')
  const dispatcher = new EnvHttpProxyAgent(proxy)
  type Asked = Parameters<typeof undiciFetch>
  return (input, init) =>
    undiciFetch(input as Asked[0], { ...init, dispatcher } as Asked[1]) as unknown as Promise<Response>
}
