/** Builds packages/client/dist when it is missing or out of date. Throws when the build fails. */
export function ensureClient(): void
