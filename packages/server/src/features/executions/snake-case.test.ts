import { expect, test } from 'vitest'
import { snakeCased } from './snake-case.ts'

test('our own names are in snake_case at every depth, and user content is unchanged', () => {
  const foreign = { camelCase: [{ innerName: 1 }] }
  expect(
    snakeCased({
      mediaType: 'application/pdf',
      parts: [{ fromSeconds: 0, text: 'camelCase stays in texts' }],
      toolCalls: [{ id: 'a', name: 'myTool', input: foreign }],
      usage: { cachedInputTokens: 3 },
      output: foreign,
      answer: foreign,
      response: foreign,
      value: foreign,
      continuation: foreign,
      evidence: { '/lineItems/0': { status: 'verified' } },
    }),
  ).toEqual({
    media_type: 'application/pdf',
    parts: [{ from_seconds: 0, text: 'camelCase stays in texts' }],
    tool_calls: [{ id: 'a', name: 'myTool', input: foreign }],
    usage: { cached_input_tokens: 3 },
    output: foreign,
    answer: foreign,
    response: foreign,
    value: foreign,
    continuation: foreign,
    evidence: { '/lineItems/0': { status: 'verified' } },
  })
  for (const plain of [null, 5, 'camelCase', true]) expect(snakeCased(plain)).toBe(plain)
})
