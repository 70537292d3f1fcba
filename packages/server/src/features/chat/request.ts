import { isJsonObject, type Json, type JsonObject } from '@skillrun/core/json.ts'
import { invalid, ValidationFailure } from '../../adapters/http/validation.ts'
import type { Sampling } from '../../adapters/models/model.ts'
import { type ChatTurn, lastQuestion } from '../../agent/conversation.ts'
import type { ExecuteRequest } from '../executions/executions.ts'
import type { Continued } from './continue-session.ts'
import type { ChatRequest } from './wire.ts'

/** What a request asks of the reply, besides its messages. */
export function chatTurnOf(body: ChatRequest, messages: Continued['messages']): ChatTurn {
  const { response_format: format, parallel_tool_calls: parallel } = body
  const { functions, functionChoice } = functionsOf(body)
  return {
    messages,
    functions,
    functionChoice,
    oneCall: parallel === false,
    jsonObject: format?.type === 'json_object',
    outputTokensMax: body.max_completion_tokens ?? body.max_tokens ?? null,
    sampling: samplingOf(body),
    streamed: body.stream === true,
  }
}

function functionsOf({ tools, tool_choice: choice }: ChatRequest): Pick<ChatTurn, 'functions' | 'functionChoice'> {
  const functions = (tools ?? []).map(({ function: { name, description, parameters, strict } }) => ({
    name,
    description: description ?? '',
    input: (parameters ?? { type: 'object', properties: {} }) as JsonObject,
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }))
  const twice = functions.findIndex(({ name }, index) => functions.findIndex((one) => one.name === name) !== index)
  if (twice >= 0) throw invalid(['body', 'tools', twice, 'function', 'name'], 'Tool names must be unique')
  if (choice === 'none') return { functions: [], functionChoice: 'auto' }
  if (choice === 'required' && functions.length === 0)
    throw invalid(['body', 'tool_choice'], 'tool_choice requires a tool, but tools is empty')
  if (typeof choice !== 'object' || choice === null)
    return { functions, functionChoice: choice === 'required' ? 'required' : 'auto' }
  const { name } = choice.function
  if (!functions.some((one) => one.name === name))
    throw invalid(['body', 'tool_choice', 'function', 'name'], `tools contains no tool named ${JSON.stringify(name)}`)
  return { functions, functionChoice: { name } }
}

function samplingOf(body: ChatRequest): Sampling {
  const given = {
    temperature: body.temperature,
    topP: body.top_p,
    seed: body.seed,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    stop: typeof body.stop === 'string' ? [body.stop] : body.stop,
    reasoning: body.reasoning_effort,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined))
}

/** The schema of the reply, in any of its spellings. */
function schemaOf({ response_format: format }: ChatRequest): JsonObject | null {
  if (format?.type !== 'json_schema') return null
  const schema = (format.json_schema?.schema ?? format.schema ?? null) as JsonObject | null
  const description = format.json_schema?.description ?? format.description
  if (schema === null || typeof description !== 'string' || 'description' in schema) return schema
  return { ...schema, description }
}

/**
 * The request as a body of POST /v1/agent/execute. `readsWords`: the engine reads documents only, so when a schema (of the request or a
 * skill) is to be filled, the user's words become a document.
 */
export function executeBodyOf(
  body: ChatRequest,
  within: { sessionId: string; turn: ChatTurn; inputs: JsonObject; readsWords: boolean },
): ExecuteRequest {
  const { turn, sessionId, readsWords } = within
  const schema = schemaOf(body)
  const question = lastQuestion(turn.messages)
  const hasInputs = Object.keys(within.inputs).length > 0
  const isAskedInFields = schema !== null || Boolean(body.skills?.length)
  const isDocument = readsWords && !hasInputs && isAskedInFields && question.trim() !== ''
  const inputs = isDocument ? { message: { type: 'text', text: question } as Json } : within.inputs
  // A plain conversation has only the caller's tools; one with inputs also gets the tools that work on them.
  const isPlain = !hasInputs && !body.skills?.length && !body.toolsets
  const isForced = turn.functionChoice !== 'auto'
  return {
    model: body.model ?? null,
    inputs,
    toolsets: body.toolsets ?? null,
    metadata: { ...metadataOf(body), session_id: sessionId },
    config: {
      prompt: isDocument ? '' : question,
      json_schema: schema,
      skills: body.skills ?? null,
      service_tier: body.service_tier ?? null,
      max_cost_dollars: body.max_cost_dollars ?? null,
      max_steps: body.max_steps ?? null,
      max_wrong_rate: body.max_wrong_rate,
      timeout_seconds: body.timeout_seconds ?? null,
      ...(isPlain || isForced ? { tool_names: [] } : {}),
    },
  }
}

/** Maps failures in the translated body to their places in the client's request. */
export function asSent(failure: unknown, { response_format: format }: ChatRequest): unknown {
  if (!(failure instanceof ValidationFailure)) return failure
  const nested = format?.type === 'json_schema' && format.json_schema?.schema ? ['json_schema'] : []
  const placeOf = ([part, first, second, ...rest]: readonly (string | number)[]): (string | number)[] => {
    const whole = [part, first, second].filter((step) => step !== undefined)
    if (first !== 'config' || part === undefined || second === undefined) return [...whole, ...rest]
    if (second === 'json_schema') return [part, 'response_format', ...nested, 'schema', ...rest]
    return [part, second === 'prompt' ? 'messages' : second, ...rest]
  }
  return new ValidationFailure(failure.details.map((detail) => ({ ...detail, loc: placeOf(detail.loc) })))
}

/** The metadata of a request, with its labels; `store: false` keeps nothing. */
export function metadataOf(body: ChatRequest): JsonObject {
  const { metadata, user, safety_identifier, prompt_cache_key, store } = body
  const labels = { user, safety_identifier, prompt_cache_key }
  return {
    ...Object.fromEntries(Object.entries(labels).filter(([, label]) => typeof label === 'string')),
    ...(isJsonObject(metadata) ? metadata : {}),
    ...(store === false ? { allow_retention: false } : {}),
  }
}

/** The session that a request names, in any of the accepted places. */
export function sessionNamed(body: ChatRequest): string | undefined {
  const metadata = metadataOf(body)
  const named = body.session_id ?? metadata['session_id'] ?? metadata['sessionId']
  return typeof named === 'string' && named !== '' && named.length <= 255 ? named : undefined
}
