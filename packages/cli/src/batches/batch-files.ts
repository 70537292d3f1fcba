import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BatchRequest, File as FileRecord } from '@skillrun/client/openapi.ts'
import { Fault } from '@skillrun/core/fault.ts'
import { limits } from '@skillrun/server/core/limits.ts'
import type { Client } from '../client.ts'
import { findLocalFile, type LocalFile } from '../local-file.ts'
import { callerPath } from '../paths.ts'
import { renderBar } from '../render.ts'
import type { Terminal } from '../terminal.ts'

/** A document of a batch: a local file, with its name in the results, or a URL. `isArchive`: the files in it are the documents. */
export type BatchSource =
  | { readonly path: string; readonly name: string; readonly isArchive?: boolean }
  | { readonly url: string; readonly name?: undefined }

type Item = NonNullable<BatchRequest['items']>[number]

const uploadsAtOnce = 4

/**
 * The documents that arguments name, in a stable order: files, URLs and the files in folders, without hidden ones; or one archive. Throws
 * Faults `invalid`, also for an archive beside other arguments.
 */
export async function findSources(names: readonly string[], terminal: Terminal): Promise<readonly BatchSource[]> {
  const sources: BatchSource[] = []
  const archive = names.find((name) => isArchive(name))
  if (archive !== undefined && names.length > 1)
    throw new Fault(
      'invalid',
      'archive_beside_others',
      `${archive} is an archive, whose files become the documents of the batch: name it alone, or unpack it`,
    )
  for (const name of names) {
    if (/^https?:\/\//i.test(name)) {
      sources.push({ url: name })
      continue
    }
    const path = callerPath(name, terminal.environment)
    const state = await stat(path).catch((error: NodeJS.ErrnoException) => {
      const why = error.code === 'ENOENT' ? 'there is no such file or folder' : error.message
      throw new Fault('invalid', 'bad_file', `${name} cannot be read: ${why}`)
    })
    const own = name.split('/').at(-1) ?? name
    if (!state.isDirectory()) sources.push({ path, name: own, isArchive: isArchive(name) })
    else for (const inner of await filesIn(path)) sources.push({ path: join(path, inner), name: inner })
  }
  if (sources.length === 0) throw new Fault('invalid', 'no_files', `There are no files in ${names.join(', ')}`)
  if (sources.length > limits.batchItemsMax)
    throw new Fault(
      'invalid',
      'too_many_files',
      `There are ${sources.length} documents; a batch takes at most ${limits.batchItemsMax}`,
    )
  return sources
}

const isArchive = (name: string): boolean => !/^https?:\/\//i.test(name) && /\.(zip|tar|tgz|tar\.gz)$/i.test(name)

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort()
}

/**
 * The request for a batch: items, or an archive. Skips files that the server has, so that an interrupted command continues where it stopped. Files with
 * the same content become one file, in this call as in a later one, so that a repeated command sends the same request.
 */
export async function documentsOf(
  sources: readonly BatchSource[],
  { client, terminal }: { client: Client; terminal: Terminal },
): Promise<Pick<BatchRequest, 'items' | 'zip_file_id'>> {
  // Checks the key before sending large files.
  await client.checkKey()
  const [first] = sources
  const sent = new Map<string, Promise<FileRecord>>()
  if (first?.name !== undefined && first.isArchive)
    return { zip_file_id: (await storedFile(first, { client, sent })).id }
  const items: Item[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < sources.length; at = next++) {
      terminal.signal.throwIfAborted()
      const source = sources[at] as BatchSource
      items[at] = source.name === undefined ? { url: source.url } : await fileItem(source, { client, sent })
      done += 1
      terminal.logLive(`sending ${renderBar(done / sources.length)} ${done}/${sources.length}`)
    }
  }
  // After a failure, the others send no further file.
  const stop = (error: unknown): never => {
    next = sources.length
    throw error
  }
  await Promise.all(Array.from({ length: Math.min(uploadsAtOnce, sources.length) }, () => work().catch(stop)))
  return { items }
}

/** The server, and the files that this call found or sent there, by hash. */
interface Sending {
  readonly client: Client
  readonly sent: Map<string, Promise<FileRecord>>
}

async function fileItem(source: { path: string; name: string }, sending: Sending): Promise<Item> {
  const { id } = await storedFile(source, sending)
  return { file_id: id, file_name: source.name.slice(-limits.filenameCharactersMax) }
}

async function storedFile(
  { path, name }: { path: string; name: string },
  { client, sent }: Sending,
): Promise<FileRecord> {
  const file = await findLocalFile(path, name)
  if (file.bytes === 0) throw new Fault('invalid', 'empty_file', `${name} is empty`)
  const hashes = await hashesOf(file)
  const known = sent.get(hashes.sha256)
  if (known) return known
  const stored = findStored(hashes, client).then(
    (found) => found ?? client.upload(file.content, { filename: file.filename, purpose: 'assistants' }),
  )
  sent.set(hashes.sha256, stored)
  return stored
}

interface Hashes {
  readonly md5: string
  readonly sha256: string
}

async function hashesOf({ content }: LocalFile): Promise<Hashes> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  for await (const piece of content.stream()) {
    md5.update(piece)
    sha256.update(piece)
  }
  return { md5: md5.digest('hex'), sha256: sha256.digest('hex') }
}

/** The stored file with the same content. */
async function findStored({ md5, sha256 }: Hashes, client: Client): Promise<FileRecord | undefined> {
  const found = await client.call<FileRecord>(`/v1/files/hash/${md5}`).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'missing') return undefined
    throw error
  })
  return found?.sha256 === sha256 ? found : undefined
}
