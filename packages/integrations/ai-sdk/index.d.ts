import type { DocumentToolInput, DocumentToolOptions, DocumentToolOutput } from '@skillrun/client'
import type { Tool } from 'ai'

export function skillrunTools(options: { readonly url: string; readonly key: string } & DocumentToolOptions): {
  read_documents: Tool<DocumentToolInput, DocumentToolOutput>
}
