import type { JsonObject } from '@skillrun/core/json.ts'

// biome-ignore lint/suspicious/noExplicitAny: the answers are made beside, in the provider's own shape.
type Body = any

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

/** A text split into deltas as models send them: words with the space before them. */
const piecesOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? []

/** A valid Chat Completions reply as stream events: https://platform.openai.com/docs/api-reference/chat-streaming */
export function chatStream(answer: JsonObject): string[] {
  const { id, created, model, usage, choices } = answer as Body
  const [{ message, finish_reason }] = choices
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, finish: string | null = null) =>
    event({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] })
  const calls = (message.tool_calls ?? []).flatMap((call: Body, index: number) => {
    const { id, type, function: called } = call
    const half = Math.ceil(called.arguments.length / 2)
    return [
      chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: '' } }] }),
      ...[called.arguments.slice(0, half), called.arguments.slice(half)].map((piece: string) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]
  })
  return [
    chunk({ role: 'assistant', content: message.content === null ? null : '' }),
    ...piecesOf(message.content ?? '').map((content) => chunk({ content })),
    ...calls,
    chunk({}, finish_reason),
    event({ ...head, choices: [], usage }),
    'data: [DONE]\n\n',
  ]
}

/** A valid Responses reply as stream events: https://platform.openai.com/docs/api-reference/responses-streaming */
export function responsesStream(answer: JsonObject): string[] {
  const response = answer as Body
  let number = 0
  const say = (type: string, data: object) => event({ type, sequence_number: number++, ...data }, type)
  const items = response.output.flatMap((item: Body, output_index: number) => {
    const at = { item_id: item.id, output_index }
    if (item.type === 'reasoning')
      return [
        say('response.output_item.added', { output_index, item: { ...item, encrypted_content: null } }),
        say('response.output_item.done', { output_index, item }),
      ]
    if (item.type !== 'message') {
      const { arguments: text } = item
      return [
        say('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } }),
        say('response.function_call_arguments.delta', { ...at, delta: text }),
        say('response.function_call_arguments.done', { ...at, arguments: text }),
        say('response.output_item.done', { output_index, item }),
      ]
    }
    const [part] = item.content
    const isRefusal = part.type === 'refusal'
    const text = isRefusal ? part.refusal : part.text
    const kind = isRefusal ? 'response.refusal' : 'response.output_text'
    const place = { ...at, content_index: 0 }
    const empty = isRefusal ? { type: 'refusal', refusal: '' } : { ...part, text: '' }
    return [
      say('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', content: [] } }),
      say('response.content_part.added', { ...place, part: empty }),
      ...piecesOf(text).map((delta) =>
        say(`${kind}.delta`, { ...place, delta, ...(isRefusal ? {} : { logprobs: [] }) }),
      ),
      say(`${kind}.done`, { ...place, ...(isRefusal ? { refusal: text } : { text, logprobs: [] }) }),
      say('response.content_part.done', { ...place, part }),
      say('response.output_item.done', { output_index, item }),
    ]
  })
  const begun = { ...response, status: 'in_progress', output: [], usage: null, incomplete_details: null }
  const end = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
  return [
    say('response.created', { response: begun }),
    say('response.in_progress', { response: begun }),
    ...items,
    say(end, { response }),
  ]
}

/** A valid Messages reply as stream events: https://platform.claude.com/docs/en/build-with-claude/streaming */
export function messagesStream(answer: JsonObject): string[] {
  const { content, stop_reason, stop_sequence, usage, ...message } = answer as Body
  const say = (type: string, data: object) => event({ type, ...data }, type)
  const blocks = content.flatMap((block: Body, index: number) => {
    const delta = (delta: object) => say('content_block_delta', { index, delta })
    const begin = (content_block: object) => say('content_block_start', { index, content_block })
    const end = say('content_block_stop', { index })
    switch (block.type) {
      case 'text':
        return [
          begin({ type: 'text', text: '' }),
          ...piecesOf(block.text).map((text) => delta({ type: 'text_delta', text })),
          end,
        ]
      case 'thinking':
        return [
          begin({ type: 'thinking', thinking: '', signature: '' }),
          ...piecesOf(block.thinking).map((thinking) => delta({ type: 'thinking_delta', thinking })),
          delta({ type: 'signature_delta', signature: block.signature }),
          end,
        ]
      default:
        return [
          begin({ ...block, input: {} }),
          delta({ type: 'input_json_delta', partial_json: '' }),
          delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) }),
          end,
        ]
    }
  })
  const begun = { ...message, content: [], stop_reason: null, stop_sequence: null }
  return [
    say('message_start', { message: { ...begun, usage: { ...usage, output_tokens: 1 } } }),
    say('ping', {}),
    ...blocks,
    say('message_delta', { delta: { stop_reason, stop_sequence }, usage: { output_tokens: usage.output_tokens } }),
    say('message_stop', {}),
  ]
}

/** A valid generateContent reply as events of streamGenerateContent: https://ai.google.dev/api/generate-content */
export function generateContentStream(answer: JsonObject): string[] {
  const { candidates, usageMetadata, ...rest } = answer as Body
  const [{ content, finishReason, index }] = candidates
  const parts = content.parts.flatMap((part: Body) =>
    part.text === undefined ? [part] : piecesOf(part.text).map((text) => ({ ...part, text })),
  )
  const chunk = (parts: object[], more: object = {}) => ({
    candidates: [{ content: { role: 'model', parts }, index, ...more }],
    ...rest,
  })
  const last = parts.at(-1)
  return [
    ...parts.slice(0, -1).map((part: object) => event(chunk([part]))),
    event({ ...chunk(last ? [last] : [], { finishReason }), usageMetadata }),
  ]
}
