import { layoutDocument } from '@skillrun/reader/layout/layout.ts'
import type { ReadDocument } from '@skillrun/reader/media/document.ts'
import { wordsOfLines } from './plain-words.ts'

/** The words in the lines of documents; null when there are no lines. */
export function wordsOfDocuments(documents: readonly ReadDocument[]): readonly string[] | null {
  const words = wordsOfLines(documents.flatMap((one) => layoutDocument(one, 0).flatMap((page) => page.lines)))
  return words && [...words]
}
