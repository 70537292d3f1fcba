import { upload, wordsOf } from '../api.ts'
import type { StoredFile } from '../wire.ts'

/** State of an upload. */
export interface Upload {
  readonly number: number
  readonly name: string
  /** 0 to 1. */
  readonly share: number
  /** Error message; empty if none. */
  readonly problem: string
}

/** Parallel uploads: browsers keep about six connections per server, and the page needs some. */
const uploadsAtOnce = 3

/** Uploads all files and reports progress; returns the uploaded files in order, with undefined for failures. */
export async function uploadAll(
  files: readonly File[],
  signal: AbortSignal,
  show: (uploads: readonly Upload[]) => void,
): Promise<readonly (StoredFile | undefined)[]> {
  let uploads: readonly Upload[] = files.map((file, number) => ({ number, name: file.name, share: 0, problem: '' }))
  const change = (number: number, by: Partial<Upload>) => {
    uploads = uploads.map((one) => (one.number === number ? { ...one, ...by } : one))
    show(uploads)
  }
  show(uploads)
  const stored: (StoredFile | undefined)[] = files.map(() => undefined)
  const waiting = [...files.entries()]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [number, file] = next
      try {
        stored[number] = await upload(file, { signal, onProgress: (share) => change(number, { share }) })
        change(number, { share: 1 })
      } catch (error) {
        change(number, { problem: wordsOf(error) })
      }
    }
  }
  await Promise.all(Array.from({ length: uploadsAtOnce }, work))
  return stored
}
