import { createClient, documentTool } from '@skillrun/client'
import { jsonSchema, tool } from 'ai'

/** Tools for `generateText` and `streamText`: `read_documents` reads documents with the server at `url`. */
export function skillrunTools({ url, key, ...options }) {
  const { name, description, inputSchema, execute } = documentTool(createClient({ url, key }), options)
  return {
    [name]: tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      execute: (input, { abortSignal } = {}) => execute(input, { signal: abortSignal }),
    }),
  }
}
