import type { Job } from '@skillrun/core/job.ts'
import type { DeclaredText } from '@skillrun/reader/media/declared-text.ts'
import type { Reading } from '@skillrun/reader/media/reading.ts'
import type { PageLines } from './pages.ts'

/** A short text that was read, and laid out at the same time: programs look at little else. */
export interface ShortText {
  readonly reading: Reading
  /** Its page as `document.read` gives it. */
  readonly page: PageLines | null
  /** Its words as `wordsOfLines` gives them; null where it has no lines. */
  readonly words: readonly string[] | null
}

/** Bytes of a text that is laid out where it is, in some tenths of a millisecond: the way to another process takes longer. */
const ownBytesMax = 2_048
const markup = /^\ufeff?\s*[<{[]/

/** Whether a text may be read without the workshop: a very short one that neither HTML nor JSON could be. */
export const isQuicklyRead = (bytes: Uint8Array): boolean =>
  bytes.length <= ownBytesMax && !markup.test(Buffer.from(bytes).toString('utf8'))

/** Reads a short text and lays it out in one way to the workshop and back. Throws as `readingJob` does. */
export const shortTextJob: Job<
  { readonly bytes: Uint8Array; readonly declared?: DeclaredText; readonly pageIndices?: readonly number[] },
  ShortText
> = {
  name: 'read',
  module: new URL('./short-text.job.ts', import.meta.url),
}
