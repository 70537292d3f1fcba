import { crc32, inflateRawSync } from 'node:zlib'
import { Fault } from '@skillrun/core/fault.ts'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { limits } from '../../core/limits.ts'
import { badBundle } from './bundle.ts'
import { foldedPath, normalPath, shownName } from './entry-name.ts'

/** The regular files of a zip by normalised path, and the paths of those that their owner may execute. */
export interface Unzipped {
  readonly files: ReadonlyMap<string, Buffer>
  readonly executables: ReadonlySet<string>
}

const stored = 0
const deflated = 8
const flagEncrypted = 0x0001
const flagSizesFollow = 0x0008
const flagPatched = 0x0020
const flagStrongEncryption = 0x0040
const flagHeaderMasked = 0x2000
const extraUnicodePath = 0x7075
const sizeIsElsewhere = 0xffff_ffff
const endSignatures: readonly number[] = [0x0605_4b50, 0x0606_4b50]
/** Below this size even extreme compression is harmless. */
const ratioMattersBytes = 1024 * 1024

/**
 * Reads the files of an untrusted zip in one pass, so that the checked bytes are the returned ones. Throws Fault `bad_bundle` for a zip
 * that is damaged, too large, or ambiguous.
 */
export async function readZip(zip: Buffer): Promise<Unzipped> {
  if (zip.length > limits.bundleZipBytesMax)
    throw badBundle(`The zip has ${zip.length} bytes; at most ${limits.bundleZipBytesMax} are allowed`)
  const file = await fromBufferPromise(zip, { decodeStrings: false, validateEntrySizes: true }).catch(damaged)
  if (file.entryCount > limits.bundleEntriesMax)
    throw badBundle(`The zip has ${file.entryCount} entries; at most ${limits.bundleEntriesMax} are allowed`)
  const seen = newSeen(cursorOf(file))
  const files = new Map<string, Buffer>()
  const executables = new Set<string>()
  const entries = file.eachEntry()
  for (;;) {
    const next = await entries.next().catch(damaged)
    if (next.done) break
    const placed = await readPlace(file, next.value, seen)
    const { path } = placed
    // Folders follow from the files in them; Finder's additions are not part of a skill.
    if (path === '' || path.endsWith('/')) continue
    const bytes = readBytes(zip, placed)
    if (/^__MACOSX\/|(^|\/)\.DS_Store$/.test(path)) continue
    files.set(path, bytes)
    if (isExecutable(placed.entry)) executables.add(path)
  }
  refuseOverlap(seen)
  refuseLooseEnd(file, zip)
  return { files, executables }
}

/** The high half of the attributes holds the Unix mode; other systems leave it empty. */
const modeOf = ({ externalFileAttributes }: Entry): number => externalFileAttributes >>> 16

const isExecutable = (entry: Entry): boolean => (modeOf(entry) & 0o100) !== 0

/** What the entries so far occupy: names, ranges in the zip, and bytes. */
interface Seen {
  /** Case-folded path of each file and each folder, explicit or implied, to its spelling. */
  readonly names: Map<string, { path: string; isFile: boolean; isNamed: boolean }>
  readonly places: { readonly from: number; readonly to: number; readonly path: string }[]
  readonly directoryAt: number
  bytes: number
}

const newSeen = (directoryAt: number): Seen => ({ names: new Map(), places: [], directoryAt, bytes: 0 })

/** An entry, its normalised path, and the offset of its data in the zip. */
interface Placed {
  readonly entry: Entry
  readonly path: string
  readonly from: number
}

/** Checks everything in the headers of an entry. */
async function readPlace(file: ZipFile, entry: Entry, seen: Seen): Promise<Placed> {
  const name = decodedName(entry)
  const path = normalPath(name)
  const refuse = (why: string) => badBundle(`The entry ${shownName(name)} ${why}`)
  refuseSpecial(entry, path, refuse)
  const local = await file.readLocalFileHeaderPromise(entry).catch(damaged)
  if (!local.fileName.equals(entry.fileNameRaw))
    throw refuse('has a different name in its local header than in the central directory')
  if (local.compressionMethod !== entry.compressionMethod || (local.generalPurposeBitFlag & flagEncrypted) !== 0)
    throw refuse('has a different compression method in its local header than in the central directory')
  const sizesFollow = (local.generalPurposeBitFlag & flagSizesFollow) !== 0
  const differs = (here: number, there: number) =>
    here !== there && here !== sizeIsElsewhere && !(sizesFollow && here === 0)
  if (
    differs(local.uncompressedSize, entry.uncompressedSize) ||
    differs(local.compressedSize, entry.compressedSize) ||
    (!sizesFollow && local.crc32 !== entry.crc32)
  )
    throw refuse('has a different size or checksum in its local header than in the central directory')
  refuseTooMuch(entry, seen, refuse)
  takeName(path, seen, refuse)
  seen.places.push({
    from: entry.relativeOffsetOfLocalHeader,
    to: local.fileDataStart + entry.compressedSize,
    path: name,
  })
  return { entry, path, from: local.fileDataStart }
}

/** The name as UTF-8. Alternative spellings must agree, because readers differ in which one they use. */
function decodedName(entry: Entry): string {
  const raw = entry.fileNameRaw
  const name = raw.toString('utf8')
  if (!Buffer.from(name).equals(raw))
    throw badBundle(`The entry ${shownName(raw.toString('latin1'))} has a name that is not UTF-8`)
  const second = entry.extraFields.find(({ id }) => id === extraUnicodePath)
  if (second && !second.data.subarray(5).equals(raw))
    throw badBundle(`The entry ${shownName(name)} has two different names`)
  return name
}

