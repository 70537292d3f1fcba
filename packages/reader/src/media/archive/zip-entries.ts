import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { damaged, tooLarge } from '../faults.ts'
import { unpackedBytesMaxOf, unpacksToTooMuch } from '../unpacking.ts'

/** The maximum number of entries of one file. */
const entriesMax = 20_000

function broken(): never {
  throw damaged('The file is a damaged archive and cannot be opened.')
}

/** A zip in memory, or a local file with its size, of which only what is needed is read. */
export type ZipSource = Uint8Array | { readonly path: string; readonly length: number }

async function withZip<T>(zip: ZipSource, use: (file: ZipFile) => Promise<T>): Promise<T> {
  const options = { validateEntrySizes: true }
  const opening =
    'path' in zip
      ? openPromise(zip.path, options)
      : fromBufferPromise(Buffer.from(zip.buffer, zip.byteOffset, zip.byteLength), options)
  const file = await opening.catch(broken)
  try {
    if (file.entryCount > entriesMax)
      throw tooLarge(`The archive has ${file.entryCount} entries; the limit is ${entriesMax}.`)
    return await use(file)
  } finally {
    file.close()
  }
}

/** The files in the directory of a zip. Throws the Faults of `zipEntries`. */
export const listZip = (zip: ZipSource): Promise<{ readonly name: string; readonly bytes: number }[]> =>
  withZip(zip, async (file) => {
    const found: { name: string; bytes: number }[] = []
    const entries = file.eachEntry()
    for (;;) {
      const next = await entries.next().catch(broken)
      if (next.done) return found
      const { fileName, uncompressedSize } = next.value
      const name = String(fileName)
      if (!name.endsWith('/')) found.push({ name, bytes: uncompressedSize })
    }
  })

/**
 * Unpacks the wanted entries of a zip, by name and in the order of the zip. Their total size is limited to `bytesMax`,
 * and to less for a small zip. Process pool only. Throws Faults when the zip is damaged, encrypted or unpacks to too
 * much.
 */
export const zipEntries = (zip: ZipSource, wanted: WantedEntries): Promise<Map<string, Buffer>> =>
  withZip(zip, (file) => unpackedFrom(file, zip.length, wanted))

interface WantedEntries {
  readonly bytesMax: number
  readonly isWanted: (name: string) => boolean
}

async function unpackedFrom(
  file: ZipFile,
  packedBytes: number,
  { bytesMax, isWanted }: WantedEntries,
): Promise<Map<string, Buffer>> {
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
    if (unpacked > unpackedBytesMaxOf(packedBytes, bytesMax)) throw unpacksToTooMuch('The file', packedBytes, bytesMax)
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
