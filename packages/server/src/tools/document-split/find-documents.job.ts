import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import { splitDocument } from '@skillrun/reader/split/split-document.ts'
import type { FindDocumentsRequest, FoundDocuments } from './find-documents.ts'

/** See `findDocumentsJob`. */
export default function findDocuments({ packed, kinds }: FindDocumentsRequest): FoundDocuments {
  const document = unpackDocument(packed)
  const indexAt = (position: number): number => document.pages[position]?.index ?? position
  return {
    isPdf: document.mediaType === 'application/pdf',
    documents: splitDocument(document, kinds).map(({ first, last, confidence, kind }) => ({
      first: indexAt(first),
      last: indexAt(last),
      confidence,
      kind: kind?.kind ?? null,
      kindConfidence: kind?.confidence ?? null,
    })),
    unread: document.unread ?? [],
  }
}
