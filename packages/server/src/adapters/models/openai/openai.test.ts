import { expect, test } from 'vitest'
import { keepsTheModelsPromises } from '../testing/conformance.ts'
import { startMockProvider } from '../testing/mock-provider.ts'
import { trialKey } from '../testing/stage.ts'
import { chatWire, responsesWire } from '../testing/wires.ts'
import { isStrict, openOpenAi } from './openai.ts'

const settings = { name: 'openai', model: 'gpt-5.6-terra', apiKey: trialKey }

keepsTheModelsPromises({
  wire: responsesWire,
  thought: {
    kept: 'ZW5jcnlwdGVkLXRob3VnaHQ',
    body: {
      id: 'resp_1',
      object: 'response',
      created_at: 1_800_000_000,
      status: 'completed',
      error: null,
      incomplete_details: null,
      model: 'gpt-5.6-terra',
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5jcnlwdGVkLXRob3VnaHQ' },
        {
          type: 'function_call',
          id: 'fc_1',
          call_id: 'call_1',
          status: 'completed',
          name: 'document_read',
          arguments: '{"page":0}',
        },
      ],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 15 },
      },
    },
  },
  open: (url) => openOpenAi({ ...settings, baseUrl: `${url}/v1`, interface: 'responses' }),
})
keepsTheModelsPromises({
  wire: chatWire,
  open: (url) => openOpenAi({ ...settings, baseUrl: `${url}/v1`, interface: 'chat' }),
})

test('a schema is strict only when every object in it is closed and complete', () => {
  const closed = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  expect(isStrict(closed)).toBe(true)
  expect(isStrict({ ...closed, properties: { a: { type: 'array', items: closed } } })).toBe(true)
  expect(isStrict({ ...closed, required: [] })).toBe(false)
  expect(isStrict({ ...closed, additionalProperties: true })).toBe(false)
  expect(isStrict({ ...closed, properties: { a: { type: 'object' } } })).toBe(false)
  expect(isStrict({ ...closed, $defs: { b: { ...closed, required: [] } } })).toBe(false)
})

test('nothing is stored at OpenAI, and reasoning is requested in a form that can be sent back', async () => {
  await using provider = await startMockProvider(responsesWire, [{ say: { text: 'x' } }])
  const model = openOpenAi({ ...settings, baseUrl: `${provider.url}/v1`, interface: 'responses' })
  const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: '?' }] }]
  const asked = { system: '', messages, tools: [], schema: null, outputTokensMax: 10, wallMs: 5_000 }
  await model.reply(asked, new AbortController().signal)
  expect(provider.requests[0]?.body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'] })
})

test.each(['responses', 'chat'] as const)('%s gets the image detail and the cache key', async (spoken) => {
  const wire = spoken === 'chat' ? chatWire : responsesWire
  await using provider = await startMockProvider(wire, [{ say: { text: 'x' } }])
  const model = openOpenAi({ ...settings, baseUrl: `${provider.url}/v1`, interface: spoken })
  const picture = { kind: 'image' as const, bytes: Buffer.from('x'), mediaType: 'image/jpeg', detail: 'low' as const }
  const messages = [{ role: 'user' as const, parts: [picture, { kind: 'text' as const, text: '?' }] }]
  const asked = {
    system: '',
    messages,
    tools: [],
    schema: null,
    outputTokensMax: 10,
    wallMs: 5_000,
    cacheKey: 'alike',
  }
  await model.reply(asked, new AbortController().signal)
  const { body } = provider.requests[0] ?? {}
  expect(body).toMatchObject({ prompt_cache_key: 'alike' })
  expect(JSON.stringify(body)).toContain('"detail":"low"')
})

test.each(['responses', 'chat'] as const)('%s gets the tier, and none if none is requested', async (spoken) => {
  const wire = spoken === 'chat' ? chatWire : responsesWire
  await using provider = await startMockProvider(wire, Array(3).fill({ say: { text: 'x' } }))
  const model = openOpenAi({ ...settings, baseUrl: `${provider.url}/v1`, interface: spoken })
  const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: '?' }] }]
  const asked = { system: '', messages, tools: [], schema: null, outputTokensMax: 10, wallMs: 5_000 }
  const { signal } = new AbortController()
  await model.reply({ ...asked, tier: 'flex' }, signal)
  await model.reply({ ...asked, tier: 'priority' }, signal)
  await model.reply(asked, signal)
  expect(provider.requests.map(({ body }) => body['service_tier'])).toEqual(['flex', 'priority', undefined])
})
