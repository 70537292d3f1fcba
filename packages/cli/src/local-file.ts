import { openAsBlob } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** A file that exists and can be read. */
export interface LocalFile {
  readonly filename: string
  readonly bytes: number
  /** Reading fails when the file has changed since. */
  readonly content: Blob
}

/**
 * Opens a local file. Throws Fault `invalid` when it cannot be read or is not a regular file. `name` is as the caller wrote
 * it.
 */
export async function findLocalFile(path: string, name: string): Promise<LocalFile> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw new Fault(
      'invalid',
      'bad_file',
      `${name} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    )
  })
  try {
    await regularFile(handle, name)
    const content = await openAsBlob(path)
    return { filename: basename(path), bytes: content.size, content }
  } finally {
    await handle.close()
  }
}

async function regularFile(handle: FileHandle, name: string): Promise<void> {
  const state = await handle.stat()
  if (state.isDirectory()) throw new Fault('invalid', 'bad_file', `${name} is a folder; give the files in it`)
  if (!state.isFile())
    throw new Fault('invalid', 'bad_file', `${name} is not a regular file; save it to a regular file first`)
}
