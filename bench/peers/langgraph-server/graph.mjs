// The agent that langgraph.json would name, and its authentication.
import { Auth, HTTPException } from '@langchain/langgraph-sdk/auth'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, providerStrategy, tool } from 'langchain'
import { z } from 'zod'

const [baseURL = '', key = ''] = process.argv.slice(2)
export const agent = createAgent({
  model: new ChatOpenAI({ model: 'mock-1', apiKey: 'none', configuration: { baseURL } }),
  tools: [
    tool(async () => '144', {
      name: 'core_calculate',
      description: 'Calculates',
      schema: z.object({ formulas: z.array(z.string()) }),
    }),
  ],
  responseFormat: providerStrategy(z.object({ total: z.number() })),
})
export const auth = new Auth().authenticate(async (request) => {
  if (request.headers.get('authorization') !== `Bearer ${key}`) throw new HTTPException(401, { message: 'no such key' })
  return 'bench'
})
