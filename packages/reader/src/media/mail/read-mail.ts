import { decodeText, withoutControls } from '@skillrun/core/decode-text.ts'
import { decodeWords, type Email } from 'postal-mime'
import type { Page, ReadDocument } from '../document.ts'
import { damaged, tooLarge } from '../faults.ts'
import type { ReadLimits } from '../limits.ts'
import { type GridWord, gridPage, withoutSpans } from '../text/grid.ts'
import { wordsOfHtml } from '../text/html.ts'
import { wordsOfText } from '../text/plain.ts'
import { unreadWarning } from './attachments.ts'
import { damagedIn, isDamaged, type MailPart, nameOf, oneLine, parsedMails } from './parse-mail.ts'

/** The headers that mail programs show. */
const shownHeaders = ['From', 'To', 'Cc', 'Date', 'Subject']
const ascii = /[\0-\x7f]+/g

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
  const textsOf = (part: MailPart): readonly Block[] => {
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
  for await (const { mail, root, source, attachments } of parsedMails(bytes)) {
    // Forwarded ones are named instead.
    if (isDamaged(root) && blocks.length === 0)
      throw damaged('The email is damaged: the boundary between its parts does not occur in it.')
    const names = attachments.map(nameOf).concat(damagedIn(root))
    const named = blockOf(names.map((name) => `Attachment: ${name}`).join('\n'))
    for (const block of [blockOf(headerLines(mail, source)), ...textsOf(root), named]) blocks.push(block)
    for (const name of names) unread.push(name)
  }
  return { pages: [pageOf(blocks)], ...(unread.length > 0 && { warnings: [unreadWarning(unread)] }) }
}

/** The text of a part by its charset; as that of other texts where it has none, or a wrong one. */
function decodedText(part: MailPart): string {
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
