import { type FileParts, publicPathOf } from './files.ts'

/** The parts of a request that determine the URLs in its reply. */
export interface UrlRequest {
  readonly query: { readonly generate_public_url: boolean }
  readonly origin: string
}

/** The `public_url` of a file for this reply; undefined when not requested. */
export function publicUrlOf(
  parts: FileParts,
  file: { workspaceId: string; id: string },
  request: UrlRequest,
): string | undefined {
  return request.query.generate_public_url ? (parts.publicUrl ?? request.origin) + publicPathOf(parts, file) : undefined
}
