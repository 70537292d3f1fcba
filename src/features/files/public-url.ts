import { type FileParts, publicPathOf } from './files.ts'

/** What of a request decides on the URLs in its reply. */
export interface UrlRequest {
  readonly query: { readonly generate_public_url: boolean }
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** The `public_url` of a file for this reply; undefined when it is not wanted or nobody knows how we are reached. */
export function publicUrlOf(
  parts: FileParts,
  file: { workspaceId: string; id: string },
  request: UrlRequest,
): string | undefined {
  const base = request.query.generate_public_url ? baseUrlOf(parts, request.headers) : undefined
  return base === undefined ? undefined : base + publicPathOf(parts, file)
}

/**
 * Scheme and host at which clients reach this server: as configured, else as this request says itself, since the URL goes
 * back to that caller alone. Undefined when its Host header is none.
 */
export function baseUrlOf(
  { publicUrl }: FileParts,
  headers: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (publicUrl !== undefined) return publicUrl
  const host = headers['host'] ?? ''
  if (!/^[\w.-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/i.test(host)) return undefined
  return `${headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'}://${host}`
}
