/** A compressed file of an archive. */
interface Entry {
  readonly method: number
  readonly packedBytes: number
  readonly bytes: number
  /** Offset of its local header. */
  readonly offset: number
}

/** An archive whose files are unpacked one by one. */
export interface Archive {
  readonly paths: readonly string[]
  /** The text of a file, or that it is not text or longer than `bytesMax`. */
  text(path: string, bytesMax: number): Promise<string>
  /** The bytes of a file, or that it is longer than `bytesMax`. */
  bytes(path: string, bytesMax: number): Promise<Uint8Array>
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const endBytes = 22
const commentBytesMax = 65_535

/** Reads the directory of a ZIP archive (APPNOTE 6.3.10, sections 4.3.12 and 4.3.16). The server validated it before storing it. */
export function openArchive(buffer: ArrayBuffer): Archive {
  const view = new DataView(buffer)
  let end = buffer.byteLength - endBytes
  const first = Math.max(0, end - commentBytesMax)
  while (end >= first && view.getUint32(end, true) !== endSignature) end -= 1
  if (end < first) throw new Error('The bundle is not a ZIP archive.')
  const entries = new Map<string, Entry>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (view.getUint32(at, true) !== entrySignature) throw new Error('The directory of the bundle is damaged.')
    const nameBytes = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(new Uint8Array(buffer, at + 46, nameBytes))
    if (!name.endsWith('/'))
      entries.set(name, {
        method: view.getUint16(at + 10, true),
        packedBytes: view.getUint32(at + 20, true),
        bytes: view.getUint32(at + 24, true),
        offset: view.getUint32(at + 42, true),
      })
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return {
    paths: [...entries.keys()],
    text: async (path, bytesMax) => textOf(await contentOf(buffer, entries.get(path), bytesMax)),
    bytes: (path, bytesMax) => contentOf(buffer, entries.get(path), bytesMax),
  }
}

async function contentOf(buffer: ArrayBuffer, entry: Entry | undefined, bytesMax: number): Promise<Uint8Array> {
  if (!entry) throw new Error('The bundle has no such file.')
  if (entry.bytes > bytesMax) throw new Error('The file is too large to show here.')
  const view = new DataView(buffer)
  const start = entry.offset + 30 + view.getUint16(entry.offset + 26, true) + view.getUint16(entry.offset + 28, true)
  const packed = new Uint8Array(buffer, start, entry.packedBytes)
  return entry.method === 0 ? packed : inflated(packed, bytesMax)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Error('The file is not text.')
  }
}

/** Never unpacks more than `bytesMax`, whatever the directory claims. */
async function inflated(packed: Uint8Array<ArrayBuffer>, bytesMax: number): Promise<Uint8Array> {
  const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  const pieces: Uint8Array[] = []
  let sum = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    sum += value.length
    if (sum > bytesMax) throw new Error('The file is too large to show here.')
    pieces.push(value)
  }
  const all = new Uint8Array(sum)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
