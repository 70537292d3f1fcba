import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { type ConversationMessage, withoutInstructions } from '../../agent/conversation.ts'
import { askedOf } from '../executions/executions.ts'

type Asked = Parameters<typeof askedOf>[0]

/** The input items of a response, oldest first: the whole conversation up to it, without its instructions. */
export function inputItemsOf(execution: Asked): JsonObject[] {
  const { inputs } = askedOf(execution)
  const { chat } = execution.request
  const items = chat ? withoutInstructions(chat).flatMap((message) => itemsOf(message, inputs)) : []
  return items.map((item, index) => ({ id: `item_${execution.id}_${index}`, ...item }))
}

function itemsOf(message: ConversationMessage, inputs: JsonObject): JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ ...completedMessage, role: 'system', content: [{ type: 'input_text', text: message.text }] }]
    case 'user': {
      const content = message.parts.map((part) =>
        'text' in part ? { type: 'input_text', text: part.text } : partOf(inputs[part.input]),
      )
      return [{ ...completedMessage, role: 'user', content }]
    }
    case 'assistant': {
      const content = [{ type: 'output_text', text: message.text, annotations: [] }]
      return [
        ...(message.text === '' ? [] : [{ ...completedMessage, role: 'assistant', content }]),
        ...message.toolCalls.map(({ id, name, input }) => ({
          type: 'function_call',
          call_id: id,
          name,
          arguments: typeof input === 'string' ? input : JSON.stringify(input),
          status: 'completed',
        })),
      ]
    }
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.id, output: message.text, status: 'completed' }]
  }
}

const completedMessage = { type: 'message', status: 'completed' }

/** An input of the execution as a content part. */
function partOf(item: Json | undefined): JsonObject {
  if (!isJsonObject(item)) return { type: 'input_text', text: typeof item === 'string' ? item : '' }
  const { type } = item
  if (type === 'image_url' && isJsonObject(item['image_url'])) {
    const { url, detail } = item['image_url']
    return { type: 'input_image', image_url: url ?? null, detail: detail ?? 'auto' }
  }
  if (type === 'input_file') return { type: 'input_file', file_id: item['file_id'] ?? null }
  const place = isJsonObject(item[String(type)]) ? (item[String(type)] as JsonObject) : {}
  const url = String(place['url'] ?? '')
  return { type: 'input_file', ...(/^data:/i.test(url) ? { file_data: url } : { file_url: url }) }
}
