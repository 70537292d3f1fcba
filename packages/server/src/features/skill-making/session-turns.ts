import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { messageText } from '../../agent/conversation.ts'
import { jsonIn } from '../../agent/schema/json-in.ts'
import type { SessionExecution, SessionHistory, SessionMessage } from '../chat/chat.ts'
import type { Asked } from './distil.ts'

/** The slot with the user's text when a skill runs. */
const messageSlot = 'message'

/**
 * The requests and answers of a session, oldest first: its completed executions and chat turns. The text of a turn without documents is its
 * input; a JSON answer is parsed. Leaves out turns that end in a call of the caller's functions or continue from one, because a skill has
 * no such functions.
 */
export function askedIn({ messages, executions }: SessionHistory): readonly (Asked & SessionExecution)[] {
  const turns = Map.groupBy(messages, (one) => one.executionId)
  return executions
    .filter(({ id, status, response }) => status === 'completed' && !isOfFunctions(response, turns.get(id) ?? []))
    .map((one) => {
      const turn = turns.get(one.id)
      return turn === undefined ? one : asTurn(one, wordsOf(turn))
    })
}

/** The user's text in messages. */
const wordsOf = (messages: readonly SessionMessage[]): string =>
  messages
    .flatMap(({ message }) => (message.role === 'user' ? [messageText(message)] : []))
    .join('\n\n')
    .trim()

function isOfFunctions(response: Json, turn: readonly SessionMessage[]): boolean {
  const isHandedOver = isJsonObject(response) && Array.isArray(response['tool_calls'])
  return turn.length > 0 && (isHandedOver || turn.some(({ message }) => message.role === 'tool'))
}

function asTurn(one: SessionExecution, words: string): Asked & SessionExecution {
  const response = typeof one.response === 'string' ? (jsonAlone(one.response) ?? one.response) : one.response
  if (Object.keys(one.inputs).length > 0 || words === '') return { ...one, response, turn: 'with-inputs' }
  return { ...one, response, inputs: { [messageSlot]: words }, turn: 'spoken' }
}

/** The object or list that a text consists of, bare or in one code fence; undefined with text around it. */
function jsonAlone(text: string): Json | undefined {
  const bare = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(text.trim())?.[1] ?? text
  try {
    const isStructure = typeof JSON.parse(bare) === 'object'
    return isStructure ? (jsonIn(bare) ?? undefined) : undefined
  } catch {
    return undefined
  }
}

/** A turn whose answer is correct for an input, as a model names it. */
export interface NamedExample {
  readonly id: string
  /** Copied from the user's text. */
  readonly input: string
}

/**
 * The examples that a model named, as requests: in the order of the session, each turn once. An input that does not occur in the user's
 * text up to its turn is replaced by the turn's text.
 */
export function namedExamples(
  { messages }: Pick<SessionHistory, 'messages'>,
  asked: readonly Asked[],
  named: readonly NamedExample[],
): readonly Asked[] {
  const inputs = new Map(named.map(({ id, input }) => [id, input.trim()]))
  return asked.flatMap((one) => {
    const input = inputs.get(one.id)
    if (input === undefined || one.turn !== 'spoken') return []
    const last = messages.findLastIndex(({ executionId }) => executionId === one.id)
    const spoken = spaced(wordsOf(messages.slice(0, last + 1)))
    return [input !== '' && spoken.includes(spaced(input)) ? { ...one, inputs: { [messageSlot]: input } } : one]
  })
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
