export type { ResolvedInput } from './fetched.ts'
export type { ExecutionInput } from './input.ts'
export { inputItem } from './input-wire.ts'
export { archiveTerms, inputNamed, reuseOf, withNamedBytes } from './named-bytes.ts'
export {
  aloneIn,
  deleteParsedDocumentsBefore,
  deleteParsedDocumentsFor,
  findParsedDocument,
  findParsedDocumentLike,
  findVideoImages,
  keepParsedDocument,
  keepVideoImages,
  readTool,
  variantOf,
} from './parsed-documents.ts'
export { type DocumentParts, readDocuments } from './read-documents.ts'
export { readWeb, type WebRule } from './read-web.ts'
export {
  bytesOfDataUrl,
  declaredByDataUrl,
  type InputStorage,
  type ResolveParts,
  smallTextOf,
  useBytes,
  withBytes,
} from './resolve-input.ts'
export { isInputItem, readSlots } from './slots.ts'
