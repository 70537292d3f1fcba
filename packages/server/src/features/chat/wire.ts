import { wrongRates } from '@skillrun/reader/score/risk.ts'
import { z } from 'zod'
import { arrayOf, shownAs, unsupported } from '../../adapters/http/schemas.ts'
import { limits } from '../../core/limits.ts'
import { toolset } from '../executions/executions.ts'
import { inputItem } from '../inputs/inputs.ts'
import { skillEntry } from '../skills/skills.ts'

const text = z.object({ type: z.literal('text'), text: z.string() })
const refusal = z.object({ type: z.literal('refusal'), refusal: z.string() })
const dataUrl = z.string().regex(/^data:[^,]{0,1000},/i, 'Input should be a data URL')

/** Content parts of OpenAI that this interface lacks. */
const openAiPart = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('input_audio'),
    input_audio: z.object({ data: z.string().min(1).describe('base64'), format: z.string().regex(/^[a-z0-9]{1,10}$/) }),
  }),
  z.object({
    type: z.literal('file'),
    file: z
      .object({ file_id: z.string().min(1).nullish(), file_data: dataUrl.nullish(), filename: z.string().nullish() })
      .refine((file) => file.file_id || file.file_data, 'A file needs file_id or file_data'),
  }),
])
const openAiTypes: ReadonlySet<unknown> = new Set(['input_audio', 'file'])

/** One union of our items and OpenAI's, chosen by `type`, so that an error names the right part. */
const userPart = shownAs(
  z.unknown().transform((value, context) => {
    const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
    const read = (openAiTypes.has(type) ? openAiPart : inputItem).safeParse(urlAsObject(value), { reportInput: true })
    if (read.success) return read.data
    for (const issue of read.error.issues) context.issues.push({ ...issue, input: issue.input } as never)
    return z.NEVER
  }),
  z.union([inputItem, openAiPart]),
)
export type UserPart = z.infer<typeof inputItem> | z.infer<typeof openAiPart>

/** Some clients send the URL itself in place of the object. */
function urlAsObject(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value
  const name = String(value.type)
  const url = (value as Record<string, unknown>)[name]
  return name.endsWith('_url') && typeof url === 'string' ? { ...value, [name]: { url } } : value
}

const partsMax = limits.inputItemsMax
const plain = z.union([z.string(), arrayOf(text, partsMax)])

const message = z
  .discriminatedUnion('role', [
    z.object({ role: z.enum(['system', 'developer']), content: plain }),
    z.object({ role: z.literal('user'), content: z.union([z.string(), arrayOf(userPart, partsMax)]) }),
    z.object({
      role: z.literal('assistant'),
      content: z.union([z.string(), arrayOf(z.union([text, refusal]), partsMax)]).nullish(),
      refusal: z.string().nullish(),
      audio: unsupported('earlier replies with audio are not supported; send their text'),
      function_call: unsupported('function_call is not supported; use tool_calls'),
      tool_calls: arrayOf(
        z.object({
          id: z.string().min(1).max(500),
          type: z.literal('function').nullish(),
          function: z.object({ name: z.string().min(1).max(200), arguments: z.string() }),
        }),
        limits.listItemsMax,
      ).nullish(),
    }),
    z.object({ role: z.literal('tool'), content: plain, tool_call_id: z.string().min(1).max(500) }),
  ])
  .meta({ id: 'ChatMessage' })
export type WireMessage = z.infer<typeof message>

const jsonSchema = z.looseObject({})
const namedSchema = {
  name: z.string().nullish(),
  description: z.string().nullish(),
  schema: jsonSchema.nullish(),
  strict: z.boolean().nullish().describe('Every answer is validated against the schema, whatever this says'),
}
const responseFormat = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('text') }),
    z.object({ type: z.literal('json_object') }),
    z
      .object({ type: z.literal('json_schema'), json_schema: z.object(namedSchema).nullish(), ...namedSchema })
      .refine(
        (format) => format.json_schema?.schema ?? format.schema,
        'response_format of type json_schema must contain a schema',
      ),
  ])
  .meta({ id: 'ChatResponseFormat' })

const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'The name must have 1 to 64 letters, digits, underscores or hyphens'),
    description: z.string().nullish(),
    parameters: jsonSchema.nullish(),
    strict: z.boolean().nullish().describe('Passed to providers that have it'),
  }),
})
const toolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
])

const tokens = z.int().min(1).max(10_000_000)
const unit = (min: number, max: number) => z.number().min(min).max(max).nullish()

const cacheOfProvider = 'the provider of the model decides what is cached'

/**
 * Body of POST /v1/openai/chat/completions: OpenAI's fields and ours. What OpenAI has and this server does not is refused; other fields,
 * which clients of the closed service send, are ignored and named in `X-Ignored-Fields`.
 */
