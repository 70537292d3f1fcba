// The AI SDK behind Hono, as in its documentation: generateText with a tool and an object as output. Not durable. `node
// server.mjs MODEL_BASE_URL KEY` prints its address and serves until it is stopped.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { serve } from '@hono/node-server'
import { generateText, Output, stepCountIs, tool } from 'ai'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { z } from 'zod'

const [baseURL = '', key = ''] = process.argv.slice(2)
const provider = createOpenAICompatible({ name: 'mock', baseURL, supportsStructuredOutputs: true })
const tools = {
  core_calculate: tool({
    description: 'Calculates',
    inputSchema: z.object({ formulas: z.array(z.string()) }),
    execute: async () => '144',
  }),
}
const app = new Hono()
app.use('/v1/*', bearerAuth({ token: key }))
app.post('/v1/agent/execute', async (context) => {
  const { config } = await context.req.json()
  const { output } = await generateText({
    model: provider('mock-1'),
    prompt: config.prompt,
    tools,
    stopWhen: stepCountIs(10),
    output: Output.object({ schema: z.object({ total: z.number() }) }),
  })
  return context.json({ id: crypto.randomUUID(), status: 'completed', response: output }, 201)
})
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
