import type { ValidationDetail } from './validation.ts'

/** A failed request: the message and code of a Fault, or the details of a request that is not valid. */
export interface Failure {
  readonly status: number
  readonly code: string | null
  readonly message: string
  readonly details?: readonly ValidationDetail[]
  /** The status that describes the failure where `status` must not, because clients would send the request again. Default: `status`. */
  readonly meaning?: number
}

/** The failure of a request that waits for something else than the usual `100 Continue` before it sends its body. */
export const expectationFailure: Failure = {
  status: 417,
  code: 'unknown_expectation',
  message: 'The header Expect may only be 100-continue; leave it out',
}

/** Whether a path belongs to the OpenAI-compatible API, whose clients only understand OpenAI's error format. */
export const speaksOpenAi = (path: string): boolean => /^\/v1\/(openai|chat|responses)(\/|$)/.test(path)

/** Whether a path belongs to the Anthropic-compatible API, with its own error format and key header. */
export const speaksAnthropic = (path: string): boolean => /^\/((v1\/)?anthropic|v1\/messages)([/?]|$)/.test(path)

/** Whether a path belongs to the MCP server, whose clients expect errors of JSON-RPC. */
export const speaksMcp = (path: string): boolean => /^\/mcp([/?]|$)/.test(path)

/**
 * Whether a query parameter that the route does not have is refused: OpenAI and Anthropic refuse unknown parameters. Chats are an exception,
 * as for their bodies: clients of the closed service send more.
 */
export const refusesUnknownQuery = (path: string): boolean =>
  (speaksOpenAi(path) && !path.endsWith('/chat/completions')) || speaksAnthropic(path)

/** The status of a request that is not valid. */
export const invalidStatusOf = (path: string): number => (speaksAnthropic(path) || speaksMcp(path) ? 400 : 422)

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** Codes that programs written for OpenAI compare with. */
const openAiCodes: Readonly<Record<string, string>> = {
  no_key: 'invalid_api_key',
  bad_key: 'invalid_api_key',
  two_keys: 'invalid_api_key',
  rate_limited: 'rate_limit_exceeded',
}

/** Codes of JSON-RPC; any other failure has the first one that it leaves to servers. */
const rpcCodes: Readonly<Record<string, number>> = { json_invalid: -32_700, internal: -32_603 }
const rpcServerError = -32_000
const rpcInvalidRequest = -32_600

/** The JSON of a failure, in our format, OpenAI's, Anthropic's or that of JSON-RPC. */
export type FailureBody =
  | { readonly detail: string | readonly ValidationDetail[] }
  | {
      readonly error: {
        readonly message: string
        readonly type: string
        readonly code: string | null
        readonly param: string | null
      }
    }
  | {
      readonly type: 'error'
      readonly error: {
        readonly type: string
        readonly message: string
        readonly code: string | null
        readonly details: { readonly error_code: string } | null
      }
    }
  | {
      readonly jsonrpc: '2.0'
      readonly id: null
      readonly error: {
        readonly code: number
        readonly message: string
        readonly data: { readonly code: string | null }
      }
    }

/** The body of a failure on a path. */
export function failureBody(path: string, failure: Failure): FailureBody {
  const { status, meaning = status, message, details } = failure
  const isOurs = !speaksOpenAi(path) && !speaksAnthropic(path) && !speaksMcp(path)
  if (isOurs) return { detail: details ?? message }
  const first = details?.[0]
  const param = first ? placeOf(first) : ''
  const code = first?.type ?? failure.code
  const sentence = first ? sentenceOf(first, param) : message
  if (speaksMcp(path)) {
    const rpcCode = rpcCodes[code ?? ''] ?? (first ? rpcInvalidRequest : rpcServerError)
    return { jsonrpc: '2.0', id: null, error: { code: rpcCode, message: sentence, data: { code } } }
  }
  if (speaksAnthropic(path)) {
    const type = anthropicTypes[meaning] ?? (meaning >= 500 ? 'api_error' : 'invalid_request_error')
    // The official client reads the code from the details.
    const more = code === null ? null : { error_code: code }
    return { type: 'error', error: { type, message: sentence, code, details: more } }
  }
  const type = types[meaning] ?? (meaning >= 500 ? 'server_error' : 'invalid_request_error')
  const known = code === null ? null : (openAiCodes[code] ?? code)
  return { error: { message: sentence, type, code: known, param: param === '' ? null : param } }
}

/** The parameter that a detail is about, such as `messages[0].role`; empty for text that is no JSON, and for headers. */
function placeOf({ loc: [part, ...place], type }: ValidationDetail): string {
  if (part === 'header' || type === 'json_invalid') return ''
  return place.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
}

function sentenceOf({ loc, msg, type, ctx }: ValidationDetail, param: string): string {
  const at = loc[1]
  if (type === 'json_invalid' && typeof at === 'number') return `${msg} at character ${at}: ${ctx?.['error']}`
  return param === '' ? msg : `${msg} (${param})`
}
