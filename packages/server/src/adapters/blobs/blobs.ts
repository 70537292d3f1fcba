import type { Readable } from 'node:stream'
import { Fault } from '@skillrun/core/fault.ts'

/** What the store knows of bytes that it has just taken in. */
export interface StoredBlob {
  /** The name of the bytes: their SHA-256, 32 bytes. */
  readonly sha256: Buffer
  /** Their MD5, 16 bytes: clients ask for a file by it. It protects nothing. */
  readonly md5: Buffer
  readonly bytes: number
  /** The first `headBytes` of them, or all where they are fewer: enough to tell what they are. */
  readonly head: Buffer
}

/** Bytes that `put` gives back as `head`. */
export const headBytes = 4096

/** Immutable bytes, known by their SHA-256. The same bytes put twice are kept once. */
export interface Blobs {
  /**
   * Takes in all of `source` and keeps it; durable when the promise resolves. The bytes are hashed on their way and never
   * held whole.
   *
   * When `source` fails, `signal` aborts or there are more than `bytesMax` bytes, nothing is kept and the promise rejects
   * with the source's error, the signal's reason or Fault `too_large`. A full disk is Fault `unavailable` (`storage_full`).
   */
  put(
    source: AsyncIterable<Uint8Array>,
    bounds: { readonly bytesMax: number; readonly signal: AbortSignal },
  ): Promise<StoredBlob>
  /**
   * The bytes, or those from `start` up to and including `end`, counted from 0 and within the blob.
   * Fault `missing` (`unknown_blob`) when the store does not hold them.
   */
  open(sha256: Uint8Array, range?: { readonly start: number; readonly end: number }): Promise<Readable>
  /** The length of the blob, or undefined when the store does not hold it. */
  stat(sha256: Uint8Array): Promise<{ readonly bytes: number } | undefined>
  /**
   * Calls `use` with the path of a file of these bytes, which another process of this machine may read but nobody may
   * change, and which is only promised until `use` ends. Fault `missing` as with `open`.
   */
  localPath<T>(sha256: Uint8Array, use: (path: string) => Promise<T>): Promise<T>
  /** Forgets the bytes. Those who read them already read on to their end. No error when they are not there. */
  remove(sha256: Uint8Array): Promise<void>
  /** The names of all blobs that were last put before a moment; one that comes or goes meanwhile may be among them or not. */
  namesBefore(moment: Date): AsyncIterable<Buffer>
  /** An id that is kept in the store itself, made when it is first asked for: two processes with one id share one store. */
  identity(): Promise<string>
  /** Removes what uploads left whose process died, where nothing was written to it since a moment. */
  dropUnfinished(before: Date): Promise<void>
}

/** The SHA-256 that the last part of a path is in hexadecimal; undefined where it is none, as of whatever else lies there. */
export function nameOfPath(path: string): Buffer | undefined {
  const name = /(?:^|\/)([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})$/.exec(path)?.[3]
  return name === undefined ? undefined : Buffer.from(name, 'hex')
}

/** What `put` throws for more than `bytesMax` bytes, for those who can tell beforehand. */
export const fileTooLarge = (bytesMax: number): Fault =>
  new Fault('too_large', 'file_too_large', `The file is larger than the ${bytesMax} bytes that are allowed`)

/** Whether a failure says that a disk has no room, or an account no more of it. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
