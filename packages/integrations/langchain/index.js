import { tool } from '@langchain/core/tools'
import { createClient, documentTool } from '@skillrun/client'

/** A tool for LangChain's models and agents: `read_documents` reads documents with the server at `url`. Its result is JSON as text. */
export function skillrunTool({ url, key, ...options }) {
  const { name, description, inputSchema, execute } = documentTool(createClient({ url, key }), options)
  return tool(async (input, config) => JSON.stringify(await execute(input, { signal: config?.signal })), {
    name,
    description,
    schema: inputSchema,
  })
}
