/**
 * A provider's address with the version that its paths begin with: people write it with and without, for the providers' own
 * programs differ in it.
 */
export function withVersion(baseUrl: string | undefined, version: string): string | undefined {
  if (baseUrl === undefined || /\/v\d[^/]*\/?$/.test(baseUrl)) return baseUrl
  return `${baseUrl.replace(/\/$/, '')}/${version}`
}
