import { type ReadRequest, readDocument } from './read-document.ts'
import { packDocument, type Reading } from './reading.ts'

export default async function read(request: ReadRequest): Promise<Reading> {
  return packDocument(await readDocument(request))
}
