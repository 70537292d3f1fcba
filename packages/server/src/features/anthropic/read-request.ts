import { isId } from '@skillrun/core/ids.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import { type ChatRequest, readMessages } from '../chat/chat.ts'
import { nameOfSkillId } from '../skills/skills.ts'
import type { AnthropicTool, MessageParam, MessagesRequest, UserBlock } from './wire.ts'

type ChatMessage = ChatRequest['messages'][number]
type UserContent = Exclude<Extract<ChatMessage, { role: 'user' }>['content'], string>
type CustomTool = Extract<AnthropicTool, { input_schema: unknown }>

const isCustom = (tool: AnthropicTool): tool is CustomTool => 'input_schema' in tool

/** A document of a request that the reply is to cite. */
export interface CitedDocument {
  /** The name of its input. */
  readonly input: string
  /** Its number among the documents of the request, from 0. */
  readonly index: number
  readonly title: string | null
  readonly fileId: string | null
}

type DocumentBlock = Extract<UserBlock, { type: 'document' }>
type Sent = Map<UserContent[number], DocumentBlock>

/** A request of the Messages API as a chat request, with the documents that the reply cites. Throws ValidationFailures. */
export function readMessagesRequest(body: MessagesRequest): {
  readonly chat: ChatRequest
  readonly cited: readonly CitedDocument[]
} {
  const sent: Sent = new Map()
  const chat = chatRequestOf(body, sent)
  return { chat, cited: citedOf(chat, sent) }
}

function citedOf({ messages }: ChatRequest, sent: Sent): CitedDocument[] {
  const blocks = [...sent.values()]
  if (!blocks.some(({ citations }) => citations?.enabled)) return []
  const inputs = new Map<DocumentBlock, string>()
  for (const [at, message] of readMessages(messages).messages.entries()) {
    const content = messages[at]?.content
    if (message.role !== 'user' || !Array.isArray(content)) continue
    for (const [index, part] of message.parts.entries()) {
      const block = sent.get(content[index] as UserContent[number])
      if (block && 'input' in part) inputs.set(block, part.input)
    }
  }
  return blocks.flatMap((block, index) => {
    const input = inputs.get(block)
    if (input === undefined || !block.citations?.enabled) return []
    const { source, title } = block
    return [{ input, index, title: title ?? null, fileId: source.type === 'file' ? source.file_id : null }]
  })
}

function chatRequestOf(body: MessagesRequest, sent: Sent): ChatRequest {
  const system = typeof body.system === 'string' ? body.system : body.system?.map(({ text }) => text).join('\n\n')
  const messages = body.messages.flatMap((message) => messagesOf(message, sent))
  if (body.messages.at(-1)?.role !== 'user')
    throw invalid(['body', 'messages'], 'The last message must be of the user: a reply cannot be begun for the model')
  const { skills, tools } = readTools(body)
  const { tool_choice: choice, output_config: output } = body
  return {
    model: body.model,
    messages: system ? [{ role: 'system', content: system }, ...messages] : messages,
    stream: body.stream,
    max_tokens: body.max_tokens,
    temperature: body.temperature,
    top_p: body.top_p,
    stop: body.stop_sequences,
    reasoning_effort: output?.effort,
    response_format: output?.format ? { type: 'json_schema', schema: output.format.schema } : undefined,
    tools,
    tool_choice: choice ? chosen(choice) : undefined,
    parallel_tool_calls:
      choice && 'disable_parallel_tool_use' in choice && choice.disable_parallel_tool_use ? false : null,
    service_tier: body.service_tier === 'standard_only' ? 'standard' : body.service_tier,
    metadata: body.metadata?.user_id ? { user_id: body.metadata.user_id } : {},
    skills,
    toolsets: body.toolsets,
    max_cost_dollars: body.max_cost_dollars,
    max_steps: body.max_steps,
    max_wrong_rate: body.max_wrong_rate,
    timeout_seconds: body.timeout_seconds,
  }
}

function chosen(choice: NonNullable<MessagesRequest['tool_choice']>): ChatRequest['tool_choice'] {
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } }
  return choice.type === 'any' ? 'required' : choice.type
}

