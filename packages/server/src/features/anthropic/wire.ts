import { z } from 'zod'
import { arrayOf, unsupported } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import { chatRequest } from '../chat/chat.ts'

const text = z.string()
const id = z.string().min(1).max(500)
/** The provider decides what it caches: the hint is accepted and has no effect. */
const cache_control = z.looseObject({}).nullish().describe('A hint; the provider of the model decides what is cached')
const textBlock = z
  .strictObject({
    type: z.literal('text'),
    text,
    citations: z.array(z.unknown()).nullish().describe('In a reply that is sent back'),
    cache_control,
  })
  .meta({ id: 'AnthropicTextBlock' })
const base64 = (types: readonly [string, ...string[]]) =>
  z.strictObject({ type: z.literal('base64'), media_type: z.enum(types), data: z.string().min(1) })
const ofUrl = z.strictObject({ type: z.literal('url'), url: z.string().min(1) })
const ofFile = z.strictObject({ type: z.literal('file'), file_id: id })
const imageBlock = z
  .strictObject({
    transformations: unsupported('transformations are not supported'),
    type: z.literal('image'),
    source: z.discriminatedUnion('type', [
      base64(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      ofUrl,
      ofFile,
    ]),
    cache_control,
  })
  .meta({ id: 'AnthropicImageBlock' })
const documentBlock = z
  .strictObject({
    type: z.literal('document'),
    source: z.discriminatedUnion('type', [
      base64(['application/pdf']),
      z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string().min(1) }),
      z.strictObject({
        type: z.literal('content'),
        content: z.union([text, arrayOf(textBlock, limits.inputItemsMax)]),
      }),
      ofUrl,
      ofFile,
    ]),
    title: text.max(500).nullish(),
    context: text.nullish(),
    citations: z.strictObject({ enabled: z.boolean().nullish() }).nullish(),
    cache_control,
  })
  .meta({ id: 'AnthropicDocumentBlock' })
const toolUse = z.strictObject({
  toolset_name: unsupported('toolset_name is not supported'),
  caller: z
    .strictObject({ type: z.literal('direct', 'Only calls of the model itself (caller.type: direct) are supported') })
    .nullish(),
  type: z.literal('tool_use'),
  id,
  name: z.string().min(1).max(200),
  input: z.looseObject({}),
  cache_control,
})
const resultBlock = z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock])
const toolResult = z.strictObject({
  toolset_name: unsupported('toolset_name is not supported'),
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.union([text, arrayOf(resultBlock, limits.inputItemsMax)]).nullish(),
  is_error: z.boolean().nullish(),
  cache_control,
})
const partsMax = limits.inputItemsMax
const message = z
  .discriminatedUnion('role', [
    z.strictObject({
      role: z.literal('user'),
      content: z.union([
        text,
        arrayOf(z.discriminatedUnion('type', [textBlock, imageBlock, documentBlock, toolResult]), partsMax, 1),
      ]),
    }),
    z.strictObject({
      role: z.literal('assistant'),
      content: z.union([text, arrayOf(z.discriminatedUnion('type', [textBlock, toolUse]), partsMax, 1)]),
    }),
  ])
  .meta({ id: 'AnthropicMessageParam' })
export type MessageParam = z.infer<typeof message>
export type UserBlock = Exclude<Extract<MessageParam, { role: 'user' }>['content'], string>[number]

const no = unsupported
const customTool = z
  .strictObject({
    type: z.literal('custom').nullish(),
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores or hyphens'),
    description: text.nullish(),
    input_schema: z.looseObject({}),
    strict: z.boolean().nullish().describe('Passed to providers that have it'),
    defer_loading: no('defer_loading is not supported', [false]),
    allowed_callers: no('allowed_callers is not supported'),
    input_examples: no('input_examples are not supported; describe them in description'),
    eager_input_streaming: z.boolean().nullish().describe('A hint; the arguments of a call arrive in one piece'),
    cache_control,
  })
  .meta({ id: 'AnthropicCustomTool' })
