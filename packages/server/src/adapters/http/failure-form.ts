import type { ValidationDetail } from './validation.ts'

/** A failed request: the message and code of a Fault, or the details of a request that is not valid. */
export interface Failure {
  readonly status: number
  readonly code: string | null
  readonly message: string
  readonly details?: readonly ValidationDetail[]
}

/** Whether a path belongs to the OpenAI-compatible API, whose clients only understand OpenAI's error format. */
export const speaksOpenAi = (path: string): boolean => /^\/v1\/(openai|chat|responses)(\/|$)/.test(path)

/** Whether a path belongs to the Anthropic-compatible API, with its own error format and key header. */
export const speaksAnthropic = (path: string): boolean => /^\/(v1\/)?anthropic\/|^\/v1\/messages(\/|$)/.test(path)

/** The status of a request that is not valid. */
export const invalidStatusOf = (path: string): number => (speaksAnthropic(path) ? 400 : 422)

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

/** The JSON of a failure, in our format, OpenAI's or Anthropic's. */
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
      readonly error: { readonly type: string; readonly message: string; readonly code: string | null }
    }

/** The body of a failure on a path. */
export function failureBody(path: string, { status, code: failureCode, message, details }: Failure): FailureBody {
  const isAnthropic = speaksAnthropic(path)
  if (!isAnthropic && !speaksOpenAi(path)) return { detail: details ?? message }
  const first = details?.[0]
  const [, ...place] = first?.loc ?? []
  const param = place.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
  const code = first?.type ?? failureCode
  const sentence = first ? `${first.msg}${param === '' ? '' : ` (${param})`}` : message
  if (isAnthropic) {
    const type = anthropicTypes[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error')
    return { type: 'error', error: { type, message: sentence, code } }
  }
  const type = types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message: sentence, type, code, param: param === '' ? null : param } }
}
