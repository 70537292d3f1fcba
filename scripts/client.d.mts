/** Builds packages/client/dist when it is missing or out of date. Throws when the build fails. */
export function ensureClient(): void
/** Makes the types of the API when they are missing or older than openapi.json. */
export function ensureClientTypes(): void
