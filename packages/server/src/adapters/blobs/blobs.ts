import type { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'

/** The facts about bytes that `put` has just stored. */
export interface StoredBlob {
  /** The bytes' key: their SHA-256, 32 bytes. */
  readonly sha256: Buffer
  /** Their MD5, 16 bytes: clients look files up by it. Not used for security. */
  readonly md5: Buffer
  readonly bytes: number
  /** The first `headBytes` of the content, or all of it when shorter: enough to detect the media type. */
  readonly head: Buffer
}

/** The length of `head` in `StoredBlob`. */
export const headBytes = 4096

/** A store of immutable blobs, keyed by SHA-256. Equal content is stored once. */
export interface Blobs {
  /**
   * Reads all of `source` and stores it; durable when the promise resolves. The content is hashed while it streams and is
   * never in memory as a whole.
   *
   * When `source` fails, `signal` aborts or there are more than `bytesMax` bytes, nothing is stored and the promise rejects
   * with the source's error, the signal's reason or Fault `too_large`. A full disk is Fault `unavailable` (`storage_full`).
   */
  put(
    source: AsyncIterable<Uint8Array>,
    bounds: { readonly bytesMax: number; readonly signal: AbortSignal },
  ): Promise<StoredBlob>
  /**
   * The content, or the part from `start` to `end`, both inclusive and counted from 0.
   * Fault `missing` (`unknown_blob`) when the store does not have the blob.
   */
  open(sha256: Uint8Array, range?: { readonly start: number; readonly end: number }): Promise<Readable>
  /** The length of the blob, or undefined when the store does not have it. */
  stat(sha256: Uint8Array): Promise<{ readonly bytes: number } | undefined>
  /**
   * Calls `use` with the path of a file with this content. Other processes of this machine may read the file; nobody may
   * change it. It is only valid until `use` ends. Fault `missing` as with `open`.
   */
  localPath<T>(sha256: Uint8Array, use: (path: string) => Promise<T>): Promise<T>
  /** Deletes the blob. Streams that are already open can be read to their end. Not an error when the blob does not exist. */
  remove(sha256: Uint8Array): Promise<void>
  /** The keys of all blobs last put before a moment. Blobs put or removed during the iteration may or may not be included. */
  namesBefore(moment: Date): AsyncIterable<Buffer>
  /** An id stored in the store itself, created on first use: two processes with the same id share one store. */
  identity(): Promise<string>
  /** Removes unfinished uploads of ended processes that were last written before a moment. */
  dropUnfinished(before: Date): Promise<void>
}

/** The SHA-256 in a blob's path `ab/cd/abcd…`; undefined for any other path. */
export function nameOfPath(path: string): Buffer | undefined {
  const name = /(?:^|\/)([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})$/.exec(path)?.[3]
  return name === undefined ? undefined : Buffer.from(name, 'hex')
}

/** The error of `put` for more than `bytesMax` bytes, for callers that know the size beforehand. */
export const fileTooLarge = (bytesMax: number): Fault =>
  new Fault('too_large', 'file_too_large', `The file is larger than the limit of ${bytesMax} bytes`)

/** Whether an error means that a disk or a disk quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