export const chatRequest = z
  .object({
    model: z.string().min(1).max(255).nullish(),
    messages: arrayOf(message, limits.chatMessagesMax, 1),
    stream: z.boolean().nullish(),
    max_tokens: tokens.nullish(),
    max_completion_tokens: tokens.nullish(),
    temperature: unit(0, 2),
    top_p: unit(0, 1),
    seed: z.int().nullish(),
    presence_penalty: unit(-2, 2),
    frequency_penalty: unit(-2, 2),
    stop: z.union([z.string(), arrayOf(z.string(), 16)]).nullish(),
    reasoning_effort: z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh']).nullish(),
    response_format: responseFormat.nullish(),
    tools: arrayOf(tool, limits.listItemsMax).nullish(),
    tool_choice: toolChoice.nullish(),
    parallel_tool_calls: z.boolean().nullish(),
    service_tier: z.enum(['auto', 'default', 'standard', 'flex', 'priority']).nullish(),
    metadata: z.looseObject({}).nullish(),
    n: z.literal(1, 'n must be 1: the server generates one reply').nullish(),
    logprobs: z.literal(false, 'logprobs are not supported').nullish(),
    logit_bias: z
      .looseObject({})
      .refine((bias) => Object.keys(bias).length === 0, 'logit_bias is not supported')
      .nullish(),
    modalities: arrayOf(z.literal('text', 'modalities must be ["text"]'), 5).nullish(),
    functions: z.array(z.unknown()).max(0, 'functions is not supported; use tools').nullish(),
    function_call: unsupported('function_call is not supported; use tool_choice', ['none', 'auto']),
    store: z.boolean().nullish().describe('false: nothing is kept once the reply was read'),
    stream_options: z
      .strictObject({
        include_usage: z.boolean().nullish().describe('A stream always ends with its usage'),
        include_obfuscation: unsupported('the stream has no obfuscation', [false]),
      })
      .nullish(),
    user: z.string().max(500).nullish().describe('A label, kept in the metadata of the execution'),
    safety_identifier: z.string().max(500).nullish().describe('A label, kept in the metadata of the execution'),
    prompt_cache_key: z.string().max(500).nullish().describe('A label, kept in the metadata; caching needs none'),
    audio: unsupported('replies have no audio'),
    moderation: unsupported('moderation is not supported'),
    prediction: unsupported('prediction is not supported'),
    prompt_cache_options: unsupported(cacheOfProvider),
    prompt_cache_retention: unsupported(cacheOfProvider),
    top_logprobs: unsupported('log probabilities are not supported', [0]),
    verbosity: unsupported('verbosity is not supported', ['medium']),
    web_search_options: unsupported('web_search_options is not supported; use toolsets'),
    session_id: z.string().min(1).max(255).nullish().describe('If absent, a new session is created'),
    skills: arrayOf(skillEntry, limits.listItemsMax).nullish(),
    toolsets: arrayOf(toolset, limits.listItemsMax).nullish(),
    max_cost_dollars: z.number().nonnegative().max(1_000_000).nullish(),
    max_steps: z.int().min(1).max(10_000).nullish(),
    max_wrong_rate: z.number().min(wrongRates.min).max(wrongRates.max).nullish(),
    timeout_seconds: z.number().positive().max(86_400).nullish(),
  })
  .meta({ id: 'ChatCompletionRequest' })
export type ChatRequest = z.infer<typeof chatRequest>

const usage = z.object({
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  total_tokens: z.int(),
  prompt_tokens_details: z.object({ cached_tokens: z.int() }),
  completion_tokens_details: z.object({ reasoning_tokens: z.int() }),
  credits_used: z.int(),
  cost_dollars: z.number(),
})

/** A chat completion. */
export const chatCompletion = z
  .object({
    id: z.string().describe('`chatcmpl-` followed by the execution id'),
    object: z.literal('chat.completion'),
    created: z.int(),
    model: z.string(),
    session_id: z.string(),
    service_tier: z.string(),
    choices: z.array(
      z.object({
        index: z.int(),
        message: z.object({
          role: z.literal('assistant'),
          content: z.string().nullable(),
          refusal: z.string().nullable(),
          tool_calls: z.array(z.looseObject({ id: z.string() })).optional(),
        }),
        logprobs: z.null(),
        finish_reason: z.enum(['stop', 'length', 'tool_calls', 'content_filter']),
      }),
    ),
    usage,
  })
  .meta({ id: 'ChatCompletion' })
export type ChatCompletion = z.infer<typeof chatCompletion>

export const openAiModel = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
    engine: z.string().meta({ description: 'The engine: `embedded`, or `provider/model`' }),
  })
  .meta({ id: 'OpenAIModel' })
