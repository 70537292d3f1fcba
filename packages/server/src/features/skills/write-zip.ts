import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'

/** The earliest date in a zip, so that the same files always make the same zip. */
const mtime = new Date(Date.UTC(1980, 0, 1))
/** The only two modes, as in Git: no other bit of a mode is kept. */
const modes = { plain: 0o100644, executable: 0o100755 } as const
/** Compression does not shrink smaller files. */
const worthPackingBytes = 64

/** Packs files in path order; those in `executables` may be executed. */
export async function writeZip(
  files: ReadonlyMap<string, Buffer>,
  executables: ReadonlySet<string> = new Set(),
): Promise<Buffer> {
  const zip = new ZipFile()
  const packed = buffer(zip.outputStream)
  for (const path of sortedPaths(files)) {
    const bytes = files.get(path) ?? Buffer.alloc(0)
    const mode = executables.has(path) ? modes.executable : modes.plain
    const options = { mtime, mode, forceDosTimestamp: true, compress: bytes.length >= worthPackingBytes }
    // Lazily: thousands of packers at once would take hundreds of megabytes.
    zip.addReadStreamLazy(path, { ...options, size: bytes.length }, (give) => give(null, Readable.from([bytes])))
  }
  zip.end()
  return await packed
}

/** Paths in byte order, which is the same on every system. */
export const sortedPaths = (files: ReadonlyMap<string, unknown>): string[] =>
  [...files.keys()].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
