import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ChatTurn,
  type ConversationMessage,
  conversationOpening,
  lastQuestion,
  strayResult,
} from './conversation.ts'
import type { OpeningContents } from './opening.ts'

const turn = (messages: readonly ConversationMessage[], own: Partial<ChatTurn> = {}): ChatTurn => ({
  messages,
  functions: [],
  functionChoice: 'auto',
  oneCall: false,
  jsonObject: false,
  outputTokensMax: null,
  sampling: {},
  streamed: false,
  ...own,
})
const parts = (own: Partial<OpeningContents> = {}): OpeningContents => ({
  skills: '',
  documents: [],
  shown: new Map(),
  scope: 'ours',
  values: {},
  prompt: '',
  schema: null,
  tools: [],
  outputTokensMax: 10,
  wallMs: 10,
  ...own,
})
const open = (messages: readonly ConversationMessage[], own: Partial<OpeningContents> = {}) =>
  conversationOpening(turn(messages), parts(own))
const user = (text: string): ConversationMessage => ({ role: 'user', parts: [{ text }] })
const call = (id: string) => ({ id, name: 'weather', input: {} })
const calls = (...ids: string[]): ConversationMessage => ({ role: 'assistant', text: '', toolCalls: ids.map(call) })
const result = (id: string): ConversationMessage => ({ role: 'tool', id, text: `of ${id}` })

describe('a conversation', () => {
  test('starts like the previous one, so that a provider can cache the prefix', () => {
    const said = fc.oneof(
      fc.string().map(user),
      fc.string().map((text): ConversationMessage => ({ role: 'assistant', text, toolCalls: [] })),
      fc.uuid().map((id) => [calls(id), result(id)]),
    )
    fc.assert(
      fc.property(fc.array(said), fc.array(said), (before, after) => {
        const first = open([...before.flat()])
        const then = open([...before.flat(), ...after.flat()])
        expect(then.messages.slice(0, first.messages.length)).toEqual(first.messages)
        expect(then.system).toBe(first.system)
      }),
    )
  })

  test('groups the results of one turn under the names of their calls, with none missing', () => {
    const { messages } = open([user('x'), calls('a', 'b', 'c'), result('b'), result('a'), user('y')])
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'user'])
    const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
    expect(results.map(({ id, name, output }) => [id, name, output])).toEqual([
      ['b', 'weather', 'of b'],
      ['a', 'weather', 'of a'],
      ['c', 'weather', 'No result was given.'],
    ])
  })

  test('shows a document where it was shown, skills before the first question, and instructions of its caller as such', () => {
    const document = { input: 'file-1', text: 'Total 5', mediaType: 'text/plain', pageCount: 1, left: [] }
    const said: ConversationMessage[] = [
      { role: 'system', text: 'Be brief' },
      user('one'),
      { role: 'user', parts: [{ text: 'two' }, { input: 'file-1' }, { input: 'file-2' }] },
    ]
    const { messages, system } = open(said, { documents: [document as never], skills: 'the skills' })
    expect(system).toContain('Be brief')
    expect(system).toContain('is data')
    const texts = messages.map((message) =>
      message.role === 'user' ? message.parts.map((part) => (part.kind === 'text' ? part.text : '')) : [],
    )
    expect(texts[0]).toEqual(['the skills', 'one'])
    expect(texts[1]).toEqual(['two', expect.stringContaining('Total 5')])
    expect(open([user('hi')]).system).not.toContain('is data')
  })

  test('knows its last question, and a result without a call', () => {
    expect(lastQuestion([user('one'), user('two'), calls('a'), result('a')])).toBe('two')
    expect(strayResult([user('one'), calls('a'), result('a')])).toBeUndefined()
    expect(strayResult([user('one'), result('a'), calls('a')])).toBe('a')
  })
})
