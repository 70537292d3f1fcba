import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** The earliest moment that a zip can say: the same files make the same zip whenever it is made. */
const mtime = new Date(Date.UTC(1980, 0, 1))
const regularFile = 0o100644
/** A shorter file does not become smaller. */
const worthPackingBytes = 64

/** Packs files in the order of their paths. */
export async function writeZip(files: ReadonlyMap<string, Buffer>): Promise<Buffer> {
  const zip = new ZipFile()
  const packed = buffer(zip.outputStream)
  for (const path of sortedPaths(files)) {
    const bytes = files.get(path) ?? Buffer.alloc(0)
    const options = { mtime, mode: regularFile, forceDosTimestamp: true, compress: bytes.length >= worthPackingBytes }
    // Lazily: thousands of packers at once would take hundreds of megabytes.
    zip.addReadStreamLazy(path, { ...options, size: bytes.length }, (give) => give(null, Readable.from([bytes])))
  }
  zip.end()
  return await packed
}

/** The paths by the order of their bytes, which is the same on every system. */
export const sortedPaths = (files: ReadonlyMap<string, unknown>): string[] =>
  [...files.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
