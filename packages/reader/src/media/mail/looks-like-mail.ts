/** The media type of an email with its headers, as in an .eml file. */
export const mailType = 'message/rfc822'

/** The number of bytes examined: mail servers write several kilobytes of headers before those of the sender. */
const headBytes = 16_384
const header = /^([!-9;-~]+)[ \t]*:|^[ \t]/
const usual = new Set(
  'from sender to cc reply-to subject date mime-version received message-id return-path delivered-to'.split(' '),
)
/** Headers that programs write, and people do not: a memo has the others too. */
const written = /^(?:mime-version|received|message-id|return-path|delivered-to)$/

/**
 * True when bytes start with the headers of an email: two of the usual ones and, if the sender does not declare it an email, one that
 * only programs write and no line of another kind. The bytes may be cut.
 */
export function looksLikeMail(bytes: Uint8Array, { isDeclared = false } = {}): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, headBytes)).toString('latin1')
  const lines = head.split(/\r?\n/, headBytes)
  const end = lines.indexOf('')
  // The last line of a cut head may be a part of one.
  const headers = end < 0 ? lines.slice(0, Math.max(1, lines.length - 1)) : lines.slice(0, end)
  // Mailboxes begin each email with a line of their own.
  if (headers[0]?.startsWith('From ')) headers.shift()
  const matches = headers.map((line) => header.exec(line))
  const names = new Set(matches.map((match) => match?.[1]?.toLowerCase() ?? ''))
  const known = [...names].filter((name) => usual.has(name))
  if (known.length < 2 || !matches[0]?.[1]) return false
  return isDeclared || (matches.every((match) => match !== null) && known.some((name) => written.test(name)))
}
