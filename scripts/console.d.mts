/** Sees to it that packages/console/dist is there and new. Throws where the build fails; a machine without the builder is left as it is. */
export function ensureConsole(): void
