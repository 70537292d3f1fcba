import { expect, test } from 'vitest'
import { keepsTheModelsPromises } from '../testing/conformance.ts'
import { startMockProvider } from '../testing/mock-provider.ts'
import { trialKey } from '../testing/stage.ts'
import { generateContentWire } from '../testing/wires.ts'
import { openGoogle } from './google.ts'

keepsTheModelsPromises({
  wire: generateContentWire,
  thought: {
    kept: 'c2lnbmVkLXRob3VnaHQ',
    body: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'The page must be read.', thought: true },
              { functionCall: { name: 'document_read', args: { page: 0 } }, thoughtSignature: 'c2lnbmVkLXRob3VnaHQ' },
            ],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, thoughtsTokenCount: 15 },
    },
  },
  open: (url) => openGoogle({ name: 'google', model: 'gemini-3.6-flash', apiKey: trialKey, baseUrl: url }),
})

test('a prompt that Google blocks is a refusal', async () => {
  const body = JSON.stringify({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, modelVersion: 'mock-1' })
  await using provider = await startMockProvider(generateContentWire, [{ status: 200, body }])
  const model = openGoogle({ name: 'google', model: 'mock-1', apiKey: trialKey, baseUrl: `${provider.url}/v1beta` })
  const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: '?' }] }]
  const asked = { system: '', messages, tools: [], schema: null, outputTokensMax: 10, wallMs: 5_000 }
  expect(await model.reply(asked, new AbortController().signal)).toMatchObject({ finish: 'refusal', text: '' })
})

test('a tier is passed on, and omitted when absent', async () => {
  await using provider = await startMockProvider(generateContentWire, Array(3).fill({ say: { text: 'x' } }))
  const model = openGoogle({
    name: 'google',
    model: 'gemini-3.6-flash',
    apiKey: trialKey,
    baseUrl: `${provider.url}/v1beta`,
  })
  const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: '?' }] }]
  const asked = { system: '', messages, tools: [], schema: null, outputTokensMax: 10, wallMs: 5_000 }
  const { signal } = new AbortController()
  await model.reply({ ...asked, tier: 'flex' }, signal)
  await model.reply({ ...asked, tier: 'priority' }, signal)
  await model.reply(asked, signal)
  expect(provider.requests.map(({ body }) => body['serviceTier'])).toEqual(['flex', 'priority', undefined])
})
