import { z } from 'zod'
import { arrayOf, recordOf, unsupported } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import { chatRequest } from '../chat/chat.ts'

const url = z.string().min(1)
const id = z.string().min(1).max(500)
const text = z.string()
const prompt_cache_breakpoint = unsupported('the provider of the model decides what is cached')
const inputText = z
  .strictObject({ type: z.literal('input_text'), text, prompt_cache_breakpoint })
  .meta({ id: 'ResponsesInputText' })
const inputImage = z
  .strictObject({
    prompt_cache_breakpoint,
    type: z.literal('input_image'),
    image_url: url.nullish().describe('An http or https URL, or a data URL'),
    file_id: id.nullish(),
    detail: z.enum(['auto', 'low', 'high'], 'detail must be auto, low or high').nullish(),
  })
  .refine(
    ({ image_url, file_id }) => Boolean(image_url) !== Boolean(file_id),
    'Give exactly one of image_url and file_id',
  )
  .refine(
    ({ file_id, detail }) => !file_id || !detail || detail === 'auto',
    'detail works with image_url alone; leave it out with file_id',
  )
  .meta({ id: 'ResponsesInputImage' })
const inputFile = z
  .strictObject({
    prompt_cache_breakpoint,
    type: z.literal('input_file'),
    file_id: id.nullish(),
    file_url: url.nullish(),
    file_data: z
      .string()
      .regex(/^data:[^,]{0,1000},/i, 'file_data must be a data URL')
      .nullish(),
    filename: text.nullish().describe('A label; the type of the file is read from its content'),
    detail: unsupported('detail of a file is not supported', ['auto']),
  })
  .refine(
    (file) => [file.file_id, file.file_url, file.file_data].filter(Boolean).length === 1,
    'Give exactly one of file_id, file_url and file_data',
  )
  .meta({ id: 'ResponsesInputFile' })
const inputPart = z.discriminatedUnion('type', [inputText, inputImage, inputFile])
export type ResponsesPart = z.infer<typeof inputPart>

const partsMax = limits.inputItemsMax
const partsOfReply = z.array(z.unknown()).nullish().describe('In a reply that is sent back')
const outputPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('output_text'), text, annotations: partsOfReply, logprobs: partsOfReply }),
  z.strictObject({ type: z.literal('refusal'), refusal: text }),
  // Clients also send the assistant's earlier text as input.
  inputText,
])
const plainText = z.union([text, arrayOf(inputText, partsMax)])
const isMessage = { type: z.literal('message'), id: id.nullish(), status: text.nullish(), phase: text.nullish() }
const message = z.discriminatedUnion('role', [
  z.strictObject({ ...isMessage, role: z.enum(['system', 'developer']), content: plainText }),
  z.strictObject({ ...isMessage, role: z.literal('user'), content: z.union([text, arrayOf(inputPart, partsMax)]) }),
  z.strictObject({
    ...isMessage,
    role: z.literal('assistant'),
    content: z.union([text, arrayOf(outputPart, partsMax)]),
  }),
])
const functionCall = z.strictObject({
  async: unsupported('async functions are not supported', [false]),
  caller: unsupported('caller is not supported: calls are those of the model'),
  namespace: unsupported('namespaces of tools are not supported'),
  type: z.literal('function_call'),
  id: id.nullish(),
  call_id: id,
  name: z.string().min(1).max(200),
  arguments: text,
  status: text.nullish(),
})
const functionCallOutput = z.strictObject({
  type: z.literal('function_call_output'),
  id: id.nullish(),
  call_id: id,
  output: z.union([text, arrayOf(inputPart, partsMax)]),
  status: text.nullish(),
})
const itemReference = z.strictObject({ type: z.literal('item_reference'), id })

/** A message may omit its type. An item with only an id is a reference. */
function withType(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || ('type' in item && item.type)) return item
  return { ...item, type: 'role' in item ? 'message' : 'item_reference' }
}
const inputItem = z
  .preprocess(withType, z.discriminatedUnion('type', [message, functionCall, functionCallOutput, itemReference]))
  .meta({ id: 'ResponsesInputItem' })
export type ResponsesItem = z.infer<typeof inputItem>

