import { expect, test } from 'vitest'
import type { Message, ModelRequest } from '../adapters/models/model.ts'
import { fitContext, requestTokens } from './fit-context.ts'

const opening: ModelRequest = {
  system: 's'.repeat(300),
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'q'.repeat(300) }] }],
  tools: [],
  schema: null,
  outputTokensMax: 1_000,
  wallMs: 1,
}
const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, turn): Message[] => [
    { role: 'assistant', text: '', toolCalls: [{ id: `c${turn}`, name: 'look', input: {} }], continuation: null },
    {
      role: 'tool',
      results: [{ id: `c${turn}`, name: 'look', output: `${turn} ${'x'.repeat(3_000)}`, failed: false }],
    },
  ]).flat()
const contextTokens = 31_000
const fitted = (count: number) => fitContext(opening, turns(count), contextTokens)
const tokens = (messages: readonly Message[]) => requestTokens({ ...opening, messages })

test('what fits is unchanged', () => {
  expect(fitted(5)).toEqual([...opening.messages, ...turns(5)])
})

test('a full context replaces its oldest results with notes that have their handles, and never those of the last turn', () => {
  for (let count = 1; count <= 60; count += 1) {
    const messages = fitted(count)
    expect(tokens(messages)).toBeLessThanOrEqual(contextTokens - opening.outputTokensMax)
    expect(messages).toHaveLength(1 + count * 2)
    expect(messages.at(-1)).toEqual(turns(count).at(-1))
  }
  const first = fitted(60)[2]
  expect(first?.role === 'tool' && first.results[0]).toMatchObject({
    id: 'c0',
    output: { handle: 'result:c0', characters: 3_004, begins: expect.stringMatching(/^"0 xxx/) },
  })
})

test('removed results stay removed, and the prefix of the request seldom changes', () => {
  let changes = 0
  for (let count = 2; count <= 60; count += 1) {
    const [before, after] = [fitted(count - 1), fitted(count)]
    if (JSON.stringify(after.slice(0, before.length)) !== JSON.stringify(before)) changes += 1
  }
  expect(changes).toBeGreaterThan(0)
  expect(changes).toBeLessThan(6)
})