function refuseSpecial(entry: Entry, path: string, refuse: (why: string) => Fault): void {
  const flags = entry.generalPurposeBitFlag
  if ((flags & (flagEncrypted | flagStrongEncryption | flagHeaderMasked)) !== 0)
    throw refuse('is encrypted; send the zip without a password')
  if ((flags & flagPatched) !== 0 || ![stored, deflated].includes(entry.compressionMethod))
    throw refuse(`uses compression method ${entry.compressionMethod}; only stored (0) and deflated (8) are supported`)
  const isFolder = path === '' || path.endsWith('/')
  const kind = modeOf(entry) >>> 12
  if (kind === 0xa) throw refuse('is a symbolic link; only regular files are allowed')
  if (kind !== 0 && kind !== (isFolder ? 0x4 : 0x8)) throw refuse('is neither a regular file nor a folder')
  if (isFolder && entry.uncompressedSize > 0) throw refuse('is a folder but has content')
}

function refuseTooMuch(entry: Entry, seen: Seen, refuse: (why: string) => Fault): void {
  const { uncompressedSize, compressedSize } = entry
  seen.bytes += uncompressedSize
  if (seen.bytes > limits.bundleBytesMax)
    throw refuse(`makes the bundle larger than ${limits.bundleBytesMax} bytes unpacked`)
  if (uncompressedSize >= ratioMattersBytes && uncompressedSize > compressedSize * limits.bundleRatioMax)
    throw refuse(`unpacks to more than ${limits.bundleRatioMax} times its compressed size`)
}

/** Registers the path of an entry and its folders. A name may have only one spelling, and be either a file or a folder. */
function takeName(path: string, seen: Seen, refuse: (why: string) => Fault): void {
  if (path === '') return
  const isFile = !path.endsWith('/')
  const steps = path.replace(/\/$/, '').split('/')
  for (let length = 1; length <= steps.length; length++) {
    const isSelf = length === steps.length
    const here = { path: steps.slice(0, length).join('/'), isFile: isSelf && isFile, isNamed: isSelf }
    const key = foldedPath(here.path)
    const known = seen.names.get(key)
    if (known === undefined) seen.names.set(key, here)
    else if (known.path !== here.path)
      throw refuse(`and ${shownName(known.path)} have names that some systems treat as equal`)
    else if (known.isFile !== here.isFile) throw refuse('is both a file and a folder')
    else if (isSelf && known.isNamed) throw refuse('appears twice')
    else if (isSelf) seen.names.set(key, here)
  }
}

/** The bytes of an entry; never decompresses more than its declared size. */
function readBytes(zip: Buffer, { entry, path, from }: Placed): Buffer {
  const refuse = (why: string) => badBundle(`The entry ${shownName(path)} ${why}`)
  const packed = zip.subarray(from, from + entry.compressedSize)
  const bytes = entry.compressionMethod === stored ? packed : inflated(packed, entry.uncompressedSize)
  if (bytes === undefined || bytes.length !== entry.uncompressedSize)
    throw refuse('is damaged or does not have the size given in the zip')
  if (crc32(bytes) !== entry.crc32) throw refuse('does not match its checksum in the zip')
  return bytes
}

/** The result of `inflateRawSync` with `info`, which its types lack. */
const inflatedInfo = z.object({ buffer: z.instanceof(Buffer), engine: z.object({ bytesWritten: z.number() }) })

/** Undefined: damaged, longer than declared, or with trailing data. */
function inflated(packed: Buffer, bytes: number): Buffer | undefined {
  try {
    const options = { maxOutputLength: Math.max(1, bytes), info: true }
    const { buffer, engine } = inflatedInfo.parse(inflateRawSync(packed, options))
    return engine.bytesWritten === packed.length ? buffer : undefined
  } catch {
    return undefined
  }
}

/** Overlapping entries: a small zip that unpacks to a large bundle. */
function refuseOverlap({ places, directoryAt }: Seen): void {
  const sorted = places.toSorted((a, b) => a.from - b.from)
  for (const [index, place] of sorted.entries()) {
    const next = sorted[index + 1]
    if (next && next.from < place.to)
      throw badBundle(`The entries ${shownName(place.path)} and ${shownName(next.path)} overlap within the zip`)
    if (place.to > directoryAt)
      throw badBundle(`The entry ${shownName(place.path)} overlaps the zip's central directory`)
  }
}

/** The directory must end where the end record begins: otherwise it has entries that some readers see and others do not. */
function refuseLooseEnd(file: ZipFile, zip: Buffer): void {
  const at = cursorOf(file)
  if (at + 4 > zip.length || !endSignatures.includes(zip.readUInt32LE(at)))
    throw badBundle(
      'The zip has data between its central directory and its end record, so that programs could disagree on its entries',
    )
}

function damaged(error: unknown): never {
  if (error instanceof Fault) throw error
  throw badBundle(`The zip cannot be read: ${wordsOf(error)}`)
}

/** Where the parser continues in the directory; its types are wrong here. */
const cursorOf = (file: ZipFile): number => Number(file.readEntryCursor)

/** The parser's message, short and printable. */
const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : 'unknown')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .slice(0, 200)
    .replace(/\.$/, '')
