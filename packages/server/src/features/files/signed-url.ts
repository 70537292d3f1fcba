import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * What a signed URL allows: reading or uploading a file, reading the zip of a skill, or deciding on an execution. A signature is valid for
 * one use only.
 */
export type SignedUse = 'download' | 'upload' | 'skill' | `approval ${number}`

/** The claim that a signature covers. */
export interface SignedClaim {
  readonly use: SignedUse
  readonly workspaceId: string
  readonly id: string
  /** Expiry in seconds since 1970. */
  readonly expires: number
}

/** HMAC-SHA256 over the claim, in URL-safe base64. */
function signatureOf(secret: Uint8Array, claim: SignedClaim): string {
  return createHmac('sha256', secret)
    .update(`${claim.use}\n${claim.workspaceId}\n${claim.id}\n${claim.expires}`)
    .digest('base64url')
}

/** The query of a URL for the claim. */
export function signedQueryOf(secret: Uint8Array, claim: SignedClaim): string {
  return `workspace=${claim.workspaceId}&expires=${claim.expires}&signature=${signatureOf(secret, claim)}`
}

/** Whether the signature is valid for the claim and the claim has not expired at `now`. */
export function isSignatureGood(
  secret: Uint8Array,
  claim: SignedClaim,
  shown: { readonly signature: string; readonly now: Date },
): boolean {
  const right = Buffer.from(signatureOf(secret, claim))
  const given = Buffer.from(shown.signature)
  // timingSafeEqual requires equal lengths; the length of a signature is public.
  return given.length === right.length && timingSafeEqual(given, right) && shown.now.getTime() < claim.expires * 1000
}
