import { decodeText, withoutControls } from '@skillrun/core/decode-text.ts'
import PostalMime, { type Attachment, decodeWords, type Email } from 'postal-mime'
import type { Page, ReadDocument } from '../document.ts'
import { damaged, tooLarge } from '../faults.ts'
import type { ReadLimits } from '../limits.ts'
import { type GridWord, gridPage, withoutSpans } from '../text/grid.ts'
import { wordsOfHtml } from '../text/html.ts'
import { wordsOfText } from '../text/plain.ts'
import { blankBefore, mailType } from './looks-like-mail.ts'

/** The headers that mail programs show. */
const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Subject']
/** Emails forwarded in forwarded ones beyond this depth are attachments. */
const forwardedDepthMax = 10
const namedMax = 10
/** An empty line, the line that begins an email in a mailbox, and a header. */
const mailStart = /(?<=\n\r?\n)From [^\n]*\n(?=[!-9;-~]+[ \t]*:)/g
const ascii = /[\0-\x7f]+/g
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
interface Part {
  readonly contentType: { readonly multipart: string | false; readonly parsed: Parsed }
  readonly contentDisposition: { readonly parsed: { readonly value: string } }
  readonly content: ArrayBuffer | null
  readonly childNodes: readonly Part[]
  getTextContent(): string
}

/** Words below each other. */
interface Block {
  readonly isHtml: boolean
  readonly words: readonly GridWord[]
}

/**
 * Reads an email as one page: the headers that people see, the texts, the names of attachments, and forwarded emails below. Words have no
 * span, as the texts are encoded in the source. Process pool only. Throws the Faults of `readDocument`.
 */
