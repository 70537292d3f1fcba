/**
 * Scheme and host at which clients reach this server: as configured, else as this request says itself, since the URL goes
 * back to that caller alone. Undefined when its Host header is none.
 */
export function baseUrlOf(
  { publicUrl }: { readonly publicUrl?: string | undefined },
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  const host = headers['host'] ?? ''
  if (!/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host)) return undefined
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`
}
