/** What belongs in no text: control characters other than tab, line ends, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const controls = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/g
/** A file of another kind is about a tenth of them, or has a NUL in every number. */
const strayShareMax = 0.01

/**
 * The text of some bytes: UTF-8, UTF-16 with a byte order mark, else Windows-1252 (WHATWG's reading of Latin-1); undefined
 * for what is no text. The byte order mark is no part of it.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const { text } = decoded(bytes)
  return text === undefined || text.search(controls) >= 0 ? undefined : text
}

/**
 * The text of some bytes in which control characters strayed, each of them as a space. For bytes that have no known
 * signature: undefined where they are no text at all.
 */
export function decodeStrayText(bytes: Uint8Array): string | undefined {
  const { text, isGuess } = decoded(bytes)
  if (text === undefined) return undefined
  const stray = isGuess ? controls : /\0/g
  const count = text.match(stray)?.length ?? 0
  return count > text.length * strayShareMax ? undefined : text.replace(controls, ' ')
}

/** `isGuess`: every byte is a letter of the encoding, so that it says nothing. */
function decoded(bytes: Uint8Array): { text: string | undefined; isGuess: boolean } {
  const encoding = byteOrderMark(bytes)
  if (encoding !== undefined) return { text: decode(bytes, encoding), isGuess: false }
  const text = decode(bytes, 'utf-8')
  return text === undefined ? { text: decode(bytes, 'windows-1252'), isGuess: true } : { text, isGuess: false }
}

function byteOrderMark([first, second]: Uint8Array): string | undefined {
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
