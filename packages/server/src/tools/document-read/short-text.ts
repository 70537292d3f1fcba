import type { Job } from '@skillrun/core/job.ts'
import type { DeclaredText } from '@skillrun/reader/media/declared-text.ts'
import { looksLikeMail } from '@skillrun/reader/media/mail/looks-like-mail.ts'
import type { PackedDocument } from '@skillrun/reader/media/packed-document.ts'
import type { PageLines } from './pages.ts'

/** A short text, parsed and laid out in one step. */
export interface ShortText {
  readonly document: PackedDocument
  /** Its page as `document.read` returns it; null unless it has exactly one. */
  readonly page: PageLines | null
  /** Its words as `wordsOfLines` returns them; null without lines. */
  readonly words: readonly string[] | null
}

/** Shorter texts are parsed on the main thread: it takes some tenths of a millisecond, less than a message to another process. */
const ownBytesMax = 2_048
const markup = /^\ufeff?\s*[<{[]/

/** Whether a text may be parsed on the main thread: short, and certainly neither HTML nor JSON nor an email. */
export const isQuicklyRead = (bytes: Uint8Array): boolean =>
  bytes.length <= ownBytesMax &&
  !markup.test(Buffer.from(bytes).toString('utf8')) &&
  !looksLikeMail(bytes, { isDeclared: true })

/** Parses and lays out a short text in one job. Throws what `readDocumentJob` throws. */
export const shortTextJob: Job<
  { readonly bytes: Uint8Array; readonly declared?: DeclaredText; readonly pageIndices?: readonly number[] },
  ShortText
> = {
  name: 'read',
  module: new URL('./short-text.job.ts', import.meta.url),
}
