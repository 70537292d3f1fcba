/** The proxy of a machine that reaches others only through one; this machine itself is never behind it. */
export interface OutboundProxy {
  readonly httpProxy: string
  readonly httpsProxy: string
  readonly noProxy: string
}

type Environment = Readonly<Record<string, string | undefined>>

/** The usual variables, HTTP_PROXY, HTTPS_PROXY and NO_PROXY, of which the ones in small letters count first. */
export function outboundProxy(env: Environment): OutboundProxy {
  const setting = (name: string): string => env[name.toLowerCase()] || env[name] || ''
  const exempt = [setting('NO_PROXY'), 'localhost', '127.0.0.1', '[::1]'].filter(Boolean).join(',')
  return { httpProxy: setting('HTTP_PROXY'), httpsProxy: setting('HTTPS_PROXY'), noProxy: exempt }
}

/** Lets the platform's `fetch` use it too: for providers of identities and sound. */
export async function useOutboundProxy(env: Environment): Promise<void> {
  const proxy = outboundProxy(env)
  if (!proxy.httpProxy && !proxy.httpsProxy) return
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici')
  setGlobalDispatcher(new EnvHttpProxyAgent(proxy))
}
