/** Builds packages/console/dist when it is missing or out of date. Throws when the build fails. */
export function ensureConsole(): void
