import { Fault } from '@skillrun/core/fault.ts'
import { ProviderLimited } from './model.ts'
import { AnswerTooLong } from './provider-fetch.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** No code of a provider is longer. */
const codeCharactersMax = 64

/** What the AI SDK throws when a call fails, as far as it is of use here. */
interface CallError {
  readonly statusCode?: number
  readonly responseHeaders?: Readonly<Record<string, string>>
  readonly responseBody?: string
  readonly message: string
}

/** The Fault that a failed call is; see `Model`. */
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
    return new ProviderLimited(`${who} takes no more requests for now (429)`, afterMsOf(responseHeaders))
  if (status === 401 || status === 403)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} refused the key (${status}); check the key that this server has for it`,
    )
  if (status !== undefined && status >= 400 && status < 500 && status !== 408)
    return new Fault(
      'invalid',
      'provider_refused',
      `${who} refused the request (${[status, ...codesOf(responseBody)].join(', ')})`,
      { cause: error },
    )
  if (error instanceof Error && error.name === 'AI_UnsupportedFunctionalityError')
    return new Fault(
      'invalid',
      'provider_refused',
      `The model ${settings.name}/${settings.model} does not take this request: it holds a kind of content or a wish that this provider has no form for`,
      { cause: error },
    )
  const what = isCallError ? whatFailed(status) : 'answered with something that is no answer'
  return new Fault('upstream', 'provider_failed', `${who} ${what}`, { cause: error })
}

/** Whether an answer was too long, under what the AI SDK says of it. */
function tooLongIn(error: unknown): AnswerTooLong | undefined {
  let inner = error
  while (inner instanceof Error && !(inner instanceof AnswerTooLong)) inner = inner.cause
  return inner instanceof AnswerTooLong ? inner : undefined
}

function whatFailed(status: number | undefined): string {
  if (status === undefined) return 'could not be reached, or broke the connection off'
  return status < 400 ? 'answered with something that is no answer' : `failed (${status})`
}

/**
 * The codes of a refusal (`invalid_request_error, context_length_exceeded`), which are words of an interface. Nothing else that the
 * provider says is repeated: its sentences may hold what it was asked, and its keys.
 */
function codesOf(responseBody: string): string[] {
  const { error } = jsonOf(responseBody) as { error?: { type?: unknown; status?: unknown; code?: unknown } | null }
  const said = [error?.type, error?.status, error?.code]
  return [...new Set(said.filter((code) => typeof code === 'string' && /^[A-Za-z]+(_[A-Za-z]+)*$/.test(code)))]
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

/** When to come back (RFC 9110, Retry-After: seconds or a date; `retry-after-ms` in milliseconds). */
function afterMsOf(headers: Readonly<Record<string, string>>): number | null {
  const milliseconds = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && milliseconds >= 0) return milliseconds
  const text = headers['retry-after']
  if (!text) return null
  const seconds = Number(text)
  if (seconds >= 0) return Math.round(seconds * 1000)
  // The answer's own Date is the provider's clock: ours is not asked.
  const wait = Date.parse(text) - Date.parse(headers['date'] ?? '')
  return Number.isFinite(wait) ? Math.max(0, wait) : null
}
