import { isUtf8 } from 'node:buffer'
import { Fault } from '@skillrun/core/fault.ts'
import type { ScriptFile } from '../../adapters/sandbox/scripts.ts'
import type { Made, ToolMedia } from '../../agent/tool.ts'

/** Formats with signatures; only these kinds promise a format to clients. */
const formats: readonly { kind: Made['kind']; contentType: string; isIt: (head: string) => boolean }[] = [
  { kind: 'doc', contentType: 'application/pdf', isIt: (head) => head.startsWith('%PDF-') },
  { kind: 'img', contentType: 'image/png', isIt: (head) => head.startsWith('\x89PNG\r\n') },
  { kind: 'img', contentType: 'image/jpeg', isIt: (head) => head.startsWith('\xff\xd8\xff') },
  { kind: 'vid', contentType: 'video/mp4', isIt: (head) => head.slice(4, 8) === 'ftyp' },
  { kind: 'aud', contentType: 'audio/mpeg', isIt: (head) => /^(ID3|\xff[\xf2\xf3\xfb])/.test(head) },
]
const office = 'application/vnd.openxmlformats-officedocument'
/** Content types by extension, of texts and of containers. */
const types: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  docx: `${office}.wordprocessingml.document`,
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  pptx: `${office}.presentationml.presentation`,
  svg: 'image/svg+xml',
  xlsx: `${office}.spreadsheetml.sheet`,
  xml: 'application/xml',
  zip: 'application/zip',
}

interface Kept {
  readonly artifacts: readonly { readonly id: string; readonly path: string; readonly bytes: number }[]
  /** Reasons why files were not kept. */
  readonly refused: readonly string[]
}

/** Keeps the files that a script left in its outputs folder as artifacts of the run. */
export async function keepOutputs(media: Pick<ToolMedia, 'keep'>, files: readonly ScriptFile[]): Promise<Kept> {
  const artifacts: { id: string; path: string; bytes: number }[] = []
  const refused: string[] = []
  for (const { path, bytes } of files) {
    try {
      const id = await media.keep({ ...formatOf(path, bytes), filename: path.replaceAll('/', '_'), bytes })
      artifacts.push({ id, path, bytes: bytes.length })
    } catch (error) {
      // One file too many or too large: keep those before it.
      if (!(error instanceof Fault)) throw error
      refused.push(`${path}: ${error.message}`)
    }
  }
  return { artifacts, refused }
}

function formatOf(path: string, bytes: Uint8Array): Pick<Made, 'kind' | 'contentType'> {
  const head = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  const format = formats.find(({ isIt }) => isIt(head))
  if (format) return { kind: format.kind, contentType: format.contentType }
  const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  const contentType = types[extension] ?? (isUtf8(bytes) ? 'text/plain' : 'application/octet-stream')
  return { kind: 'txt', contentType }
}
