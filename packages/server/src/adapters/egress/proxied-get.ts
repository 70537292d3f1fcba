import { outboundProxy } from '../../core/outbound-proxy.ts'

interface Reply {
  readonly ok: boolean
  readonly status: number
  json(): Promise<unknown>
}

/** A GET through the proxy of the environment, or directly where there is none. Follows no redirect. */
export async function proxiedGet(
  url: string,
  environment: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Reply> {
  const { EnvHttpProxyAgent, fetch } = await import('undici')
  return fetch(url, { redirect: 'error', signal, dispatcher: new EnvHttpProxyAgent(outboundProxy(environment)) })
}
