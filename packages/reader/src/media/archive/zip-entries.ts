import { fromBufferPromise, type ZipFile } from 'yauzl'
import { damaged, tooLarge } from '../faults.ts'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'

/** Entries of one file. */
const entriesMax = 20_000

function broken(): never {
  throw damaged('The file is a damaged archive and cannot be opened.')
}

async function openedZip(zip: Uint8Array): Promise<ZipFile> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const file = await fromBufferPromise(bytes, { validateEntrySizes: true }).catch(broken)
  if (file.entryCount > entriesMax)
    throw tooLarge(`The file is an archive of ${file.entryCount} entries; at most ${entriesMax} are read.`)
  return file
}

/** The files of a zip as its directory lists them. Throws Faults as `zipEntries`. */
export async function listZip(zip: Uint8Array): Promise<{ readonly name: string; readonly bytes: number }[]> {
  const found: { name: string; bytes: number }[] = []
  const entries = (await openedZip(zip)).eachEntry()
  for (;;) {
    const next = await entries.next().catch(broken)
    if (next.done) return found
    const { fileName, uncompressedSize } = next.value
    const name = String(fileName)
    if (!name.endsWith('/')) found.push({ name, bytes: uncompressedSize })
  }
}

/**
 * The wanted entries of a zip, unpacked, by name and in the order of the zip; together they may have `bytesMax` bytes, and fewer
 * where the zip is small. Only for the workshop. Throws Faults for a zip that is damaged, encrypted or unpacks to too much.
 */
export async function zipEntries(
  zip: Uint8Array,
  { bytesMax, isWanted }: { bytesMax: number; isWanted: (name: string) => boolean },
): Promise<Map<string, Buffer>> {
  const file = await openedZip(zip)
  const found = new Map<string, Buffer>()
  let unpacked = 0
  const entries = file.eachEntry()
  for (;;) {
    const next = await entries.next().catch(broken)
    if (next.done) return found
    const entry = next.value
    const name = String(entry.fileName)
    if (name.endsWith('/') || !isWanted(name)) continue
    if (entry.isEncrypted()) throw damaged('The file is an archive with a password; send it without one.')
    unpacked += entry.uncompressedSize
    // No entry gives more than it says: that is a damaged zip.
    if (unpacked > unpackedBytesMaxOf(zip.length, bytesMax)) throw unpacksToTooMuch('The file', zip.length, bytesMax)
    const stream = await file.openReadStreamPromise(entry).catch(broken)
    const parts: Buffer[] = []
    try {
      for await (const part of stream) parts.push(part as Buffer)
    } catch {
      broken()
    }
    found.set(name, Buffer.concat(parts))
  }
}
