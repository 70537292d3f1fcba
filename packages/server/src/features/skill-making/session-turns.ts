import { isJsonObject, type Json } from '@skillrun/core/json.ts'
import { messageText } from '../../agent/conversation.ts'
import { jsonIn } from '../../agent/schema/json-in.ts'
import type { SessionExecution, SessionHistory, SessionMessage } from '../chat/chat.ts'
import type { Asked } from './distil.ts'

/** The slot in which a skill is given what a user said in words. */
const messageSlot = 'message'

/**
 * What a session asked and answered, oldest first: its completed executions, turns of its chat among them. The words of a turn that
 * came without documents are its input; an answer that is JSON is read as such. Turns that end in a call of the caller's
 * functions, or that go on from one, are left out: a skill has no such functions.
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

/** What the user says in messages, each word that is text. */
const wordsOf = (messages: readonly SessionMessage[]): string =>
  messages
    .flatMap(({ said }) => (said.role === 'user' ? [messageText(said)] : []))
    .join('\n\n')
    .trim()

function isOfFunctions(response: Json, turn: readonly SessionMessage[]): boolean {
  const isHandedOver = isJsonObject(response) && Array.isArray(response['tool_calls'])
  return turn.length > 0 && (isHandedOver || turn.some(({ said }) => said.role === 'tool'))
}

function asTurn(one: SessionExecution, words: string): Asked & SessionExecution {
  const response = typeof one.response === 'string' ? (jsonAlone(one.response) ?? one.response) : one.response
  if (Object.keys(one.inputs).length > 0 || words === '') return { ...one, response, turn: 'with-inputs' }
  return { ...one, response, inputs: { [messageSlot]: words }, turn: 'spoken' }
}

/** The object or list that a text is, alone or in one fence; undefined for one with words around it. */
function jsonAlone(text: string): Json | undefined {
  const bare = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/i.exec(text.trim())?.[1] ?? text
  try {
    const isStructure = typeof JSON.parse(bare) === 'object'
    return isStructure ? (jsonIn(bare) ?? undefined) : undefined
  } catch {
    return undefined
  }
}

/** A turn whose answer is right for an input, as a model names it. */
export interface NamedExample {
  readonly id: string
  /** As it was copied from what the user said. */
  readonly input: string
}

/**
 * The examples that a model named, as things asked: in the order of the session, each turn once. An input that does not stand in what the user
 * said up to its turn is not believed: the words of the turn take its place.
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
    const said = spaced(wordsOf(messages.slice(0, last + 1)))
    return [input !== '' && said.includes(spaced(input)) ? { ...one, inputs: { [messageSlot]: input } } : one]
  })
}

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
