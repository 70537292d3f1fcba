import type { Attachment } from 'postal-mime'
import { damagedIn, isDamaged, type MailPart, nameOf, oneLine, parsedMails } from '../mail/parse-mail.ts'
import { sniff } from '../sniff.ts'
import type { ArchiveContents } from './archive.ts'

/** The attachments of an email by names of their own, and those that are not read. */
interface MailEntries {
  readonly found: ReadonlyMap<string, Uint8Array>
  readonly left: ArchiveContents['left']
}

const nameLengthMax = 200

/** The attachments of the emails in a file, in their order. Process pool only. Throws the Faults of reading the email. */
export async function mailEntries(bytes: Uint8Array, { entriesMax }: { entriesMax: number }): Promise<MailEntries> {
  const found = new Map<string, Uint8Array>()
  const left: { name: string; why: string; isInline?: boolean }[] = []
  let beyond = 0
  let isFirst = true
  for await (const { root, attachments } of parsedMails(bytes)) {
    // Reading it says why.
    if (isFirst && isDamaged(root)) return { found, left: [] }
    isFirst = false
    for (const attachment of attachments) {
      const content = new Uint8Array(attachment.content as ArrayBuffer)
      const isInline = isReferenced(attachment, root) && (await sniff(content)).mediaType.startsWith('image/')
      if (isInline)
        left.push({ name: nameOf(attachment), why: 'it is an image within the text of the email', isInline })
      else if (found.size === entriesMax) beyond += 1
      else found.set(freeName(found, nameOf({ ...attachment, filename: lastStep(attachment.filename) })), content)
    }
    for (const name of damagedIn(root)) left.push({ name, why: 'it is damaged' })
  }
  if (beyond > 0) left.push({ name: `${beyond} more`, why: `the limit is ${entriesMax} attachments` })
  return { found, left }
}

/** Without folders, which a name from elsewhere may lead out of. */
const lastStep = (filename: string | null): string =>
  oneLine(filename?.split(/[/\\]/).findLast((step) => step.trim() !== '') ?? '').slice(-nameLengthMax)

/** The name, or one with a number before its extension. */
function freeName(taken: ReadonlyMap<string, unknown>, name: string): string {
  const [, stem = name, extension = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${stem} (${number})${extension}`
  return free
}

/** Whether the HTML of an email shows an attachment. */
function isReferenced({ contentId }: Attachment, root: MailPart): boolean {
  const id = contentId?.replace(/^<|>$/g, '')
  return id
    ? htmlOf(root).some((html) => [id, encodeURIComponent(id)].some((one) => html.includes(`cid:${one}`)))
    : false
}

const htmlOf = (part: MailPart): readonly string[] =>
  part.contentType.parsed.value === 'text/html' ? [part.getTextContent()] : part.childNodes.flatMap(htmlOf)
