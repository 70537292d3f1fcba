import type { Readable } from 'node:stream'

/** How much one fetch may take. */
export interface FetchBounds {
  /** Of the content, after decompression too. */
  readonly bytesMax: number
  /** From the call to the last byte. */
  readonly wallMs: number
  readonly signal: AbortSignal
  /** Whether a host may be asked, of the URL and of each redirect; absent: every public one. Fault `url_forbidden` for others. */
  readonly isHostAllowed?: (hostname: string) => boolean
  /** What an earlier answer was known by: the server may say that it still holds, instead of sending it again. */
  readonly known?: Pick<Fetched, 'etag' | 'lastModified'>
}

/** What a URL answered with a status of 2xx, or of 304 to `known`. */
export interface Fetched {
  /** The answer that was known still holds; the stream is empty. */
  readonly isUnchanged: boolean
  /** What the answer is known by, and how long it may be kept: as the server said it (RFC 9110, RFC 9111). */
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly cacheControl: string | undefined
  /** The length that the server announced; undefined where it announced none, or that of compressed content. */
  readonly announcedBytes: number | undefined
  /**
   * The content, decompressed. Ends in a Fault as `fetchPublic` throws them when it breaks off, is too slow or too large.
   * Read it or destroy it: until then it holds a connection, for `wallMs` at most.
   */
  readonly stream: Readable
  /** Media type as the server said it, lower-case and without parameters; undefined where it said none. */
  readonly contentType: string | undefined
  /** Where the content was found, after redirects. */
  readonly finalUrl: string
}

/** What is posted, and how long it may take. */
export interface Post {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** From the call to the head of the answer. */
  readonly wallMs: number
  readonly signal: AbortSignal
}

/** The head of what a POST was answered with, whatever its status; the rest of the answer is thrown away. */
export interface Posted {
  readonly status: number
  /** The header of that name, as it came. */
  readonly retryAfter: string | undefined
}

/** The one way out to addresses that a caller names. */
export interface Egress {
  /**
   * Gets an http(s) URL. Every address of its host must be public, or be allowed by the configuration; the connection
   * goes to the very address that was checked, and each redirect is checked anew. Environment proxies are not used.
   *
   * Throws Fault `invalid`: `url_invalid`, `url_forbidden` (scheme, credentials, a private address), `url_redirects`;
   * `too_large`: `url_too_large`; `timeout`: `url_timeout`; `upstream`: `url_unreachable`; `fetch_failed` for a status that
   * is not 2xx or a content encoding that is not known: `upstream` where trying again may help (5xx, 408, 429), else `invalid`. Sentences name the host and nothing behind it. When `signal`
   * aborts, its reason is thrown.
   */
  fetchPublic(url: string, bounds: FetchBounds): Promise<Fetched>

  /**
   * Posts to an http(s) URL, under the same checks of its addresses. No redirect is followed: it is an answer like others.
   *
   * Throws what `fetchPublic` throws for a URL and a connection, and never for a status.
   */
  post(url: string, post: Post): Promise<Posted>

  /**
   * Checks a URL as `post` would before it connects, without connecting. Throws Fault `url_invalid` and `url_forbidden`. A host whose
   * address cannot be found at once passes, because it may have one later, unless its name is one of private networks.
   */
  check(url: string): Promise<void>

  /** `fetch` of the web platform under the same checks of its addresses, for protocols that converse. No redirect is followed. */
  readonly fetch: typeof fetch
}
