import { byteOrderMark } from '@skillrun/core/decode-text.ts'
import { textSignature } from '@skillrun/reader/media/text-signature.ts'
import { extensionOf } from './filename.ts'

/** Media types by file extension, for bytes without a signature. */
const typeOfExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  eml: 'message/rfc822',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/jsonl',
  log: 'text/plain',
  md: 'text/markdown',
  pdf: 'application/pdf',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}
/** Signatures of containers only; the name says more. */
const containers = ['application/zip', 'application/x-cfb', 'application/xml']
const unknown = 'application/octet-stream'
const mediaTypePattern = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/
const textPattern = /^(text\/|message\/|application\/(json|jsonl|x-ndjson|xml|yaml)|image\/svg)/

/**
 * The media type to show for a file: by its signature, or else as the client declared, or else by its name. Ignores a declared type that
 * contradicts the bytes. For display only; the reader inspects all bytes.
 */
export async function displayedContentType(head: Uint8Array, filename: string, declared?: string): Promise<string> {
  const byName = typeOfExtension[extensionOf(filename)]
  if (head.length === 0) return byName ?? unknown
  const byClient = declaredType(declared)
  if (isText(head)) {
    const isTextual = (type: string | undefined) => type !== undefined && textPattern.test(type)
    return textSignature(head) ?? [byClient, byName].find(isTextual) ?? 'text/plain'
  }
  // Imported lazily: a start must not wait for the signatures of all formats.
  const { fileTypeFromBuffer } = await import('file-type')
  const signature = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime
  if (signature) return containers.includes(signature) ? (byName ?? byClient ?? signature) : signature
  return textSignature(head) ?? byClient ?? byName ?? unknown
}

/** The declared type, unless it is one that fits any file. */
function declaredType(declared = ''): string | undefined {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return mediaTypePattern.test(type) && type !== 'text/plain' && type !== unknown ? type : undefined
}

/** Whether the bytes begin as UTF-8 text, or UTF-16 with a byte order mark; they may be cut inside a character. */
function isText(head: Uint8Array): boolean {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what text does not hold.
    return !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(
      new TextDecoder(byteOrderMark(head) ?? 'utf-8', { fatal: true }).decode(head, { stream: true }),
    )
  } catch {
    return false
  }
}
