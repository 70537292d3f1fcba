/** The files of a folder by relative path, with `/`. */
export type Folder = Readonly<Record<string, Uint8Array | string>>

/** Writes files into a ZIP archive without compression (APPNOTE 6.3.10, sections 4.3.7 to 4.3.16). */
export function zipOf(folder: Folder): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  const files = Object.entries(folder).map(([path, content]) => {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content
    return { name: encoder.encode(path), bytes, sum: crc32(bytes) }
  })
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const file of files) {
    const head = localHeader(file)
    directory.push(directoryEntry(file, offset), file.name)
    parts.push(head, file.name, file.bytes)
    offset += head.length + file.name.length + file.bytes.length
  }
  const directoryBytes = directory.reduce((sum, part) => sum + part.length, 0)
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, directoryBytes],
    [4, offset],
    [2, 0],
  ])
  const all = new Uint8Array(offset + directoryBytes + end.length)
  let at = 0
  for (const part of [...parts, ...directory, end]) {
    all.set(part, at)
    at += part.length
  }
  return all
}

interface ZipFile {
  readonly name: Uint8Array
  readonly bytes: Uint8Array
  readonly sum: number
}

/** Names are UTF-8. */
const flags = 0x0800
/** 1 January 1980, the first date of the format: the same files give the same bytes. */
const date = 0x0021

const facts = ({ name, bytes, sum }: ZipFile): readonly (readonly [number, number])[] => [
  [2, 20],
  [2, flags],
  [2, 0],
  [2, 0],
  [2, date],
  [4, sum],
  [4, bytes.length],
  [4, bytes.length],
  [2, name.length],
  [2, 0],
]

const localHeader = (file: ZipFile): Uint8Array => fields([[4, 0x04034b50], ...facts(file)])

const directoryEntry = (file: ZipFile, offset: number): Uint8Array =>
  fields([[4, 0x02014b50], [2, 20], ...facts(file), [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]])

/** Integers of 2 or 4 bytes, little-endian. */
function fields(list: readonly (readonly [bytes: number, value: number])[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(list.reduce((sum, [bytes]) => sum + bytes, 0)))
  let at = 0
  for (const [bytes, value] of list) {
    if (bytes === 2) view.setUint16(at, value, true)
    else view.setUint32(at, value, true)
    at += bytes
  }
  return new Uint8Array(view.buffer)
}

/** CRC-32 as in ZIP (polynomial 0xEDB88320, reflected). */
function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}
