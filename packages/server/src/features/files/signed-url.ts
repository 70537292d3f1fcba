import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed URL lets its holder do: with a file, read the zip of a skill, or decide on an execution. A signature for one is none for another. */
export type SignedUse = 'download' | 'upload' | 'skill' | `approval ${number}`

/** What a signature vouches for. */
export interface SignedClaim {
  readonly use: SignedUse
  readonly workspaceId: string
  readonly id: string
  /** Seconds since 1970; the URL works before that moment. */
  readonly expires: number
}

/** HMAC-SHA256 over the claim, in URL-safe base64. */
function signatureOf(secret: Uint8Array, claim: SignedClaim): string {
  return createHmac('sha256', secret)
    .update(`${claim.use}\n${claim.workspaceId}\n${claim.id}\n${claim.expires}`)
    .digest('base64url')
}

/** The query of a URL that is good for the claim. */
export function signedQueryOf(secret: Uint8Array, claim: SignedClaim): string {
  return `workspace=${claim.workspaceId}&expires=${claim.expires}&signature=${signatureOf(secret, claim)}`
}

/** Whether the signature is right for the claim and the claim still good at `now`. */
export function isSignatureGood(
  secret: Uint8Array,
  claim: SignedClaim,
  shown: { readonly signature: string; readonly now: Date },
): boolean {
  const right = Buffer.from(signatureOf(secret, claim))
  const given = Buffer.from(shown.signature)
  // timingSafeEqual asks for equal lengths; the length of a signature is no secret.
  return given.length === right.length && timingSafeEqual(given, right) && shown.now.getTime() < claim.expires * 1000
}
