/** The media type of an email with its headers, as in an .eml file. */
export const mailType = 'message/rfc822'

/** The number of bytes examined: mail servers write several kilobytes of headers before those of the sender. */
export const mailHeadBytes = 16_384
const header = /^([!-9;-~]+)[ \t]*:\s*(.*)/
const usual = new Set('from sender to cc reply-to subject date'.split(' '))
/** Headers that programs write, in the form that they give them: people have other uses for such names. */
const written: Readonly<Record<string, RegExp>> = {
  'mime-version': /^1\.0\b/,
  received: /^(?:from|by)\s.*;/i,
  'message-id': /^<[^<>\s]+@[^<>\s]+>/,
  'return-path': /^<>|\S@\S/,
  'delivered-to': /\S@\S/,
}

/** What may precede a declared email: a byte order mark and empty lines. */
const blank = /^(?:\xef\xbb\xbf)?[\r\n]*/

/** The length of what precedes the headers of a declared email, if it is within the bytes examined. */
export const blankBefore = (bytes: Uint8Array): number => blank.exec(headOf(bytes))?.[0].length ?? 0

const headOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, mailHeadBytes)).toString('latin1')

/**
 * True when bytes start with the headers of an email: two of the usual ones and, if the sender does not declare it an email, one in the
 * form of programs, no line of another kind, and an empty line below unless the bytes are cut.
 */
export function looksLikeMail(
  bytes: Uint8Array,
  { isDeclared = false, isCut = bytes.length > mailHeadBytes } = {},
): boolean {
  const head = isDeclared ? headOf(bytes).replace(blank, '') : headOf(bytes)
  const lines = head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/, mailHeadBytes)
  const end = lines.indexOf('')
  const isEnded = end >= 0 && end < lines.length - 1
  // The last line of a cut head may be a part of one.
  const headers = lines.slice(0, isEnded ? end : Math.max(1, lines.length - 1))
  // Mailboxes begin each email with a line of their own.
  if (headers[0]?.startsWith('From ')) headers.shift()
  const matches = headers.map((line) => header.exec(line))
  const named = matches.map((match) => ({ name: match?.[1]?.toLowerCase() ?? '', value: match?.[2] ?? '' }))
  const known = new Set(named.map(({ name }) => name).filter((name) => usual.has(name) || Object.hasOwn(written, name)))
  if (known.size < 2 || !matches[0]) return false
  if (isDeclared) return true
  return (
    (isEnded || isCut) &&
    !matches.includes(null) &&
    named.some(({ name, value }) => Object.hasOwn(written, name) && written[name]?.test(value))
  )
}
