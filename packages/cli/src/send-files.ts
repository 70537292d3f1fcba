import type { File as FileRecord } from '@skillrun/client/openapi.ts'
import { bytesText } from '@skillrun/core/figures.ts'
import type { Client } from './client.ts'
import type { LocalFile } from './local-file.ts'
import { printable, renderBar } from './render.ts'
import type { Terminal } from './terminal.ts'

/** Smaller files are sent before a progress bar could be read. */
const progressBytesMin = 8_000_000

/** Streams content of a known size, with a progress bar on stderr when it is large. */
export async function* withProgress(
  content: AsyncIterable<Uint8Array>,
  { filename, bytes, terminal }: { filename: string; bytes: number; terminal: Terminal },
): AsyncGenerator<Uint8Array> {
  let came = 0
  let shownPercent = -1
  for await (const piece of content) {
    came += piece.length
    const percent = Math.floor((came / bytes) * 100)
    if (bytes >= progressBytesMin && percent > shownPercent)
      terminal.logLive(`fetching ${printable(filename)} ${renderBar(came / bytes)} ${percent} %`)
    shownPercent = percent
    yield piece
  }
}

/** Uploads a file, with progress on stderr when it is large. Throws what `Client` throws. */
export async function sendFile(
  file: LocalFile,
  how: { client: Client; terminal: Terminal; purpose?: FileRecord['purpose'] },
): Promise<FileRecord> {
  const { client, terminal } = how
  const name = printable(file.filename)
  const large = file.bytes >= progressBytesMin
  if (large) terminal.log(`uploading ${name} (${bytesText(file.bytes)})`)
  let shownPercent = -1
  const onProgress = (sent: number) => {
    const percent = Math.floor((sent / file.bytes) * 100)
    if (large && percent > shownPercent)
      terminal.logLive(`uploading ${name} ${renderBar(sent / file.bytes)} ${percent} %`)
    shownPercent = percent
  }
  const { filename, content } = file
  const record = await client.upload(content, { filename, purpose: how.purpose ?? 'assistants', onProgress })
  terminal.log(`uploaded ${name} as ${printable(record.id)}`)
  return record
}
