/** Bytes that no text holds: control characters other than tab, line ends, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const noText = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/**
 * The text of some bytes: UTF-8, UTF-16 with a byte order mark, else Windows-1252 (WHATWG's reading of Latin-1); undefined
 * for what is no text. The byte order mark is no part of it.
 */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = byteOrderMark(bytes)
  const text =
    encoding === undefined ? (decode(bytes, 'utf-8') ?? decode(bytes, 'windows-1252')) : decode(bytes, encoding)
  return text === undefined || noText.test(text) ? undefined : text
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
