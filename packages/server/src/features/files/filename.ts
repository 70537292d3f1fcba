import { invalid } from '../../adapters/http/validation.ts'
import { limits } from '../../core/limits.ts'

/** The name of a file that came without a usable one. */
const unnamed = 'file'

/**
 * The name to store: the last segment of the client's after `/` or `\`, with control characters replaced by `_`. Decodes `%22`, `%0D` and
 * `%0A` as browsers encode them in forms (quote and line ends, HTML standard 4.10.22.8). Throws a ValidationFailure at `loc` for NUL or
 * more than 255 characters.
 */
export function keptFilename(sent: string, loc: readonly (string | number)[]): string {
  const plain = sent.replaceAll(/%(22|0d|0a)/gi, (encoded) => decodeURIComponent(encoded))
  const name = plain.split(/[/\\]/).at(-1)?.trim() ?? ''
  if (name.includes('\u0000'))
    throw invalid(loc, 'The filename must not contain NUL characters', { type: 'string_nul' })
  if (name.length > limits.filenameCharactersMax) {
    const ctx = { max_length: limits.filenameCharactersMax }
    throw invalid(loc, `The filename must have at most ${limits.filenameCharactersMax} characters`, {
      type: 'string_too_long',
      input: name,
      ctx,
    })
  }
  const clean = name.toWellFormed().replaceAll(/\p{Cc}/gu, '_')
  return clean === '' || clean === '.' || clean === '..' ? unnamed : clean
}

/** The extension of a name in lower case, without its dot; empty if there is none. */
export function extensionOf(filename: string): string {
  return /[^.]\.([a-z0-9]{1,10})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
}

/** `attachment` with the name in ASCII and, for clients that support it, in full (RFC 6266, RFC 8187). */
export function contentDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_')
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`
}
