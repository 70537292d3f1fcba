import { invalid, refuseText } from './validation.ts'

/**
 * The decoded query parameters of a URL; the first of repeated ones. Throws ValidationFailures for text that is not UTF-8
 * or contains NUL: the database could not search for it.
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

/** Rejects a path whose parameters, as the router decoded them, are not UTF-8 or contain NUL. */
export function refuseBadPath(url: string, params: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(params)) refuseText(value, () => ['path', name])
  decoded(url.split('?', 1)[0] ?? '', ['path'])
}

/** Decodes percent-encoding. A percent sign without two hex digits stands for itself, as in the URL standard. */
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
