// Mastra with its server for Hono, as in its documentation: an agent with a tool, a custom route, structured output.
// `node server.mjs MODEL_BASE_URL KEY` prints its address and serves until it is stopped.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { serve } from '@hono/node-server'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { registerApiRoute, SimpleAuth } from '@mastra/core/server'
import { createTool } from '@mastra/core/tools'
import { MastraServer } from '@mastra/hono'
import { Hono } from 'hono'
import { z } from 'zod'

const [baseURL = '', key = ''] = process.argv.slice(2)
const provider = createOpenAICompatible({ name: 'mock', baseURL, supportsStructuredOutputs: true })
const core_calculate = createTool({
  id: 'core_calculate',
  description: 'Calculates',
  inputSchema: z.object({ formulas: z.array(z.string()) }),
  execute: async () => '144',
})
const calculator = new Agent({
  id: 'calculator',
  name: 'Calculator',
  instructions: 'You calculate.',
  model: provider('mock-1'),
  tools: { core_calculate },
})
const answer = z.object({ total: z.number() })
const mastra = new Mastra({
  agents: { calculator },
  logger: false,
  server: {
    auth: new SimpleAuth({ tokens: { [key]: { id: 'bench' } } }),
    apiRoutes: [
      registerApiRoute('/v1/agent/execute', {
        method: 'POST',
        handler: async (context) => {
          const { config } = await context.req.json()
          const agent = context.get('mastra').getAgent('calculator')
          const { object } = await agent.generate(config.prompt, { structuredOutput: { schema: answer } })
          return context.json({ id: crypto.randomUUID(), status: 'completed', response: object }, 201)
        },
      }),
    ],
  },
})
const app = new Hono()
await new MastraServer({ app, mastra }).init()
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
