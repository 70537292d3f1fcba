import { layoutDocument } from '@skillrun/reader/layout/layout.ts'
import type { ReadDocument } from '@skillrun/reader/media/document.ts'
import { plainWords } from './plain-words.ts'

/** The words in the lines of documents; null when there are no lines. */
export function wordsOfDocuments(documents: readonly ReadDocument[]): readonly string[] | null {
  const lines = documents.flatMap((one) => layoutDocument(one, 0).flatMap((page) => page.lines))
  if (lines.length === 0) return null
  return [...plainWords(lines.map(({ cells }) => cells.map(({ text }) => text).join(' ')).join('\n'))]
}
