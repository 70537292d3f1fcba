import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '@skillrun/server/core/limits.ts'
import { type Entry, fromBufferPromise } from 'yauzl'
import { callerPath } from '../paths.ts'
import { printable } from '../render.ts'
import type { Terminal } from '../terminal.ts'
import { leftOut, type PackedSkill, packFiles, packSkill } from './skill-folder.ts'

/** Maximum size of a zip, in bytes. */
const archiveBytesMax = 256 * 1024 * 1024
const skillFile = 'SKILL.md'

/**
 * Packs the skills of a source: a folder, a zip, or the URL of a zip or of a SKILL.md. A zip has one skill at its root, or several in folders,
 * like the zip of a Git repository. Throws Fault `invalid` when the source has no skill, and `unavailable` when the URL cannot be reached.
 */
export async function packSource(
  source: string,
  { environment, signal }: Pick<Terminal, 'environment' | 'signal'>,
): Promise<readonly PackedSkill[]> {
  if (/^https?:\/\//i.test(source)) return packBytes(await fetchBytes(source, signal), source)
  const path = callerPath(source, environment)
  const state = await stat(path).catch(() => undefined)
  if (!state?.isFile()) return [await packSkill(path, source)]
  if (state.size > archiveBytesMax) throw tooLarge(source)
  return packBytes(await readFile(path), source)
}

const tooLarge = (name: string) =>
  new Fault(
    'invalid',
    'bad_zip',
    `${name} is larger than ${archiveBytesMax} bytes; download it and give a folder of it`,
  )

async function fetchBytes(url: string, signal: AbortSignal): Promise<Buffer> {
  const reply = await fetch(url, { signal }).catch((error: Error) => {
    throw new Fault('unavailable', 'no_connection', `${url} cannot be fetched: ${String(error.cause ?? error.message)}`)
  })
  if (!reply.ok || !reply.body) throw new Fault('invalid', 'bad_zip', `${url} answered ${reply.status}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of reply.body) {
    bytes += part.length
    if (bytes > archiveBytesMax) throw tooLarge(url)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

async function packBytes(bytes: Buffer, name: string): Promise<readonly PackedSkill[]> {
  if (bytes.subarray(0, 2).toString('latin1') === 'PK') return packZip(bytes, name)
  if (!/^\uFEFF?---[ \t]*\r?\n/.test(bytes.subarray(0, 20).toString('utf8')))
    throw new Fault('invalid', 'bad_zip', `${name} is neither a zip nor a SKILL.md with front matter`)
  return [await packFiles([{ path: skillFile, read: async () => bytes }], name)]
}

async function packZip(bytes: Buffer, name: string): Promise<readonly PackedSkill[]> {
  const unreadable = (error: unknown) =>
    new Fault('invalid', 'bad_zip', `${name} cannot be unpacked: ${printable(String((error as Error).message))}`)
  const opened = await fromBufferPromise(bytes, { strictFileNames: true }).catch((error: unknown) => {
    throw unreadable(error)
  })
  const entries: Entry[] = []
  const found = opened.eachEntry()
  try {
    for (let next = await found.next(); !next.done; next = await found.next())
      if (!next.value.fileName.endsWith('/')) entries.push(next.value)
  } catch (error) {
    throw unreadable(error)
  }
  const packed: PackedSkill[] = []
  for (const root of rootsOf(entries)) {
    const where = root === '' ? name : `${name}: ${printable(root)}`
    const own = entries
      .map((entry) => ({ entry, path: entry.fileName.slice(root.length) }))
      .filter(({ entry, path }) => entry.fileName.startsWith(root) && !leftOut.test(path))
    const files = own.map(({ entry, path }) => {
      if (entry.uncompressedSize > limits.bundleBytesMax)
        throw new Fault(
          'invalid',
          'bad_skill',
          `${where}${printable(path)} has more than ${limits.bundleBytesMax} bytes`,
        )
      if (isLink(entry))
        throw new Fault('invalid', 'bad_skill', `${where}${printable(path)} is not a regular file; remove it`)
      const read = () =>
        opened
          .openReadStreamPromise(entry)
          .then(buffer)
          .catch((error: unknown) => {
            throw unreadable(error)
          })
      return { path, read, mode: entry.externalFileAttributes >>> 16 }
    })
    packed.push(await packFiles(files, where))
  }
  if (packed.length === 0) throw new Fault('invalid', 'bad_skill', `${name} does not contain SKILL.md`)
  return packed
}

/** The folders with a SKILL.md, without those inside another one. */
function rootsOf(entries: readonly Entry[]): readonly string[] {
  const folders = entries
    .map(({ fileName }) => fileName)
    .filter((path) => (path === skillFile || path.endsWith(`/${skillFile}`)) && !leftOut.test(path))
    .map((path) => path.slice(0, -skillFile.length))
  return folders.filter((folder) => !folders.some((outer) => outer !== folder && folder.startsWith(outer))).toSorted()
}

const isLink = ({ externalFileAttributes }: Entry): boolean => externalFileAttributes >>> 28 === 0xa
