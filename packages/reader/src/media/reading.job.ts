import { readDocument } from './read-document.ts'
import { packDocument, type Reading, type ReadingRequest, unpackDocument } from './reading.ts'

export default async function read({ earlier, ...request }: ReadingRequest): Promise<Reading> {
  return packDocument(await readDocument({ ...request, ...(earlier && { earlier: unpackDocument(earlier) }) }))
}
