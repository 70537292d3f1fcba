import { Fault } from '@skillrun/core/fault.ts'
import { ProviderLimited } from './model.ts'
import { AnswerTooLong } from './provider-fetch.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Longer codes are not repeated in messages. */
const codeCharactersMax = 64

/** The parts of the AI SDK's call error that are used here. */
interface CallError {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  readonly message: string
}

/** Converts the error of a call to a Fault as documented at `Model`. */
export function faultOf(
  error: unknown,
  call: { settings: ProviderSettings; timedOut: boolean; wallMs: number },
): unknown {
  if (error instanceof Fault) return error
  const { settings } = call
  const who = `The model provider ${settings.name}`
  if (call.timedOut)
    return new Fault('timeout', 'provider_timeout', `${who} did not answer within ${call.wallMs / 1000} seconds`)
  const tooLong = tooLongIn(error)
  if (tooLong) return new Fault('upstream', 'provider_failed', `${who} ${tooLong.message}`, { cause: error })
  const isCallError = error instanceof Error && error.name === 'AI_APICallError'
  const { statusCode: status, responseHeaders = {}, responseBody = '' } = (isCallError ? error : {}) as CallError
  if (status === 429 && !/insufficient_quota/.test(responseBody))
    return new ProviderLimited(`${who} is rate limiting requests (429)`, afterMsOf(responseHeaders))
  if (status === 401 || status === 403)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} rejected the key (${status}); check the key in this server's configuration`,
    )
  if (status !== undefined && status >= 400 && status < 500 && status !== 408)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} rejected the request (${[status, ...codesOf(responseBody)].join(', ')})`,
      { cause: error },
    )
  if (error instanceof Error && error.name === 'AI_UnsupportedFunctionalityError')
    return new Fault(
      'invalid',
      'provider_refused',
      `The model ${settings.name}/${settings.model} cannot take this request: it contains content or an option that the provider does not support`,
      { cause: error },
    )
  const what = isCallError ? whatFailed(status) : 'sent an invalid reply'
  return new Fault('upstream', 'provider_failed', `${who} ${what}`, { cause: error })
}

/** The AnswerTooLong among the causes of an error. */
function tooLongIn(error: unknown): AnswerTooLong | undefined {
  let inner = error
  while (inner instanceof Error && !(inner instanceof AnswerTooLong)) inner = inner.cause
  return inner instanceof AnswerTooLong ? inner : undefined
}

function whatFailed(status: number | undefined): string {
  if (status === undefined) return 'could not be reached, or closed the connection'
  return status < 400 ? 'sent an invalid reply' : `failed (${status})`
}

/**
 * The codes of a rejection (`invalid_request_error, context_length_exceeded`). Nothing else of the response is repeated: its
 * sentences may contain the prompt or keys.
 */
function codesOf(responseBody: string): string[] {
  const { error } = jsonOf(responseBody) as { error?: { type?: unknown; status?: unknown; code?: unknown } | null }
  const codes = [error?.type, error?.status, error?.code]
  return [...new Set(codes.filter((code) => typeof code === 'string' && /^[A-Za-z]+(_[A-Za-z]+)*$/.test(code)))]
    .map(String)
    .filter((code) => code.length <= codeCharactersMax)
}

function jsonOf(text: string): object {
  try {
    return Object(JSON.parse(text)) as object
  } catch {
    return {}
  }
}

/** The wait in milliseconds from `retry-after-ms` or Retry-After (seconds or a date, RFC 9110); null when absent. */
function afterMsOf(headers: Readonly<Record<string, string>>): number | null {
  const milliseconds = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && milliseconds >= 0) return milliseconds
  const text = headers['retry-after']
  if (!text) return null
  const seconds = Number(text)
  if (seconds >= 0) return Math.round(seconds * 1000)
  // A date is compared with the response's own Date header, because our clock may differ.
  const wait = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
