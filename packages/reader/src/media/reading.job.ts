import { readDocument } from './read-document.ts'
import { openDocument, packDocument, type Reading, type ReadingRequest } from './reading.ts'

export default async function read({ earlier, ...request }: ReadingRequest): Promise<Reading> {
  return packDocument(await readDocument({ ...request, ...(earlier && { earlier: openDocument(earlier) }) }))
}
