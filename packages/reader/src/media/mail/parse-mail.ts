import { withoutControls } from '@skillrun/core/decode-text.ts'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { damaged, tooLarge } from '../faults.ts'
import { blankBefore, mailType } from './looks-like-mail.ts'

/** Emails forwarded in forwarded ones beyond this depth are attachments. */
const forwardedDepthMax = 10
/** An empty line, the line that begins an email in a mailbox, and a header. */
const mailStart = /(?<=\n\r?\n)From [^\n]*\n(?=[!-9;-~]+[ \t]*:)/g
/** A line of text costs up to 1.6 kB of memory, and a part some 40 µs. Attachments of 56 MB have as many lines. */
const linesMax = 1_000_000
const boundariesMax = 50_000
const mailsMax = 5_000

interface Parsed {
  readonly value: string
  readonly params: Readonly<Record<string, string>>
}

/**
 * A part as postal-mime keeps it. Its public result joins the texts of all parts, where tables of HTML are lost, and decodes those without
 * a charset as UTF-8 only.
 */
export interface MailPart {
  readonly contentType: { readonly multipart: string | false; readonly parsed: Parsed }
  readonly contentDisposition: { readonly parsed: { readonly value: string } }
  readonly content: ArrayBuffer | null
  readonly childNodes: readonly MailPart[]
  getTextContent(): string
}

/** An email of a file: a mailbox has several, and emails are forwarded in others. */
interface ParsedMail {
  readonly mail: Email
  readonly root: MailPart
  readonly source: Uint8Array
  /** What it has beside its texts and the emails that it forwards. */
  readonly attachments: readonly Attachment[]
}

/** The emails of a file, each followed by those that it forwards. Throws Faults when one is damaged or all are too costly. */
export async function* parsedMails(bytes: Uint8Array): AsyncGenerator<ParsedMail> {
  const refuseCostly = costGuard()
  async function* parsed(source: Uint8Array, depth: number): AsyncGenerator<ParsedMail> {
    refuseCostly(source)
    const { mail, root } = await parse(source)
    const isForwarded = ({ mimeType }: Attachment): boolean => mimeType === mailType && depth < forwardedDepthMax
    yield { mail, root, source, attachments: mail.attachments.filter((one) => !isForwarded(one)) }
    for (const { content } of mail.attachments.filter(isForwarded))
      yield* parsed(new Uint8Array(content as ArrayBuffer), depth + 1)
  }
  for (const source of mailsIn(bytes.subarray(blankBefore(bytes)))) yield* parsed(source, 0)
}

/** The emails of a mailbox, which begin with a line of their own (RFC 4155); other bytes are one email. */
function* mailsIn(bytes: Uint8Array): Generator<Uint8Array> {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let start = 0
  if (all.subarray(0, 5).equals(Buffer.from('From '))) {
    for (const { index } of all.toString('latin1').matchAll(mailStart)) {
      yield bytes.subarray(start, index)
      start = index
    }
  }
  yield bytes.subarray(start)
}

/** Throws when the emails that it was called with are too costly together. */
function costGuard(): (source: Uint8Array) => void {
  let mails = 0
  let lines = 0
  let boundaries = 0
  return (source) => {
    mails += 1
    for (let at = source.indexOf(0x0a); at >= 0; at = source.indexOf(0x0a, at + 1)) {
      lines += 1
      if (source[at + 1] === 0x2d && source[at + 2] === 0x2d) boundaries += 1
    }
    if (lines > linesMax || boundaries > boundariesMax) {
      throw tooLarge(
        `The email has ${lines} lines, of which ${boundaries} begin with two hyphens, as parts do; the limits are ${linesMax} and ${boundariesMax}.`,
      )
    }
    if (mails > mailsMax) throw tooLarge(`The email has more than ${mailsMax} emails in it, the limit.`)
  }
}

async function parse(bytes: Uint8Array): Promise<{ mail: Email; root: MailPart }> {
  const parser = new PostalMime({ forceRfc822Attachments: true })
  const mail = await parser.parse(bytes).catch((error: Error) => {
    throw damaged(`The email is damaged and cannot be read: ${error.message}.`)
  })
  const { root } = parser as PostalMime & { readonly root: MailPart }
  return { mail, root }
}

/** True for parts in a part whose boundary does not occur. */
export const isDamaged = ({ contentType, childNodes }: MailPart): boolean =>
  contentType.multipart !== false && childNodes.length === 0

export const damagedIn = (part: MailPart): string[] =>
  isDamaged(part) ? [oneLine(`damaged part (${part.contentType.parsed.value})`)] : part.childNodes.flatMap(damagedIn)

export const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim()

export const nameOf = ({ filename, mimeType }: Attachment): string => oneLine(filename || `unnamed (${mimeType})`)