function readTools(body: MessagesRequest): Pick<ChatRequest, 'tools' | 'skills'> {
  const tools = body.tools ?? []
  const entries = body.container?.skills ?? []
  const at = tools.findIndex((tool) => !isCustom(tool))
  if (at >= 0 && entries.length === 0)
    throw invalid(
      ['body', 'tools', at, 'type'],
      'code_execution runs the scripts of skills and needs container.skills',
      { type: 'unsupported_parameter' },
    )
  return {
    tools: tools.filter(isCustom).map(({ name, description, input_schema, strict }) => ({
      type: 'function' as const,
      function: { name, description, parameters: input_schema, strict },
    })),
    // The id of a version is enough to identify the skill.
    skills: entries.map(({ skill_id, version }) =>
      version && isId(version)
        ? { skill_id: version }
        : { skill_id: nameOfSkillId(skill_id), skill_version: version ?? null },
    ),
  }
}

/** The chat messages of one Anthropic message: tool results come before the user's other content. */
function messagesOf(message: MessageParam, sent: Sent): ChatMessage[] {
  const { role, content } = message
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'assistant') {
    const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []))
    const calls = content.flatMap((block) =>
      block.type === 'tool_use'
        ? [{ id: block.id, function: { name: block.name, arguments: JSON.stringify(block.input) } }]
        : [],
    )
    return [{ role: 'assistant', content: texts.join(''), ...(calls.length > 0 ? { tool_calls: calls } : {}) }]
  }
  const results: ChatMessage[] = []
  const parts: UserContent = []
  for (const block of content) {
    if (block.type !== 'tool_result') {
      parts.push(...partsOf(block, sent))
      continue
    }
    const inside =
      typeof block.content === 'string' ? [{ type: 'text' as const, text: block.content }] : (block.content ?? [])
    const text = inside.flatMap((one) => (one.type === 'text' ? [one.text] : [])).join('\n')
    results.push({ role: 'tool', tool_call_id: block.tool_use_id, content: block.is_error ? `Error: ${text}` : text })
    parts.push(...inside.flatMap((one) => (one.type === 'text' ? [] : partsOf(one, sent))))
  }
  return parts.length > 0 ? [...results, { role: 'user', content: parts }] : results
}

function partsOf(block: Exclude<UserBlock, { type: 'tool_result' }>, sent: Sent): UserContent {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type === 'image') {
    const { source } = block
    if (source.type === 'file') return [{ type: 'input_file', file_id: source.file_id }]
    const url = source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`
    return [{ type: 'image_url', image_url: { url } }]
  }
  const about = [
    ...(block.title ? [`Title of the next document: ${block.title}`] : []),
    ...(block.context ? [`About the next document: ${block.context}`] : []),
  ]
  const document = documentOf(block.source)
  sent.set(document, block)
  return [...about.map((text) => ({ type: 'text' as const, text })), document]
}

function documentOf(source: Extract<UserBlock, { type: 'document' }>['source']): UserContent[number] {
  switch (source.type) {
    case 'file':
      return { type: 'input_file', file_id: source.file_id }
    case 'url':
      return { type: 'file_url', file_url: { url: source.url } }
    case 'base64':
      return { type: 'file_url', file_url: { url: `data:${source.media_type};base64,${source.data}` } }
    case 'text':
      return plainText(source.data)
    case 'content':
      return plainText(
        typeof source.content === 'string' ? source.content : source.content.map(({ text }) => text).join('\n\n'),
      )
  }
}

const plainText = (text: string): UserContent[number] => ({
  type: 'file_url',
  file_url: { url: `data:text/plain;charset=utf-8;base64,${Buffer.from(text, 'utf8').toString('base64')}` },
})

/** Maps a location in the chat request back to the part of the original request. */
function placeInMessages(
  loc: readonly (string | number)[],
  { tools }: Pick<MessagesRequest, 'tools'>,
): readonly (string | number)[] {
  const [part, first, ...rest] = loc
  if (part !== 'body' || first === undefined) return loc
  if (first === 'response_format') return [part, 'output_config', 'format', ...rest]
  if (first === 'skills') return [part, 'container', 'skills', ...rest]
  if (first === 'inputs') return [part, 'messages']
  if (first === 'tool_choice') return [part, 'tool_choice', ...rest.slice(1)]
  if (first === 'tools' && rest[1] === 'function') {
    const own = [...(tools ?? []).entries()].filter(([, tool]) => isCustom(tool))
    return [part, 'tools', own[Number(rest[0])]?.[0] ?? 0, ...rest.slice(2)]
  }
  return loc
}

/** A failure of a translated request, with the places of the request as it was sent. */
export const asSentToMessages = (error: unknown, body: Pick<MessagesRequest, 'tools'>): unknown =>
  error instanceof ValidationFailure
    ? new ValidationFailure(error.details.map((detail) => ({ ...detail, loc: placeInMessages(detail.loc, body) })))
    : error
