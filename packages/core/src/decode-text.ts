/** Control characters that text does not contain: all but tab, line ends, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters on purpose
const controls = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/g
/** The maximum share of control characters in a text: in binary files they are about a tenth. */
const strayShareMax = 0.01

/**
 * Decodes UTF-8, UTF-16 with a byte order mark, else as `charset` or, without one that fits, HTML or XML itself declares, else
 * Windows-1252; undefined when the bytes are no text. The byte order mark is removed.
 */
export const decodeText = (bytes: Uint8Array, charset?: string): string | undefined => decodeKnown(bytes, charset)?.text

/** As `decodeText`; `isAssumed`: neither the bytes nor the sender says that it is Windows-1252. */
export function decodeKnown(bytes: Uint8Array, charset?: string): { text: string; isAssumed: boolean } | undefined {
  if (isBinary(bytes, charset)) return undefined
  const { text, isAssumed = false } = decoded(bytes, charset)
  return text === undefined || text.search(controls) >= 0 ? undefined : { text, isAssumed }
}

/**
 * Decodes a text with some stray control characters, each replaced by a space; undefined when the bytes are no text.
 * For bytes without a known signature.
 */
export function decodeStrayText(bytes: Uint8Array, charset?: string): string | undefined {
  const { text, isGuess } = decoded(bytes, charset)
  if (text === undefined) return undefined
  const stray = isGuess ? controls : /\0/g
  const count = text.match(stray)?.length ?? 0
  return count > text.length * strayShareMax ? undefined : withoutControls(text)
}

/** A text with a space for each control character. */
export const withoutControls = (text: string): string => text.replace(controls, ' ')

/** Whether the first bytes say that the others need not be decoded: to decode 100 MB takes a second and half a gigabyte. */
const isBinary = (bytes: Uint8Array, charset = ''): boolean =>
  byteOrderMark(bytes) === undefined && !likeUtf8.test(charset) && startOf(bytes).search(controls) >= 0

/** `isGuess`: every byte sequence is valid in the encoding, so that success proves nothing. */
function decoded(
  bytes: Uint8Array,
  charset?: string,
): { text: string | undefined; isGuess: boolean; isAssumed?: boolean } {
  const encoding = byteOrderMark(bytes)
  if (encoding !== undefined) return { text: decode(bytes, encoding), isGuess: false }
  const given = charset === undefined ? undefined : decode(bytes, charset)
  const text = decode(bytes, 'utf-8')
  // Most texts in UTF-16 have zero bytes, and few of the others are valid UTF-8, too, with spaces between words.
  const isOther = text?.includes(' ') === true && wide.test(charset ?? '') && !bytes.includes(0)
  if (given !== undefined && likeUtf8.test(charset ?? '') && !isOther) return { text: given, isGuess: true }
  if (text !== undefined) return { text, isGuess: false }
  const declared = declaredEncoding(bytes)
  const said = given ?? (declared === undefined ? undefined : decode(bytes, declared))
  return { text: said ?? decode(bytes, 'windows-1252'), isGuess: true, isAssumed: said === undefined }
}

/** The charset of a media type, in lower case; undefined where it names none. */
export const charsetOf = (mediaType: string): string | undefined =>
  /;\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*(?:;|$)/i.exec(mediaType)?.[1]?.toLowerCase()

/** Encodings whose texts are valid UTF-8, too. */
const likeUtf8 = /^utf-?16|^(?:cs)?iso-?2022/i
const wide = /^utf-?16/i

/** As far as browsers look for a declaration. */
const startBytes = 1024
const startOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes.subarray(0, startBytes))

const comment = /<!(?=--).*?(?:-->|$)/gs
const declaration = /<\?xml[^>]*\sencoding\s*=\s*["']([\w:.-]+)|<meta[^>]*[\s;"']charset\s*=\s*["']?([\w:.-]+)/i

function declaredEncoding(bytes: Uint8Array): string | undefined {
  const [, xml, html] = declaration.exec(startOf(bytes).replaceAll(comment, '')) ?? []
  const name = xml ?? html
  // What could be read as ASCII so far is not wide; the other name means this one in a meta element of HTML.
  return name !== undefined && /^utf-?16|^x-user-defined$/i.test(name) ? 'windows-1252' : name
}

/** The encoding that a text begins with the mark of. */
export function byteOrderMark([first, second]: Uint8Array): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return undefined
}

function decode(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
