import { baseUrlOf } from '../../seams/http/base-url.ts'
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
