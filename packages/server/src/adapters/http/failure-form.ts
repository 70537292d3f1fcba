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

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'insufficient_quota',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
}

/** The JSON of a failure, in our format or OpenAI's. */
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

/** The body of a failure on a path. */
export function failureBody(path: string, { status, code, message, details }: Failure): FailureBody {
  if (!speaksOpenAi(path)) return { detail: details ?? message }
  const first = details?.[0]
  const [, ...place] = first?.loc ?? []
  const param = place.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  )
  const type = types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return {
    error: {
      message: first ? `${first.msg}${param === '' ? '' : ` (${param})`}` : message,
      type,
      code: first?.type ?? code,
      param: param === '' ? null : param,
    },
  }
}
