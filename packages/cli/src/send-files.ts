import type { File as FileRecord } from '@skillrun/client/openapi.ts'
import { bytesText } from '@skillrun/core/figures.ts'
import type { Client } from './client.ts'
import type { LocalFile } from './local-file.ts'
import { printable, renderBar } from './render.ts'
import type { Terminal } from './terminal.ts'

/** Below this a file has gone before one could read how far it is. */
const progressBytesMin = 8_000_000

/** Content of a known size as it comes, with a bar on stderr where it is much. */
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
      terminal.tellLive(`fetching ${printable(filename)} ${renderBar(came / bytes)} ${percent} %`)
    shownPercent = percent
    yield piece
  }
}

/** Sends a file to the server, with progress on stderr when it is a large one. Throws what `Client` throws. */
export async function sendFile(
  file: LocalFile,
  how: { client: Client; terminal: Terminal; purpose?: FileRecord['purpose'] },
): Promise<FileRecord> {
  const { client, terminal } = how
  const name = printable(file.filename)
  const large = file.bytes >= progressBytesMin
  if (large) terminal.tell(`uploading ${name} (${bytesText(file.bytes)})`)
  let shownPercent = -1
  const onProgress = (sent: number) => {
    const percent = Math.floor((sent / file.bytes) * 100)
    if (large && percent > shownPercent)
      terminal.tellLive(`uploading ${name} ${renderBar(sent / file.bytes)} ${percent} %`)
    shownPercent = percent
  }
  const { filename, content } = file
  const record = await client.upload(content, { filename, purpose: how.purpose ?? 'assistants', onProgress })
  terminal.tell(`uploaded ${name} as ${printable(record.id)}`)
  return record
}
