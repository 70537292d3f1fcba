import type { Readable } from 'node:stream'

/** Limits of one fetch. */
export interface FetchBounds {
  /** Bytes of the content, before and after decompression. */
  readonly bytesMax: number
  /** Milliseconds from the call to the last byte. */
  readonly wallMs: number
  readonly signal: AbortSignal
  /** Whether a host may be contacted; also called for each redirect. Absent: every public host. Fault `url_forbidden` for others. */
  readonly isHostAllowed?: (hostname: string) => boolean
  /** Validators of an earlier reply: the server may answer 304 instead of sending the content again. */
  readonly known?: Pick<Fetched, 'etag' | 'lastModified'>
}

/** A complete reply with status 2xx, or 304 when `known` was given. */
export interface Fetched {
  /** Status 304: the earlier reply is still valid; the stream is empty. */
  readonly isUnchanged: boolean
  /** Validators and cache lifetime as the server sent them (RFC 9110, RFC 9111). */
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  readonly cacheControl: string | undefined
  /** Content-Length; undefined when the server sent none or the content is compressed. */
  readonly announcedBytes: number | undefined
  /**
   * The content, decompressed. Ends with a Fault as listed at `fetchPublic` when it breaks off, is too slow or too large.
   * Read or destroy it: until then it keeps a connection open, for `wallMs` at most.
   */
  readonly stream: Readable
  /** Media type from the server, lower-case and without parameters; undefined when absent or malformed. */
  readonly contentType: string | undefined
  /** The charset that the server names, lower-case. */
  readonly charset: string | undefined
  /** The URL of the content after redirects. */
  readonly finalUrl: string
}

/** A POST request. */
export interface Post {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds from the call to the headers of the reply. */
  readonly wallMs: number
  readonly signal: AbortSignal
}

/** Status and headers of the reply to a POST, whatever the status; the body is discarded. */
export interface Posted {
  readonly status: number
  /** The Retry-After header, unparsed. */
  readonly retryAfter: string | undefined
}

/** Outgoing HTTP to addresses that callers name. All such requests go through here. */
export interface Egress {
  /**
   * Gets an http(s) URL. Every address of its host must be public or allowed by the configuration; the connection
   * goes to the address that was checked, and each redirect is checked again. Proxies from the environment are not used.
   *
   * Throws Fault `invalid`: `url_invalid`, `url_forbidden` (scheme, credentials, a private address), `url_redirects`;
   * `too_large`: `url_too_large`; `timeout`: `url_timeout`; `upstream`: `url_unreachable`; `fetch_failed` for a status other
   * than 2xx, a part of the content (206) or an unknown content encoding: `upstream` where a retry may help (5xx, 408, 429), otherwise `invalid`. Messages
   * contain the host but neither path nor address. When `signal` aborts, throws its reason.
   */
  fetchPublic(url: string, bounds: FetchBounds): Promise<Fetched>

  /**
   * Posts to an http(s) URL, with the same checks of addresses. Redirects are not followed but returned like other replies.
   *
   * Throws as `fetchPublic` for the URL and the connection, never for a status.
   */
  post(url: string, post: Post): Promise<Posted>

  /**
   * Checks a URL as `post` does before it connects. Throws Fault `url_invalid` or `url_forbidden`. A host that cannot be
   * resolved within a second passes, because it may resolve later, unless its name belongs to private networks.
   */
  check(url: string): Promise<void>

  /**
   * `fetch` with the same checks of addresses, for protocols with several requests and servers that the operator named. Redirects are errors.
   * Uses the machine's proxy: it resolves the names of hosts, so that of these only private names are refused.
   */
  readonly fetch: typeof fetch
}
