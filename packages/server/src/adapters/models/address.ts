/**
 * Adds the API version to a provider's base URL unless it already has one: users configure it with and without.
 */
export function withVersion(baseUrl: string | undefined, version: string): string | undefined {
  if (baseUrl === undefined || /\/v\d[^/]*\/?$/.test(baseUrl)) return baseUrl
  return `${baseUrl.replace(/\/$/, '')}/${version}`
}