const schemaObject = z.looseObject({})
const functionTool = z.strictObject({
  type: z.literal('function'),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores or hyphens'),
  description: text.nullish(),
  parameters: schemaObject.nullish(),
  strict: z.boolean().nullish().describe('Passed to providers that have it'),
  async: unsupported('async functions are not supported', [false]),
  defer_loading: unsupported('defer_loading is not supported', [false]),
  allowed_callers: unsupported('allowed_callers is not supported'),
  output_schema: unsupported('output_schema is not supported'),
})
const version = z.string().min(1).max(100)
const skill = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('skill_reference'),
    skill_id: z.string().min(1).max(1_000),
    version: version.nullish(),
  }),
  z.strictObject({
    type: z.literal('inline'),
    name: text.nullish(),
    description: text.nullish(),
    source: z.strictObject({
      type: z.literal('base64'),
      media_type: z.literal('application/zip'),
      data: text,
    }),
  }),
])
const shellTool = z.strictObject({
  type: z.literal('shell'),
  allowed_callers: unsupported('allowed_callers is not supported'),
  environment: z.strictObject({
    type: z.literal('container_auto', 'environment.type must be container_auto: other environments are not supported'),
    skills: arrayOf(skill, limits.listItemsMax, 1),
    file_ids: unsupported('environment.file_ids is not supported; give files as input_file'),
    memory_limit: unsupported('environment.memory_limit is not supported'),
    network_policy: unsupported('environment.network_policy is not supported: scripts have no network'),
  }),
})
const tool = z.discriminatedUnion('type', [functionTool, shellTool])
export type ResponsesTool = z.infer<typeof tool>

const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.strictObject({ type: z.literal('function'), name: text }),
])

const format = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: text,
    schema: schemaObject,
    description: text.nullish(),
    strict: z.boolean().nullish().describe('Repeated in the reply; every answer is validated against the schema'),
  }),
])

const includes = ['message.input_image.image_url'] as const
const metadata = recordOf(z.string().max(512), 16)
const { shape } = chatRequest

/** Body of POST /v1/openai/responses: OpenAI's fields and options of Skillrun. Unknown parameters are refused. */
export const responsesRequest = z
  .strictObject({
    model: shape.model,
    input: z.union([z.string(), arrayOf(inputItem, limits.chatMessagesMax, 1)]),
    instructions: text.nullish(),
    previous_response_id: z.string().min(1).max(200).nullish(),
    background: z.boolean().nullish(),
    store: z.boolean().nullish().describe('false: the response is deleted once it was read'),
    stream: z.boolean().nullish(),
    stream_options: z
      .strictObject({ include_obfuscation: unsupported('the stream has no obfuscation', [false]) })
      .nullish(),
    text: z
      .strictObject({ format: format.nullish(), verbosity: unsupported('text.verbosity is not supported', ['medium']) })
      .nullish(),
    tools: arrayOf(tool, limits.listItemsMax).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    max_output_tokens: shape.max_tokens,
    temperature: shape.temperature,
    top_p: shape.top_p,
    reasoning: z
      .strictObject({
        effort: shape.reasoning_effort,
        summary: unsupported('reasoning.summary is not supported: replies have no reasoning items'),
        generate_summary: unsupported('reasoning.generate_summary is not supported: replies have no reasoning items'),
      })
      .nullish(),
    include: arrayOf(z.enum(includes, `include may only name ${includes.join(', ')}`), 10).nullish(),
    metadata: metadata.nullish(),
    service_tier: shape.service_tier,
    truncation: z.literal('disabled', 'truncation must be disabled').nullish(),
    user: text.max(500).nullish().describe('A label, repeated in the reply'),
    safety_identifier: text.max(500).nullish().describe('A label, repeated in the reply'),
    prompt_cache_key: text.max(500).nullish().describe('A label, repeated in the reply; caching needs none'),
    top_logprobs: unsupported('log probabilities are not supported', [0]),
    max_tool_calls: unsupported('use max_steps'),
    conversation: unsupported('conversations are not supported; use previous_response_id'),
    prompt: unsupported('prompt templates are not supported; use a skill'),
    context_management: unsupported('context_management is not supported'),
    moderation: unsupported('moderation is not supported'),
    access_programs: unsupported('access_programs is not supported'),
    image: unsupported('image is not supported'),
    prompt_cache_options: unsupported('the provider of the model decides what is cached'),
    prompt_cache_retention: unsupported('the provider of the model decides what is cached'),
    skills: shape.skills,
    toolsets: shape.toolsets,
    max_cost_dollars: shape.max_cost_dollars,
    max_steps: shape.max_steps,
    max_wrong_rate: shape.max_wrong_rate,
    timeout_seconds: shape.timeout_seconds,
  })
  .refine(({ background, store }) => !background || store !== false, {
    path: ['store'],
    message: 'A background response must be stored: leave store out, or background',
  })
  .meta({ id: 'ResponsesRequest' })
export type ResponsesRequest = z.infer<typeof responsesRequest>

/** A response in the format of OpenAI's clients. */
export const responseObject = z
  .looseObject({
    id: z.string().describe('`resp_` followed by the execution id'),
    object: z.literal('response'),
    created_at: z.int(),
    completed_at: z.int().nullable(),
    status: z.enum(['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled']),
    model: z.string(),
    output: z.array(z.looseObject({ type: z.string(), id: z.string() })),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    incomplete_details: z.object({ reason: z.string() }).nullable(),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int(), total_tokens: z.int() }).nullable(),
    execution_id: z.string(),
    session_id: z.string(),
  })
  .meta({ id: 'Response' })
export type ResponseObject = z.infer<typeof responseObject>
