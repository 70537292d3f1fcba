/** Sees to it that packages/client/dist is there and new. Throws where the build fails. */
export function ensureClient(): void
