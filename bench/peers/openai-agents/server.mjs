// OpenAI Agents JS behind Hono, as in its documentation: an agent with a tool and an output type, over Chat
// Completions. `node server.mjs MODEL_BASE_URL KEY` prints its address and serves until it is stopped.

import { serve } from '@hono/node-server'
import { Agent, run, setDefaultOpenAIClient, setOpenAIAPI, setTracingDisabled, tool } from '@openai/agents'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import OpenAI from 'openai'
import { z } from 'zod'

const [baseURL = '', key = ''] = process.argv.slice(2)
setDefaultOpenAIClient(new OpenAI({ baseURL, apiKey: 'none' }))
setOpenAIAPI('chat_completions')
setTracingDisabled(true)
const agent = new Agent({
  name: 'Calculator',
  model: 'mock-1',
  tools: [
    tool({
      name: 'core_calculate',
      description: 'Calculates',
      parameters: z.object({ formulas: z.array(z.string()) }),
      execute: async () => '144',
    }),
  ],
  outputType: z.object({ total: z.number() }),
})
const app = new Hono()
app.use('/v1/*', bearerAuth({ token: key }))
app.post('/v1/agent/execute', async (context) => {
  const { config } = await context.req.json()
  const { finalOutput } = await run(agent, config.prompt)
  return context.json({ id: crypto.randomUUID(), status: 'completed', response: finalOutput }, 201)
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
