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

/** A document of a batch: a local file, with its name in the results, or a URL. */
export type BatchSource =
  | { readonly path: string; readonly name: string }
  | { readonly url: string; readonly name?: undefined }

type Item = NonNullable<BatchRequest['items']>[number]

const uploadsAtOnce = 4

/** The documents that arguments name, in a stable order: files, URLs, and all files in folders but hidden ones. */
export async function findSources(names: readonly string[], terminal: Terminal): Promise<readonly BatchSource[]> {
  const sources: BatchSource[] = []
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
    if (!state.isDirectory()) sources.push({ path, name: name.split('/').at(-1) ?? name })
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

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.')))
    .sort()
}

/**
 * The items of a batch. Files that the server has already are not sent again: a command that was interrupted goes on where it
 * was.
 */
export async function itemsOf(
  sources: readonly BatchSource[],
  { client, terminal }: { client: Client; terminal: Terminal },
): Promise<readonly Item[]> {
  // Checks the key before sending large files.
  await client.checkKey()
  const items: Item[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    for (let at = next++; at < sources.length; at = next++) {
      terminal.signal.throwIfAborted()
      const source = sources[at] as BatchSource
      items[at] = source.name === undefined ? { url: source.url } : await fileItem(source, client)
      done += 1
      terminal.logLive(`sending ${renderBar(done / sources.length)} ${done}/${sources.length}`)
    }
  }
  await Promise.all(Array.from({ length: Math.min(uploadsAtOnce, sources.length) }, work))
  return items
}

async function fileItem({ path, name }: { path: string; name: string }, client: Client): Promise<Item> {
  const file = await findLocalFile(path, name)
  if (file.bytes === 0) throw new Fault('invalid', 'empty_file', `${name} is empty`)
  const record =
    (await findStored(file, client)) ??
    (await client.upload(file.content, { filename: file.filename, purpose: 'assistants' }))
  return { file_id: record.id, file_name: name.slice(-limits.filenameCharactersMax) }
}

/** The stored file with the same content. */
async function findStored({ content }: LocalFile, client: Client): Promise<FileRecord | undefined> {
  const [md5, sha256] = [createHash('md5'), createHash('sha256')]
  for await (const piece of content.stream()) {
    md5.update(piece)
    sha256.update(piece)
  }
  const found = await client.call<FileRecord>(`/v1/files/hash/${md5.digest('hex')}`).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'missing') return undefined
    throw error
  })
  return found?.sha256 === sha256.digest('hex') ? found : undefined
}
