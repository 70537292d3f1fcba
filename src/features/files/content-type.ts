import { sniffMediaType } from '../../media/sniff.ts'
import { extensionOf } from './filename.ts'

/** What bytes without a signature of their own are, by the name of their file. */
const typeOfExtension: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  css: 'text/css',
  eml: 'message/rfc822',
  htm: 'text/html',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  jsonl: 'application/jsonl',
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
/** Answers of the sniffer that say only what the bytes are packed in. */
const containers = ['application/octet-stream', 'text/plain', 'application/zip', 'application/x-cfb', 'application/xml']
const mediaTypePattern = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/

/**
 * The media type to show for a file: what its first bytes say, else what its name says, else what the client said. For
 * display only; whoever reads the file looks at all of it.
 */
export async function displayedContentType(head: Uint8Array, filename: string, declared?: string): Promise<string> {
  const sniffed =
    head.length === 0 ? 'application/octet-stream' : await sniffMediaType(head).catch(() => 'application/octet-stream')
  if (!containers.includes(sniffed)) return sniffed
  const byName = typeOfExtension[extensionOf(filename)]
  const isText = (type: string) => /^(text\/|message\/)|json|xml|yaml|javascript/.test(type)
  if (byName && (sniffed === 'application/octet-stream' || isText(byName) === isText(sniffed))) return byName
  // A part without a type of its own reads as text/plain; bytes that are text were found to be so already.
  if (
    declared &&
    declared !== 'text/plain' &&
    sniffed === 'application/octet-stream' &&
    mediaTypePattern.test(declared)
  )
    return declared.toLowerCase()
  return sniffed
}
