export function ensureServer(): void
