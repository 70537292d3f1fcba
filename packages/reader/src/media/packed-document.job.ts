import { openDocument, type PackedDocument, type PackedReadRequest, packDocument } from './packed-document.ts'
import { readDocument } from './read-document.ts'

export default async function read({ earlier, ...request }: PackedReadRequest): Promise<PackedDocument> {
  return packDocument(await readDocument({ ...request, ...(earlier && { earlier: openDocument(earlier) }) }))
}
