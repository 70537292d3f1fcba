import { type FileParts, publicPathOf } from './files.ts'

/** What of a request decides on the URLs in its reply. */
export interface UrlRequest {
  readonly query: { readonly generate_public_url: boolean }
  readonly origin: string
}

/** The `public_url` of a file for this reply; undefined when it is not wanted. */
export function publicUrlOf(
  parts: FileParts,
  file: { workspaceId: string; id: string },
  request: UrlRequest,
): string | undefined {
  return request.query.generate_public_url ? (parts.publicUrl ?? request.origin) + publicPathOf(parts, file) : undefined
}
