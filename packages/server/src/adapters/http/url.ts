import { invalid, refuseText } from './validation.ts'

/**
 * The parameters of a request's query, decoded; of one that is there several times, the first. Throws ValidationFailures
 * for bytes that are not UTF-8 and for NUL: neither could be looked for.
 */
export function queryOf(url: string): Record<string, string> {
  const from = url.indexOf('?')
  const query = new Map<string, string>()
  for (const pair of from < 0 ? [] : url.slice(from + 1).split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const [name, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const key = decoded(name.replaceAll('+', ' '), ['query'])
    if (!query.has(key)) query.set(key, decoded(value.replaceAll('+', ' '), ['query', key]))
  }
  return Object.fromEntries(query)
}

/** Refuses a path whose parameters, here as the router decoded them, are not UTF-8 or hold NUL. */
export function refuseBadPath(url: string, params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) refuseText(value, () => ['path', name])
  decoded(url.split('?', 1)[0] ?? '', ['path'])
}

/** A percent sign that encodes nothing stands for itself, as the URL standard reads it. */
function decoded(text: string, loc: readonly string[]): string {
  let plain: string
  try {
    plain = decodeURIComponent(text.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  } catch {
    throw invalid(loc, 'Text should be well-formed Unicode, percent-encoded as UTF-8', { type: 'string_unicode' })
  }
  refuseText(plain, () => loc)
  return plain
}
