/** One sign-in of one browser. The last three are random, and bind the provider's reply to that browser. */
export interface SignInFlow {
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string
  readonly state: string
  readonly nonce: string
  /** The PKCE verifier. */
  readonly verifier: string
}

/** A person, as the provider describes them. */
export interface Identity {
  readonly issuer: string
  /** Of the person, at this issuer; never given to somebody else, unlike an email address. */
  readonly subject: string
  /** Claims of the ID token and of the userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * A provider of sign-in by OpenID Connect. All methods throw Fault `unavailable` where the provider does not answer as it should,
 * and can be repeated.
 */
export interface IdentityProvider {
  /** The URL at which the browser signs in. */
  authorizationUrl(flow: SignInFlow): Promise<string>
  /**
   * Who signed in, by the query with which the browser came back. Fault `forbidden` where the provider refused the person
   * (`provider_refused`), the code is no longer good (`sign_in_over`), or the reply fails a check (`provider_reply`).
   */
  identify(query: URLSearchParams, flow: SignInFlow): Promise<Identity>
  /** The URL at which the browser ends its session at the provider; undefined where the provider has none. */
  signOutUrl(returnTo: string): Promise<string | undefined>
}
