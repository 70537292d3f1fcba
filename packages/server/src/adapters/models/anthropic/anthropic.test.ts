import { expect, test } from 'vitest'
import { keepsTheModelsPromises } from '../testing/conformance.ts'
import { startMockProvider } from '../testing/mock-provider.ts'
import { trialKey } from '../testing/stage.ts'
import { messagesWire } from '../testing/wires.ts'
import { openAnthropic } from './anthropic.ts'

keepsTheModelsPromises({
  wire: messagesWire,
  thought: {
    kept: 'c2lnbmVkLXRob3VnaHQ',
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5',
      content: [
        { type: 'thinking', thinking: 'The page must be read.', signature: 'c2lnbmVkLXRob3VnaHQ' },
        { type: 'tool_use', id: 'toolu_1', name: 'document_read', input: { page: 0 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: { input_tokens: 10, output_tokens: 20 },
    },
  },
  open: (url) => openAnthropic({ name: 'anthropic', model: 'claude-opus-5', apiKey: trialKey, baseUrl: url }),
})

test('cache breakpoints follow system, documents and earlier messages, and cache writes are reported', async () => {
  const usage = { input_tokens: 5, cache_creation_input_tokens: 700, cache_read_input_tokens: 300, output_tokens: 2 }
  const answer = { ...messagesWire.answer({ text: 'x' }, 1), usage }
  await using provider = await startMockProvider(messagesWire, [{ answer }, { answer }])
  const model = openAnthropic({ name: 'anthropic', model: 'claude-opus-5', apiKey: trialKey, baseUrl: provider.url })
  const text = (words: string) => ({ kind: 'text' as const, text: words })
  const question = { role: 'user' as const, parts: [text('first'), text('document'), text('question')] }
  const asked = {
    system: 'system',
    messages: [question],
    tools: [{ name: 'look', description: 'Looks', input: { type: 'object' } }],
    schema: null,
    outputTokensMax: 10,
    wallMs: 5_000,
  }
  const signal = new AbortController().signal
  const reply = await model.reply(asked, signal)
  expect(reply.usage).toMatchObject({ inputTokens: 1_005, cachedInputTokens: 300, cacheWrittenTokens: 700 })
  const call = { id: 'c1', name: 'look', input: {} }
  const turn = { role: 'assistant' as const, text: '', toolCalls: [call], continuation: null }
  const result = { role: 'tool' as const, results: [{ id: 'c1', name: 'look', output: 'seen', failed: false }] }
  await model.reply({ ...asked, messages: [question, turn, result] }, signal)
  const markedIn = (body: unknown): unknown[] =>
    JSON.stringify(body).match(/\{[^{}]*"cache_control":\{"type":"ephemeral"\}/g) ?? []
  const [first, second] = provider.requests.map(({ body }) => markedIn(body).join('\n'))
  for (const words of ['"system"', '"document"', '"question"']) expect(first).toContain(words)
  expect(first).not.toContain('"first"')
  for (const words of ['"system"', '"document"', '"seen"']) expect(second).toContain(words)
  expect(second).not.toContain('"question"')
})

test('priority may use reserved capacity, flex does not', async () => {
  await using provider = await startMockProvider(messagesWire, Array(3).fill({ say: { text: 'x' } }))
  const model = openAnthropic({ name: 'anthropic', model: 'claude-opus-5', apiKey: trialKey, baseUrl: provider.url })
  const messages = [{ role: 'user' as const, parts: [{ kind: 'text' as const, text: '?' }] }]
  const asked = { system: '', messages, tools: [], schema: null, outputTokensMax: 10, wallMs: 5_000 }
  const { signal } = new AbortController()
  await model.reply({ ...asked, tier: 'priority' }, signal)
  await model.reply({ ...asked, tier: 'flex' }, signal)
  await model.reply(asked, signal)
  expect(provider.requests.map(({ body }) => body['service_tier'])).toEqual(['auto', 'standard_only', undefined])
})