export async function readMail(
  bytes: Uint8Array,
  { textBytesMax }: Pick<ReadLimits, 'textBytesMax'>,
): Promise<Pick<ReadDocument, 'pages' | 'warnings'>> {
  let characters = 0
  const blockOf = (text: string, isHtml = false): Block => {
    characters += text.length
    if (characters > textBytesMax)
      throw tooLarge(`The text of the email has more than ${textBytesMax} characters, the limit.`)
    return { isHtml, words: (isHtml ? wordsOfHtml : wordsOfText)(withoutControls(text)) }
  }
  const textsOf = (part: Part): readonly Block[] => {
    const { multipart, parsed } = part.contentType
    if (multipart) {
      const texts = part.childNodes.flatMap(textsOf)
      return multipart === 'alternative' ? chosenOf(texts) : texts
    }
    const isHtml = parsed.value === 'text/html'
    const isText = isHtml || parsed.value === 'text/plain'
    return isText && part.contentDisposition.parsed.value !== 'attachment' ? [blockOf(decodedText(part), isHtml)] : []
  }
  const blocks: Block[] = []
  const unread: string[] = []
  const refuseCostly = costGuard()
  const add = async (source: Uint8Array, depth: number): Promise<void> => {
    refuseCostly(source)
    const { mail, root } = await parse(source)
    const isForwarded = ({ mimeType }: Attachment): boolean => mimeType === mailType && depth < forwardedDepthMax
    // Forwarded ones are named instead.
    if (isDamaged(root) && blocks.length === 0)
      throw damaged('The email is damaged: the boundary between its parts does not occur in it.')
    const names = mail.attachments
      .filter((one) => !isForwarded(one))
      .map(nameOf)
      .concat(damagedIn(root))
    const attachments = blockOf(names.map((name) => `Attachment: ${name}`).join('\n'))
    for (const block of [blockOf(headerLines(mail, source)), ...textsOf(root), attachments]) blocks.push(block)
    for (const name of names) unread.push(name)
    for (const { content } of mail.attachments.filter(isForwarded))
      await add(new Uint8Array(content as ArrayBuffer), depth + 1)
  }
  for (const source of mailsIn(bytes.subarray(blankBefore(bytes)))) await add(source, 0)
  return { pages: [pageOf(blocks)], ...(unread.length > 0 && { warnings: [unreadWarning(unread)] }) }
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

async function parse(bytes: Uint8Array): Promise<{ mail: Email; root: Part }> {
  const parser = new PostalMime({ forceRfc822Attachments: true })
  const mail = await parser.parse(bytes).catch((error: Error) => {
    throw damaged(`The email is damaged and cannot be read: ${error.message}.`)
  })
  const { root } = parser as PostalMime & { readonly root: Part }
  return { mail, root }
}

/** True for parts in a part whose boundary does not occur. */
const isDamaged = ({ contentType, childNodes }: Part): boolean =>
  contentType.multipart !== false && childNodes.length === 0

const damagedIn = (part: Part): string[] =>
  isDamaged(part) ? [oneLine(`damaged part (${part.contentType.parsed.value})`)] : part.childNodes.flatMap(damagedIn)

/** The text of a part by its charset; as that of other texts where it has none, or a wrong one. */
function decodedText(part: Part): string {
  const text = part.getTextContent()
  const bad = text.split('\ufffd').length - 1
  if (bad === 0) return text
  const { charset } = part.contentType.parsed.params
  const isDecoded = charset !== undefined && bad * 2 <= text.replace(ascii, '').length
  return isDecoded ? text : (decodeText(new Uint8Array(part.content ?? [])) ?? text)
}

const wordsIn = (blocks: readonly Block[]): number => blocks.reduce((sum, { words }) => sum + words.length, 0)

/** Of alternatives the plain text, or the HTML if that says more than twice as much: some plain texts only say that there is HTML. */
function chosenOf(alternatives: readonly Block[]): readonly Block[] {
  const html = alternatives.filter(({ isHtml }) => isHtml)
  const plain = alternatives.filter(({ isHtml }) => !isHtml)
  return wordsIn(html) > wordsIn(plain) * 2 ? html : plain
}

const oneLine = (text: string): string => withoutControls(text).replace(/\s+/g, ' ').trim()

function headerLines({ headers }: Email, source: Uint8Array): string {
  let raw: readonly Uint8Array[] | undefined
  const textOf = (value: string, at: number): string => {
    if (!value.includes('\ufffd')) return value
    raw ??= rawHeaders(source)
    const line = raw[at] && decodeText(raw[at])
    return line ? line.slice(line.indexOf(':') + 1) : value
  }
  return shownHeaders
    .flatMap((name) =>
      headers.flatMap(({ key, value }, at) =>
        key === name.toLowerCase() ? [`${name}: ${oneLine(decodeWords(textOf(value, at)))}`] : [],
      ),
    )
    .join('\n')
}

/** The headers of an email as they are: postal-mime decodes them as UTF-8 only. */
const rawHeaders = (source: Uint8Array): Uint8Array[] =>
  Buffer.from(source.buffer, source.byteOffset, source.length)
    .toString('latin1')
    .split(/\n\r*\n/, 1)
    .flatMap((head) => head.split(/\n(?![ \t])/))
    .map((header) => Buffer.from(header, 'latin1'))

const nameOf = ({ filename, mimeType }: Attachment): string => oneLine(filename || `unnamed (${mimeType})`)

function unreadWarning(names: readonly string[]): { code: string; message: string } {
  const more = names.length > namedMax ? ` and ${names.length - namedMax} more` : ''
  const named = names.slice(0, namedMax).join(', ')
  return { code: 'attachments_not_read', message: `Attachments that were not read: ${named}${more}` }
}

/** A page of blocks with an empty line between them. */
function pageOf(blocks: readonly Block[]): Page {
  const words: GridWord[] = []
  let top = 0
  for (const block of blocks) {
    for (const word of block.words) words.push({ ...word, row: word.row + top })
    const height = block.words.reduce((most, { row }) => Math.max(most, row + 1), 0)
    if (height > 0) top += height + 1
  }
  return withoutSpans(gridPage(words))
}
