import { unpackDocument } from '@skillrun/reader/media/packed-document.ts'
import type { DocumentLine } from './candidates.ts'
import type { LinesRequest } from './lines.ts'
import { linesOf } from './lines-of.ts'

export default function lines({ documents }: LinesRequest): DocumentLine[] {
  return documents.flatMap(({ input, packed }) => linesOf(input, unpackDocument(packed)))
}
