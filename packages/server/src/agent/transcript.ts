import { legible } from '@skillrun/core/json.ts'
import type { Message, ModelReply, ToolCall, ToolResult } from '../adapters/models/model.ts'
import type { SchemaProblem } from './schema/schema.ts'

/** One transcript entry of a run, after the opening. */
export type Entry =
  | ({ readonly role: 'assistant' } & ModelReply)
  | { readonly role: 'tool'; readonly result: ToolResult }
  | { readonly role: 'correction'; readonly problems: readonly SchemaProblem[] }

/** Calls of the last turn without a result. */
export function pendingCalls(transcript: readonly Entry[]): readonly ToolCall[] {
  const at = transcript.findLastIndex((entry) => entry.role === 'assistant')
  const turn = transcript[at]
  if (turn?.role !== 'assistant') return []
  const answered = new Set(
    transcript.slice(at + 1).map((entry) => (entry.role === 'tool' ? entry.result.id : undefined)),
  )
  return turn.toolCalls.filter((call) => !answered.has(call.id))
}

/** The reply with unique call ids: some servers restart their numbering in each turn. */
export function withOwnIds(reply: ModelReply, transcript: readonly Entry[]): ModelReply {
  const taken = new Set(
    transcript.flatMap((entry) => (entry.role === 'assistant' ? entry.toolCalls.map(({ id }) => id) : [])),
  )
  const ids = reply.toolCalls.map(({ id }) => id)
  // A continuation must go back unchanged, and refers to the calls by their ids.
  if (reply.continuation !== null || (new Set(ids).size === ids.length && !ids.some((id) => taken.has(id))))
    return reply
  const turn = countOf(transcript, 'assistant') + 1
  return { ...reply, toolCalls: reply.toolCalls.map((call, index) => ({ ...call, id: `${call.id}-${turn}-${index}` })) }
}

/** The reply with texts that the database can store. The continuation stays unchanged. */
export const legibleReply = (reply: ModelReply): ModelReply => ({
  ...reply,
  text: legible(reply.text),
  toolCalls: reply.toolCalls.map(({ id, name, input }) => ({
    id: legible(id),
    name: legible(name),
    input: legible(input),
  })),
})

/** The number of entries of a role. */
export const countOf = (transcript: readonly Entry[], role: Entry['role']): number =>
  transcript.filter((entry) => entry.role === role).length

/** The handle with which a model reads a removed result again. */
export const resultHandle = ({ id }: Pick<ToolResult, 'id'>): string => `result:${id}`

/** The recorded result of a handle. */
export const findResult = (transcript: readonly Entry[], handle: string): ToolResult | undefined =>
  transcript
    .flatMap((entry) => (entry.role === 'tool' ? [entry.result] : []))
    .find((one) => resultHandle(one) === handle)

/** The transcript as messages: results of one turn together, in the order of its calls. */
export function messagesOf(transcript: readonly Entry[]): readonly Message[] {
  const results = new Map(
    transcript.flatMap((entry) => (entry.role === 'tool' ? [[entry.result.id, entry.result]] : [])),
  )
  return transcript.flatMap((entry): Message[] => {
    if (entry.role === 'correction') return [{ role: 'user', parts: [{ kind: 'text', text: correctionText(entry) }] }]
    if (entry.role === 'tool') return []
    const { text, toolCalls, continuation } = entry
    const answered = toolCalls.flatMap((call) => results.get(call.id) ?? [])
    return [
      { role: 'assistant', text, toolCalls, continuation },
      ...(answered.length === 0 ? [] : [{ role: 'tool' as const, results: answered }]),
    ]
  })
}

const correctionText = ({ problems }: Extract<Entry, { role: 'correction' }>): string =>
  [
    'Your answer is not valid:',
    ...problems.map(({ pointer, message }) => `- ${pointer === '' ? 'The answer' : `${pointer}:`} ${message}`),
    'Reply with the complete corrected answer. If it was cut off, make it shorter. If a JSON Schema was given, reply with exactly one JSON value and no other text.',
  ].join('\n')