/** The tool that runs the scripts of skills; allowed only together with skills. */
const codeExecution = z
  .strictObject({
    type: z
      .string()
      .regex(
        /^code_execution_\d{8}$/,
        "A tool of this type is not supported: give your own tools, or the server's by toolsets",
      ),
    name: z.literal('code_execution'),
    cache_control,
  })
  .meta({ id: 'AnthropicCodeExecution' })
const tool = z.union([customTool, codeExecution])
export type AnthropicTool = z.infer<typeof tool>

const oneCall = z.boolean().nullish()
const toolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), disable_parallel_tool_use: oneCall }),
  z.strictObject({ type: z.literal('any'), disable_parallel_tool_use: oneCall }),
  z.strictObject({ type: z.literal('tool'), name: text, disable_parallel_tool_use: oneCall }),
  z.strictObject({ type: z.literal('none') }),
])
const containerSkill = z.strictObject({
  type: z.enum(['custom', 'anthropic']),
  skill_id: z.string().min(1).max(1_000),
  version: z.string().min(1).max(100).nullish(),
})
const { shape } = chatRequest

/** Body of POST /anthropic/v1/messages: Anthropic's fields and options of Skillrun. Unknown parameters are refused. */
export const messagesRequest = z
  .strictObject({
    model: z.string().min(1).max(255),
    max_tokens: z.int().min(1).max(10_000_000),
    messages: arrayOf(message, limits.chatMessagesMax, 1),
    system: z.union([text, arrayOf(textBlock, partsMax)]).nullish(),
    stream: z.boolean().nullish(),
    stop_sequences: arrayOf(text, 16).nullish(),
    temperature: z.number().min(0).max(1).nullish(),
    top_p: shape.top_p,
    tools: arrayOf(tool, limits.listItemsMax).nullish(),
    tool_choice: toolChoice.nullish(),
    metadata: z.strictObject({ user_id: text.max(500).nullish() }).nullish(),
    output_config: z
      .strictObject({
        effort: z.enum(['low', 'medium', 'high', 'xhigh'], 'effort must be low, medium, high or xhigh').nullish(),
        format: z.strictObject({ type: z.literal('json_schema'), schema: z.looseObject({}) }).nullish(),
      })
      .nullish(),
    thinking: z
      .strictObject({ type: z.literal('disabled', 'thinking is not supported: replies have no thinking blocks') })
      .nullish(),
    container: z
      .strictObject({
        id: no('containers are not kept; leave container.id out'),
        skills: arrayOf(containerSkill, limits.listItemsMax).nullish(),
      })
      .nullish(),
    service_tier: z.enum(['auto', 'standard_only']).nullish(),
    cache_control,
    top_k: no('top_k is not supported'),
    speed: no('speed is not supported; use service_tier', ['standard']),
    inference_geo: no('inference_geo is not supported'),
    diagnostics: no('diagnostics is not supported'),
    user_profile_id: no('user_profile_id is not supported'),
    workspace_id: no('the key decides the workspace'),
    mcp_servers: no('mcp_servers is not supported; the operator configures tool servers'),
    context_management: no('context_management is not supported'),
    toolsets: shape.toolsets,
    max_cost_dollars: shape.max_cost_dollars,
    max_steps: shape.max_steps,
    max_wrong_rate: shape.max_wrong_rate,
    timeout_seconds: shape.timeout_seconds,
  })
  .meta({ id: 'AnthropicMessagesRequest' })
export type MessagesRequest = z.infer<typeof messagesRequest>

/** A message in the format of Anthropic's clients. */
export const messageObject = z
  .looseObject({
    id: z.string().describe('`msg_` followed by the execution id'),
    type: z.literal('message'),
    role: z.literal('assistant'),
    model: z.string(),
    content: z.array(z.looseObject({ type: z.string() })),
    stop_reason: z.enum(['end_turn', 'max_tokens', 'tool_use', 'refusal']).nullable(),
    stop_sequence: z.null(),
    usage: z.looseObject({ input_tokens: z.int(), output_tokens: z.int() }),
    container: z.null(),
  })
  .meta({ id: 'AnthropicMessage' })
export type MessageObject = z.infer<typeof messageObject>
