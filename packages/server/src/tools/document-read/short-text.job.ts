import type { DeclaredText } from '@skillrun/reader/media/declared-text.ts'
import { packUnstored } from '@skillrun/reader/media/packed-document.ts'
import { readDocument } from '@skillrun/reader/media/read-document.ts'
import { wordsOfDocuments } from '../../agent/programs/words-of-documents.ts'
import { pagesOf } from './pages.job.ts'
import type { ShortText } from './short-text.ts'

/** See `shortTextJob`. */
export default async function shortText(request: {
  readonly bytes: Uint8Array
  readonly declared?: DeclaredText
  readonly pageIndices?: readonly number[]
}): Promise<ShortText> {
  const document = await readDocument(request)
  const page = document.pages.length === 1 ? (pagesOf(document, { pages: [1], fromLine: 1 })[0] ?? null) : null
  return { document: packUnstored(document), page, words: wordsOfDocuments([document]) }
}
