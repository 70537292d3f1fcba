import { createReadStream } from 'node:fs'
import { type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '@skillrun/core/clock.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { newRandomId } from '@skillrun/core/ids.ts'
import { syncFolder } from '../../../core/sync-folder.ts'
import { type Blobs, isDiskFull, nameOfPath, type StoredBlob } from '../blobs.ts'
import { takeIn } from '../intake.ts'

/** Distinguishes the temporary files of this process from those of an earlier one with the same process id. */
const processToken = newRandomId()
/** A temporary file of another machine, on a shared disk, is abandoned when it was last written this long ago. */
const temporaryIdleMs = 24 * 60 * 60_000
const foldersPattern = /^[0-9a-f]{2}$/

/**
 * Blobs as files in `folder`, which is created if needed: `ab/cd/abcd…` by the hexadecimal SHA-256, readable by this user
 * only. A file gets its name when it is complete and flushed. Temporary files of ended processes are removed here, at the
 * start. Several processes may share a folder on a file system with hard links.
 */
export async function openDiskBlobs({ clock }: { clock: Clock }, folder: string): Promise<Blobs> {
  const temporary = path.join(folder, 'temporary')
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  await sweep(temporary, new Date(clock.now().getTime() - temporaryIdleMs))
  const pathOf = (sha256: Uint8Array) => {
    const name = Buffer.from(sha256).toString('hex')
    return path.join(folder, name.slice(0, 2), name.slice(2, 4), name)
  }
  return {
    put: (source, bounds) => put(source, bounds, { folder, temporary, pathOf }),
    open: (sha256, range) => openBlob(pathOf(sha256), range),
    async stat(sha256) {
      const found = await stat(pathOf(sha256)).catch(undefinedWhenAbsent)
      return found ? { bytes: found.size } : undefined
    },
    async localPath(sha256, use) {
      // A hard link: it stays when the blob is removed concurrently.
      const name = path.join(temporary, temporaryName())
      const linked = await link(pathOf(sha256), name).then(() => true, undefinedWhenAbsent)
      if (!linked) throw unknownBlob()
      try {
        return await use(name)
      } finally {
        await rm(name, { force: true })
      }
    },
    identity: () => identityIn(folder, temporary),
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
    namesBefore: (moment) => namesBefore(folder, moment),
    dropUnfinished: (before) => sweep(temporary, before),
  }
}

/** The id of a store, in a file of its folder. When several processes create it at once, the first one wins. */
async function identityIn(folder: string, temporary: string): Promise<string> {
  const final = path.join(folder, 'store-id')
  const read = async () => (await readFile(final, 'utf8')).trim()
  const known = await read().catch(undefinedWhenAbsent)
  if (known) return known
  const unfinished = path.join(temporary, temporaryName())
  await writeFile(unfinished, `${newRandomId()}\n`, { flag: 'wx', mode: 0o600, flush: true })
  try {
    await link(unfinished, final)
    await syncFolder(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(unfinished, { force: true })
  }
  return read()
}

interface Places {
  readonly folder: string
  readonly temporary: string
  readonly pathOf: (sha256: Uint8Array) => string
}

async function put(
  source: AsyncIterable<Uint8Array>,
  bounds: { readonly bytesMax: number; readonly signal: AbortSignal },
  places: Places,
): Promise<StoredBlob> {
  const unfinished = path.join(places.temporary, temporaryName())
  let handle: FileHandle | undefined
  try {
    handle = await open(unfinished, 'wx', 0o600)
    const file = handle
    const stored = await takeIn(source, bounds, (chunk) => writeAll(file, chunk))
    await file.sync()
    await file.close()
    handle = undefined
    const final = places.pathOf(stored.sha256)
    await mkdir(path.dirname(final), { recursive: true, mode: 0o700 })
    await rename(unfinished, final)
    for (const changed of [path.dirname(final), path.dirname(path.dirname(final)), places.folder])
      await syncFolder(changed)
    return stored
  } catch (error) {
    await handle?.close().catch(() => undefined)
    await rm(unfinished, { force: true })
    throw isDiskFull(error)
      ? new Fault('unavailable', 'storage_full', "The server's disk is full; the file was not stored", {
          cause: error,
        })
      : error
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

async function openBlob(file: string, range?: { readonly start: number; readonly end: number }): Promise<Readable> {
  const handle = await open(file, 'r').catch(undefinedWhenAbsent)
  if (!handle) throw unknownBlob()
  return createReadStream(file, { fd: handle, highWaterMark: 256 * 1024, ...range })
}

const machine = hostname().replaceAll(/[^\w-]/g, '_')
const temporaryName = () => `${machine}.${process.pid}.${processToken}.${newRandomId()}`

async function* namesBefore(folder: string, moment: Date): AsyncGenerator<Buffer> {
  const foldersIn = async (parent: string) =>
    (await readdir(parent)).filter((name) => foldersPattern.test(name)).map((name) => path.join(parent, name))
  for (const outer of await foldersIn(folder))
    for (const inner of await foldersIn(outer))
      for (const entry of await readdir(inner)) {
        const file = path.join(inner, entry)
        const name = nameOfPath(path.relative(folder, file))
        const found = name && (await stat(file).catch(undefinedWhenAbsent))
        if (found && found.mtime < moment) yield name
      }
}

async function sweep(temporary: string, before: Date): Promise<void> {
  for (const name of await readdir(temporary)) {
    const [host, pid, token] = name.split('.')
    const file = path.join(temporary, name)
    if (host === machine) {
      const mine = Number(pid) === process.pid
      if (mine ? token === processToken : isAlive(Number(pid))) continue
    } else {
      const found = await stat(file).catch(undefinedWhenAbsent)
      if (!found || found.mtime >= before) continue
    }
    await rm(file, { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? error.code : undefined)
const unknownBlob = () => new Fault('missing', 'unknown_blob', 'The content of this file is not in the store')

function undefinedWhenAbsent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
