import type { JsonObject } from '@skillrun/core/json.ts'
import type { Sql } from '../../adapters/db/db.ts'
import { invalid } from '../../adapters/http/validation.ts'
import { type ChatRequest, findTurns, replyOf } from '../chat/chat.ts'
import { nameOfSkillId } from '../skills/skills.ts'
import { outputItemOf } from './ids.ts'
import type { ResponsesItem, ResponsesPart, ResponsesRequest, ResponsesTool } from './wire.ts'

type ChatMessage = ChatRequest['messages'][number]
type AssistantMessage = Extract<ChatMessage, { role: 'assistant' }>
type UserContent = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>

/** Translates a request of the Responses API into a chat request, with the fields that replies repeat. Throws ValidationFailures. */
export async function readResponsesRequest(
  sql: Sql,
  { workspaceId, body }: { workspaceId: string; body: ResponsesRequest },
): Promise<{ readonly chat: ChatRequest; readonly echo: JsonObject }> {
  const items = typeof body.input === 'string' ? [] : await resolved(sql, { workspaceId, items: body.input })
  const messages: ChatMessage[] =
    typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : messagesOf(items)
  const { functions, skills } = readTools(body.tools ?? [])
  const { tool_choice: choice } = body
  return {
    echo: echoOf(body),
    chat: {
      model: body.model,
      messages: body.instructions ? [{ role: 'system', content: body.instructions }, ...messages] : messages,
      stream: body.stream,
      max_completion_tokens: body.max_output_tokens,
      temperature: body.temperature,
      top_p: body.top_p,
      reasoning_effort: body.reasoning?.effort,
      response_format: formatOf(body),
      tools: functions,
      tool_choice:
        typeof choice === 'object' && choice !== null ? { type: 'function', function: { name: choice.name } } : choice,
      parallel_tool_calls: body.parallel_tool_calls,
      service_tier: body.service_tier,
      metadata: { ...body.metadata, ...(body.store === false ? { allow_retention: false } : {}) },
      skills: [...(body.skills ?? []), ...skills],
      toolsets: body.toolsets,
      max_cost_dollars: body.max_cost_dollars,
      max_steps: body.max_steps,
      max_wrong_rate: body.max_wrong_rate,
      timeout_seconds: body.timeout_seconds,
    },
  }
}

