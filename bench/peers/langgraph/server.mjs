// LangGraph JS with LangChain's agent, behind Hono: a tool and a response format. Not durable. `node server.mjs
// MODEL_BASE_URL KEY` prints its address and serves until it is stopped.

import { serve } from '@hono/node-server'
import { ChatOpenAI } from '@langchain/openai'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { createAgent, providerStrategy, tool } from 'langchain'
import { z } from 'zod'

const [baseURL = '', key = ''] = process.argv.slice(2)
const agent = createAgent({
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
const app = new Hono()
app.use('/v1/*', bearerAuth({ token: key }))
app.post('/v1/agent/execute', async (context) => {
  const { config } = await context.req.json()
  const { structuredResponse } = await agent.invoke({ messages: [{ role: 'user', content: config.prompt }] })
  return context.json({ id: crypto.randomUUID(), status: 'completed', response: structuredResponse }, 201)
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
