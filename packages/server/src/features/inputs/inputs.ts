export {
  type BringParts,
  bytesOfDataUrl,
  declaredByDataUrl,
  type InputStorage,
  smallTextOf,
  useBytes,
  withBytes,
} from './bring.ts'
export type { Brought } from './fetched.ts'
export type { ExecutionInput } from './input.ts'
export { inputItem } from './input-wire.ts'
export { archiveTerms, inputNamed, reuseOf, withNamedBytes } from './named-bytes.ts'
export { type DocumentParts, readDocuments } from './read-documents.ts'
export { readWeb, type WebRule } from './read-web.ts'
export {
  aloneIn,
  deleteReadingsFor,
  findPictures,
  findReading,
  findReadingLike,
  keepPictures,
  keepReading,
  readTool,
  variantOf,
} from './readings.ts'
export { isInputItem, readSlots } from './slots.ts'