function echoOf(body: ResponsesRequest): JsonObject {
  const echo = {
    background: body.background ?? false,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: body.previous_response_id ?? null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    safety_identifier: body.safety_identifier ?? null,
    store: body.store ?? true,
    temperature: body.temperature ?? null,
    text: { format: body.text?.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map(shownTool),
    top_p: body.top_p ?? null,
    truncation: 'disabled',
    user: body.user ?? null,
  }
  // The value comes from JSON.
  return JSON.parse(JSON.stringify(echo)) as JsonObject
}

/** A tool as replies repeat it: without the bytes of inline skills. */
function shownTool(tool: ResponsesTool): object {
  if (tool.type === 'function') return { ...tool, parameters: tool.parameters ?? null, strict: tool.strict ?? null }
  const skills = tool.environment.skills.map((one) =>
    one.type === 'inline' ? { ...one, source: { ...one.source, data: '' } } : one,
  )
  return { ...tool, environment: { ...tool.environment, skills } }
}

const functionOf = ({ name, description, parameters, strict }: Extract<ResponsesTool, { type: 'function' }>) => ({
  name,
  description,
  parameters,
  strict,
})

function readTools(tools: readonly ResponsesTool[]): {
  functions: NonNullable<ChatRequest['tools']>
  skills: NonNullable<ChatRequest['skills']>
} {
  return {
    functions: tools.flatMap((tool) =>
      tool.type === 'function' ? [{ type: 'function' as const, function: functionOf(tool) }] : [],
    ),
    skills: tools.flatMap((tool) =>
      tool.type === 'function'
        ? []
        : tool.environment.skills.map((one) =>
            one.type === 'inline'
              ? one
              : { type: one.type, skill_id: nameOfSkillId(one.skill_id), skill_version: one.version },
          ),
    ),
  }
}

function formatOf({ text }: ResponsesRequest): ChatRequest['response_format'] {
  const format = text?.format
  if (format?.type !== 'json_schema') return format
  return { type: 'json_schema', schema: format.schema, description: format.description }
}

/** The items, with references replaced by the earlier outputs. */
async function resolved(
  sql: Sql,
  { workspaceId, items }: { workspaceId: string; items: readonly ResponsesItem[] },
): Promise<readonly Exclude<ResponsesItem, { type: 'item_reference' }>[]> {
  const references = items.flatMap((item) => (item.type === 'item_reference' ? [outputItemOf(item.id)] : []))
  const ids = [...new Set(references.flatMap((one) => (one ? [one.executionId] : [])))]
  const turns = ids.length === 0 ? new Map() : await findTurns(sql, { workspaceId, ids })
  return items.map((item, index) => {
    if (item.type !== 'item_reference') return item
    const place = outputItemOf(item.id)
    const turn = place && turns.get(place.executionId)
    const reply = turn && replyOf(turn)
    const call = place?.call === undefined ? undefined : reply?.toolCalls[place.call]
    if (place && call) {
      const { name, arguments: given } = call.function as { name: string; arguments: string }
      return { type: 'function_call', call_id: String(call.id), name, arguments: given }
    }
    const text = reply?.content ?? reply?.refusal
    if (place && place.call === undefined && typeof text === 'string')
      return { type: 'message', role: 'assistant', content: text }
    throw invalid(
      ['body', 'input', index, 'id'],
      `Item ${JSON.stringify(item.id.slice(0, 100))} not found: it is unknown or was not stored`,
      { type: 'item_not_found' },
    )
  })
}

/** The messages of items. Calls of one turn share one message; files in function results follow in a user message. */
function messagesOf(items: readonly Exclude<ResponsesItem, { type: 'item_reference' }>[]): ChatMessage[] {
  const messages: ChatMessage[] = []
  let withResults: UserContent = []
  const flush = () => {
    if (withResults.length > 0) messages.push({ role: 'user', content: withResults })
    withResults = []
  }
  for (const item of items) {
    if (item.type === 'function_call_output') {
      const parts = typeof item.output === 'string' ? [{ text: item.output }] : item.output.map(partOf)
      const content = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
      messages.push({ role: 'tool', tool_call_id: item.call_id, content })
      withResults.push(...(parts.filter((part) => 'type' in part && part.type !== 'text') as UserContent))
      continue
    }
    flush()
    if (item.type === 'function_call') {
      const call = { id: item.call_id, function: { name: item.name, arguments: item.arguments } }
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.tool_calls = [...(last.tool_calls ?? []), call]
      else messages.push({ role: 'assistant', tool_calls: [call] })
    } else if (item.role === 'user') {
      messages.push({
        role: 'user',
        content: typeof item.content === 'string' ? item.content : item.content.map(partOf),
      })
    } else if (item.role === 'assistant') messages.push({ role: 'assistant', content: assistantText(item.content) })
    else messages.push({ role: item.role, content: textOf(item.content) })
  }
  flush()
  return messages
}

const textOf = (content: string | readonly { readonly text: string }[]): string =>
  typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')

function assistantText(
  content: Extract<ResponsesItem, { role: 'assistant' }>['content'],
): NonNullable<AssistantMessage['content']> {
  if (typeof content === 'string') return content
  return content.map((part) => ('refusal' in part ? String(part.refusal) : String(part.text))).join('\n')
}

function partOf(part: ResponsesPart): UserContent[number] {
  switch (part.type) {
    case 'input_text':
      return { type: 'text', text: part.text }
    case 'input_image':
      return part.file_id
        ? { type: 'input_file', file_id: part.file_id }
        : { type: 'image_url', image_url: { url: part.image_url ?? '', detail: part.detail } }
    case 'input_file':
      return part.file_id
        ? { type: 'input_file', file_id: part.file_id }
        : { type: 'file_url', file_url: { url: part.file_url ?? part.file_data ?? '' } }
  }
}

/** Maps a location in the chat request back to the part of the original request. */
export const placeInRequest = (
  loc: readonly (string | number)[],
  { tools }: Pick<ResponsesRequest, 'tools'>,
): readonly (string | number)[] => {
  const [part, first, ...rest] = loc
  if (part !== 'body' || first === undefined) return loc
  if (first === 'messages') return [part, 'input']
  if (first === 'response_format') return [part, 'text', 'format', ...rest]
  if (first === 'max_completion_tokens') return [part, 'max_output_tokens', ...rest]
  if (first === 'inputs') return [part, 'input']
  if (first === 'tool_choice') return [part, 'tool_choice', ...rest.slice(1)]
  if (first === 'tools') {
    const functions = [...(tools ?? []).entries()].filter(([, { type }]) => type === 'function')
    return [part, 'tools', functions[Number(rest[0])]?.[0] ?? 0, ...rest.slice(2)]
  }
  return loc
}
