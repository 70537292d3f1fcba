import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename } from 'node:path'
import { Fault } from '@skillrun/core/fault.ts'

/** A file of this machine that is known to be there and readable. */
export interface LocalFile {
  readonly path: string
  readonly filename: string
  readonly bytes: number
}

/**
 * Looks at a local file. Throws Fault `invalid` when it can't be read or is no regular file. `name` is as the caller
 * wrote it.
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
    const { size } = await regularFile(handle, name)
    return { path, filename: basename(path), bytes: size }
  } finally {
    await handle.close()
  }
}

async function regularFile(handle: FileHandle, name: string) {
  const state = await handle.stat()
  if (state.isDirectory()) throw new Fault('invalid', 'bad_file', `${name} is a folder; give the files in it`)
  if (!state.isFile())
    throw new Fault('invalid', 'bad_file', `${name} is not a regular file; save it to a regular file first`)
  return state
}

/**
 * The file as the part `file` of a multipart body (RFC 7578; names escaped as the HTML standard's form encoding says), read
 * piece by piece. `onSent` is told how many of the file's bytes have gone out.
 */
export function multipartOf(file: LocalFile, onSent: (bytes: number) => void) {
  const boundary = `----skillrun${randomBytes(16).toString('hex')}`
  // Other control characters as well, with which no header is well-formed.
  const name = file.filename.replace(/["\p{Cc}]/gu, encodeURIComponent)
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: head.length + file.bytes + tail.length,
    body: parts(file, { head, tail, onSent }),
  }
}

async function* parts(
  file: LocalFile,
  frame: { head: Buffer; tail: Buffer; onSent: (bytes: number) => void },
): AsyncGenerator<Uint8Array> {
  yield frame.head
  let sent = 0
  for await (const chunk of createReadStream(file.path)) {
    const piece = chunk as Buffer
    sent += piece.length
    if (sent > file.bytes) break
    yield piece
    frame.onSent(sent)
  }
  if (sent !== file.bytes)
    throw new Fault('invalid', 'file_changed', `${file.filename} changed during the upload; send it again`)
  yield frame.tail
}
