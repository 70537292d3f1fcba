import { buffer } from 'node:stream/consumers'
import { crc32, deflateRawSync } from 'node:zlib'
import { fromBufferPromise } from 'yauzl'

/** An entry of a hand-written zip; omitted properties are those of a valid zip. */
export interface WrittenEntry {
  readonly name: string | Buffer
  readonly bytes?: string | Uint8Array
  readonly method?: number
  readonly flags?: number
  /** The Unix mode, in the high half of the external attributes. */
  readonly mode?: number
  /** The data in the zip, if it is not the compressed bytes. */
  readonly data?: Uint8Array
  readonly extra?: Uint8Array
  /** False values in the headers: in both, or only in the one in front of the data. */
  readonly says?: Partial<Sizes>
  readonly saysInFront?: Partial<Sizes> & { readonly name?: string; readonly method?: number; readonly flags?: number }
  /** Uses the data of the entry with this index instead of its own. */
  readonly sharesDataOf?: number
}

interface Sizes {
  readonly crc: number
  readonly packed: number
  readonly unpacked: number
}

/** Writes a zip as specified, however invalid; `tail` is put between the directory and its end. */
export function writeEntries(
  entries: readonly WrittenEntry[],
  options: { tail?: Uint8Array; count?: number; comment?: Uint8Array } = {},
): Buffer {
  const fronts: Buffer[] = []
  const directory: Buffer[] = []
  const offsets: number[] = []
  let at = 0
  for (const entry of entries) {
    const { header, data, central } = partsOf(entry)
    const shared = entry.sharesDataOf === undefined ? undefined : offsets[entry.sharesDataOf]
    const offset = shared ?? at
    offsets.push(offset)
    if (shared === undefined) {
      fronts.push(header, data)
      at += header.length + data.length
    }
    directory.push(central(offset))
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(options.count ?? entries.length, 8)
  end.writeUInt16LE(options.count ?? entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(at, 16)
  end.writeUInt16LE(options.comment?.length ?? 0, 20)
  const none = new Uint8Array()
  return Buffer.concat([...fronts, listed, options.tail ?? none, end, options.comment ?? none])
}

function partsOf(entry: WrittenEntry) {
  const bytes = Buffer.from(entry.bytes ?? '')
  const method = entry.method ?? 8
  const data = entry.data ? Buffer.from(entry.data) : method === 8 ? deflateRawSync(bytes) : bytes
  const sizes = { crc: crc32(bytes), packed: data.length, unpacked: bytes.length, ...entry.says }
  const front = { ...sizes, name: entry.name, method, flags: entry.flags ?? 0x0800, ...entry.saysInFront }
  const frontName = Buffer.from(front.name as string)
  const extra = Buffer.from(entry.extra ?? new Uint8Array())
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(front.flags, 6)
  header.writeUInt16LE(front.method, 8)
  header.writeUInt32LE(front.crc, 14)
  header.writeUInt32LE(front.packed, 18)
  header.writeUInt32LE(front.unpacked, 22)
  header.writeUInt16LE(frontName.length, 26)
  header.writeUInt16LE(extra.length, 28)
  const name = Buffer.from(entry.name as string)
  const central = (offset: number) => {
    const record = Buffer.alloc(46)
    record.writeUInt32LE(0x02014b50, 0)
    record.writeUInt16LE((3 << 8) | 20, 4)
    record.writeUInt16LE(20, 6)
    record.writeUInt16LE(entry.flags ?? 0x0800, 8)
    record.writeUInt16LE(method, 10)
    record.writeUInt32LE(sizes.crc, 16)
    record.writeUInt32LE(sizes.packed, 20)
    record.writeUInt32LE(sizes.unpacked, 24)
    record.writeUInt16LE(name.length, 28)
    record.writeUInt16LE(extra.length, 30)
    record.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38)
    record.writeUInt32LE(offset, 42)
    return Buffer.concat([record, name, extra])
  }
  return { header: Buffer.concat([header, frontName, extra]), data, central }
}

/** A valid zip of these files, in this order. */
export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  writeEntries(Object.entries(files).map(([name, bytes]) => ({ name, bytes })))

/** The files in a zip, in order. */
export async function filesOfZip(zip: Buffer): Promise<Map<string, Buffer>> {
  const opened = await fromBufferPromise(zip)
  const files = new Map<string, Buffer>()
  const entries = opened.eachEntry()
  for (let next = await entries.next(); !next.done; next = await entries.next())
    files.set(next.value.fileName, await buffer(await opened.openReadStreamPromise(next.value)))
  return files
}

/** The Unix modes in a zip by path. */
export async function modesIn(zip: Buffer): Promise<Readonly<Record<string, number>>> {
  const opened = await fromBufferPromise(zip)
  const modes: Record<string, number> = {}
  const entries = opened.eachEntry()
  for (let next = await entries.next(); !next.done; next = await entries.next())
    modes[next.value.fileName] = next.value.externalFileAttributes >>> 16
  return modes
}
