import { fromBufferPromise, type ZipFile } from 'yauzl'
import { damaged, tooLarge } from '../faults.ts'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'

/** The maximum number of entries of one file. */
const entriesMax = 20_000

function broken(): never {
  throw damaged('The file is a damaged archive and cannot be opened.')
}

async function openedZip(zip: Uint8Array): Promise<ZipFile> {
  const bytes = Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength)
  const file = await fromBufferPromise(bytes, { validateEntrySizes: true }).catch(broken)
  if (file.entryCount > entriesMax)
    throw tooLarge(`The archive has ${file.entryCount} entries; the limit is ${entriesMax}.`)
  return file
}

/** The files in the directory of a zip. Throws the Faults of `zipEntries`. */
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
 * Unpacks the wanted entries of a zip, by name and in the order of the zip. Their total size is limited to `bytesMax`,
 * and to less for a small zip. Process pool only. Throws Faults when the zip is damaged, encrypted or unpacks to too
 * much.
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
    if (entry.isEncrypted()) throw damaged('The archive is protected by a password; send it without one.')
    unpacked += entry.uncompressedSize
    // An entry that unpacks to more than its stated size is damaged.
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
